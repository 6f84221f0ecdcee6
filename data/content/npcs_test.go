package content

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/coords"
)

// The numbers of the recordings. Source: protocol gamerules 16.
func TestAllTownsfolkAreThere(t *testing.T) {
	kinds, types := map[NPCKind]int{}, map[int]int{}
	for _, p := range NPCs() {
		kinds[p.Kind]++
		types[p.Type]++
	}
	for k, want := range map[NPCKind]int{Banker: 8, GuildMaster: 26, TitleQuests: 11, DegreeQuests: 14, KarmaQuests: 9,
		Tournaments: 4, Trader: 181} {
		if kinds[k] != want {
			t.Errorf("%s: expected %d, found %d", k, want, kinds[k])
		}
	}
	for o, want := range map[int]int{OccupationTavern: 8, OccupationAlchemy: 23, OccupationArmour: 32,
		OccupationJewellery: 4, OccupationMagic: 27,
		OccupationTravel: 60, OccupationWeapons: 27} {
		if types[o] != want {
			t.Errorf("occupation %d: expected %d, found %d", o, want, types[o])
		}
	}
	if len(NPCs()) != 253 {
		t.Errorf("expected 253, found %d", len(NPCs()))
	}
}

func TestNoTwoTownsfolkAreTheSame(t *testing.T) {
	keys, names := map[string]bool{}, map[int32]string{}
	spots := map[[3]float32]string{}
	for _, p := range NPCs() {
		if keys[p.Key] {
			t.Errorf("%s: twice", p.Key)
		}
		keys[p.Key] = true
		if other, twice := names[p.Name]; twice {
			t.Errorf("%s: has the name %d of %s", p.Key, p.Name, other)
		}
		names[p.Name] = p.Key
		spot := [3]float32{p.Position.X, p.Position.Y, p.Position.Z}
		if other, twice := spots[spot]; twice {
			t.Errorf("%s: stands where %s does", p.Key, other)
		}
		spots[spot] = p.Key
	}
}

func TestTownsfolkStandSomewhere(t *testing.T) {
	for _, p := range NPCs() {
		if err := p.Position.Check(); err != nil {
			t.Errorf("%s: %v", p.Key, err)
		}
		if a, ok := AreaOf(p.Position); !ok || a.Key != p.Area || !a.Open && a.Key != "halls" {
			t.Errorf("%s: expected a continent or a hall, found %q in %q", p.Key, a.Key, p.Area)
		}
		if a := coords.EncodeAngle8(p.Position.Yaw); a != p.Angle && a != p.Angle-1 { // less by one where the wire truncates
			t.Errorf("%s: expected the angle %d, found %v radians", p.Key, p.Angle, p.Position.Yaw)
		}
		if p.Town == "" {
			continue
		}
		if town, ok := PlaceByKey(p.Town); !ok || town.Area != p.Area || p.Position.Distance(town.Position) >= TownReach {
			t.Errorf("%s: does not belong to %s", p.Key, p.Town)
		}
	}
}

func TestEveryCityHasItsPeople(t *testing.T) {
	bankers, traders := map[string]int{}, map[string]int{}
	for _, p := range NPCs() {
		switch p.Kind {
		case Banker:
			bankers[p.Town]++
		case Trader:
			traders[p.Town]++
		}
	}
	for _, c := range Cities() {
		if bankers[c.Key] != 1 || traders[c.Key] < 5 {
			t.Errorf("%s: expected 1 banker and 5 traders or more, found %d and %d", c.Key, bankers[c.Key], traders[c.Key])
		}
	}
}

func TestTownsfolkFields(t *testing.T) {
	for key, want := range map[string]NPC{
		"npc-0fc3": {Kind: Banker, Class: 225, Name: 272, Title: "npc_banker", Type: OccupationBank, Angle: 231,
			Position: coords.Position{X: 1879.4, Y: 155.6, Z: -408.9},
			Area:     "hyperion", Town: "bangville"},
		"npc-1433": {Kind: Trader, Class: 213, Name: 203, Model: "npc29c", Title: "npc_tavernkeepr", Type: OccupationTavern,
			Angle:    133,
			Position: coords.Position{X: -2907, Y: 1102.7, Z: -3897.5}, Area: "halls", Town: "torweal-tavern"},
		"npc-146b": {Kind: Trader, Class: 213, Name: 142, Model: "npc14", Type: OccupationMagic, Angle: 121, Tier: 4,
			Position: coords.Position{X: 882.6, Y: 159.5, Z: -2378}, Area: "hyperion"},
		"npc-136e": {Kind: TitleQuests, Class: 205, Name: 500, Title: "npc_quest_title", Type: OccupationTitle, Angle: 128,
			Position: coords.Position{X: 2795.9, Y: 159.8, Z: 1437.4}, Area: "hyperion"},
		"npc-1271": {Kind: GuildMaster, Class: 216, Name: 471, Model: "npc80", Title: "npc_guilder", Type: OccupationGuild, Angle: 21,
			Position: coords.Position{X: -3030.4, Y: -340.3, Z: -2211.2}, Area: "rodos"},
	} {
		want.Key, want.Position.Yaw = key, want.Angle.Radians()
		i := slices.IndexFunc(NPCs(), func(p NPC) bool { return p.Key == key })
		if found := NPCs()[max(i, 0)]; found != want {
			t.Errorf("%s: expected %+v, found %+v", key, want, found)
		}
	}
}

// The client is told the numbers of protocol life 14; row 838 of the recordings has 50004.
func TestOccupationsOnTheWire(t *testing.T) {
	for kind, want := range map[NPCKind]uint32{Banker: 50000, GuildMaster: 50001, DegreeQuests: 50002, KarmaQuests: 50003,
		TitleQuests: 50004, Tournaments: 50013} {
		for _, p := range NPCs() {
			if got := OccupationNumber(p.Type); p.Kind == kind && got != want {
				t.Errorf("%s, a %s, is told as %d, expected %d", p.Key, kind, got, want)
			}
		}
	}
}

// The names of traders are numbered by how far from the cities they sell. Source: protocol gamerules 9.
func TestTiersOfTraders(t *testing.T) {
	bands := []struct{ first, last, tier int }{{0, 19, 1},
		{120, 123, 1}, {136, 139, 1}, {152, 155, 1}, {168, 171, 1}, {124, 127, 4}, {140, 143, 4}, {156, 159, 4}, {172, 175,
			4},
		{128, 131, 7}, {144, 147, 7}, {160, 163, 7}, {176, 179, 7}, {132, 133, 10}, {148, 149, 10}, {164, 165, 10}, {180, 181,
			10}}
	for _, p := range NPCs() {
		want := 0
		for _, b := range bands {
			if n := int(p.Name); p.Kind == Trader && n >= b.first && n <= b.last {
				want = b.tier
			}
		}
		if p.Tier != want {
			t.Errorf("%s, a %s of the name %d: expected tier %d, found %d", p.Key, p.Kind, p.Name, want, p.Tier)
		}
	}
}

// A text that the client cannot show is a question mark to players.
func TestRolesAreInTheClientsLetters(t *testing.T) {
	for _, p := range NPCs() {
		for _, role := range []string{p.Role(true), p.Role(false), p.Model, p.Title} {
			if _, err := charmap.Windows1251.NewEncoder().String(role); err != nil {
				t.Errorf("%s: %q: %v", p.Key, role, err)
			}
		}
		if p.Role(true) == "" || p.Role(false) == "" || len(p.Model) > 31 || len(p.Title) > 31 {
			t.Errorf("%s: found the role %q, %q, the model %q, the title %q", p.Key, p.Role(true), p.Role(false), p.Model,
				p.Title)
		}
	}
}

func TestTownsfolkTableIsReadStrictly(t *testing.T) {
	const (
		head = "id\tkind\ttype\tname\tmodel\tx\ty\tz\tangle\tarea\ttier\n"
		row  = "0fc2\tbanker\t17\t271\t-\t1\t150\t3\t69\thyperion\t-\n"
	)
	for name, c := range map[string]struct{ table, want string }{
		"an unknown column": {strings.Replace(head, "tier", "tiers", 1) + row,
			`folk:1: expected the columns id, kind, type, name, model, x, y, z, angle, area, tier, found one called "tiers"`},
		"an id that is none": {head + strings.Replace(row, "0fc2", "0xyz", 1),
			`folk:2: id: expected a hexadecimal number of 16 bits, found "0xyz"`},
		"an id twice": {head + row + row, `folk:3: id: expected every id once, found "0fc2"`},
		"another's occupation": {head + strings.Replace(row, "17", "11", 1),
			`folk:2: type: expected an occupation of a banker, found "11"`},
		"an unknown occupation": {head + strings.Replace(row, "17", "18", 1),
			`folk:2: type: expected an occupation of a banker, found "18"`},
		"a name beyond the list": {head + strings.Replace(row, "271", "1000", 1),
			`folk:2: name: expected a whole number from 0 to 999, found "1000"`},
		"more than a turn": {head + strings.Replace(row, "69", "256", 1),
			`folk:2: angle: expected a whole number from 0 to 255, found "256"`},
		"a tier that is not": {head + strings.Replace(row, "hyperion\t-", "hyperion\t0", 1),
			`folk:2: tier: expected a whole number from 1 to 15, found "0"`},
		"outside of the world": {head + strings.Replace(row, "\t3\t", "\t40000\t", 1),
			`folk:2: z is 40000, expected -32768 to 32767`},
		"a field too few": {head + strings.Replace(row, "\t-\n", "\n", 1), `folk:2: expected 11 fields, found 10`},
	} {
		if _, err := parseNPCs("folk", c.table, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: expected %q, found %v", name, c.want, err)
		}
	}
	if f, err := parseNPCs("folk", head+row, nil); err != nil || len(f) != 1 {
		t.Errorf("a good table: %v", err)
	}
}
