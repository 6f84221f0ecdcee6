package script

import (
	"context"
	"errors"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

const (
	owlID packets.ObjectID = iota + 0x100
	nearID
	breadID
	arrowsID
	traderID
	bagID
)

// holding is a player with a client that holds one of each thing, and a server that never says anything.
func holding(t *testing.T) *player {
	t.Helper()
	near, far := net.Pipe()
	go func() { _, _ = io.Copy(io.Discard, far) }()
	c := bot.New(near, bot.Options{Manual: true})
	t.Cleanup(func() { near.Close(); far.Close() })
	here := coords.Position{X: 2614, Y: 157.8, Z: 1293}
	c.Index, c.Position, c.Money, c.Snapshot.Name = packets.PlayerIndexOf(owlID), here, 7, "Сова"
	item := func(id packets.ObjectID, class packets.Class, parent packets.ObjectID) *bot.Object {
		o := &bot.Object{ID: id, Class: class, Parent: parent, Spawn: new(packets.SpawnSnapshot), Position: here}
		c.Objects[id] = o
		return o
	}
	item(breadID, packets.ClassBread, c.ID()).Count = 10
	item(bagID, 401, c.ID()).Slots = map[uint8]bot.Slot{}
	lying := item(arrowsID, packets.ClassBread, packets.NoObject)
	lying.Placement, lying.Position.X = packets.Lying, here.X+3
	item(traderID, packets.ClassTrader, packets.NoObject).Goods = map[uint8]bot.Article{2: {Item: breadID, Price: 5}}
	c.Objects[nearID] = &bot.Object{ID: nearID, Class: packets.ClassPlayer, Gear: new(packets.SetWornGear),
		Player:   &packets.PlayerSpawn{Name: "Филин", Clan: "Ночь", Title: 2, Karma: 3},
		Position: coords.Position{X: 2616, Y: 157.8, Z: 1293}}
	c.Slots[27], c.Slots[28] = bot.Slot{Item: breadID, Weight: 80}, bot.Slot{Item: bagID, Weight: 500}
	c.Group = bot.Group{Members: []bot.GroupMember{{Name: "Сова", Leader: true}, {Name: "Филин"}},
		Applicants: []string{"Филин"}}
	c.Clan = bot.Clan{Name: "Ночь"}
	c.Lines = []bot.Line{{Number: 1, Channel: 2, Sender: "Филин", Message: "привет"},
		{Number: 2, Message: "Буря."}}
	r := &Runner{methods: methods(), context: t.Context(), patience: 5 * time.Millisecond}
	p := &player{runner: r, name: "Сова", client: c, known: map[int]bool{}}
	p.live()
	t.Cleanup(func() { p.rest() })
	return p
}

// englishWords are words of English that no Russian text has.
var englishWords = regexp.MustCompile(`\b(?:of|the|in|at|to|not|no|is|has|sees|and|with|for|on|away|level|from)\b`)

// Every condition holds when the client has the thing that it names; when it does not, the failure says what it has
// instead.
func TestConditionsSayWhatIsSoInstead(t *testing.T) {
	for _, v := range []struct{ call, want string }{
		{`p.is_at((2614, 157.8, 1293))`, ""},
		{`p.is_at((2624, 157.8, 1293), within=2)`, "expected Сова at 2624.00 157.80 1293.00, give or take 2 m; " +
			"instead Сова is at 2614.00 157.80 1293.00, 10.00 m from 2624.00 157.80 1293.00"},
		{`p.has(money=7)`, ""},
		{`p.has(money=8)`, "expected money 8; instead Сова has money 7"},
		{`p.has_at_least(money=5)`, ""},
		{`p.has_at_least(money=9, items=1)`, "expected at least money 9, items 1; instead Сова has money 7, items 2"},
		{`p.sees(o, at=(2616, 157.8, 1293), clan="Н*", title=3, karma=3)`, ""},
		{`p.sees(o, at=(2617, 157.8, 1293), clan="День", karma=1)`,
			`instead Сова sees Филин at 2616.00 157.80 1293.00, ` +
				`1.00 m from 2617.00 157.80 1293.00 of the clan "Ночь" with karma 3`},
		{`p.sees(p)`, "expected to see Сова; instead Сова sees Филин at 2616.00"},
		{`p.sees(o, money=1)`, "the money of others is not shown"},
		{`p.loses(p)`, ""},
		{`p.loses(o)`, "expected not to see Филин; instead Сова sees Филин"},
		{`p.does_not_see(p, during="5ms")`, ""},
		{`p.does_not_see(o, during="5ms")`, "expected not to see Филин; instead Сова sees Филин"},
		{`p.sees_npc("npc-141b")`, "expected to see npc-141b at"},
		{`p.loses_npc("npc-141b")`, ""},
		{`p.use_portal("newcomers-teleport")`, "sees 1 of class bread, 1 of class"},
		{`p.hears(o, "при*")`, ""},
		{`p.hears(o, "привет", on="trade")`, `expected to hear Филин "привет" on trade; ` +
			`instead Сова heard Филин "привет" on normal`},
		{`p.does_not_hear(p, during="5ms")`, ""},
		{`p.does_not_hear(o, during="5ms")`, "expected to hear nothing new of Филин"},
		{`p.reads("Буря.")`, ""},
		{`p.reads("Дождь")`, `expected to read "Дождь"; instead Сова read "Буря."`},
		{`p.does_not_read("Дождь", during="5ms")`, ""},
		{`p.does_not_read("*", during="5ms")`, `expected not to read "*"`},
		{`p.is_asked_by(o)`, ""},
		{`p.is_asked_by(p)`, "expected to be asked by Сова; instead Сова was asked by Филин"},
		{`p.in_group(o)`, ""},
		{`p.in_group()`, "expected a group of Сова; instead Сова is in a group of Сова (leads), Филин"},
		{`p.in_no_group()`, "expected no group"},
		{`p.leads_group()`, ""},
		{`p.in_clan("Ночь")`, ""},
		{`p.in_clan("День")`, `expected the clan "День"; instead Сова is in the clan "Ночь"`},
		{`p.in_no_clan()`, "expected no clan"},
		{`p.take_into_clan(o)`, "was asked by 0 players for its clan, but not by Филин"},
		{`p.carries("bread", slot=27, count=10)`, ""},
		{`p.carries("bread", slot=28)`, "expected bread in slot 28; instead Сова carries 10 bread in slot 27"},
		{`p.carries("bread", count=9)`, "expected 9 of bread"},
		{`p.carries_nothing_in(26)`, ""},
		{`p.carries_nothing_in(27)`, "expected nothing in slot 27"},
		{`p.wears("bread")`, "expected bread to be worn"},
		{`p.sees_on_ground("bread", within=3.5)`, ""},
		{`p.sees_on_ground("bread", within=1)`, "expected bread on the ground, 1 m away at most; " +
			"instead Сова sees on the ground bread 3.0 m away"},
		{`p.sees_none_on_ground("bread")`, "expected no bread on the ground"},
		{`p.is_sent_away()`, "expected the server to end the connection of Сова; instead Сова is still connected"},
		{`p.buy("bread")`, "expected bread for sale; instead is offered nothing"},
		{`p.spend("title", 1)`, "expected an ability; instead title is none"},
		{`p.use(30)`, "nothing lies in slot 30"},
		{`p.put_into(27, "bread")`, "bread is no bag that the character carries"},
		{`p.come_back()`, "Сова is in the world already"},
	} {
		p := holding(t)
		var got []error
		var failed *Failure
		p.runner.options = Options{KeepGoing: true, Tell: func(o Outcome) { got = append(got, o.Err) }}
		_, err := starlark.ExecFileOptions(dialect, new(starlark.Thread), "s.star", v.call,
			starlark.StringDict{"p": p, "o": &player{runner: p.runner, name: "Филин"}})
		switch {
		case err != nil || len(got) != 1:
			t.Errorf("%s: %v, %v", v.call, got, err)
		case v.want == "" && got[0] != nil:
			t.Errorf("%s: %v", v.call, got[0])
		case errors.As(got[0], &failed) && (englishWords.MatchString(failed.In(true)) ||
			!strings.HasPrefix(failed.In(true), "ожидалось: ")):
			t.Errorf("%s: in Russian %q", v.call, failed.In(true))
		case v.want != "" && (got[0] == nil || !strings.Contains(got[0].Error(), v.want)):
			t.Errorf("%s: %v, expected it to say %q", v.call, got[0], v.want)
		}
	}
}

// A caught line is marked: the next step does not catch it again.
func TestLinesAreCaughtOnce(t *testing.T) {
	p := holding(t)
	a, err := p.runner.bind(methods()["reads"], starlark.Tuple{starlark.String("Буря.")}, nil)
	if err != nil || reads(p, a) != nil {
		t.Fatal(err)
	}
	var failed *Failure
	if err := reads(p, a); !errors.As(err, &failed) || failed.Instead != (Text{"Сова read nothing new", "Сова читает: ничего нового"}) {
		t.Errorf("%v", err)
	}
}

// Values are given, and are no steps.
func TestValuesAreNoSteps(t *testing.T) {
	p := holding(t)
	p.runner.options.Tell = func(o Outcome) { t.Errorf("a step: %+v", o) }
	got, err := starlark.ExecFileOptions(dialect, new(starlark.Thread), "s.star",
		`x = [p.position(), p.value("money"), p.carried("bread"), p.carried("arrows")]`, starlark.StringDict{"p": p})
	if want := `[(2614.0, 157.8, 1293.0), 7, 10, 0]`; err != nil || got["x"].String() != want {
		t.Errorf("%v, %v, expected %s", got, err, want)
	}
}

// A scenario that is over asks nothing more of its players.
func TestNothingIsDoneAfterTheEnd(t *testing.T) {
	p := holding(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errFailed)
	p.runner.context = ctx
	if _, err := starlark.ExecFileOptions(dialect, new(starlark.Thread), "s.star", `p.say("ещё")`,
		starlark.StringDict{"p": p}); !errors.Is(err, errFailed) {
		t.Errorf("%v", err)
	}
}
