package world

import (
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// Dice make up requests out of bytes. When these end they show nothing but zeros.
type dice struct {
	bytes []byte
	// items and objects that may be meant
	items   []rules.ItemID
	objects []EntityID
	players int
	who     PlayerID
	own     map[PlayerID][]rules.ItemID // items that a player has, or has open before it
	offers  map[PlayerID]AcceptPrice    // prices that a player may accept
	with    map[PlayerID]EntityID       // the player's trader
	bags    []EntityID                  // that lie in the world
	lots    map[PlayerID][]Buy          // that the player may buy of another
	bids    map[PlayerID][]Bid          // that it may make
}

func (d *dice) byte() byte {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return b
}

func (d *dice) below(n int) int { return int(d.byte()) % n }

func (d *dice) number() int64 {
	var b [8]byte
	for i := range b {
		b[i] = d.byte()
	}
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// small is mostly a number that makes sense.
func (d *dice) small(n int) int {
	if d.below(16) == 0 {
		return int(d.number())
	}
	return d.below(n)
}

func (d *dice) player() PlayerID {
	d.who = PlayerID(d.below(d.players + 1))
	return d.who
}

func (d *dice) item() rules.ItemID {
	if len(d.items) == 0 || d.below(16) == 0 {
		return rules.ItemID(d.number())
	}
	if own := d.own[d.who]; len(own) > 0 && d.below(8) > 0 {
		return own[d.below(len(own))]
	}
	return d.items[int(binary.LittleEndian.Uint16([]byte{d.byte(), d.byte()}))%len(d.items)]
}

func (d *dice) object() EntityID {
	if len(d.objects) == 0 || d.below(16) == 0 {
		return EntityID(d.number())
	}
	return d.objects[d.below(len(d.objects))]
}

func (d *dice) target() Target {
	switch d.below(8) {
	case 0, 1:
		return Target{Object: d.object()}
	case 2:
		return Target{d.object(), d.item()}
	}
	return Target{Item: d.item()}
}

func (d *dice) container() Container {
	switch d.below(8) {
	case 0, 1:
		return Container{Bag: d.item()}
	case 2:
		if len(d.bags) > 0 && d.below(4) > 0 {
			return Container{Object: d.bags[d.below(len(d.bags))]}
		}
		return Container{Object: d.object()}
	case 3:
		return Container{Vault: true}
	case 4:
		return Container{d.object(), d.item(), d.below(2) == 0}
	}
	return Container{}
}

func (d *dice) place() coords.Position {
	if d.below(8) == 0 {
		f := func() float32 { return math.Float32frombits(uint32(d.number())) }
		return coords.Position{X: f(), Y: f(), Z: f(), Yaw: f()}
	}
	return east(float32(d.below(12)))
}

// requests are all that players and operators can ask for, by name.
var requests = map[string]func(*dice) Command{
	"MoveThing":  func(d *dice) Command { return MoveItem{d.player(), d.container(), d.small(60), d.small(60)} },
	"SwapThings": func(d *dice) Command { return SwapItems{d.player(), d.item(), d.item(), d.small(60), d.small(60)} },
	"PutInto":    func(d *dice) Command { return PutInto{d.player(), d.target(), d.container(), d.small(60)} },
	"PickUp":     func(d *dice) Command { return PickUp{d.player(), d.target()} },
	"Drop":       func(d *dice) Command { return Drop{d.player(), d.item(), d.place()} },
	"Drag":       func(d *dice) Command { return Drag{d.player(), d.object(), d.place()} },
	"TakeInHand": func(d *dice) Command { return TakeInHand{d.player(), d.item(), d.below(2) == 0} },
	"UseThing":   func(d *dice) Command { return UseItem{d.player(), d.item(), Target{}} },
	"UseThingOn": func(d *dice) Command { return UseItem{d.player(), d.item(), d.target()} },
	"Open":       func(d *dice) Command { return Open{d.player(), d.container()} },
	"Close":      func(d *dice) Command { return Close{d.player(), d.container()} },
	"OpenTrade":  func(d *dice) Command { return OpenTrade{d.player(), d.object()} },
	"CloseTrade": func(d *dice) Command { return CloseTrade{ID: d.player()} },
	"Buy": func(d *dice) Command {
		if lots := d.lots[d.player()]; len(lots) > 0 && d.below(4) > 0 {
			return lots[d.below(len(lots))]
		}
		return Buy{d.who, d.object(), d.small(5), []int{120, 2, 100, 60, d.small(200)}[d.below(5)], d.small(5)}
	},
	"OfferForSale": func(d *dice) Command {
		return OfferForSale{d.player(), d.small(4), d.item(), d.small(4), int64(d.small(60))}
	},
	"AcceptPrice": func(d *dice) Command {
		c := AcceptPrice{d.player(), d.small(4), d.small(3), int64(d.small(60))}
		if good, ok := d.offers[c.ID]; ok && d.below(4) > 0 {
			return good
		}
		return c
	},
	"TradeWithPlayer": func(d *dice) Command {
		return TradeWithPlayer{ID: d.player(), With: PlayerID(d.below(d.players + 1))}
	},
	"OfferSlot": func(d *dice) Command {
		return OfferSlot{d.player(), d.small(30), int64(d.small(60)), d.small(4), d.below(8) == 0}
	},
	"Withdraw": func(d *dice) Command { return Withdraw{d.player(), d.small(4)} },
	"Bid": func(d *dice) Command {
		if bids := d.bids[d.player()]; len(bids) > 0 && d.below(4) > 0 {
			return bids[d.below(len(bids))]
		}
		return Bid{d.who, d.small(4), int64(d.small(60))}
	},
	"BuyLot": func(d *dice) Command { return BuyLot{d.player(), d.small(4), d.small(4)} },
	"SpendPoints": func(d *dice) Command {
		c := SpendPoints{ID: d.player()}
		for i := range c.Spend {
			c.Spend[i] = d.small(3) - 1
		}
		return c
	},
	"Travel": func(d *dice) Command { return Travel{d.player(), []uint16{0, rules.ExitToken}[d.below(2)]} },
	"Give": func(d *dice) Command {
		return Give{To: d.player(), Kind: d.small(20), Suffix: d.small(4) - 1, Count: d.small(12)}
	},
	"Clear":     func(d *dice) Command { return Clear{ID: d.player(), All: d.below(2) == 0} },
	"GiveMoney": func(d *dice) Command { return GiveMoney{To: d.player(), Amount: int64(d.small(400) - 100)} },
	"SetPoints": func(d *dice) Command { return SetPoints{ID: d.player(), Title: d.small(70) - 1, Degree: d.small(70)} },
	"SetLevels": func(d *dice) Command { return SetLevels{ID: d.player(), Title: d.small(70), Degree: d.small(70)} },
}

// shake fills dice with chance.
func (d *dice) shake(r *rand.Rand) {
	d.bytes = d.bytes[:0]
	for range 24 {
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, r.Uint64())
	}
}

// choices are all possible targets in trade now, even out of reach.
func (m *tradeStage) choices(d *dice) {
	d.items, d.objects = d.items[:0], d.objects[:0]
	d.items = slices.AppendSeq(d.items, maps.Keys(m.things))
	slices.Sort(d.items)
	d.bags = d.bags[:0]
	for _, o := range m.objects() {
		d.objects = append(d.objects, o.ID)
		if g, ok := o.Kind.(GroundItem); ok && g.IsBag() {
			d.bags = append(d.bags, o.ID)
		}
	}
	d.own, d.offers, d.with = map[PlayerID][]rules.ItemID{}, map[PlayerID]AcceptPrice{}, map[PlayerID]EntityID{}
	d.lots, d.bids = map[PlayerID][]Buy{}, map[PlayerID][]Bid{}
	for _, p := range m.inside() {
		d.with[p.ID] = p.trade.with
		m.dealChoices(p, d)
		hoards := []*rules.Inventory{&p.carried, &p.kept}
		if p.opened != nil {
			hoards = append(hoards, p.opened.inventory)
		}
		for _, h := range hoards {
			for i := range h.Items {
				d.own[p.ID] = append(d.own[p.ID], h.Items[i].ID)
			}
		}
		for _, i := range slices.Sorted(maps.Keys(p.trade.offers)) {
			if o := p.trade.offers[i]; o.item != 0 {
				d.offers[p.ID] = AcceptPrice{ID: p.ID, TradeSlot: i, Price: o.price}
			}
		}
	}
}
