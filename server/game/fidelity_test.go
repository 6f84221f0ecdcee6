package game

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// inWords puts sections into words: with ids as names, and without other players, monsters, scenery, steps and hits.
func inWords(sections []packets.Section, names map[packets.ObjectID]string) (words []string) {
	name := func(id packets.ObjectID) string {
		if id == 0 {
			return "nothing"
		}
		if _, ok := names[id]; !ok {
			names[id] = fmt.Sprint("item ", len(names))
		}
		return names[id]
	}
	for _, s := range sections {
		if s.Class == packets.ClassMonster || len(s.Regions) > 0 && standsAround(s.Regions[0]) {
			continue
		}
		if s.Class == packets.ClassNone {
			words = append(words, "removal of "+name(s.Object))
		}
		for _, region := range s.Regions {
			var what any = region
			if c, ok := packets.CommandOf(region); ok {
				what = c
			}
			switch what.(type) {
			case *packets.PositionStream, *packets.TransformUpdate, *packets.ReleaseUse, *packets.ReceiveHit:
				continue
			}
			v := reflect.ValueOf(what).Elem()
			text := name(s.Object) + ": " + v.Type().Name()
			for i := range v.NumField() {
				f := v.Field(i).Interface()
				if id, ok := f.(packets.ObjectID); ok {
					f = name(id)
				}
				text += fmt.Sprintf(" %s=%v", v.Type().Field(i).Name, f)
			}
			words = append(words, text)
		}
	}
	return words
}

// standsAround reports whether a region makes a client create a player or an object of the scenery.
func standsAround(r packets.Region) bool {
	m, ok := r.(*packets.SpawnSnapshot)
	return ok && m.Placement == packets.Plain
}

// An unlikeness is something in which our answers of a topic differ from recorded ones, and why. Answers that are the
// same without it count as the same.
type unlikeness struct {
	topic string
	apart func(told []string) []string // the messages without it
	why   string
}

// without takes away the matches of a pattern in each message, and messages that it matches whole.
func without(pattern string) func([]string) []string {
	p := regexp.MustCompile(pattern)
	return func(told []string) (out []string) {
		for _, m := range told {
			if m = p.ReplaceAllString(m, ""); m != "" {
				out = append(out, m)
			}
		}
		return out
	}
}

func sorted(told []string) []string {
	out := slices.Clone(told)
	slices.Sort(out)
	return out
}

var unlikenesses = []unlikeness{
	{"pick up to a slot", without(`Angle=\d+`), "The angle at which it has lain: recorded things had turned while they " +
		"fell. Ours lie at angle 0, as recorded ones did after a drop."},
	{"open a bag", func(told []string) []string { return slices.Compact(slices.Clone(told)) },
		"The command that resets the slots came once or twice in recordings; ours comes once."},
	{"open a bag", sorted, "The order of the things: ours is that of the slots."},
	{"open a bag", without(`^item: StackCount Count=1$`),
		"The count of a trophy was sent though it is 1; ours is told of what stacks in our catalogue."},
	{"open a trade", sorted, "The window was opened before a single article, and after a list of ten or more; ours " +
		"always after the list."},
	{"buy", without(`Unknown=\d+`), "The last byte of what says that something was bought: 0, 100 and 101 in " +
		"recordings, meaning unknown. Ours is 0."},
	{"buy", nil, "The thing named as bought: where a stack grew it was another than the stack, perhaps the article. " +
		"Ours names the stack."},
	{"sell", without(`^removal of item$`), "The removal of the thing: ours comes in the same body. That of the recorded " +
		"server is missing from the recording."},
	{"use a token", without(`(X|Y|Z|Yaw)=\S+`), "The place: the table of places has it with two decimals."},
}

// A verdict is how our answers of a topic compare.
type verdict struct {
	exchanges, same, sameBut int
	differences              []string
}

// unnumbered takes the numbers out: the order may be another.
func unnumbered(told []string) []string {
	item := regexp.MustCompile(`item \d+`)
	out := make([]string, len(told))
	for i, m := range told {
		out[i] = item.ReplaceAllString(m, "item")
	}
	return out
}

// judge compares two answers.
func (v *verdict) judge(topic string, was, is []string) bool {
	v.exchanges++
	if slices.Equal(was, is) {
		v.same++
		return true
	}
	numbered, ours := was, is
	was, is = unnumbered(was), unnumbered(is)
	for _, u := range unlikenesses {
		if u.apart == nil && u.topic == topic { // other things are meant
			lastByte := without(`Unknown=\d+`)
			if len(numbered) == len(ours) && !slices.Equal(lastByte(numbered), lastByte(ours)) {
				v.differences = append(v.differences, u.why)
			}
			continue
		}
		if u.topic != topic || slices.Equal(was, is) {
			continue
		}
		a, b := u.apart(was), u.apart(is)
		if slices.Equal(a, was) && slices.Equal(b, is) {
			continue
		}
		was, is = a, b
		if !slices.Contains(v.differences, u.why) {
			v.differences = append(v.differences, u.why)
		}
	}
	if !slices.Equal(was, is) {
		return false
	}
	v.sameBut++
	return true
}

var updateFidelity = flag.Bool("update-fidelity", false, "write docs/fidelity.md anew")

func TestAnswersAreThoseOfRecordings(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
	const parts = 4 // of the exchanges, beside each other
	cases := exchanges(originals(t))
	ours := make([][]string, len(cases)) // answers, in words
	var fights, dungeon, life string
	var all sync.WaitGroup // mostly they wait for their stores
	beside := func(name string, do func(t *testing.T)) { all.Go(func() { t.Run(name, do) }) }
	beside("fights", func(t *testing.T) { fights = fightsAreThoseOfRecordings(t) })
	beside("dungeon", func(t *testing.T) { dungeon = dungeonIsThatOfRecordings(t) })
	beside("life", func(t *testing.T) { life = lifeIsThatOfRecordings(t) })
	for part := range parts {
		beside(fmt.Sprint("exchanges", part), func(t *testing.T) {
			for i := part; i < len(cases); i += parts {
				r := &replayCase{exchange: cases[i], t: t, ids: map[packets.ObjectID]packets.ObjectID{},
					stored: map[packets.ObjectID]*rules.Item{},
					lying:  map[packets.ObjectID]int{}}
				answer := r.play()
				ours[i] = inWords(answer, map[packets.ObjectID]string{r.line.s().ID(): "player"})
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return // the page would lack a part
	}
	verdicts := map[string]*verdict{}
	for i, x := range cases {
		v := verdicts[x.topic]
		if v == nil {
			v = &verdict{}
			verdicts[x.topic] = v
		}
		was, is := inWords(x.answer, map[packets.ObjectID]string{x.who: "player"}), ours[i]
		if x.topic == "buy" && len(is) > len(was) {
			is = is[:len(was)] // the record of the item came in a frame that was not recorded
		}
		if !v.judge(x.topic, was, is) {
			t.Errorf("row %d, %s:\n  recorded\n    %s\n  ours\n    %s", x.row, x.topic, strings.Join(was, "\n    "),
				strings.Join(is, "\n    "))
		}
	}
	var page strings.Builder
	page.WriteString(fidelityHead)
	for _, topic := range topics {
		v := verdicts[topic.name]
		if v == nil {
			t.Errorf("%s: no exchange was recorded", topic.name)
			continue
		}
		differs := "nothing"
		if len(v.differences) > 0 {
			differs = strings.Join(v.differences, " ")
		}
		fmt.Fprintf(&page, "| %s | %d | %d | %d | %s |\n", topic.name, v.exchanges, v.same, v.sameBut, differs)
	}
	page.WriteString(fidelityTail)
	page.WriteString(fights + dungeon + journeysPage + life)
	file := filepath.Join("..", "..", "docs", "fidelity.md")
	if *updateFidelity {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != page.String() {
		t.Errorf("%s is out of date (%v): run this test with -update-fidelity, and look at what has changed", file, err)
	}
}

const fidelityHead = `# How our answers compare with recorded ones

Recordings of the original game's traffic hold requests about things together with what its server answered. For each
such pair a test makes a world in which the request can come – the thing where it was, the slot, the weight, the trader and
his price, as far as the recorded answer tells – sends the recorded request with our ids in it, and compares our answer
with the recorded one: which messages, about which object, in which order, and every field of them.

| request | recorded exchanges | the same to the last field | the same but for | what differs |
|---|---|---|---|---|
`

const fidelityTail = `
Left out of the comparison: clocks; what other objects did in the same bodies; the release of the use lock, which servers
of 2022 did not send; and what a player sees who comes to another place.

Not compared, since no answer was recorded: swapping, dragging, taking into the hand, spending points, putting into the
vault. Those follow the description of the protocol, see [protocol/belongings.md](protocol/belongings.md).

The recordings are not part of the repository. ` + "`go test ./server/game -run TestAnswersAreThoseOfRecordings`" + ` finds them beside
it, or where -captures says, and is skipped without them. It fails when an answer differs in anything that does not stand
here, and when this page is not what it finds.
`
