package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/world/rules"
)

// provide makes accounts with a character each, that has money and items.
func provide(t *testing.T, store *data.Store, names []string, money int64, at coords.Position) {
	t.Helper()
	hash, err := data.HashPassword("bot", data.DefaultHashParams)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		account, err := store.CreateAccount(context.Background(), name, hash, data.Player)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = store.CreateCharacter(context.Background(), data.NewCharacter{
			Character: data.Character{Account: account.ID, Name: name, Face: '0', Hair: '0', HairColour: '0', Tattoo: '0',
				HP: 80, MP: 10, Satiety: 10, MaxSatiety: 100,
				Money: money, Position: at},
			Items: []rules.Item{
				{Slot: 26, Class: 506, GameID: 1, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 5000},
				{Slot: 27, Class: 653, Suffix: -1, Count: 60, Durability: 100, MaxDurability: 100, Weight: 8},
				{Slot: 28, Class: 650, Suffix: -1, Count: 9, Durability: 100, MaxDurability: 100, Weight: 8},
				{Slot: 29, Class: 401, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 500},
				{Slot: 20, Class: 704, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 100},
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Thirty clients move, drop, take from each other, wear, buy and sell, come and go; each has the belongings of its
// messages at every moment, and comes back with those that it left with.
func TestClientsNeverLoseTrackOfTheirThings(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, nil)
		const clients = 30
		var names []string
		for i := range clients {
			names = append(names, bot.SwarmName("Bot", i))
		}
		square, _ := content.FindPlace("shipstone")
		at := coords.Position(square.Position)
		at.X, at.Z = at.X-15, at.Z-3 // between the traders
		provide(t, s.Store.Store, names, 500, at)
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients, Stay: 3 * time.Second,
			Client: bot.Options{PingEvery: 200 * time.Millisecond, ItemsEvery: 100 * time.Millisecond, Seed: 7, Speed: 20}})
		const enough = 600
		f := liveUntil(t, swarm, func(f *bot.Figures) bool {
			return f.Requests >= enough && f.Entries >= clients+clients/2
		})
		if !f.Clean() || f.Requests < enough || f.Entries <= clients {
			t.Errorf("not clean:\n%s", bot.Summary(f, nil))
		}
		t.Log(bot.Summary(f, nil))
	})
}

// Clients that carry tokens go to the teleports in view and are where the numbers say, again and again; the objects
// that they have seen before are taken from them.
func TestLifeCheck1_11ClientsTravelByTokens(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, func(o *game.Options) { o.Monsters = false })
		hash, err := data.HashPassword("bot", data.DefaultHashParams)
		if err != nil {
			t.Fatal(err)
		}
		const clients, enough = 8, 3
		cities := []string{"shipstone", "bangville", "sunpool", "torweal", "umrad", "nomrad", "gifes", "anhelm"}
		for i := range clients {
			name := bot.SwarmName("Bot", i)
			account, err := s.Store.CreateAccount(t.Context(), name, hash, data.Player)
			if err != nil {
				t.Fatal(err)
			}
			at, _ := content.PlaceByKey(cities[i])
			c := data.NewCharacter{Character: data.Character{Account: account.ID, Name: name, Face: '0', Hair: '0', HairColour: '0',
				Tattoo: '0', HP: 80, MP: 10, Satiety: 10, MaxSatiety: 100, Position: at.Position}}
			for n, number := range []uint16{1800, 1801, 1802, 1803, 1850, 1810, 1811, 1812, 1813} {
				c.Items = append(c.Items, rules.Item{Slot: 26 + n, Class: rules.ClassTokenCharges, Suffix: -1, Count: 90,
					Durability: 100, MaxDurability: 100, Weight: 10, Extra: rules.TokenExtra(number)})
			}
			if _, _, err := s.Store.CreateCharacter(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients,
			Client: bot.Options{PingEvery: 200 * time.Millisecond, ItemsEvery: 20 * time.Millisecond, Seed: 3, Speed: 11}})
		f := liveUntil(t, swarm, func(f *bot.Figures) bool { return f.Journeys >= enough })
		if !f.Clean() || f.Journeys < enough {
			t.Errorf("not clean, or %d journeys only:\n%s", f.Journeys, bot.Summary(f, nil))
		}
		t.Log(bot.Summary(f, nil))
	})
}

// Clients that carry the key of a door in view go there and use it, find their vault, and close it again.
func TestClientsUseTheirKeys(t *testing.T) {
	simulated(t, func(t *testing.T) {
		s := serve(t, func(o *game.Options) { o.Monsters = false })
		hash, err := data.HashPassword("bot", data.DefaultHashParams)
		if err != nil {
			t.Fatal(err)
		}
		const clients, enough = 2, 4
		for i := range clients {
			name := bot.SwarmName("Bot", i)
			account, err := s.Store.CreateAccount(t.Context(), name, hash, data.Player)
			if err != nil {
				t.Fatal(err)
			}
			c := data.NewCharacter{Character: data.Character{Account: account.ID, Name: name, Face: '0', Hair: '0',
				HairColour: '0', Tattoo: '0', HP: 80, MP: 10, Satiety: 10, MaxSatiety: 100, // between the doors of a tavern
				Position: coords.Position{X: -2901.9, Y: 1098.82, Z: -3901.66}}}
			for slot := 26; slot < 46; slot++ {
				c.Items = append(c.Items, rules.Item{Slot: slot, Class: rules.ClassKey, Suffix: -1, Count: 1, Durability: 100,
					MaxDurability: 100, Weight: 10, Extra: rules.KeyExtra(uint16(5015 + slot%2))})
			}
			if _, _, err := s.Store.CreateCharacter(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		var opened [clients]atomic.Int32
		// One of them may walk away, or lose its keys to the other: what both have opened counts.
		doors := func() int32 { return opened[0].Load() + opened[1].Load() }
		swarm := s.swarm(t, bot.SwarmOptions{Count: clients, Watch: func(i int, c *bot.Client) {
			vault := c.First(func(o *bot.Object) bool { return o.Class == packets.ClassBank && o.Parent == c.ID() })
			if vault != nil { // once at the entry, then whenever it is opened and closed
				opened[i].Store(max(opened[i].Load(), int32(vault.Resets/2)))
			}
		}, Client: bot.Options{PingEvery: 200 * time.Millisecond, ItemsEvery: 20 * time.Millisecond, Seed: 3}})
		f := liveUntil(t, swarm, func(*bot.Figures) bool { return doors() >= enough })
		if !f.Clean() || doors() < enough {
			t.Errorf("not clean, or %d doors only:\n%s", doors(), bot.Summary(f, nil))
		}
	})
}
