package replay

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/bot/compare"
)

const (
	wasMe, nowMe   = packets.ObjectID(0x6F4F), packets.ObjectID(0x704F)
	wasHer, nowHer = packets.ObjectID(0x7F4F), packets.ObjectID(0x804F)
	wasSword       = packets.ObjectID(0x1000)
	nowSword       = packets.ObjectID(0x2000)
)

// aPlayer is one in the middle of a replay: both players are known, and a sword.
func aPlayer() *player {
	me := &Session{Number: 1, About: recording.Session{Index: uint16(packets.PlayerIndexOf(wasMe)), Whole: true},
		Character: "Alice"}
	her := &Session{Number: 2, About: recording.Session{Index: uint16(packets.PlayerIndexOf(wasHer)), Whole: true},
		Character: "Beth"}
	t := &Recording{Sessions: []*Session{me, her}}
	r := &play{rec: t, people: newIDMap(), playing: map[string]bool{"Alice": true, "Beth": true}, report: newReport(t),
		begun: time.Now()}
	r.people.bind(wasMe, nowMe)
	r.people.bind(wasHer, nowHer)
	p := &player{play: r, s: me, objects: newIDMap(), was: places{}, now: places{}, foreign: map[packets.ObjectID]bool{},
		wildThen: wild{}, wildNow: wild{}, news: make(chan struct{}, 1),
		deobfuscator: packets.NewDeobfuscator(packets.PlayerIndexOf(wasMe))}
	p.objects.bind(wasSword, nowSword)
	return p
}

// one is the message of a body with a single region.
func one(t *testing.T, id packets.ObjectID, class packets.Class, origin *coords.Origin, r packets.Region) *message {
	t.Helper()
	b := packets.Message(5, id, class, r)
	if origin != nil {
		b.HasOrigin, b.Origin = true, *origin
	}
	frame, err := packets.AppendServer(nil, b, packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	all := messages(frame, packets.Dialect2026, 0)
	if len(all) != 1 {
		t.Fatalf("%d messages", len(all))
	}
	return all[0]
}

func stat(s packets.Stat, v int32) packets.Region { return &packets.SetStat{Stat: s, Value: v} }

func TestPairs(t *testing.T) {
	spawn := func(x, z float32, c int32) packets.Region {
		return &packets.SpawnSnapshot{X: x, Z: z, A: 100, B: 100, C: c}
	}
	fill := func(slot uint8, item packets.ObjectID, weight int32) packets.Region {
		return &packets.ContMan{Command: &packets.FillSlot{Slot: slot, Item: item, Weight: weight}}
	}
	owner := func(id uint32) packets.Region { return &packets.ContMan{Command: &packets.Property{Value: id}} }
	say := func(text string) packets.Region {
		return &packets.Manager{Command: &packets.SystemMessage{Mode: 7, Text: text}}
	}
	const sword = packets.ClassStartSword
	for _, c := range []struct {
		name            string
		wasID, nowID    packets.ObjectID
		class           packets.Class
		was, now        packets.Region
		other           bool
		changes, binds  int
		field, old, new string
	}{
		{name: "the same", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now: stat(packets.StatHP, 90)},
		{name: "another value", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatStrength, 90),
			now:     stat(packets.StatStrength, 91),
			changes: 1, field: "value", old: "90", new: "91"},
		{name: "a little more life", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now: stat(packets.StatHP, 100)},
		{name: "much more life", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now:     stat(packets.StatHP, 101),
			changes: 1, field: "value", old: "90", new: "101"},
		{name: "another player", wasID: wasMe, nowID: nowHer, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now: stat(packets.StatHP, 90), other: true},
		{name: "another stat", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now: stat(packets.StatMaxHP, 90), other: true},
		{name: "another kind", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: stat(packets.StatHP, 90),
			now: say("90"), other: true},
		{name: "a text", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: say("yes"), now: say("no"),
			changes: 1, field: "text", old: `"yes"`, new: `"no"`},
		{name: "a thing that is known", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: fill(3, wasSword, 5),
			now: fill(3, nowSword, 5)},
		{name: "another slot", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: fill(3, wasSword, 5),
			now: fill(4, nowSword, 5), other: true},
		{name: "a thing that is not", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer, was: fill(3, 0x1001, 5),
			now: fill(3, 0x2001, 5), binds: 1},
		{name: "a thing in place of another", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer,
			was: fill(3, wasSword, 5), now: fill(3, 0x2001, 5),
			changes: 1, field: "item", old: "0x1000", new: "0x2001 (now)"},
		{name: "a known thing in place of a new one", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer,
			was: fill(3, 0x1001, 5), now: fill(3, nowSword, 5), changes: 1,
			field: "item", old: "0x1001", new: "0x1000"},
		{name: "nothing in place of a thing", wasID: wasMe, nowID: nowMe, class: packets.ClassPlayer,
			was: fill(3, 0x1001, 5), now: fill(3, 0, 5), changes: 1,
			field: "item", old: "0x1001", new: "0x0000 (now)"},
		{name: "an owner", wasID: wasSword, nowID: nowSword, class: sword, was: owner(uint32(wasMe)),
			now: owner(uint32(nowMe))},
		{name: "another owner", wasID: wasSword, nowID: nowSword, class: sword, was: owner(uint32(wasMe)),
			now: owner(uint32(nowHer)), changes: 1,
			field: "value", old: "the own character", new: "player Beth"},
		{name: "no owner", wasID: wasSword, nowID: nowSword, class: sword, was: owner(packets.Unbound),
			now: owner(packets.Unbound)},
		{name: "a new thing", wasID: 0x1001, nowID: 0x2001, class: sword, was: spawn(10, 10, 4), now: spawn(10, 10, 4),
			binds: 1},
		{name: "a new thing that has moved", wasID: 0x1001, nowID: 0x2001, class: sword, was: spawn(10, 10, 4),
			now: spawn(12, 10, 4), binds: 1, changes: 1,
			field: "x", old: "10", new: "12"},
		{name: "a new thing elsewhere", wasID: 0x1001, nowID: 0x2001, class: sword, was: spawn(10, 10, 4),
			now: spawn(10, 20, 4), other: true},
		{name: "a new thing under a known id", wasID: 0x1001, nowID: nowSword, class: sword, was: spawn(10, 10, 4),
			now: spawn(10, 10, 4), other: true},
		{name: "something unknown", wasID: 0x1001, nowID: 0x2001, class: sword, was: owner(1), now: owner(1), other: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := aPlayer()
			got := p.match(one(t, c.wasID, c.class, nil, c.was), one(t, c.nowID, c.class, nil, c.now))
			if got.other != c.other {
				t.Fatalf("other: %t, changes %v", got.other, got.changes)
			}
			if c.other {
				return
			}
			if len(got.changes) != c.changes || len(got.bound) != c.binds {
				t.Fatalf("changes %v, bound %v", got.changes, got.bound)
			}
			if c.changes > 0 && got.changes[0] != (compare.Change{Field: c.field, Was: c.old, Now: c.new}) {
				t.Errorf("%+v", got.changes[0])
			}
		})
	}
}

// The table of permitted differences is the table of the documentation.
func TestWhatMayDifferIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/recordings.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, what := range IgnoreRules {
		if !strings.Contains(text, "* "+what) {
			t.Errorf("docs/recordings.md does not say: %s", what)
		}
	}
}

// Movements are the same when they lead to the same place, from any origins.
func TestMovementsAreComparedByWhereTheyLead(t *testing.T) {
	p := aPlayer()
	at := coords.Position{X: 100.4, Y: 10, Z: -50.2, Yaw: 1}
	move := func(id packets.ObjectID, to coords.Position, o coords.Origin) *message {
		return one(t, id, packets.ClassPlayer, &o, &packets.TransformUpdate{X: coords.EncodeRel12(to.X, o.X),
			Y: coords.EncodeRel12(to.Y, o.Y),
			Z: coords.EncodeRel12(to.Z, o.Z), Angle: coords.EncodeAngle8(to.Yaw)})
	}
	o := at.Origin()
	if c := p.match(move(wasHer, at, o), move(nowHer, at, coords.Origin{X: o.X + 1, Y: o.Y, Z: o.Z - 1})); c.other ||
		len(c.changes) > 0 {
		t.Errorf("%+v", c)
	}
	there := at
	there.X += 0.5
	if c := p.match(move(wasHer, at, o), move(nowHer, there, o)); c.other || len(c.changes) != 1 ||
		c.changes[0].Field != "x" {
		t.Errorf("%+v", c)
	}
}

func TestWhatMayDiffer(t *testing.T) {
	p := aPlayer()
	login := func(at packets.Time) packets.Region { return &packets.Owner{Command: &packets.LoginTime{Time: at}} }
	if c := p.match(one(t, wasMe, packets.ClassPlayer, nil, login(1)),
		one(t, nowMe, packets.ClassPlayer, nil, login(99))); c.other || len(c.changes) > 0 {
		t.Errorf("%+v", c)
	}
	six, err := packets.AppendServer(nil, packets.Regenerated(nowMe, 1, 90), packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	if all := messages(six, packets.Dialect2026, 0); len(all) != 0 {
		t.Errorf("of the frame of every six seconds %d messages are left", len(all))
	}
	for _, b := range []*packets.Body{packets.Clock(1, 2), packets.Players(1, 5, false)} {
		frame, err := packets.AppendServer(nil, b, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		if all := messages(frame, packets.Dialect2026, 0); len(all) != 1 || !all[0].isIgnored() {
			t.Errorf("%v is compared", b)
		}
	}
}

func TestIDsAreFreeAfterRemoval(t *testing.T) {
	i := newIDMap()
	i.bind(1, 101)
	i.bind(2, 102)
	i.bind(1, 103) // another one under an old id
	if _, ok := i.was[101]; ok || i.now[1] != 103 || i.was[103] != 1 {
		t.Errorf("%+v", i)
	}
	i.bind(3, 102)
	if _, ok := i.now[2]; ok || i.was[102] != 3 {
		t.Errorf("%+v", i)
	}
	i.free(3)
	i.free(3)
	if len(i.now) != 1 || len(i.was) != 1 {
		t.Errorf("%+v", i)
	}
}

// Messages that a client sends name the players and objects of now, and carry the key, login and password of now.
func TestWhatIsSentIsTranslated(t *testing.T) {
	p := aPlayer()
	p.key, p.login = 0x1234, "tester"
	p.play.options.Password = "open sesame"
	p.play.options.names.Set("Alice", "Zelda")
	decoded := func(b *packets.Body) *packets.Frame {
		t.Helper()
		wire, err := packets.AppendClient(nil, b, packets.Dialect2026, packets.GreetingKey, 77)
		if err != nil {
			t.Fatal(err)
		}
		out, masked := p.translate(wire)
		if !masked {
			t.Error("was obfuscated, and is not any more")
		}
		f, err := packets.DecodeFrame(out, packets.FromClient, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		if f.Header.Sequence != 77 {
			t.Errorf("sequence %d", f.Header.Sequence)
		}
		return f
	}
	command := func(f *packets.Frame) packets.Command {
		c, _ := packets.CommandOf(f.Body.Sections[0].Regions[0])
		return c
	}
	f := decoded(packets.Message(9, wasMe, packets.ClassPlayer, &packets.Owner{Command: &packets.Login{Lead: 0xFF,
		Login: "alice", Password: recording.BlankPassword}}))
	if c := *command(f).(*packets.Login); c != (packets.Login{Lead: 0xFF, Login: "tester", Password: "open sesame"}) ||
		f.Body.Sections[0].Object != nowMe {
		t.Errorf("%+v of %s", c, f.Body.Sections[0].Object)
	}
	f = decoded(packets.Message(9, wasSword, packets.ClassStartSword,
		&packets.ContMan{Command: &packets.UseOn{Player: wasMe, Target: wasHer}}))
	if c := *command(f).(*packets.UseOn); c != (packets.UseOn{Player: nowMe, Target: nowHer}) ||
		f.Body.Sections[0].Object != nowSword {
		t.Errorf("%+v of %s", c, f.Body.Sections[0].Object)
	}
	f = decoded(packets.Message(9, wasMe, packets.ClassPlayer,
		&packets.Manager{Command: &packets.PickUp{Item: uint32(wasSword)}}))
	if c := *command(f).(*packets.PickUp); c.Item != uint32(nowSword) {
		t.Errorf("%+v", c)
	}
	f = decoded(packets.Message(9, wasMe, packets.ClassPlayer,
		&packets.Owner{Command: &packets.CreateCharacter{Name: "Alice", Look: 5}}))
	if c := *command(f).(*packets.CreateCharacter); c.Name != "Zelda" {
		t.Errorf("%+v", c)
	}
	ping := decoded(packets.PingBody(wasMe, 40, coords.Position{X: 10, Y: 20, Z: 30}))
	if ping.Body.Sections[0].Object != nowMe || !ping.Body.HasOrigin {
		t.Errorf("%+v", ping.Body)
	}
}

// Players of no session, their words, and monsters are not heard.
func TestOthersAreNotHeard(t *testing.T) {
	p := aPlayer()
	const stranger, rat = packets.ObjectID(0x9A50), packets.ObjectID(0x1FF0)
	line := func(id packets.ObjectID, who string) *message {
		return one(t, id, packets.ClassChat, nil, &packets.ChatLine{Kind: 2, Length: 2, Chunks: 1, Sender: who, Channel: 1})
	}
	chunk := func(id packets.ObjectID) *message {
		return one(t, id, packets.ClassChat, nil, &packets.ChatChunk{Text: "hi"})
	}
	gone := func(id packets.ObjectID) *message { return &message{object: id, kind: removal} }
	for i, c := range []struct {
		m    *message
		kept bool
	}{
		{one(t, rat, packets.ClassMonster, nil, &packets.SpawnSnapshot{}), false},
		{one(t, rat, packets.ClassMonster, nil, &packets.TransformState{}), false},
		{gone(rat), false},
		{one(t, stranger, packets.ClassPlayer, nil, &packets.PlayerSpawn{Name: "Stranger"}), false},
		{one(t, nowHer, packets.ClassPlayer, nil, &packets.PlayerSpawn{Name: "Beth"}), true},
		{one(t, stranger, packets.ClassPlayer, nil, &packets.SetWornGear{}), false},
		{gone(stranger), false},
		{gone(nowHer), true},
		{line(0xC100, "Stranger"), false},
		{chunk(0xC100), false},
		{line(0xC101, "Beth"), true},
		{chunk(0xC101), true},
		{line(0xC100, "Alice"), true},
		{chunk(0xC100), true},
	} {
		p.arrived = []*message{c.m}
		p.pending = nil
		p.gather()
		if kept := slices.Contains(p.pending, c.m); kept != c.kept {
			t.Errorf("%d: kept %t", i, kept)
		}
	}
}

// A client that is replayed fast walks no faster than it may, and its positions come in different ticks.
func TestPace(t *testing.T) {
	var c pace
	now := time.Duration(0)
	at := coords.Position{X: 1000}
	for range 200 {
		if wait := c.walk(now, at); wait > 0 {
			now += wait
		}
		now += c.frame(now)
		at.X += 4
	}
	if walked := 800.0; now.Seconds() < (walked-stride)/metresPerSec-1 || now.Seconds() < 200*betweenPlaces.Seconds()-1 {
		t.Errorf("%.0f m in %v", walked, now)
	}
	if now > 100*time.Second {
		t.Errorf("800 m take %v", now)
	}
	var far pace
	far.walk(0, coords.Position{})
	if wait := far.walk(time.Second, coords.Position{X: 5000}); wait > betweenPlaces {
		t.Errorf("after a teleport %v", wait)
	}
}

// A movement to where something stands already says nothing, and is not compared.
func TestMovementsThatSayNothing(t *testing.T) {
	all := places{}
	o := coords.Origin{X: 10, Y: 1, Z: 10}
	move := func(x float32) *message {
		return one(t, wasHer, packets.ClassPlayer, &o, &packets.TransformUpdate{X: coords.EncodeRel12(x, o.X),
			Y: coords.EncodeRel12(1, o.Y),
			Z: coords.EncodeRel12(10, o.Z)})
	}
	spawn := one(t, wasHer, packets.ClassPlayer, nil, &packets.PlayerSpawn{X: 10.5, Y: 1, Z: 10, Name: "Beth"})
	for i, c := range []struct {
		m    *message
		says bool
	}{{move(10.5), true}, {move(10.5), false}, {move(10.8), true}, {spawn, true}, {move(10.5), false},
		{&message{object: wasHer, kind: removal}, true}, {move(10.5), true}} {
		if again := all.stands(c.m); again == c.says {
			t.Errorf("%d: said again: %t", i, again)
		}
	}
}
