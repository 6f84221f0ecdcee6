package world

import (
	"testing"

	"sphereserver/world/rules"
)

// fuzzRequest makes two players ask for one kind of item, with numbers out of bytes, on a stage where everything is
// at hand; world and store always agree, a refusal changes nothing, and no player touches the items of another.
func fuzzRequest(f *testing.F, name string) {
	f.Add([]byte{1, 0, 3, 5, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Add([]byte{2, 9, 200, 16, 0, 255, 255, 255, 255, 255, 255, 255, 127, 16, 0, 0, 0, 0, 0, 0, 0, 128, 16, 255, 255,
		255, 255, 255, 255, 255, 255})
	f.Add([]byte{1, 8, 0, 0, 192, 127, 0, 0, 0, 0, 0, 0, 128, 127, 1, 1, 1, 1, 8, 0, 0, 192, 127})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 512 {
			return
		}
		m := newTradeStage()
		m.joins(1, outfitted(0)...)
		m.joins(2, outfitted(100)...)
		bag := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1), thing(kTooth, 0, 0, 0, 2)},
			Bag: &rules.Item{Class: rules.ClassLootBag, Suffix: -1, Count: 1}, Lying: rules.OnGround{At: east(1)}})[0]
		m.asks(t, dropLoot{Things: []rules.Item{thing(kApple, 0, 0, 0, 4)}, Lying: rules.OnGround{At: east(2)}},
			Open{1, Container{Object: bag}}, OpenTrade{1, m.trader}, OfferForSale{ID: 1, TradeSlot: 1, Item: 10}, OpenTrade{2, m.banker})
		d := &dice{bytes: bytes, players: 2}
		for range 4 {
			m.choices(d)
			before := m.state()
			events := m.does(requests[name](d))
			for _, e := range events {
				switch e := e.(type) {
				case Refused:
					if !same(before, m.state()) {
						t.Fatalf("%T%+v is refused (%v), but something has changed", e.Command, e.Command, e.Why)
					}
				case CommitRequest:
					stranger(t, m.ledger.pendingTxs[e.Seq], e.Change)
					ids, err := m.apply(e.Change)
					if err != nil {
						t.Fatal(err)
					}
					m.asks(t, Committed{e.Seq, ids, nil})
				}
			}
			m.sound(t)
			m.agrees(t)
			if err := m.checkThings(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzMoveThing(f *testing.F)    { fuzzRequest(f, "MoveThing") }
func FuzzSwapThings(f *testing.F)   { fuzzRequest(f, "SwapThings") }
func FuzzPutInto(f *testing.F)      { fuzzRequest(f, "PutInto") }
func FuzzPickUp(f *testing.F)       { fuzzRequest(f, "PickUp") }
func FuzzDrop(f *testing.F)         { fuzzRequest(f, "Drop") }
func FuzzDrag(f *testing.F)         { fuzzRequest(f, "Drag") }
func FuzzTakeInHand(f *testing.F)   { fuzzRequest(f, "TakeInHand") }
func FuzzUseThing(f *testing.F)     { fuzzRequest(f, "UseThing") }
func FuzzUseThingOn(f *testing.F)   { fuzzRequest(f, "UseThingOn") }
func FuzzOpen(f *testing.F)         { fuzzRequest(f, "Open") }
func FuzzClose(f *testing.F)        { fuzzRequest(f, "Close") }
func FuzzOpenTrade(f *testing.F)    { fuzzRequest(f, "OpenTrade") }
func FuzzCloseTrade(f *testing.F)   { fuzzRequest(f, "CloseTrade") }
func FuzzBuy(f *testing.F)          { fuzzRequest(f, "Buy") }
func FuzzOfferForSale(f *testing.F) { fuzzRequest(f, "OfferForSale") }
func FuzzAcceptPrice(f *testing.F)  { fuzzRequest(f, "AcceptPrice") }
func FuzzSpendPoints(f *testing.F)  { fuzzRequest(f, "SpendPoints") }
func FuzzGive(f *testing.F)         { fuzzRequest(f, "Give") }
func FuzzClear(f *testing.F)        { fuzzRequest(f, "Clear") }
func FuzzGiveMoney(f *testing.F)    { fuzzRequest(f, "GiveMoney") }
func FuzzSetPoints(f *testing.F)    { fuzzRequest(f, "SetPoints") }
func FuzzSetLevels(f *testing.F)    { fuzzRequest(f, "SetLevels") }
