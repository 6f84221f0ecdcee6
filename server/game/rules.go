package game

import (
	"encoding/binary"
	"strconv"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// tables are what the world has to know of kinds of things and of levels: the catalogue, the tables of levels, the places where tokens
// lead. They never change, so any goroutine may ask.
type tables struct {
	kinds  *catalogue.Catalogue
	byID   map[int]*rules.ItemKind
	tiers  map[string]int // of traders, by their key
	tokens map[uint16]coords.Position
}

func newTables(c *catalogue.Catalogue) *tables {
	r := &tables{kinds: c, byID: map[int]*rules.ItemKind{}, tiers: map[string]int{}, tokens: map[uint16]coords.Position{}}
	for i := range c.Kinds() {
		k := &c.Kinds()[i]
		r.byID[k.ID] = &rules.ItemKind{ID: k.ID, Class: k.Class, GameID: k.GameID, Slots: k.Slots, Hand: k.Hand, Stack: max(k.Stack, 1),
			Extra: ops.NewExtra(k), Rows: len(c.Suffixes(k.SuffixLetter()))}
	}
	for _, t := range data.Townsfolk() {
		r.tiers[t.Key] = t.Tier
	}
	if p, ok := data.FindPlace(exitPlace); ok {
		r.tokens[exitToken] = p.Position
	}
	for _, p := range data.Portals() {
		if p.Lying && p.HasNumber && p.Leads {
			r.tokens[uint16(p.Number)] = p.To
		}
	}
	return r
}

const (
	exitToken = ops.ExitToken
	exitPlace = "torweal-token"
)

// classScroll is the class whose things have a subtype.
const classScroll = 90

// firstNumber is the 16-bit number with which an extra payload begins, 0 if it is shorter.
func firstNumber(extra []byte) uint16 {
	if len(extra) < 2 {
		return 0
	}
	return binary.LittleEndian.Uint16(extra)
}

// Of implements [world.Rules].
func (r *tables) Of(t *rules.Item) *rules.ItemKind {
	subtype := 0
	if t.Class == classScroll {
		subtype = int(firstNumber(t.Extra))
	}
	if k := r.kinds.Of(t.Class, t.GameID, subtype); k != nil {
		return r.byID[k.ID]
	}
	return nil
}

// Kind implements [world.Rules].
func (r *tables) Kind(id int) *rules.ItemKind { return r.byID[id] }

// columns are the numbers of a kind with a suffix.
func (r *tables) columns(k *rules.ItemKind, suffix int) (*catalogue.Kind, catalogue.Columns) {
	kind := r.kinds.Kind(k.ID)
	return kind, kind.With(r.kinds.Suffix(kind, suffix))
}

// Numbers implements [world.Rules].
func (r *tables) Numbers(k *rules.ItemKind, suffix int) rules.Numbers {
	kind, c := r.columns(k, suffix)
	return rules.Numbers{Attack: c.Attack, Magic: c.Magic, MPEffect: c.MPEffect, UseHP: c.UseHP, UseMP: c.UseMP, Weight: c.Weight,
		Durability: c.Durability, Price: r.kinds.Worth(kind, suffix)}
}

// levelCycle is how many levels there are between two rebirths.
const levelCycle = 60

// Wear implements [world.Rules].
func (r *tables) Wear(k *rules.ItemKind, suffix int, by *rules.Wearer) (rules.Bonus, bool) {
	kind, c := r.columns(k, suffix)
	w := catalogue.Wearer{Title: by.Title%levelCycle + 1, Degree: by.Degree%levelCycle + 1, Karma: by.Karma,
		Stats: catalogue.Stats(by.Stats), Guild: by.Guild, GuildRank: by.GuildRank}
	if len(c.Need.Lacks(w)) > 0 || kind.GuildLack(w) != nil {
		return rules.Bonus{}, false
	}
	b := catalogue.Weaken(c.Bonus, c.Effect != 0, kind.Rank(), catalogue.CharacterRank(w.Title, w.Degree))
	return rules.Bonus{HP: b.HP, MP: b.MP, Attack: b.Attack, Magic: b.Magic, PhysicalDefence: b.PhysicalDefence, MagicalDefence: b.MagicalDefence,
		Stats: rules.Stats(b.Stats)}, true
}

// Look implements [world.Rules].
func (r *tables) Look(worn []rules.Item, hand *rules.Item) (w world.Worn) {
	for i := range worn {
		if at := wornPlace(&w, &worn[i]); at != nil {
			*at = r.wearCode(&worn[i])
		}
	}
	if hand != nil {
		if at := heldPlace(&w, packets.Class(hand.Class)); at != nil {
			*at = r.heldModel(hand)
		}
	}
	return w
}

// Stock implements [world.Rules].
func (r *tables) Stock(t *world.NPC, day uint64) []rules.Offer {
	s := catalogue.Shop{Kind: catalogue.ShopKind(t.Type), Trader: uint64(uint32(t.Name)), Day: day}
	s.Low, s.High = catalogue.TierBand(int(t.Name))
	if tier := r.tiers[t.Key]; tier > 0 {
		s.Low, s.High = tier, tier+2
	}
	goods := r.kinds.Stock(s)
	out := make([]rules.Offer, 0, len(goods))
	for _, g := range goods {
		if k := r.byID[g.Kind.ID]; k != nil && g.Kind.Class > 0 {
			out = append(out, rules.Offer{Kind: k, Suffix: g.Suffix, Count: max(g.Count, 1), Price: g.Price})
		}
	}
	return out
}

// Token implements [world.Rules].
func (r *tables) Token(t *rules.Item) (coords.Position, bool) {
	p, ok := r.tokens[firstNumber(t.Extra)]
	return p, ok
}

// Maxima implements [world.Rules].
func (r *tables) Maxima(title, degree int) (hp, mp int) {
	return data.MaxHP(title, degree), data.MaxMP(title, degree)
}

// Points implements [world.Rules].
func (r *tables) Points(title, degree int) (titlePoints, degreePoints int) {
	return data.TotalPoints(title, degree)
}

// wearCode is the code by which clients know how a thing looks when it is worn, 0 for not at all. It is taken for the first of the
// visual numbers of the client's own item table, if that is a single character: a guess, so without that table nothing is shown.
func (r *tables) wearCode(t *rules.Item) byte {
	if k := r.kinds.Of(t.Class, t.GameID, 0); k != nil {
		if code := k.Look[0]; len(code) == 1 && code[0] > ' ' && code[0] < 0x7F {
			return code[0]
		}
	}
	return 0
}

// maxModelName is how long the name of a model in somebody's hand is at most.
const maxModelName = 15

// heldModel is the model of a thing in somebody's hand, empty if it is not known.
func (r *tables) heldModel(t *rules.Item) string {
	k := r.kinds.Of(t.Class, t.GameID, 0)
	if k == nil || len(k.Model) > maxModelName || strconv.QuoteToASCII(k.Model) != `"`+k.Model+`"` {
		return ""
	}
	return k.Model
}
