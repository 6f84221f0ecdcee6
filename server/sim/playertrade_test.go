package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

// A killPoint is where the store waits for kill -9 after a change that is durable, and of which nobody knows yet: for
// the close of the channel that the killer receives.
type killPoint chan chan struct{}

// reached waits if a killer waits for it.
func (k killPoint) reached() {
	known := make(chan struct{})
	select {
	case k <- known:
		<-known
	default: // this change goes on
	}
}

// Dealers are players that trade with each other by chat.
const (
	dealerCount = 2
	dealerMoney = 100_000
	dealerBread = 50
)

func dealerName(i int) string { return bot.SwarmName("Dealer", i) }

// Two players trade by chat for hours of connections that are lost, while kill -9 comes in the very moment in which a
// purchase is durable and nobody knows of it: both have what was bought and what was paid, once.
//
// Source: protocol life 7.1, 16, check 3.3.
func TestLifeCheck3_3TradesOutliveTheServer(t *testing.T) {
	quick(t)
	var bought killPoint
	dealing(t, func() { bought = make(killPoint) }, func() { bought.reached() }, func(ctx context.Context, h *sim.House) {
		for kill := range 4 {
			time.Sleep(time.Duration(kill) * 40 * time.Second)
			select {
			case known := <-bought:
				h.Kill(func(store *data.Store) {
					auditDealers(h.T, store)
					close(known)
				})
			case <-ctx.Done():
				h.T.Fatal("nothing is bought any more")
			}
		}
		time.Sleep(10 * time.Minute)
	})
}

// dealing has two players trade with each other while something is done to the server; then they have together what
// they had. begin runs in the bubble, and bought after each purchase, when that is durable and nobody knows of it.
func dealing(t *testing.T, begin, bought func(), meanwhile func(ctx context.Context, h *sim.House)) {
	t.Helper()
	var purchases atomic.Int32
	place, _ := content.PlaceByKey("shipstone")
	sim.Run(t, sim.Options{
		Game: func(o *game.Options) { o.Monsters = false },
		Prepare: func(s *data.Store) {
			begin()
			withDealers(t, s, place)
		},
		Applied: func(c *rules.Change) {
			if len(c.Money) == 2 {
				purchases.Add(1)
				bought()
			}
		},
	}, func(h *sim.House) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		var away sync.WaitGroup
		for i := range dealerCount {
			away.Go(func() { deal(ctx, h, i) })
		}
		meanwhile(ctx, h)
		cancel()
		away.Wait()
		auditDealers(h.T, h.Store.Store)
		if n := purchases.Load(); n < 30 {
			h.T.Errorf("%d purchases only", n)
		}
		h.T.Logf("FIGURE %d purchases", purchases.Load())
	})
}

func withDealers(t *testing.T, s *data.Store, at content.Place) {
	t.Helper()
	for i := range dealerCount {
		var items []rules.Item
		for n := range 3 {
			items = append(items, rules.Item{Slot: 26 + n, Class: 653, Suffix: -1, Count: dealerBread, Durability: 100,
				MaxDurability: 100, Weight: 8},
				rules.Item{Slot: 30 + n, Class: 506, GameID: 1, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100,
					Weight: 5000})
		}
		withCharacter(t, s, dealerName(i), at.Position, dealerMoney, items)
	}
}

// deal makes the i-th dealer trade with the other until ctx ends, however often the connection is lost.
func deal(ctx context.Context, h *sim.House, i int) {
	random := rand.New(rand.NewPCG(h.Seed, uint64(i)))
	speaks(ctx, h, 1+i, dealerName(i), func(*bot.Client) string {
		switch random.IntN(6) {
		case 0:
			return "/trade " + dealerName(1-i)
		case 1, 2:
			return fmt.Sprintf("/offer %d %d %d", 1+random.IntN(9), random.IntN(300), random.IntN(9))
		case 3, 4:
			return fmt.Sprintf("/buy %d", 1+random.IntN(3))
		}
		if random.IntN(8) == 0 {
			return ""
		}
		return fmt.Sprintf("/buy %d 1", 1+random.IntN(3))
	})
}

// speaks makes a character say one line after the other until ctx ends, however often the connection is lost: also by
// an empty line.
func speaks(ctx context.Context, h *sim.House, host int, name string, next func(*bot.Client) string) {
	for ctx.Err() == nil {
		o := h.Client(sim.Host(host))
		o.Idle, o.AllowExternalChanges, o.Patience = true, true, 8
		if c, err := bot.Dial(ctx, h.Addr, o); err == nil {
			for err = c.Appear(ctx, bot.Identity{Login: name, Password: "bot", Name: name}); err == nil; {
				said := next(c)
				if said == "" {
					break
				}
				if err = c.Say(2, said); err == nil {
					err = c.Idle(ctx, 2500*time.Millisecond)
				}
			}
			for _, v := range c.Violations() {
				h.T.Errorf("%s: %v", name, v)
			}
			c.Abort()
		}
		time.Sleep(time.Second)
	}
}

// auditDealers fails unless the dealers have together the items and the money with which they began.
func auditDealers(t *testing.T, store *data.Store) {
	t.Helper()
	money, bread, swords := int64(0), 0, 0
	for i := range dealerCount {
		account, err := store.AccountByLogin(context.Background(), dealerName(i))
		if err != nil {
			t.Fatal(err)
		}
		all, err := store.Characters(context.Background(), account.ID)
		if err != nil || len(all) != 1 {
			t.Fatalf("%d characters, %v", len(all), err)
		}
		money += all[0].Money
		items, err := store.Items(context.Background(), all[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			switch item.Class {
			case 653:
				bread += item.Count
			case 506:
				swords++
			}
		}
	}
	if money != dealerCount*dealerMoney || bread != dealerCount*3*dealerBread || swords != dealerCount*3 {
		t.Errorf("%d coins, %d pieces of bread, %d swords", money, bread, swords)
	}
}

// The same while the store takes two seconds for each change, and while it fails: what a crash in between leaves has
// everything once, and so has the server that goes on.
func TestTradesOutliveASlowStoreAndOneThatFails(t *testing.T) {
	quick(t)
	nothing := func() {}
	dealing(t, nothing, nothing, func(_ context.Context, h *sim.House) {
		left := func(d time.Duration) { // a crash each few seconds
			for end := time.Now().Add(d); time.Now().Before(end); {
				time.Sleep(7300 * time.Millisecond)
				h.Opened(h.Crash(), func(store *data.Store) { auditDealers(h.T, store) })
			}
		}
		for range 6 {
			h.Store.Delay(2 * time.Second)
			left(time.Minute)
			h.Store.Delay(0)
			left(20 * time.Second)
			h.Store.Fail(errors.New("no space is left"))
			left(20 * time.Second)
			h.Store.Fail(nil)
			left(20 * time.Second)
		}
	})
}
