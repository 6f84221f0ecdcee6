package rules

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"sphereserver/coords"
)

// A ShopKind is a trader's kind of goods: the code of its placement (9), which is also its occupation on the wire.
type ShopKind int

// The families of shops.
const (
	Tavern  ShopKind = 5
	Alchemy ShopKind = 6
	Armour  ShopKind = 7
	Jewels  ShopKind = 8
	Magic   ShopKind = 9
	Travel  ShopKind = 10
	Weapons ShopKind = 11
)

// A Shop is one trader on one day of the game.
type Shop struct {
	Kind      ShopKind
	Low, High int    // tiers of the goods, both included; see [TierBand]
	Trader    uint64 // tells traders of one kind apart: his name id, or object id
	Day       uint64 // of the game: count of days since any beginning
	Seed      uint64 // of this server
}

// An Offer is one article of a trader, as it stands in a slot of his goods.
type Offer struct {
	Kind   *Kind
	Suffix int    // index, [NoSuffix]: none
	Count  int    // how many he has
	Price  int    // of one
	Extra  []byte // payload of its kind, if not that which all of the kind have
}

// MaxOffers is how many articles a trader has at most: the slots of his goods are numbered with one byte.
const MaxOffers = 250

// TierBand is the band of tiers that a trader sells, by its name id (9, section 16): the city shops and the first
// ring of settlements tiers 1 to 3, and so on to tier 12. Traders elsewhere count as city shops.
func TierBand(nameID int) (low, high int) {
	ring := 0
	switch n := nameID; {
	case n >= 120 && n <= 131, n >= 136 && n <= 147, n >= 152 && n <= 163, n >= 168 && n <= 179:
		ring = (n - 120) % 16 / 4
	case n == 132, n == 133, n == 148, n == 149, n == 164, n == 165, n == 180, n == 181:
		ring = 3
	}
	return 1 + 3*ring, 3 + 3*ring
}

// ShopOf is the shop of a trader with an occupation and a name id on a day. tier is the lowest of its goods, 0 where
// it follows from the name.
func ShopOf(occupation, nameID, tier int, day uint64) Shop {
	s := Shop{Kind: ShopKind(occupation), Trader: uint64(uint32(nameID)), Day: day}
	if s.Low, s.High = TierBand(nameID); tier > 0 {
		s.Low, s.High = tier, tier+2
	}
	return s
}

// A Stall is the place of a trader, as far as its goods depend on that.
type Stall struct {
	Continent           string
	ContinentOf         func(coords.Position) string
	FirstRoom, LastRoom uint16 // of a tavern, by the numbers of their keys; 0: none
}

// ForSale lists a trader's goods on a day, at most [MaxOffers] articles, without those that cannot be sent to a client.
func (t *Tables) ForSale(s Shop, b *TravelBalance, at Stall) (out []Offer) {
	if t.Stock == nil {
		return nil
	}
	all := t.Stock(s)
	switch s.Kind {
	case Travel:
		all = append(slices.Clip(all), t.ForTravellers(b, at.Continent, at.ContinentOf)...)
	case Tavern:
		all = append(slices.Clip(all), t.RoomKeys(b, at.FirstRoom, at.LastRoom)...)
	}
	for _, o := range all {
		if o.Kind.Class > 0 && len(out) < MaxOffers {
			out = append(out, o)
		}
	}
	return out
}

// Shelves lists a trader's goods on a day: the same for the same shop, another choice of suffixes on another day (9).
// They are never more than [MaxOffers] articles. A trader of an unknown kind has none.
func (t *Tables) Shelves(s Shop) []Offer {
	var out []Offer
	for i := range shelves {
		if shelf := &shelves[i]; shelf.shop == s.Kind && (shelf.lowest == 0 || s.Low <= shelf.lowest) {
			out = append(out, t.fill(shelf, s)...)
		}
	}
	return out[:min(len(out), MaxOffers)]
}

// A shelf is one part of the goods of a family of shops.
type shelf struct {
	shop    ShopKind
	classes []int  // of "new" kinds of the band, one suffix each
	ids     [2]int // or kinds with ids from the first to the second
	items   []int  // or the items of these classes, with any id
	count   int    // of each article, 0 counts as 1
	price   int    // 0: that of the table
	banded  bool   // of that class nothing above the tiers of the shop
	floored bool   // nor, in shops that do not begin with tier 1, below them
	lowest  int    // the shelf is only in shops whose band begins at this tier or below; 0: in all
}

// shelves are the rules of gamerules 9, and for the tavern, which they do not describe, a choice of ours. Prices are
// those that the rules name; the table's price counts where they name none.
var shelves = []shelf{
	{shop: Weapons, classes: []int{500, 501, 502}},
	{shop: Weapons, items: []int{503}, count: 1000, price: 4},
	{shop: Armour, classes: []int{750, 752, 753, 754, 755, 756, 757, 758}},
	{shop: Travel, items: []int{401}, price: 120},
	{shop: Travel, items: []int{400}, price: 240},
	{shop: Magic, items: []int{800}, price: 330, lowest: 1},
	{shop: Magic, items: []int{410}, price: 120, lowest: 1},
	{shop: Magic, items: []int{472}, count: 1000, lowest: 1},
	{shop: Magic, items: []int{454}, count: 1000, price: 5, lowest: 1},
	{shop: Magic, items: []int{451}, count: 1000, price: 3, lowest: 1},
	{shop: Magic, items: []int{1000, ClassBlackMantra}, banded: true, floored: true},
	{shop: Magic, items: []int{453, 455}, count: 1000, banded: true},
	{shop: Alchemy, ids: [2]int{900, 980}, count: 1000},
	{shop: Jewels, items: []int{409}, price: 350},
	{shop: Jewels, items: []int{ClassScroll}, price: 50},
	{shop: Jewels, classes: []int{760, 751, 759, 761}},
	{shop: Tavern, items: []int{653, 650, 651, 652, 654, 655}, count: 1000},
	{shop: Tavern, items: []int{470}, count: 1000, banded: true},
	{shop: Tavern, items: []int{473, 700}, count: 1000},
	{shop: Tavern, items: []int{704}},
}

// fill lists the articles of a shelf: by class, tier and id.
func (t *Tables) fill(sh *shelf, s Shop) []Offer {
	var out []Offer
	for _, k := range t.shelf(sh, s) {
		o := Offer{Kind: k, Suffix: NoSuffix, Count: min(max(sh.count, 1), k.Stack), Price: k.Price}
		if sh.classes != nil {
			o.Suffix = t.pickSuffix(k, s)
			o.Price = k.With(t.Suffix(k, o.Suffix)).Price
		}
		if sh.price != 0 {
			o.Price = sh.price
		}
		if o.Price > 0 { // a kind without a price is not for sale
			out = append(out, o)
		}
	}
	return out
}

func (t *Tables) shelf(sh *shelf, s Shop) (out []*Kind) {
	for id := sh.ids[0]; id <= sh.ids[1]; id++ {
		if k := t.byID[id]; k != nil {
			out = append(out, k)
		}
	}
	for _, class := range sh.items {
		out = append(out, t.wares(class, sh, s)...)
	}
	for _, class := range sh.classes {
		group := t.byClass[class] // by tier and id
		for len(group) > 0 {
			n := slices.IndexFunc(group, func(k *Kind) bool { return k.Tier != group[0].Tier })
			if n < 0 {
				n = len(group)
			}
			out = appendTier(out, group[:n], s)
			group = group[n:]
		}
	}
	return out
}

// wares lists the kinds of one class. An item without a row stands for all of them only where the tables have no row.
func (t *Tables) wares(class int, sh *shelf, s Shop) []*Kind {
	all := slices.DeleteFunc(slices.Clone(t.byClass[class]), func(k *Kind) bool {
		return sh.banded && k.Tier > s.High || sh.floored && s.Low > 1 && k.Tier < s.Low
	})
	if slices.ContainsFunc(all, func(k *Kind) bool { return k.GameID != 0 }) {
		all = slices.DeleteFunc(all, func(k *Kind) bool { return k.GameID == 0 })
	}
	return all
}

// appendTier adds the new kinds of one class and tier; where there are more than two, those with odd ids only.
func appendTier(out, tier []*Kind, s Shop) []*Kind {
	if t := tier[0].Tier; t < s.Low || t > s.High {
		return out
	}
	fresh := slices.DeleteFunc(slices.Clone(tier), func(k *Kind) bool { return !k.New() })
	for _, k := range fresh {
		if len(fresh) <= 2 || k.ID%2 == 1 {
			out = append(out, k)
		}
	}
	return out
}

// pickSuffix chooses one suffix of the kind's group, the same for the whole day.
func (t *Tables) pickSuffix(k *Kind, s Shop) int {
	n := len(t.suffixes[k.SuffixLetter()])
	if n == 0 {
		return NoSuffix
	}
	h := fnv.New64a() // writing to it never fails
	_ = binary.Write(h, binary.LittleEndian, [...]uint64{s.Seed, s.Day, s.Trader, uint64(s.Kind), uint64(k.ID)})
	// The low bits of this hash follow the last bytes too closely.
	v := h.Sum64()
	v ^= v >> 32
	return int(v % uint64(n))
}

// MayCost says why so many things, each at a price, cannot be had for that; 0 if they can. least is the lowest price of
// one, which is 0 where things may be given away.
func MayCost(price, least int64, count int) RejectReason {
	switch {
	case count < 1:
		return WrongCount
	case price < least:
		return PriceTooLow
	case price > MaxMoney/int64(count):
		return TooRich
	}
	return 0
}

// SellFraction is which part of the worth of a thing a trader pays, unless an operator says otherwise.
const SellFraction = 0.25

// Worth is the price of a kind with a suffix: that of the shelf where the rules name one, else that of the table. A
// trader that pays at most this never pays more than another asks.
func (t *Tables) Worth(k *Kind, suffix int) int {
	for i := range shelves {
		if sh := &shelves[i]; sh.price != 0 && slices.Contains(sh.items, k.Class) {
			return sh.price
		}
	}
	return k.With(t.Suffix(k, suffix)).Price
}
