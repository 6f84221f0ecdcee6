package game

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Recorded fights are compared with ours: in a world in which the same can happen, the messages of our server are
// compared with the recorded ones, in kinds, order and fields, but for numbers that chance or the character decides.

// A fightTopic is one sort of messages of a fight.
type fightTopic struct {
	name   string
	groups string // of protocol fight 2
	rows   []int  // recorded bodies
	chance string // a pattern of the words to leave out of each message
	differ string // the differences, for the page
	ours   func(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor)
	take   func([]packets.Section) []packets.Section // of the recorded body; nil: all of it
}

var fightTopics = []fightTopic{
	{"a sword at a monster", "X7–X11", []int{253, 263, 264, 265, 266, 267, 268, 269, 271, 272}, `(Change|HP)=\d+`,
		"How much the blow does, which is rolled; whether the HP come with it depends on how many blows came before.",
		swordAtMonster, nil},
	{"a sword at oneself", "X6", []int{250, 251, 252}, `HP=-\d+`, "How much the blow does, which is rolled.",
		swordAtOneself, nil},
	{"a monster strikes and hits", "X4, X12", []int{245, 246, 247, 248, 249, 828}, `(HP|Animation)=-?\d+`,
		"How much the blow does and which of the two swings it is, which is rolled.", monsterStrikes, nil},
	{"a monster strikes in vain", "X12", []int{827}, `Animation=\d+`, "Which of the two swings it is.", monsterMisses, nil},
	{"a kill in the newcomers' dungeon", "X13, X14", []int{277, 278, 279}, `(Amount|Value)=\d+`,
		"The numbers of the character. The bag was recorded one frame later, ours is in the same body.", killOfNewcomer, nil},
	{"the bag of a kill", "X13", []int{275}, `(X|Y|Z|Angle)=\S+`, "The place. Recorded one frame later, see above.",
		bagOfKill, nil},
	{"a kill that teaches", "X17", []int{787}, `(X|Y|Z|Value)=\S+`, "The numbers of the character, and the place.",
		killTeaches, nil},
	{"a blow behind which something flies", "X15", []int{750}, `(HP|Animation)=-?\d+`,
		"How much the blow does and which of the two swings it is, which is rolled.", monsterShoots, nil},
	{"monsters come into view", "X22, X28", []int{649, 650, 773, 774, 775, 776, 777, 778, 779, 780, 781, 782, 783},
		`Code=-\d+`, "The name, which is drawn. The state was 0 for two of them and 1 for the others; ours is always 1.",
		comeIntoView, monstersIn},
	{"a mantra heals", "X25", []int{328, 329}, `never`, "Nothing.", heals, nil},
	{"an effect begins", "X26", []int{330, 331, 333, 334, 335, 336, 337, 338, 339, 340, 341, 342, 853},
		`(Seconds|Caster)=\d+`, "The caster; and how long it lasts still, which was recorded up to two seconds later. In which " +
			"slot it is was recorded in another frame.", effectBegins, nil},
	{"an effect is taken away", "X27", []int{332},
		`(X|Y|Z|Angle|Slot|Weight)=\S+|^player: (Cleansed|FillSlot) .*|^\S+: Used .*`,
		"The place, the weight and the slot. In the recording the powder put an effect of its own into a slot and told it " +
			"by a command that nothing else used; ours does not. That ours was used is told first, in the same answer.", cleanses, nil},
	{"regeneration", "X24", []int{819, 820, 822, 826}, `Value=\d+`, "Nothing.", regains, nil},
}

// fightWords puts the sections of a body into words.
func fightWords(sections []packets.Section, names map[packets.ObjectID]string, without string) (words []string) {
	for i := range sections {
		s := &sections[i]
		if s.Class != packets.ClassNone && s.Class != packets.ClassPlayer && names[s.Object] == "" {
			names[s.Object] = s.Class.String()
		}
		own := *s
		if own.Class == packets.ClassMonster { // of which the words about belongings know nothing
			own.Class = packets.ClassLootBag
		}
		for _, r := range s.Regions {
			if m, ok := r.(*packets.ReceiveHit); ok {
				words = append(words, fmt.Sprintf("%s: ReceiveHit Source=%s HP=%d MP=%d Flags=%d", names[s.Object],
					names[packets.ObjectID(m.Source)], m.HP, m.MP, m.Flags))
			}
		}
		words = append(words, inWords([]packets.Section{own}, names)...)
	}
	p := regexp.MustCompile(without)
	for i := range words {
		words[i] = p.ReplaceAllString(words[i], "")
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// bodyWith waits for a body that says something of a sort.
func (p *possessor) bodyWith(t *testing.T, wait time.Duration, is func(kinds []string) bool) []packets.Section {
	t.Helper()
	for end := p.g.now.Add(wait); p.g.now.Before(end); {
		for _, b := range p.told() {
			if is(kinds(b)) {
				return b.Sections
			}
		}
	}
	t.Error("it does not happen")
	return nil
}

func has(kind string) func([]string) bool {
	return func(kinds []string) bool { return slices.Contains(kinds, kind) }
}

// of2022 makes the world of the recordings, with a monster beside a player.
func of2022(t *testing.T, change func(*rules.Balance)) *possessor {
	g := newStage(t, func(o *Options) {
		sharp(o)
		o.Dialect = packets.Dialect2022
		change(o.World.Balance)
	})
	p := g.fighter()
	at := emptyArea
	at.X += 2
	g.server.world.Do(world.AddSpawners{Spawners: []world.Spawner{{Key: "here", At: at, Level: 1, Types: []int{weakling},
		Tutorial: true}}})
	g.pass(time.Second)
	p.told()
	return p
}

func swordAtMonster(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor) {
	p := of2022(t, func(*rules.Balance) {})
	blows := 1
	if len(recorded[0].Regions) > 1 { // with the HP
		blows = 2
	}
	for range blows - 1 {
		p.say(p.blow(packets.ObjectID(p.foe().ID)))
		p.told()
		p.g.pass(1500 * time.Millisecond)
	}
	p.say(p.blow(packets.ObjectID(p.foe().ID)))
	return p.bodyWith(t, time.Second, has("ChangeObjectHP")), p
}

func swordAtOneself(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	p := of2022(t, func(b *rules.Balance) { b.Damage.MissMonster = 1 })
	p.say(p.blow(p.s().ID()))
	return p.bodyWith(t, time.Second, has("ReceiveHit")), p
}

func monsterStrikes(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	p := of2022(t, func(*rules.Balance) {})
	p.say(p.blow(packets.ObjectID(p.foe().ID)))
	return p.bodyWith(t, 20*time.Second, has("Attack")), p
}

func monsterMisses(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	p := of2022(t, func(b *rules.Balance) { b.Damage.MissMonster = 1 })
	p.say(p.blow(packets.ObjectID(p.foe().ID)))
	return p.bodyWith(t, 20*time.Second, has("Attack")), p
}

func killOfNewcomer(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	p := of2022(t, func(b *rules.Balance) { b.Loot.Bag = 0 })
	for range 10 {
		p.say(p.blow(packets.ObjectID(p.foe().ID)))
		for _, b := range p.told() {
			if has("Dies")(kinds(b)) {
				return b.Sections, p
			}
		}
		p.g.pass(1500 * time.Millisecond)
		for _, f := range p.frames() {
			if f.Body != nil && has("Dies")(kinds(f.Body)) {
				return f.Body.Sections, p
			}
		}
	}
	t.Error("it does not die")
	return nil, p
}

// regains makes a player rest with 110 HP at the most and a satiety of 50: there are two more each 6 s.
func regains(t *testing.T, _ []packets.Section) (sections []packets.Section, p *possessor) {
	g := newStage(t, func(o *Options) { crowded(o); o.Dialect = packets.Dialect2022 })
	p = g.living(func(n *data.NewCharacter) { n.HP, n.Satiety = 100, 50 })
	p.ping(emptyArea)
	p.frames()
	hp, last := int32(100), g.now
	for range 30 {
		g.pass(time.Second)
		p.ping(emptyArea)
		for _, f := range p.frames() {
			stats := regionsOf[*packets.SetStat]([]*packets.Frame{f})
			if len(stats) == 0 || stats[0].Stat != packets.StatHP || !regenerates(f.Body) {
				continue
			}
			if hp += 2; stats[0].Value != hp {
				t.Errorf("%d HP, expected %d", stats[0].Value, hp)
			}
			if after := g.now.Sub(last); sections != nil && (after < 5*time.Second || after > 7*time.Second) { // it is asked each second
				t.Errorf("told after %v", after)
			}
			sections, last = f.Body.Sections, g.now
		}
	}
	if hp != 110 {
		t.Errorf("after 30 s there are %d HP", hp)
	}
	return sections, p
}

// playerIn is the player that a body is about or names, as the recorded client's own player.
func playerIn(sections []packets.Section) (who packets.ObjectID) {
	commandsIn(&packets.Body{Sections: sections}, func(_ *packets.Section, c packets.Command) {
		switch c := c.(type) {
		case *packets.ChangeObjectHP:
			who = c.Attacker
		case *packets.Dies:
			who = c.Killer
		case *packets.PutInto:
			who = c.Parent
		}
	})
	for _, s := range sections {
		if s.Class == packets.ClassPlayer {
			who = s.Object
		}
	}
	return who
}

// compared compares our server's messages in each topic with the rows, and returns the rows of the page about it.
func compared(t *testing.T, topics []fightTopic) string {
	byRow := map[int]*recordedFrame{}
	for _, f := range append(originals(t), undated(t)...) {
		byRow[f.row] = f
	}
	const parts = 4 // beside each other: mostly they wait for their stores
	page := make([]string, len(topics))
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				for i := part; i < len(topics); i += parts {
					page[i] = topics[i].compare(t, byRow)
				}
			})
		})
	}
	all.Wait()
	return strings.Join(page, "")
}

// compare compares one topic, and returns the row of the page about it.
func (topic *fightTopic) compare(t *testing.T, byRow map[int]*recordedFrame) string {
	told := map[string][]string{} // by the recorded messages
	for _, row := range topic.rows {
		f := byRow[row]
		if f == nil {
			t.Errorf("row %d is not recorded", row)
			continue
		}
		recorded := f.body.Sections
		if topic.take != nil {
			recorded = topic.take(recorded)
		}
		was := fightWords(recorded, map[packets.ObjectID]string{playerIn(recorded): "player"}, topic.chance)
		is, ok := told[strings.Join(was, "\n")]
		if !ok {
			ours, p := topic.ours(t, recorded)
			is = fightWords(ours, map[packets.ObjectID]string{p.s().ID(): "player"}, topic.chance)
			told[strings.Join(was, "\n")] = is
		}
		if !slices.Equal(was, is) {
			t.Errorf("row %d, %s:\n  recorded\n    %s\n  ours\n    %s", row, topic.name, strings.Join(was, "\n    "),
				strings.Join(is, "\n    "))
		}
	}
	return fmt.Sprintf("| %s | %s | %d | %s |\n", topic.name, topic.groups, len(topic.rows), topic.differ)
}

// fightsAreThoseOfRecordings compares, and returns the part of the page about it.
func fightsAreThoseOfRecordings(t *testing.T) string {
	return fightsHead + compared(t, fightTopics) + stepsAreThoseOfRecordings(t) + fightsTail
}

const fightsHead = `
## Fights

What was recorded of fights is compared in the same way: our server tells the same kinds in the same order with the same
fields, but for what the table names.

| what | groups of the protocol's page | recorded bodies | what differs |
|---|---|---|---|
`

const fightsTail = `
The frames of all groups are encoded anew from their values, byte for byte (` + "`TestCheck1RecordedFightsEncodeAnew`" + `), and
what our server tells of them has the form of the page's vectors (` + "`TestVectors…`" + ` in packets and server/view). The other
groups are requests alone, or are compared elsewhere:

| groups | what | held by |
|---|---|---|
| X1–X3, X5 | blows with fists and swords at people and monsters | requests alone; ours of the same form are heard (` + "`TestChecks7And8LockReleaseOnly`" + `) |
| X16 | opening of bags | the table above |
| X18 | the kill that ends a mission | row 648 of [missions and chests](#missions-chests-values) |
| X19, X20 | reward of a mission, traps of chests | [missions and chests](#missions-chests-values); the lists of row 838 byte for byte (` + "`" + `TestLifeCheck4_1TheListsOfGiversAreThoseRecorded` + "`" + `) |
| X21 | the monster beside a chest | [missions and chests](#missions-chests-values) |
| X28 | the newcomers' monster | [the newcomers' dungeon](#the-newcomers-dungeon) |
`

// The first steps of monsters that a client is told after its entry are told from where its player stands, as all
// others are, although it has not said yet where that is. Source: protocol fight 4.4.
func TestFirstStepsAfterEntryAreToldFromTheViewer(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.possessing(0)
	for i := range 3 {
		at := emptyArea
		at.X, at.Z = at.X+6, at.Z+float32(2*i)
		g.server.world.Do(world.Summon{Type: 1000, Level: 1, At: at})
	}
	p.hears()

	q := g.arriving()
	steps := 0
	for range 20 { // p walks around, so that the monsters do, too
		at := emptyArea
		at.X += float32(steps % 4)
		p.ping(at)
		g.pass(100 * time.Millisecond)
		for _, f := range q.frames() {
			if f.Body == nil || !f.Body.HasOrigin || len(stepsIn(f.Body)) == 0 {
				continue
			}
			if steps++; f.Body.Origin != emptyArea.Origin() {
				t.Fatalf("steps %d are told from %v, the viewer stands at %v", steps, f.Body.Origin, emptyArea.Origin())
			}
		}
	}
	if steps == 0 {
		t.Error("no steps are told")
	}
}
