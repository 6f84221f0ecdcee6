package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Recorded missions, chests and other events of a character's life are compared with ours as fights are.

var lifeTopics = []fightTopic{
	{"a mission is given", "646", []int{646}, `never`, "Nothing.",
		func(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
			p := questing(t, "k001")
			return p.wishes(0)[0].Sections, p
		}, nil},
	{"the key of a mission", "647", []int{647}, `(Name|Seal|X|Y|Z)=\S*`,
		"The name of the target and the number beside it, which are drawn; the place is that of our giver.",
		func(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
			p := questing(t, "k001")
			return []packets.Section{keyOf(t, p.wishes(0)[1:])}, p
		}, nil},
	{"a mission is fulfilled by a kill", "648", []int{648}, `(X|Y|Z|Angle|Value)=\S+`,
		"The numbers of the character and its place.",
		func(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
			p := questing(t, "k001")
			name := p.targetName(t)
			p.goesInside(t)
			return p.slain(name).Sections, p
		}, nil},
	{"a mission for the degree is fulfilled", "645", []int{645}, `(X|Y|Z|Angle|Value)=\S+`,
		"The numbers of the character and its place. How it was fulfilled was not recorded; ours is by an operator's word.",
		func(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
			p := questing(t, "b001")
			p.givesTo(func(g *rules.MissionGiver) { g.Goals = [rules.MissionGoals]bool{rules.DegreeGoal: true} })
			p.wishes(1)
			p.g.server.world.Do(world.OrderMission{ID: p.pid(), What: world.FinishMission})
			return p.bodyWith(t, time.Second, has("LeaveContainer")), p
		}, nil},
	{"a chest is opened, and its trap springs", "308, 309, 313, 315, 318, 323", []int{308, 309, 313, 315, 318, 323},
		`HP=\S+|Rest=\[.*\]`, "How hard the trap hits. What follows the number that says that it has sprung was left over from other " +
			"messages; ours is 0.", trapSprung, nil},
	{"the end of the same", "307, 311, 320, 321, 325", []int{307, 311, 320, 321, 325}, `HP=\S+|Rest=\[.*\]`,
		"As above. What comes before was recorded in another frame.",
		func(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor) {
			p, _ := besideChest(t, nil, nil, bread(0, 3))
			all := p.bodyWith(t, time.Second, has("ChestSprung"))
			all[0].Regions = all[0].Regions[len(all[0].Regions)-1:]
			return all, p
		}, nil},
	{"the time of the game", "818, 825", []int{818, 825}, `Time=.*`, "The time. Ours is told more often.",
		func(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
			p := newStage(t, func(o *Options) { crowded(o); o.Dialect = packets.Dialect2022 }).possessing(0)
			for range 40 {
				for _, f := range p.frames() {
					if f.Body != nil && slices.Equal(kinds(f.Body), []string{"GameTime"}) {
						return f.Body.Sections, p
					}
				}
				p.g.pass(time.Second)
				p.ping(emptyArea)
			}
			t.Error("the time is not told")
			return nil, p
		}, nil},
	{"what is worn changes values", "858", []int{858}, `Value=\S+`, "The numbers of the character.", wornChanges, nil},
}

// targetName takes a mission, and returns the name of its target.
func (p *possessor) targetName(t *testing.T) (name int32) {
	t.Helper()
	for _, r := range keyOf(t, p.wishes(0)).Regions {
		if c, ok := packets.CommandOf(r); ok {
			if m, ok := c.(*packets.MissionTarget); ok {
				name = m.Name
			}
		}
	}
	return name
}

// besideChest makes a player enter an instance in which a chest with a trap holds things, and may call a monster, and
// returns the client's id of the chest.
func besideChest(t *testing.T, tables *rules.Tables, calls *world.Summon, things ...rules.Item) (*possessor, packets.ObjectID) {
	t.Helper()
	at := rules.InstanceOrigin(0)
	at.X, at.Y, at.Z = 1, 1, 1
	g := newStage(t, func(o *Options) {
		crowded(o)
		o.Dialect, o.World.Tables = packets.Dialect2022, tables
		o.World.Layouts = append(o.World.Layouts, &world.Layout{Key: "chest", Start: at, Pieces: []world.Piece{
			{Kind: world.Labyrinth{Map: 0x59D8}},
			{At: at, Kind: world.GroundItem{Item: rules.Item{Class: rules.ClassChest, Suffix: rules.NoSuffix, Count: 1,
				Durability: 100, MaxDurability: 100, Extra: []byte{2, 1}}}, Things: things, Trap: 20, Calls: calls}}})
	})
	p := g.possessing(0)
	g.server.world.Do(world.EnterInstance{ID: p.pid(), Layout: "chest"})
	g.pass(time.Second)
	chest := p.known(packets.ClassChest)
	p.frames()
	me := p.s().ID()
	p.say(packets.Message(0, chest, packets.ClassChest, contMan(&packets.Use{Player: me}),
		contMan(&packets.BecomeUser{Player: me})))
	return p, chest
}

func trapSprung(t *testing.T, recorded []packets.Section) ([]packets.Section, *possessor) {
	thing := bread(0, 1)
	commandsIn(&packets.Body{Sections: recorded}, func(_ *packets.Section, c packets.Command) {
		if fill, ok := c.(*packets.FillSlot); ok {
			thing.Slot, thing.Weight = int(fill.Slot), int(fill.Weight)
		}
	})
	p, _ := besideChest(t, nil, nil, thing)
	return p.bodyWith(t, time.Second, has("ChestSprung")), p
}

// wornChanges puts something on that changes as many values as were recorded.
func wornChanges(t *testing.T, _ []packets.Section) ([]packets.Section, *possessor) {
	const gameID = 16000
	ring := article(rules.ClassRing, gameID, 1)
	ring.Bonus = rules.Bonus{HP: 50, MP: -20, Attack: -5, PhysicalDefence: 10, MagicalDefence: 10, Magic: -5}
	ring.Bonus.Stats = rules.Stats{5: 5, 6: 5}                // air and water
	staff := article(int(packets.ClassStartSword), gameID, 1) // without which worn things have no magical attack
	staff.Attack, staff.Magic = -10, -10
	ring.Complete()
	staff.Complete()
	tables, err := (&recordedTrade{goods: []rules.Offer{{Kind: ring}, {Kind: staff}}}).tables(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newStage(t, func(o *Options) { crowded(o); o.Dialect, o.World.Tables = packets.Dialect2022, tables })
	thing := rules.Item{Slot: 26, Class: staff.Class, GameID: gameID, Suffix: rules.NoSuffix, Count: 1, Durability: 100,
		MaxDurability: 100, Weight: 1}
	put := thing
	put.Slot, put.Class = 27, ring.Class
	p := g.possessing(0, thing, put)
	p.asks(manager(&packets.TakeInHand{Item: p.item(26)}))
	p.say(p.own(contMan(&packets.MoveSlot{From: 27, To: rules.SlotRing1})))
	var out []packets.Section
	for _, b := range p.told() {
		for _, s := range b.Sections {
			s.Regions = slices.DeleteFunc(slices.Clone(s.Regions), func(r packets.Region) bool {
				_, value := r.(*packets.SetStat)
				return !value
			})
			if len(s.Regions) > 0 {
				out = append(out, s)
			}
		}
	}
	return out, p
}

// contentRows are where the things in chests were recorded.
var contentRows = []int{303, 304, 305, 306, 310, 312, 314, 316, 317, 319, 322, 324}

// contentsAreThoseOfRecordings has the recorded things lie in chests of ours, and compares how both are told.
func contentsAreThoseOfRecordings(t *testing.T) {
	for _, f := range originals(t) {
		if !slices.Contains(contentRows, f.row) {
			continue
		}
		called, contents := apart(f.body.Sections)
		x := &exchange{answer: contents}
		var things []rules.Item
		var stacks recordedTrade // items told with a count are of a kind that lies in stacks
		for _, s := range contents {
			thing := x.thingOf(s.Object)
			if things = append(things, thing); slices.Contains(kinds(&packets.Body{Sections: []packets.Section{s}}), "StackCount") {
				stacks.goods = append(stacks.goods, rules.Offer{Kind: article(thing.Class, thing.GameID, 1)})
			}
		}
		for i := range things {
			things[i].Slot = i
		}
		var calls *world.Summon
		if called != nil {
			m := called.Regions[0].(*packets.SpawnSnapshot)
			calls = &world.Summon{Type: int(m.C), Level: int(m.D)/int(packets.LevelCode(2)) + 1}
			row := rules.Monster{ID: calls.Type, Class: rules.ClassWalker, High: 59}
			for row.MaxHP(calls.Level, false) < int(m.A) {
				row.HPBase++
			}
			stacks.monsters = []rules.Monster{row}
		}
		tables, err := stacks.tables(nil)
		if err != nil {
			t.Fatal(err)
		}
		p, chest := besideChest(t, tables, calls, things...)
		var came *packets.Section
		var ours []packets.Section
		for _, b := range p.told() {
			if !has("PutInto")(kinds(b)) {
				continue
			}
			with, list := apart(b.Sections)
			ours = append(ours, list...)
			if with != nil {
				came = with
			}
		}
		if was, is := calledWords(called), calledWords(came); was != is {
			t.Errorf("row %d: with the things comes %s, recorded %s", f.row, is, was)
		}
		var parent packets.ObjectID
		commandsIn(f.body, func(_ *packets.Section, c packets.Command) {
			if m, ok := c.(*packets.PutInto); ok {
				parent = m.Parent
			}
		})
		if len(ours) == 0 || ours[0].Regions[0].(*packets.SpawnSnapshot).Y == 0 {
			t.Errorf("row %d: places are not counted from the origin: %+v", f.row, ours)
		}
		was := contentWords(contents, parent)
		if is := contentWords(ours, chest); !slices.Equal(was, is) {
			t.Errorf("row %d, the things in a chest:\n  recorded\n    %s\n  ours\n    %s", f.row, strings.Join(was, "\n    "),
				strings.Join(is, "\n    "))
		}
	}
}

// apart divides a body that tells of the things in a chest: the monster that it calls, nil for none, and the things.
func apart(sections []packets.Section) (called *packets.Section, things []packets.Section) {
	for i := range sections {
		if sections[i].Class == packets.ClassMonster {
			called = &sections[i]
		} else {
			things = append(things, sections[i])
		}
	}
	return called, things
}

// calledWords puts the monster that a chest calls into words, but for where it stands.
func calledWords(s *packets.Section) string {
	if s == nil {
		return "nobody"
	}
	m := *s.Regions[0].(*packets.SpawnSnapshot)
	m.X, m.Y, m.Z, m.Angle = 0, 0, 0, 0
	return fmt.Sprintf("%v %+v and %d more", s.Class, m, len(s.Regions)-1)
}

// contentWords puts the things in a chest into words, their places counted from the origin of the instance.
func contentWords(sections []packets.Section, chest packets.ObjectID) []string {
	for i := range sections {
		m, ok := sections[i].Regions[0].(*packets.SpawnSnapshot)
		if !ok {
			continue
		}
		origin := coords.Position{X: packets.ContainedX - m.X, Y: -m.Y, Z: -m.Z}
		if cell := rules.InstanceCell(origin); cell >= 0 && rules.InstanceOrigin(cell) == origin {
			counted := *m
			counted.X, counted.Y, counted.Z = packets.ContainedX, 0, 0
			sections[i].Regions[0] = &counted
		}
	}
	return inWords(sections, map[packets.ObjectID]string{chest: "chest"})
}

// lifeIsThatOfRecordings compares, and returns the part of the page about it.
func lifeIsThatOfRecordings(t *testing.T) string {
	contentsAreThoseOfRecordings(t)
	return lifeHead + compared(t, lifeTopics) + lifeTail
}

const lifeHead = `
## Missions, chests, values

Compared as fights are:

| what | recorded rows | recorded bodies | what differs |
|---|---|---|---|
`

const lifeTail = `
The things in the chests of rows 303 to 306, 310, 312, 314, 316, 317, 319, 322 and 324 lie in chests of ours, too, and are told in the same
records in the same order, at (1000000, 0, 0) less the origin of the instance. The monsters of the same bodies (all but 304) come in ours,
too, with the recorded type, level and HP. Ours is in front of the things, as recorded but in 316, where it is behind them; how near to the
chest it stands is ours. In which of the seven first slots which thing lies follows from nothing that was recorded; ours is drawn.

Of the other rows of the newcomers' dungeon (817 to 829) those of blows are in the table of fights, the sword that is taken (824) in the first
one, the monster (829) in the section about the dungeon, regeneration (819, 820, 822 and 826) in that of fights, too. Rows
817, 821 and 823 tell where all things are that could move, whether they have moved or not; ours tells of what moves.
`
