package rules

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"sphereserver/coords"
)

// Classes of objects and items for travelling. Source: protocol life 3.1.
const (
	ClassTeleport        = 63 // of cities, where tokens are used
	ClassTeleportBroken  = 64
	ClassTeleportGreat   = 62 // leads to another continent
	ClassTeleportWild    = 67 // in the open, where tokens are used, too
	ClassDoor            = 60
	ClassDoorOut         = 61
	ClassMissionEntrance = 65
	ClassKey             = 701
	classLicenceHaron    = 117
	classLicenceHaron2   = 118
	classLicencePhoebe   = 119
	classLicencePhoebe2  = 120
	classStone           = 436
	classStone2010       = 437
	classStoneGreat      = 438 // takes the party along: which of the three does is ours
	classSinnersToken    = 441
)

// Calm is how long a player must not have been hurt before it uses a stone of return. Source: protocol life 3.1.
const Calm = 20 * time.Second

// TravelBalance is the costs of travelling, and how far its rules reach: all of it is chosen. Source: protocol life
// 3.3.
type TravelBalance struct {
	Reach      float64 // metres from a teleport, within which a token works that is used on none
	Party      float64 // metres around, within which a great stone of return takes the party along
	City       int     // price of a charge of a token to a city, in coins,
	Wild       int     // to a point in the open,
	Castle     int     // to a castle
	Sinner     int     // price of a sinner's token
	Stone      int     // of a stone of return
	StoneGreat int     // of one that takes the party along
	Haron      int     // of the licence for the great teleport to Haron,
	Phoebe     int     // to Phoebe and on to Rodos
	Key        int     // of the key of a room
	Charges    int     // of a token or stone that has several, as it is sold
}

// A DestinationKind is a kind of destination of a token.
type DestinationKind uint8

// The kinds of destinations. The zero value is any other.
const (
	_ DestinationKind = iota
	CityDestination
	WildDestination
	CastleDestination
)

// A Destination is the destination of the tokens of a number.
type Destination struct {
	Kind DestinationKind
	To   coords.Position
}

// Worth is the price of an item for travelling, or of a charge of it; false for any other item.
func (b *TravelBalance) Worth(t *Tables, i *Item) (coins int, ok bool) {
	switch i.Class {
	case ClassToken, ClassTokenCharges:
		to, _ := t.Token(i)
		return b.token(to.Kind), true
	case classSinnersToken:
		return b.Sinner, true
	case classStone, classStone2010:
		return b.Stone, true
	case classStoneGreat:
		return b.StoneGreat, true
	case classLicenceHaron, classLicenceHaron2:
		return b.Haron, true
	case classLicencePhoebe, classLicencePhoebe2:
		return b.Phoebe, true
	}
	if _, room := KeyNumber(i); room {
		return b.Key, true
	}
	return 0, false
}

func (b *TravelBalance) token(kind DestinationKind) int {
	switch kind {
	case CityDestination:
		return b.City
	case WildDestination:
		return b.Wild
	case CastleDestination:
		return b.Castle
	}
	return 0
}

// ForTravellers lists a travel trader's goods for journeys: the tokens of its continent, stones of return, licences.
// continentOf is the key of the continent of a place. Source: protocol life 3.3; that it has all of them is ours.
func (t *Tables) ForTravellers(b *TravelBalance, continent string,
	continentOf func(coords.Position) string) (out []Offer) {
	for _, number := range slices.Sorted(maps.Keys(t.Tokens)) {
		to := t.Tokens[number]
		if continentOf(to.To) != continent {
			continue
		}
		class, count := ClassToken, 1
		if to.Kind == CastleDestination {
			class, count = ClassTokenCharges, max(b.Charges, 1)
		}
		out = t.offer(b, out, class, count, TokenExtra(number))
	}
	for _, class := range []int{classStone, classStoneGreat} {
		out = t.offer(b, out, class, max(b.Charges, 1), nil)
	}
	for _, class := range []int{classSinnersToken, classLicenceHaron, classLicencePhoebe} {
		out = t.offer(b, out, class, 1, nil)
	}
	return out
}

// RoomKeys lists the keys of a tavern keeper, from the first number to the last; none for first 0.
func (t *Tables) RoomKeys(b *TravelBalance, first, last uint16) (out []Offer) {
	for number := first; number != 0 && number <= last; number++ {
		out = t.offer(b, out, ClassKey, 1, KeyExtra(number))
	}
	return out
}

// offer adds an article of a class, unless the tables have no such kind or it is for nothing.
func (t *Tables) offer(b *TravelBalance, to []Offer, class, count int, extra []byte) []Offer {
	kinds := t.OfClass(class)
	if len(kinds) == 0 {
		return to
	}
	k := kinds[0]
	price, _ := b.Worth(t, &Item{Class: class, Extra: extra})
	if price <= 0 {
		return to
	}
	return append(to, Offer{Kind: k, Suffix: NoSuffix, Count: min(count, max(k.Stack, 1)), Price: price, Extra: extra})
}

// TakesTokens reports whether tokens are used on objects of a class.
func TakesTokens(class int) bool { return class == ClassTeleport || class == ClassTeleportWild }

// MayTravel says why a token does not lead somewhere; 0 if it does. from and to are the keys of the continents, "" for
// inside of something, from where tokens lead to every continent. karma is a count.
//
// Source: protocol life 3.1; which karma is refused where is ours (3.3).
func MayTravel(class int, kind DestinationKind, from, to string, karma int) RejectReason {
	band, sinners := KarmaType(karma), class == classSinnersToken
	switch {
	case from != "" && from != to:
		return OtherContinent
	case sinners && band > KarmaBad:
		return KarmaTooGood
	case !sinners && kind == CityDestination && band == KarmaVeryBad:
		return KarmaTooBad
	}
	return 0
}

// A Licence opens a great teleport, which leads to another continent. A character has it for ever, once it has used the
// item.
type Licence uint8

// The licences. The zero value is none.
const (
	NoLicence Licence = iota
	LicenceHaron
	LicencePhoebe
)

// Licences are those that a character has, as bits, by [Licence].
type Licences uint8

// Has reports whether a licence is among them; [NoLicence] always is.
func (l Licences) Has(what Licence) bool { return what == NoLicence || l&(1<<what) != 0 }

// With returns the same and one more.
func (l Licences) With(what Licence) Licences { return l | 1<<what }

// LicenceOf is the licence that a character gets by using an item of a class. Source: protocol ingame 19.1, life 3.3;
// that the second of each pair gives the same is ours.
func LicenceOf(class int) Licence {
	switch class {
	case classLicenceHaron, classLicenceHaron2:
		return LicenceHaron
	case classLicencePhoebe, classLicencePhoebe2:
		return LicencePhoebe
	}
	return NoLicence
}

// Great teleports, by the number of their text. Source: protocol life 3.3.
const (
	GreatToHaron    = 980
	GreatFromHaron  = 981
	GreatToPhoebe   = 986
	GreatFromPhoebe = 987
	GreatToRodos    = 988
)

// LicenceFor is the licence that a great teleport wants. The way back to Hyperion wants none, so that no player is
// stuck: that is ours.
func LicenceFor(number uint16) Licence {
	switch number {
	case GreatToHaron:
		return LicenceHaron
	case GreatToPhoebe, GreatToRodos:
		return LicencePhoebe
	}
	return NoLicence
}

// KeyNumbers are those of the keys of rooms. Source: protocol life 3.2.
const (
	FirstKey = 5000
	LastKey  = 5495
)

// KeyNumber is the number of a key; false for any other item.
func KeyNumber(i *Item) (uint16, bool) {
	n := firstNumber(i.Extra)
	return n, i.Class == ClassKey && n >= FirstKey && n <= LastKey
}

// KeyExtra is the extra payload of a key with a number. Source: protocol ingame 4.1.
func KeyExtra(number uint16) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, number), make([]byte, 7)...)
}

// Unlocks says why a character cannot open a door that wants the key of a number; 0 if it can. A key in a bag does
// not count. Source: protocol life 3.2, 16.
func Unlocks(carried *Inventory, number uint16) RejectReason {
	why := NeedsKey
	for i := range carried.Items {
		t := &carried.Items[i]
		if n, ok := KeyNumber(t); !ok || n != number {
			continue
		}
		if t.In == 0 {
			return 0
		}
		why = InBag
	}
	return why
}

// TokenExtra is the extra payload of a token with a number. Source: protocol ingame 4.1.
func TokenExtra(number uint16) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(number)) }

// Numbered is the extra payload of a token or key of the kind with a number; nil for other kinds.
func (k *Kind) Numbered(number uint16) []byte {
	switch class := ClassOf(k.Class); {
	case class.Use == Token && !IsSinners(k.Class):
		return TokenExtra(number)
	case k.Class == ClassKey:
		return KeyExtra(number)
	}
	return nil
}

// TokenNumber is the number of a token; false for any other item, and for tokens of sinners.
func TokenNumber(i *Item) (uint16, bool) {
	return firstNumber(i.Extra), ClassOf(i.Class).Use == Token && !IsSinners(i.Class) && len(i.Extra) >= 2
}

// IsSinners reports whether a token is one of those for bad karma, which lead to the nearest city. Source: protocol
// life 3.1; the destination is ours.
func IsSinners(class int) bool { return class == classSinnersToken }

// TakesParty reports whether a stone of return takes the party along.
func TakesParty(class int) bool { return class == classStoneGreat }
