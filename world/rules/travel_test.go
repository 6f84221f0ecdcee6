package rules

import "testing"

func TestMayTravel(t *testing.T) {
	const bad, veryBad = -500, -5000
	for name, c := range map[string]struct {
		class    int
		kind     DestinationKind
		from, to string
		karma    int
		why      RejectReason
	}{
		"a city":                             {class: ClassToken, kind: CityDestination, from: "a", to: "a"},
		"a castle by charges":                {class: ClassTokenCharges, kind: CastleDestination, from: "a", to: "a"},
		"another continent":                  {class: ClassToken, kind: CityDestination, from: "a", to: "b", why: OtherContinent},
		"from inside of something":           {class: ClassTokenStart, kind: CityDestination, to: "a"},
		"a city with a bad karma":            {class: ClassToken, kind: CityDestination, from: "a", to: "a", karma: bad},
		"a city with a very bad karma":       {class: ClassToken, kind: CityDestination, from: "a", to: "a", karma: veryBad, why: KarmaTooBad},
		"the open with a very bad karma":     {class: ClassToken, kind: WildDestination, from: "a", to: "a", karma: veryBad},
		"a sinner's with a very bad karma":   {class: 441, kind: CityDestination, from: "a", to: "a", karma: veryBad},
		"a sinner's with a bad karma":        {class: 441, kind: CityDestination, from: "a", to: "a", karma: bad},
		"a sinner's with no bad karma":       {class: 441, kind: CityDestination, from: "a", to: "a", why: KarmaTooGood},
		"a sinner's, from another continent": {class: 441, kind: CityDestination, from: "a", to: "b", karma: bad, why: OtherContinent},
	} {
		if why := MayTravel(c.class, c.kind, c.from, c.to, c.karma); why != c.why {
			t.Errorf("%s: %v, expected %v", name, why, c.why)
		}
	}
}

func TestLicencesOfGreatTeleports(t *testing.T) {
	for class, licence := range map[int]Licence{117: LicenceHaron, 118: LicenceHaron, 119: LicencePhoebe,
		120: LicencePhoebe, 116: NoLicence, 121: NoLicence} {
		if got := LicenceOf(class); got != licence {
			t.Errorf("class %d gives %d, expected %d", class, got, licence)
		}
	}
	for number, licence := range map[uint16]Licence{980: LicenceHaron, 981: NoLicence, 986: LicencePhoebe, 987: NoLicence,
		988: LicencePhoebe, 0: NoLicence} {
		if got := LicenceFor(number); got != licence {
			t.Errorf("teleport %d wants %d, expected %d", number, got, licence)
		}
	}
	var l Licences
	if !l.Has(NoLicence) || l.Has(LicenceHaron) || !l.With(LicenceHaron).Has(LicenceHaron) ||
		l.With(LicenceHaron).Has(LicencePhoebe) {
		t.Error("licences are mixed up")
	}
}

func TestKeysOpenTheirDoors(t *testing.T) {
	key := func(number uint16, id, in ItemID) Item {
		return Item{ID: id, In: in, Slot: 26 + int(id), Class: ClassKey, Count: 1, Extra: KeyExtra(number)}
	}
	bag := Item{ID: 9, Slot: 22, Class: 401, Count: 1}
	for name, c := range map[string]struct {
		items []Item
		why   RejectReason
	}{
		"nothing": {why: NeedsKey}, "another key": {[]Item{key(5016, 1, 0)}, NeedsKey},
		"the key": {[]Item{key(5016, 1, 0), key(5015, 2, 0)}, 0}, "in a bag": {[]Item{bag, key(5015, 2, 9)}, InBag},
		"in a bag and not": {[]Item{bag, key(5015, 2, 9), key(5015, 3, 0)}, 0},
	} {
		if why := Unlocks(carries(c.items...), 5015); why != c.why {
			t.Errorf("%s: %v, expected %v", name, why, c.why)
		}
	}
	for _, i := range []Item{{Class: ClassKey}, {Class: ClassKey, Extra: KeyExtra(4999)}, {Class: ClassKey,
		Extra: KeyExtra(5496)}, {Class: ClassToken, Extra: KeyExtra(5015)}} {
		if n, ok := KeyNumber(&i); ok {
			t.Errorf("%+v has the number %d", i, n)
		}
	}
}

// Selling goods for a journey earns nothing, at any price.
func TestTravellersGoodsAreWorthWhatTheyCost(t *testing.T) {
	tables := someTables(t)
	b := DefaultBalance()
	for _, price := range []int{0, 1, 50, 1_000_000} {
		b.Travel.City = price
		item := Item{Class: ClassToken, Extra: TokenExtra(ExitToken)}
		if worth, ok := b.Travel.Worth(tables, &item); !ok || worth != price {
			t.Errorf("a token of %d is worth %d", price, worth)
		}
	}
	for _, i := range []Item{{Class: ClassKey}, {Class: 500}} {
		if worth, ok := b.Travel.Worth(tables, &i); ok {
			t.Errorf("%+v is worth %d for travelling", i, worth)
		}
	}
}
