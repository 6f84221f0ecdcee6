package content

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/rules/rulestest"
)

// Landmarks that players have drawn are in our tables, where they have drawn them, with their error.
func TestLandmarksAreThoseOfTheMap(t *testing.T) {
	_, rows := rulestest.Table(t, "life-map.tsv")
	if len(rows) != len(Landmarks()) {
		t.Fatalf("there are %d, and %d of ours", len(rows), len(Landmarks()))
	}
	for i, row := range rows {
		m := Landmarks()[i]
		x, errX := strconv.ParseFloat(row[2], 32)
		z, errZ := strconv.ParseFloat(row[3], 32)
		if errX != nil || errZ != nil || m.Kind != row[0] || m.Position.X != float32(x) || m.Position.Z != float32(z) ||
			m.Error != 100 {
			t.Errorf("%v is %+v", row, m)
		}
		if found, ok := FindLandmark(strings.ToUpper(m.Russian)); !ok || found.Key != m.Key {
			t.Errorf("%s is found as %q", m.Russian, found.Key)
		}
		at, err := ParsePlace(m.Key)
		if place, known := FindPlace(m.Key); err != nil || at != m.Position && (!known || at != place.Position) {
			t.Errorf("%s is at %v, %v", m.Key, at, err)
		}
		if m.Kind == "broken-teleport" {
			stands := false
			for _, p := range Portals() {
				stands = stands || p.Class == rules.ClassTeleportBroken && p.Position == m.Position && p.Error == m.Error
			}
			if !stands {
				t.Errorf("%s stands nowhere", m.Key)
			}
		}
	}
}

// A name leads to one thing only.
func TestLandmarksHaveNamesOfTheirOwn(t *testing.T) {
	taken := map[string]string{}
	for _, m := range Landmarks() {
		for _, name := range []string{m.Key, m.Russian, m.English} {
			if other := taken[placeName(name)]; other != "" && other != m.Key {
				t.Errorf("%q is %s and %s", name, other, m.Key)
			}
			taken[placeName(name)] = m.Key
			if p, ok := FindPlace(name); ok {
				t.Errorf("%q is also the place %s", name, p.Key)
			}
		}
	}
}

func TestDestinationsAreOnContinentsWithATeleport(t *testing.T) {
	kinds := map[rules.DestinationKind]int{}
	for _, d := range Destinations() {
		p, ok := PlaceByKey(d.Place)
		if !ok {
			continue
		}
		kinds[d.Kind]++
		area, open := ContinentOf(p.Position)
		if !open || d.Error <= 0 || d.Error > 1 {
			t.Errorf("%d leads into %q with an error of %v", d.Number, area.Key, d.Error)
		}
		if d.Kind == rules.CastleDestination {
			continue
		}
		// A player that arrives in a city or in the open finds a teleport nearby.
		least := math.Inf(1)
		for _, portal := range Portals() {
			if rules.TakesTokens(portal.Class) {
				least = min(least, portal.Position.Distance(p.Position))
			}
		}
		if reach := rules.DefaultBalance().Travel.Reach; least > reach {
			t.Errorf("%d leads %.0f m from a teleport", d.Number, least)
		}
	}
	if kinds[rules.CityDestination] != 8 || kinds[rules.WildDestination] != 25 || kinds[rules.CastleDestination] != 20 {
		t.Errorf("destinations: %v", kinds)
	}
}

func TestDestinationsTableIsReadStrictly(t *testing.T) {
	const (
		head = "number\tkind\tplace\terror\tsource\tmeaning\n"
		row  = "1800\tcity\tshipstone\t1\tclient\t-\n"
	)
	for name, c := range map[string]struct{ table, want string }{
		"a kind that is not":    {head + strings.Replace(row, "city", "town", 1), "d:2: kind: expected one of city, "},
		"a place that is not":   {head + strings.Replace(row, "shipstone", "nowhere", 1), "d:2: place: expected the key of a place"},
		"a number twice":        {head + row + row, "d:3: number: expected every number once"},
		"no place, no meaning":  {head + strings.Replace(row, "shipstone", "-", 1), "d:2: meaning: expected a place, or"},
		"an error that is none": {head + strings.Replace(row, "\t1\t", "\tNaN\t", 1), "d:2: error: expected metres from 0 to 1000"},
	} {
		if _, err := parseDestinations("d", c.table); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: expected %q, found %v", name, c.want, err)
		}
	}
}

// Travel traders of each continent have the tokens of all its known places, and none of their goods brings a profit
// when it is sold again.
func TestTravelTradersHaveTheTokensOfTheirContinent(t *testing.T) {
	tables := Default().Tables
	b := &rules.DefaultBalance().Travel
	for continent, cities := range map[string]int{"hyperion": 4, "haron": 2, "phoebe": 1, "rodos": 1} {
		goods := tables.ForTravellers(b, continent, func(at coords.Position) string { a, _ := ContinentOf(at); return a.Key })
		have := 0
		for _, o := range goods {
			item := tables.NewItem(o.Kind, o.Suffix, 1, o.Extra)
			if to, ok := tables.Token(&item); ok && rules.ClassOf(item.Class).Use == rules.Token {
				if area, _ := ContinentOf(to.To); area.Key != continent {
					t.Errorf("on %s a token leads to %v", continent, to.To)
				}
				if to.Kind == rules.CityDestination {
					have++
				}
			}
			if worth, ok := b.Worth(tables, &item); !ok || worth != o.Price || o.Price <= 0 {
				t.Errorf("%s costs %d and is worth %d", o.Kind.Name("en"), o.Price, worth)
			}
		}
		if have != cities {
			t.Errorf("%s has tokens to %d cities, expected %d", continent, have, cities)
		}
	}
	if sold := tables.RoomKeys(b, 5015, 5016); len(sold) != 2 || sold[0].Price != b.Key {
		t.Errorf("keys %+v", sold)
	}
	keys := map[uint16]int{}
	for _, n := range NPCs() {
		first, last := n.Rooms()
		if (first != 0) != (n.Type == OccupationTavern) || n.Town == "torweal-tavern" && (first != 5015 || last != 5016) {
			t.Errorf("%s of %s has the keys %d to %d", n.Key, n.Town, first, last)
		}
		for key := first; key != 0 && key <= last; key++ {
			keys[key]++
		}
	}
	for key, keepers := range keys {
		if shared := key >= 5017 && key <= 5020; keepers != 1 && !shared || keepers > 2 {
			t.Errorf("%d keepers sell the key %d", keepers, key)
		}
	}
	if len(keys) != 25 {
		t.Errorf("%d keys: %v", len(keys), keys)
	}
}
