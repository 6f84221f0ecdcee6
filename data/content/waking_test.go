package content

import (
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func point(x, y, z float32) coords.Position { return coords.Position{X: x, Y: y, Z: z} }

// Acceptance check 28: the place by karma band. Protocol fight 8.3.
func TestCheck28RevivalByKarmaBand(t *testing.T) {
	for _, v := range []struct {
		what string
		at   coords.Position
		band int
		want string // key of the place
	}{
		{"neutral near Torweal", point(2600, 156, -2300), 3, "torweal"},
		{"good near Torweal", point(2600, 156, -2300), 4, "torweal"},
		{"benign near Sunpool", point(700, 156, -1400), 5, "sunpool"},
		{"bad near Torweal", point(2600, 156, -2300), 2, "wake-bad-torweal"},
		{"bad in the south-east", point(3500, 156, -3400), 2, "wake-bad-sunpool"},
		{"very bad", point(2600, 156, -2300), 1, "wake-very-bad"},
		{"on Haron", point(1500, 403, 3000), 3, "gifes"},
		{"bad on Haron", point(1500, 403, 3000), 2, "nomrad"},
		{"very bad on Phoebe", point(-1800, -104, 400), 1, "umrad"},
		{"very bad on Rodos", point(-3300, -340, -800), 1, "il-suilie-rua"},
		{"a newcomer", point(-1100, 4501, 1930), 3, "newcomers-dungeon"},
		{"a bad newcomer", point(-1100, 4501, 1930), 1, "newcomers-dungeon"},
		{"in the hall of Ammalael", point(-2508, 1099, 1100), 3, "bangville"},
		{"bad in the hall of Ayonat", point(-1485, 1098, 1092), 2, "wake-bad-torweal"},
		{"below Kablak", point(1833, 1700, -3544), 3, "shipstone"},
		{"in Torweal's dungeon", point(433, 1500, 100), 3, "torweal"},
		{"in Shipstone's cemetery", point(-3900, 1509, 106), 3, "shipstone"},
		{"in Torweal's tavern", point(-2907, 1102.7, -3897.5), 3, "torweal"},
		{"where nothing is known", point(0, 3000, 0), 3, "shipstone"},
		{"of no band", point(2600, 156, -2300), 0, "torweal"},
	} {
		place, ok := PlaceByKey(v.want)
		if got := Revival(v.at, v.band); !ok || got != place.Position {
			t.Errorf("%s: %v, want %s at %v", v.what, got, v.want, place.Position)
		}
	}
}

// Acceptance check 37: players do not hurt each other in cities. Protocol fight 12.2.
func TestCheck37PeacefulPlaces(t *testing.T) {
	balance := rules.DefaultBalance().Duel
	for _, v := range []struct {
		what string
		at   coords.Position
		want bool
	}{
		{"the square of Torweal", point(2292, 155, -2386), true},
		{"its edge", point(2292, 155, -2386+74), true},
		{"before its gates", point(2292+150, 155, -2386+60), false},
		{"the same point of another continent", point(-2700, 155, 2100), false},
		{"Nomrad", point(-2700, 403, 2100), true},
		{"a trader in the country", point(2975, 160, 1200), true},
		{"30 m from him", point(2975, 160, 1223), false},
		{"a guild master in the country", point(3414, 159.6, -1642), false},
		{"newcomers' dungeon", point(-1148, 4501, 1919), true},
		{"a tavern", point(-2907, 1102.7, -3897.5), true},
		{"a castle's hall", point(-2697, 1095, -3900), false},
		{"a dungeon", point(433, 1500, 100), false},
		{"below a castle", point(1833, 1700, -3544), false},
		{"nowhere", point(0, 3000, 0), false},
	} {
		if got := Zones().Peaceful(v.at, &balance); got != v.want {
			t.Errorf("%s: %v", v.what, got)
		}
	}
}
