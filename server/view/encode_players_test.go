package view

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// goldenFrame returns the bytes of one of the frames of the protocol document's test vectors.
func goldenFrame(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../testdata/golden/ingame-server.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "== ingame-"+name+" |")
	if !ok {
		t.Fatalf("there is no golden frame %s", name)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	var digits strings.Builder
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, ">") {
			break
		}
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	frame, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// spot is where everybody stands in the test vectors.
var spot = coords.Position{X: 2614.25, Y: 157.8, Z: 1293.5}

// heroID is the player with the id 0x1001 on the wire.
const heroID = world.PlayerID(0x0110)

func hero() *world.Player {
	p := &world.Player{ID: heroID, Name: "Hero", Position: spot, Pools: rules.Pools{HP: 300, MaxHP: 500},
		Appearance: world.Appearance{Face: '0', Hair: '0', HairColour: '0', Tattoo: '0', ClanRank: -1, Title: 4, Degree: 2,
			Karma: 3}}
	p.Position.Yaw = coords.Angle8(63).Radians()
	return p
}

// bareView is a view without clients, its clock at 0.
func bareView() *View {
	return New(Options{Log: slog.New(slog.DiscardHandler), Tables: new(rules.Tables), Clock: standing(0),
		Place: func(world.PlayerID) coords.Position { return spot }})
}

func TestPeopleOnTheWire(t *testing.T) {
	k := bareView()
	same := func(name string, got []byte) {
		t.Helper()
		if want := goldenFrame(t, name); !bytes.Equal(got, want) {
			t.Errorf("%s\n got % X\nwant % X", name, got, want)
		}
	}
	p := hero()
	same("V2", k.removal(0x1234))
	frames := k.drawn(p)
	first := len(goldenFrame(t, "V31"))
	same("V31", frames[:first])
	same("V31b", frames[first:])
	same("V32", k.person(p.ID, healthChange(285, 500, false)...))
	at := spot
	at.Yaw = 1.5707963267948966
	same("V16", k.encode(k.step.to(0, 0x6F4F, packets.ClassPlayer, at)))
}

func TestTownsfolkOnTheWire(t *testing.T) {
	k := bareView()
	o := &world.Object{ID: 7, Position: spot, Kind: world.NPC{Class: 213, Name: 203, Model: "npc29c",
		Title: "npc_tavernkeepr", Type: 5}}
	o.Position.Yaw = coords.Angle8(133).Radians()
	frame := k.drawnObject(o, packets.Dialect2026).frame
	readdress(frame, 0, 0x1500)
	if want := goldenFrame(t, "V29"); !bytes.Equal(frame, want) {
		t.Errorf("got % X\nwant % X", frame, want)
	}
	// The clock is where the clock is.
	readdress(frame, packets.MaxClock, 0x1501)
	f, err := packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026)
	if err != nil || f.Body.Clock != packets.MaxClock || f.Body.HasOrigin || f.Body.Sections[0].Object != 0x1501 {
		t.Errorf("%+v, %v", f.Body, err)
	}
}

// The rows of protocol ingame 9.1.
func TestObjectsAsTheTableSays(t *testing.T) {
	for _, c := range []struct {
		what    string
		kind    world.Kind
		class   packets.Class
		place   packets.Placement
		a       int32
		follows []string
	}{
		{"a trader", world.NPC{Class: 213, Name: 203, Model: "npc29c", Title: "npc_tavernkeepr", Type: 5}, 213, packets.Plain,
			5,
			[]string{"DisplayName", "Model", "Title", "Occupation"}},
		{"somebody of whom only the name is known", world.NPC{Class: 201, Name: 56189}, 201, packets.Plain, 5,
			[]string{"DisplayName"}},
		{"one with the first of the names", world.NPC{Class: 213, Model: "npc08", Type: 11}, 213, packets.Plain, 5,
			[]string{"DisplayName", "Model", "Occupation"}},
		{"a guide", world.NPC{Class: 212, Name: 4000085}, 212, packets.Lying, 5, []string{"DisplayName", "Subtype"}},
		{"a door with a key", world.Portal{Class: 60, Number: 0x1397, Key: "torweal-tavern-room-1"}, 60, packets.Plain, 100,
			[]string{"DoorNumber"}},
		{"a great teleport", world.Portal{Class: 62, Number: 980}, 62, packets.Plain, 100, []string{"TeleportTexts"}},
		{"a door that says where it leads", world.Portal{Class: 60, Key: "torweal-tavern-exit",
			To: coords.Position{X: 1, Y: 2, Z: 3, Yaw: 4}}, 60,
			packets.Plain, 100, []string{"DoorYaw", "DoorTarget"}},
		{"a teleport", world.Portal{Class: 63, Key: "newcomers-teleport"}, 63, packets.Plain, 100, nil},
		{"a token", world.Portal{Class: 127, Number: 0x0100070B, Key: "newcomers-token"}, 127, packets.Lying, 100,
			[]string{"Property", "TokenDestination"}},
	} {
		_, s, err := spawnObject(&world.Object{Position: spot, Kind: c.kind}, new(rules.Tables), packets.Dialect2026)
		if err != nil || s.Class != c.class {
			t.Errorf("%s: class %v, %v", c.what, s.Class, err)
			continue
		}
		spawn := s.Regions[0].(*packets.SpawnSnapshot)
		if spawn.Placement != c.place || spawn.A != c.a || spawn.B != c.a || spawn.C != 0 || spawn.D != 0 ||
			spawn.X != spot.X {
			t.Errorf("%s: spawns as %+v", c.what, spawn)
		}
		var follows []string
		for _, r := range s.Regions[1:] {
			command, _ := packets.CommandOf(r)
			follows = append(follows, packets.Name(command))
		}
		if strings.Join(follows, " ") != strings.Join(c.follows, " ") {
			t.Errorf("%s: %v follow, want %v", c.what, follows, c.follows)
		}
		// Clients of both generations read the frame.
		for _, d := range []packets.Dialect{packets.Dialect2026, packets.Dialect2022} {
			frame, err := packets.AppendServer(nil, &packets.Body{Sections: []packets.Section{s}}, d)
			if err != nil {
				t.Fatal(err)
			}
			f, err := packets.DecodeFrame(frame, packets.FromServer, d)
			if err != nil || f.Body.UnknownBits() > 0 || len(f.Body.Sections[0].Regions) != len(s.Regions) {
				t.Errorf("%s for %v: %v", c.what, d, err)
			}
		}
	}
	if _, _, err := spawnObject(&world.Object{}, nil, packets.Dialect2026); err == nil {
		t.Error("an object of no kind is shown")
	}
}

func TestTownsfolkFaceExactlyTheirWay(t *testing.T) {
	for a := range 256 {
		if got := coords.EncodeAngle8(coords.Angle8(a).Radians()); got != coords.Angle8(a) {
			t.Errorf("angle %d becomes %d", a, got)
		}
	}
}

func TestLookChangesAreToldOrShownAnew(t *testing.T) {
	base := hero().Appearance
	changed := func(change func(*world.Appearance)) (names []string, again bool) {
		after := base
		change(&after)
		regions, again := lookChange(&base, &after)
		for _, r := range regions {
			if c, ok := packets.CommandOf(r); ok {
				switch c := c.(type) {
				case *packets.NameplateStat:
					names = append(names, c.Stat.String())
				case *packets.ClanTag:
					names = append(names, fmt.Sprint(c.Rank, " ", c.Clan))
				default:
					names = append(names, packets.Name(c))
				}
				continue
			}
			names = append(names, packets.Name(r))
		}
		return names, again
	}
	for _, c := range []struct {
		what   string
		change func(*world.Appearance)
		told   string
		again  bool
	}{
		{"nothing", func(*world.Appearance) {}, "", false},
		{"levels", func(l *world.Appearance) { l.Title, l.Degree = 5, 3 }, "title degree", false},
		{"a rebirth", func(l *world.Appearance) { l.Title = 64 }, "title rebirths", false},
		{"all that the nameplate has", func(l *world.Appearance) {
			l.Karma, l.Title, l.Degree, l.Guild, l.GuildRank = 1, 65,
				123, 4, 2
		},
			"karma title degree title rebirths degree rebirths guild guild rank", false},
		{"a sword in the hand", func(l *world.Appearance) { l.Worn.Sword = "wp_sword1" }, "SetWornGear", false},
		{"another face", func(l *world.Appearance) { l.Face = '3' }, "", true},
		{"the mark", func(l *world.Appearance) { l.Mark = true }, "", true},
		{"a clan joined", func(l *world.Appearance) { l.Clan, l.ClanRank = "Кочевники", 3 }, "6 Кочевники", false},
		{"a clan founded", func(l *world.Appearance) { l.Clan, l.ClanRank = "Кочевники", 0 }, "0 Кочевники", false},
		{"a clan joined as a vassal", func(l *world.Appearance) { l.Clan, l.ClanRank = "Кочевники", 2 }, "", true},
		{"a clan of a long name", func(l *world.Appearance) { l.Clan, l.ClanRank = "Степные волки!", 3 }, "", true},
	} {
		names, again := changed(c.change)
		if got := strings.Join(names, " "); got != c.told || again != c.again {
			t.Errorf("%s: told %q, anew %v; want %q, %v", c.what, got, again, c.told, c.again)
		}
	}
	base.Clan, base.ClanRank = "Кочевники", 3
	if names, again := changed(func(l *world.Appearance) { l.ClanRank = 2 }); again ||
		strings.Join(names, " ") != "2 Кочевники" {
		t.Errorf("another rank in a clan: %v, %v", names, again)
	}
	if names, again := changed(func(l *world.Appearance) { l.Clan, l.ClanRank = "", -1 }); again ||
		strings.Join(names, " ") != "5 Кочевники" {
		t.Errorf("who leaves a clan: %v, %v", names, again)
	}
	if _, again := changed(func(l *world.Appearance) { l.Clan = "Волки" }); !again {
		t.Error("who is in another clan at once keeps its old name over the head")
	}
}

// A clan of 14 or 15 letters fits the spawn only.
func TestLongNamesOfClans(t *testing.T) {
	k := bareView()
	for clan, frames := range map[string]int{"": 2, "Abcdefghijklm": 3, "Абвгдежзиклмн": 3,
		"Abcdefghijklmn": 2, "Abcdefghijklmno": 2} {
		p := hero()
		p.Appearance.Clan = clan
		all := packetstest.Frames(t, k.drawn(p), packets.Dialect2026)
		for _, f := range all {
			if spawn, ok := f.Body.Sections[0].Regions[0].(*packets.PlayerSpawn); ok && spawn.Clan != clan {
				t.Errorf("clan %q is shown as %q", clan, spawn.Clan)
			}
		}
		if n := len(all); n != frames {
			t.Errorf("clan %q: %d frames, want %d", clan, n, frames)
		}
	}
}

func TestWornThings(t *testing.T) {
	k := bareView()
	p := hero()
	p.Appearance.Worn = rules.Worn{Sword: "wp_sword1", Boots: '1', Pants: '2', Armour: '3', Robe: '4', Gloves: '5',
		Shield: '6', Helmet: '7'}
	m := wornGear(&p.Appearance.Worn)
	if m.Sword != "wp_sword1" || string(m.Codes[:]) != "123456007" {
		t.Errorf("worn %q, %q", m.Sword, m.Codes[:])
	}
	if len(k.person(p.ID, m)) == 0 {
		t.Error("the gear does not encode")
	}
}
