package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// questing is a player with a sword beside an NPC that gives titles, for missions of a kind.
func questing(t *testing.T, kind string) *possessor { return questingWith(t, kind, func(*Options) {}) }

// questingWith is questing with other options besides.
func questingWith(t *testing.T, kind string, change func(*Options)) *possessor {
	all := [rules.MissionGoals]bool{true, true, true, true}
	g := newStage(t, func(o *Options) {
		sharp(o)
		o.Dialect, o.World.Balance.Loot.Bag = packets.Dialect2022, 0
		o.World.Balance.Mission.Wait, o.World.Balance.Mission.Spread = 0, 0
		o.World.Balance.Chest = rules.ChestBalance{Things: [4]int{1: 1}, Trapped: 1, TrapMin: 21, TrapMax: 21}
		o.World.Missions = []rules.MissionTemplate{{Key: kind, Goals: all, Min: 1, Max: 60, Types: []int{weakling},
			Reward: 1}}
		change(o)
	})
	p := g.fighter()
	at := emptyArea
	at.X += 3
	giver := &rules.MissionGiver{Goals: [4]bool{true, false, true}, Places: [7]bool{true, true}, TitleMax: 60, DegreeMax: 60,
		KarmaMin: 1, KarmaMax: 5, Near: rules.Entrance{Number: 2000, At: at}, Far: []rules.Entrance{{Number: 2020, At: at}}}
	g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: at, Kind: world.NPC{Class: 205,
		Name: 500, Title: "npc_quest_title", Type: 4, Giver: giver}}})
	g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: at,
		Kind: world.Portal{Class: rules.ClassMissionEntrance, Number: 2000}}})
	g.pass(200 * time.Millisecond)
	return p
}

// seen is the client's entry for the first thing of a kind that it sees.
func (p *possessor) seen(kind view.EntryKind) view.IDEntry {
	p.g.t.Helper()
	k, ok := firstEntry(p.p(), func(e *view.IDEntry) bool { return e.Kind == kind })
	if !ok {
		p.g.t.Fatalf("nothing of kind %d is seen", kind)
	}
	return k
}

// wishes asks for a mission as the client's window may.
func (p *possessor) wishes(bytes ...byte) []*packets.Body {
	p.g.t.Helper()
	npc := p.seen(view.NPCEntry)
	p.frames()
	p.say(packets.Message(1000, packets.ObjectID(npc.ID), npc.Class, contMan(&packets.MissionRequest{Data: bytes})))
	return p.told()
}

// slain kills the first monster of a name, and returns the body that tells of its death.
func (p *possessor) slain(name int32) *packets.Body {
	p.g.t.Helper()
	for range 20 {
		for o := range p.g.server.World().Objects() {
			if m, ok := o.Kind.(*world.Monster); ok && m.Name == name {
				p.goTo(o.Position)
				k, ok := p.p().client.IDs.Object(o.ID)
				if !ok {
					continue
				}
				p.say(p.blow(packets.ObjectID(k.ID)))
			}
		}
		for _, b := range p.told() {
			if has("Dies")(kinds(b)) {
				return b
			}
		}
		p.g.pass(1500 * time.Millisecond)
	}
	p.g.t.Fatal("the target does not die")
	return nil
}

// keyOf is the key of a mission as the client was told of it.
func keyOf(t *testing.T, bodies []*packets.Body) packets.Section {
	t.Helper()
	for _, b := range bodies {
		for _, s := range b.Sections {
			if s.Class == packets.ClassMission {
				return s
			}
		}
	}
	t.Fatal("no key is told of")
	return packets.Section{}
}

// The three lists of row 838, byte for byte.
func TestLifeCheck4_1TheListsOfGiversAreThoseRecorded(t *testing.T) {
	t.Parallel()
	var was []byte
	for _, f := range originals(t) {
		if f.row == 838 {
			was = encodedLists(t, f.body.Sections)
		}
	}
	p := questing(t, "k001")
	p.goTo(coords.Position{X: 5000, Y: 150, Z: -9000})
	p.frames()
	p.goTo(emptyArea)
	var is []byte
	for _, f := range p.frames() {
		if f.Body != nil {
			is = append(is, encodedLists(t, f.Body.Sections)...)
		}
	}
	if len(was) == 0 || !slices.Equal(is, was) {
		t.Errorf("ours % X, recorded % X", is, was)
	}
}

// encodedLists are the bytes of the offers of a giver of titles.
func encodedLists(t *testing.T, sections []packets.Section) []byte {
	t.Helper()
	var own []packets.Section
	for _, s := range sections {
		if s.Class != 205 {
			continue
		}
		var lists []packets.Region
		for _, r := range s.Regions {
			if c, ok := packets.CommandOf(r); ok && strings.HasPrefix(packets.Name(c), "Mission") {
				lists = append(lists, r)
			}
		}
		own = append(own, packets.Section{Object: 1, Class: 205, Regions: lists})
	}
	if len(own) == 0 {
		return nil
	}
	frame, err := packets.AppendServer(nil, &packets.Body{Sections: own}, packets.Dialect2022)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// A mission from the request to the reward: the messages have the kinds and the order of rows 646, 647 and 648.
func TestLifeChecks4_2And4_4MissionsAreToldAsRecorded(t *testing.T) {
	t.Parallel()
	rows := map[int][]packets.Section{}
	for _, f := range originals(t) {
		if f.row >= 646 && f.row <= 648 {
			rows[f.row] = f.body.Sections
		}
	}
	p := questing(t, "k001")
	given := p.wishes(0)
	if len(given) < 2 {
		t.Fatalf("told %d bodies", len(given))
	}
	sameKinds(t, 646, rows[646], given[0].Sections)
	key := keyOf(t, given[1:])
	var recorded packets.Section
	for _, s := range rows[647] {
		if s.Class == packets.ClassMission {
			recorded = s
		}
	}
	sameKinds(t, 647, []packets.Section{recorded}, []packets.Section{key})
	var target *packets.MissionTarget
	for _, r := range key.Regions {
		if c, _ := packets.CommandOf(r); c != nil {
			if m, ok := c.(*packets.MissionTarget); ok {
				target = m
			}
			if m, ok := c.(*packets.Subtype); ok && m.Number != 2000 {
				t.Errorf("the entrance is %d", m.Number)
			}
		}
	}
	if spawn := key.Regions[0].(*packets.SpawnSnapshot); target == nil || string(target.Template[:]) != "k001" ||
		spawn.X != emptyArea.X+3 || spawn.Placement != packets.Contained {
		t.Fatalf("the key is %+v", key)
	}
	if got := commandsOfType[*packets.SystemText](p.wishes(1)); len(got) != 0 {
		t.Errorf("a second one is refused by the text %d", got[0].Text)
	}
	p.goesInside(t)
	death := p.slain(target.Name)
	sameKinds(t, 648, rows[648], death.Sections)
	if texts := commandsOfType[*packets.SystemText]([]*packets.Body{death}); len(texts) != 1 || texts[0].Text != 73 ||
		texts[0].Colour != 0xFF32C896 {
		t.Errorf("the texts are %+v", texts)
	}
}

// goesInside goes through the entrance of the dungeon.
func (p *possessor) goesInside(t *testing.T) {
	t.Helper()
	door := p.seen(view.PortalEntry)
	p.say(packets.Message(1000, packets.ObjectID(door.ID), door.Class, contMan(&packets.Use{Player: p.s().ID()})))
	p.g.pass(1500 * time.Millisecond) // for the snapshot
	if at := p.g.server.placeOf(p.pid()); !rules.AmongInstances(at) {
		t.Fatalf("it is at %v", at)
	}
	p.frames()
	p.g.pass(time.Second) // for the snapshot
}

// A chest is told with its trap in one body, with the kinds and in the order of rows 308 and 313.
func TestLifeCheck4_9ChestsAreToldAsRecorded(t *testing.T) {
	t.Parallel()
	recorded := map[int][]packets.Section{308: nil, 313: nil}
	for _, f := range originals(t) {
		if _, wanted := recorded[f.row]; wanted {
			recorded[f.row] = f.body.Sections
		}
	}
	p := questing(t, "k001")
	p.wishes(0)
	p.goesInside(t)
	var chest view.IDEntry
	for o := range p.g.server.World().Objects() {
		if k, ok := o.Kind.(world.GroundItem); ok && k.Class == rules.ClassChest && rules.AmongInstances(o.Position) {
			p.goTo(o.Position)
			if chest, ok = p.p().client.IDs.Object(o.ID); ok {
				break
			}
		}
	}
	p.frames()
	me := p.s().ID()
	p.say(packets.Message(0, packets.ObjectID(chest.ID), chest.Class, contMan(&packets.Use{Player: me}),
		contMan(&packets.BecomeUser{Player: me})))
	told := p.told()
	at := slices.IndexFunc(told, func(b *packets.Body) bool { return has("ChestSprung")(kinds(b)) })
	if at < 0 || at+1 >= len(told) {
		t.Fatalf("no trap is told of in %d bodies", len(told))
	}
	for row, sections := range recorded {
		sameKinds(t, row, sections, told[at].Sections)
	}
	if hit := told[at].Sections[1].Regions[0].(*packets.ReceiveHit); hit.Source != uint16(chest.ID) || hit.HP != -21 {
		t.Errorf("the trap is %+v", hit)
	}
	if thing := told[at+1].Sections[0]; !slices.ContainsFunc(thing.Regions, func(r packets.Region) bool {
		c, _ := packets.CommandOf(r)
		in, ok := c.(*packets.PutInto)
		return ok && in.Parent == packets.ObjectID(chest.ID)
	}) {
		t.Errorf("then %+v", thing)
	}
}

// sameKinds compares the kinds of messages, and their subjects.
func sameKinds(t *testing.T, row int, was, is []packets.Section) {
	t.Helper()
	words := func(sections []packets.Section) (out []string) {
		for _, s := range sections {
			for _, k := range kinds(&packets.Body{Sections: []packets.Section{s}}) {
				out = append(out, s.Class.String()+" "+k)
			}
		}
		return out
	}
	a, b := words(was), words(is)
	if !slices.Equal(a, b) {
		t.Errorf("row %d\n recorded %q\n ours     %q", row, a, b)
	}
}

// Without the window: all of a mission by one command, and requests of any bytes give a legal one or none.
func TestLifeCheck4_12MissionByCommandAndAnyRequest(t *testing.T) {
	t.Parallel()
	p := questing(t, "b001")
	lines := func(command string) string {
		p.frames()
		p.p().Command(command)
		var out []string
		p.g.until("an answer to "+command, func() bool {
			for _, m := range commandsOf[*packets.SystemMessage](p.frames()) {
				out = append(out, m.Text)
			}
			return len(out) > 0
		})
		p.g.pass(300 * time.Millisecond)
		for _, m := range commandsOf[*packets.SystemMessage](p.frames()) {
			out = append(out, m.Text)
		}
		return strings.Join(out, "\n")
	}
	if got := lines("/задание"); !strings.Contains(got, "титул, деньги") {
		t.Errorf("/задание says %q", got)
	}
	if got := lines("/mission take money"); !strings.Contains(got, "Ищите у точки") || !strings.Contains(got, "деньги") {
		t.Errorf("taking says %q", got)
	}
	if got := lines("/mission dance"); !strings.Contains(got, "взять") {
		t.Errorf("nonsense says %q", got)
	}
	if got := lines("/mission take"); !strings.Contains(got, "уже есть задание") {
		t.Errorf("a second one says %q", got)
	}
	drop := func() {
		lines("/mission drop")
		p.g.until("the key is gone", func() bool { return p.missions(t) == 0 })
	}
	drop()
	for _, wrong := range []string{"soon", "money soon", "far glory", "money title"} {
		if got := lines("/mission take " + wrong); !strings.Contains(got, "рядом, далеко") || p.missions(t) != 0 {
			t.Errorf("taking one of %q says %q", wrong, got)
		}
	}
	for words, entrance := range map[string]int{"деньги далеко": 2020, "far": 2020, "money near": 2000, "": 2000} {
		lines("/задание взять " + words)
		p.g.until("the key", func() bool { return p.missions(t) == 1 })
		all, err := p.g.store.Items(t.Context(), p.p().character.ID)
		for i := range all {
			if m, ok := rules.MissionOf(&all[i]); ok && m.Entrance != entrance || err != nil {
				t.Errorf("taking one of %q: entrance %d, expected %d (%v)", words, m.Entrance, entrance, err)
			}
		}
		drop()
	}
	near := emptyArea
	p.goTo(coords.Position{X: near.X + 20, Y: near.Y, Z: near.Z})
	for _, russian := range []bool{true, false} {
		p.p().Russian = russian
		want := text("к тому, кто даёт задания. Где он: /куда", "the giver of missions. Where: /guide").In(russian)
		for _, command := range []string{"/mission", "/mission take"} {
			if got := lines(command); !strings.Contains(got, want) {
				t.Errorf("%s from afar says %q, expected %q", command, got, want)
			}
		}
	}
	p.goTo(near)
	byCommand(t)
	for n := range 64 {
		bytes := make([]byte, 1+n%8)
		for i := range bytes {
			bytes[i] = byte(n*37 + i*101)
		}
		p.g.server.world.Do(world.OrderMission{ID: p.pid(), What: world.CancelMission})
		p.wishes(bytes...)
		if n := p.missions(t); n != 1 {
			t.Fatalf("% X gives %d missions", bytes, n)
		}
	}
}

// byCommand carries a mission from its giver through its dungeon to its reward, and comes out, without a window.
func byCommand(t *testing.T) {
	t.Helper()
	p := questing(t, "k001")
	p.frames()
	p.p().Command("/mission take title")
	var told []*packets.Body
	p.g.until("the key", func() bool {
		told = append(told, p.toldNow()...)
		return p.missions(t) == 1
	})
	told = append(told, p.told()...)
	var name int32
	for _, m := range commandsOfType[*packets.MissionTarget](told) {
		name = m.Name
	}
	inside := func(want bool) {
		t.Helper()
		p.g.until("where the command leads", func() bool {
			p.g.pass(1500 * time.Millisecond) // for the snapshot
			return rules.AmongInstances(p.g.server.placeOf(p.pid())) == want
		})
	}
	p.p().Command("/mission enter")
	inside(true)
	death := p.slain(name)
	if texts := texts([]*packets.Body{death}); !slices.Equal(texts, [][2]int{{73}}) || p.missions(t) != 0 {
		t.Errorf("by command alone its end is told as %v, %d keys are left", texts, p.missions(t))
	}
	p.p().Command("/mission leave")
	inside(false)
}

// missions is how many keys of missions the store has of a player.
func (p *possessor) missions(t *testing.T) (n int) {
	t.Helper()
	all, err := p.g.store.Items(t.Context(), p.p().character.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if _, ok := rules.MissionOf(&all[i]); ok {
			n++
		}
	}
	return n
}

// A player that was in the dungeon when a server was killed stands at its entrance, with the key.
func TestLifeCheck4_11WhoWasInsideWhenTheServerDiedStandsAtTheEntrance(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	at := emptyArea
	at.X += 50
	m := rules.Mission{Template: "k001", Level: 1, Type: weakling, Target: -5, At: at, Ends: g.now.Add(time.Hour).Unix()}
	key, _ := m.Key()
	p := g.living(func(n *data.NewCharacter) {
		n.Items, n.Position, n.Tutorial = []rules.Item{key}, rules.InstanceOrigin(7), false
	})
	g.pass(1500 * time.Millisecond)
	if is := g.server.placeOf(p.pid()); !near(is, at) || p.missions(t) != 1 {
		t.Errorf("it stands at %v with %d keys, expected %v", is, p.missions(t), at)
	}
}

// A parcel is told of with the key, and goes with it in the body that says that the mission is fulfilled.
func TestLifeMissionParcelsAreTold(t *testing.T) {
	t.Parallel()
	p := questing(t, "s000")
	at := emptyArea
	at.X += 35
	p.g.server.world.Do(world.Put{Object: world.Object{Position: at, Kind: world.NPC{Class: 201, Name: 612}}})
	p.g.pass(200 * time.Millisecond)
	giver, _ := firstEntry(p.p(), func(e *view.IDEntry) bool { return e.Kind == view.NPCEntry && e.Class == 205 })
	p.frames()
	p.say(packets.Message(1000, packets.ObjectID(giver.ID), giver.Class, contMan(&packets.MissionRequest{Data: []byte{0}})))
	var parcel packets.Section
	for _, b := range p.told() {
		for _, s := range b.Sections {
			if s.Class == rules.ClassParcel {
				parcel = s
			}
		}
	}
	told := kinds(&packets.Body{Sections: []packets.Section{parcel}})
	if len(told) < 3 || told[1] != "PutInto" {
		t.Fatalf("the parcel is told as %q", told)
	}
	p.goTo(at)
	p.frames()
	p.p().Command("/mission hand")
	var end []packets.Section
	p.g.until("the mission is fulfilled", func() bool {
		for _, b := range p.toldNow() {
			if texts := commandsOfType[*packets.SystemText]([]*packets.Body{b}); len(texts) > 0 && texts[0].Text == 73 {
				end = b.Sections
			}
		}
		return end != nil
	})
	gone := 0
	for _, s := range end {
		if s.Class == packets.ClassNone && len(s.Regions) == 0 {
			gone++
		}
	}
	if gone != 2 || p.missions(t) != 0 {
		t.Errorf("%d things vanish, %d keys are left", gone, p.missions(t))
	}
}

// A mission goes from one client's slot into another's, told in the words of both; refusals are texts of the client.
func TestMissionsArePassedOnByCommand(t *testing.T) {
	t.Parallel()
	p := questing(t, "b001")
	other := p.g.living(func(*data.NewCharacter) {})
	p.wishes(0)
	other.frames()
	says := func(by *possessor, line string) (words string, numbers [][2]int) {
		by.p().Command(line)
		var bodies []*packets.Body
		p.g.until("an answer to "+line, func() bool {
			bodies = append(bodies, by.toldNow()...)
			return len(bodies) > 0
		})
		bodies = append(bodies, by.told()...)
		for _, m := range commandsOfType[*packets.SystemMessage](bodies) {
			words += m.Text
		}
		return words, texts(bodies)
	}
	if words, _ := says(p, "/задание передать"); !strings.Contains(words, "передать ИГРОК") {
		t.Errorf("to nobody it says %q", words)
	}
	if words, _ := says(p, "/mission give Somebody"); !strings.Contains(words, "нет") || p.missions(t) != 1 {
		t.Errorf("to somebody who is not there it says %q", words)
	}
	if words, _ := says(p, "/mission give "+other.p().character.Name); !strings.Contains(words, "предлагаете") {
		t.Errorf("to pass it on says %q", words)
	}
	other.told()
	other.p().Command("/задание принять")
	var bodies []*packets.Body
	p.g.until("the mission is passed on", func() bool {
		bodies = append(bodies, other.toldNow()...)
		return other.missions(t) == 1
	})
	bodies = append(bodies, other.told()...)
	if keyOf(t, bodies); !slices.Equal(texts(bodies), [][2]int{{75}}) || p.missions(t) != 0 || other.missions(t) != 1 {
		t.Errorf("told %v, they have %d and %d keys", texts(bodies), p.missions(t), other.missions(t))
	}
	if _, numbers := says(other, "/mission give "+p.p().character.Name); !slices.Equal(numbers, [][2]int{{10395}}) {
		t.Errorf("to pass it on again says %v", numbers)
	}
	p.g.server.world.Do(world.OrderMission{ID: p.pid(), What: world.OrderToGive})
	p.told()
	if _, numbers := says(p, "/mission give "+other.p().character.Name); !slices.Equal(numbers, [][2]int{{113}}) {
		t.Errorf("a second one for the other says %v", numbers)
	}
}
