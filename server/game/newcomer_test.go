package game

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A player that makes characters only to sell their first items gets nothing for it.
func TestTradersPayNothingForWhatEveryNewcomerHas(t *testing.T) {
	t.Parallel()
	for _, i := range starterItems() {
		if !rules.ClassOf(i.Class).Gift {
			t.Errorf("class %d can be sold", i.Class)
		}
	}
}

// Several starts are taken in turn, so that each has as many newcomers.
func TestNewcomersAreSpreadOverTheStarts(t *testing.T) {
	t.Parallel()
	a, b, c := coords.Position{X: 1}, coords.Position{X: 2}, coords.Position{X: 3}
	for _, v := range []struct {
		more []coords.Position
		want map[coords.Position]int
	}{
		{nil, map[coords.Position]int{a: 12}},
		{[]coords.Position{b, c}, map[coords.Position]int{a: 4, b: 4, c: 4}},
	} {
		s := &Server{options: Options{Start: a, MoreStarts: v.more}, world: world.New(world.Options{}, nil)}
		got := map[coords.Position]int{}
		for account := range data.AccountID(12) {
			got[s.newCharacter(account, session.Creation{}).Position]++
		}
		if !maps.Equal(got, v.want) {
			t.Errorf("%v: %v", v.more, got)
		}
	}
}

// With the settings that ship a newcomer is told the two commands from which it learns all else; both exist.
func TestTheGreetingThatShips(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.arriving()
	var greetings []string
	g.until("the greeting", func() bool {
		for _, m := range commandsOf[*packets.SystemMessage](p.frames()) {
			if strings.HasPrefix(m.Text, "Добро пожаловать!") {
				greetings = append(greetings, m.Text)
			}
		}
		return len(greetings) > 0
	})
	g.pass(time.Second)
	if more := commandsOf[*packets.SystemMessage](p.frames()); len(greetings) != 1 || len(more) > 0 {
		t.Errorf("told %q, then %d lines more", greetings, len(more))
	}
	named := regexp.MustCompile(`/\pL+`).FindAllString(strings.Join(greetings, " "), -1)
	if !slices.Equal(named, []string{"/куда", "/помощь"}) {
		t.Errorf("the greeting names %q", named)
	}
	for _, command := range named {
		if told := strings.Join(p.commands(command), "\n"); told == "" || strings.Contains(told, "SystemText Text=859") {
			t.Errorf("%s is answered %q", command, told)
		}
	}
}
