//go:build system && unix

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// The tokens of a voyager: it goes to and fro between two cities, so that the charges that are left say where it is.
const (
	tokenBack    = 1800 // to Shipstone, where it begins
	tokenThere   = 1801 // to Bangville
	tokenCharges = 500  // of each
)

// A voyager goes to and fro by tokens on a server that is killed now and then, and counts the arrivals that it was told of.
type voyager struct {
	login    string
	rand     *rand.Rand
	arrivals int  // since the beginning
	asked    bool // one more that it was not told of
}

// at is which of the two cities is near a client; false for neither.
func (v *voyager) at(c *bot.Client) (there, ok bool) {
	city, metres, ok := content.NearestCity(c.Position)
	return city.Key == "bangville", ok && metres < 100 && (city.Key == "bangville" || city.Key == "shipstone")
}

func (v *voyager) live(ctx context.Context, addr string) error {
	c, err := comeIn(ctx, addr, bot.Options{Seed: v.rand.Uint64(), Idle: true}, v.login, 0, "")
	if err != nil {
		return err
	}
	defer c.Abort()
	if err := c.Idle(ctx, time.Duration(100+v.rand.IntN(400))*time.Millisecond); err != nil {
		return err
	}
	for ctx.Err() == nil {
		there, ok := v.at(c)
		if !ok {
			return fmt.Errorf("%s is at %v: %w", v.login, c.Position, errLost)
		}
		number := tokenThere
		if there {
			number = tokenBack
		}
		v.asked = true
		if err := c.Say(2, fmt.Sprintf("/travel %d", number)); err != nil {
			return err
		}
		for range 20 {
			if err := c.Idle(ctx, 50*time.Millisecond); err != nil {
				return err
			}
			if now, ok := v.at(c); ok && now != there {
				v.arrivals, v.asked = v.arrivals+1, false
				break
			}
		}
		if err := c.Idle(ctx, 2100*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// TestFaultKilledServerLosesNeitherTokenNorPlace kills a server with kill -9 while players go by tokens. Each is where the
// charges that it has left say, and no arrival that was told is lost.
func TestFaultKilledServerLosesNeitherTokenNorPlace(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	dir := t.TempDir()
	var all []*voyager
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hash, err := data.HashPassword(password, data.HashParams{MemoryKiB: 8, Time: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	begin, _ := content.PlaceByKey("shipstone")
	for i := range size(12, 40) {
		v := &voyager{login: bot.SwarmName("Voyager", i), rand: rand.New(rand.NewPCG(uint64(i), 41))}
		account, err := store.CreateAccount(t.Context(), v.login, hash, data.Player)
		if err != nil {
			t.Fatal(err)
		}
		c := data.NewCharacter{Character: data.Character{Account: account.ID, Name: v.login, Face: '0', Hair: '0',
			HairColour: '0', Tattoo: '0', HP: 80, MP: 10, Satiety: 10, MaxSatiety: 100, Position: begin.Position}}
		for n, number := range []uint16{tokenBack, tokenThere} {
			c.Items = append(c.Items, rules.Item{Slot: 26 + n, Class: rules.ClassTokenCharges, Suffix: -1,
				Count: tokenCharges, Durability: 100, MaxDurability: 100, Weight: 10, Extra: rules.TokenExtra(number)})
		}
		if _, _, err := store.CreateCharacter(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(41, uint64(time.Now().UnixNano())))
	p := serveIn(t, dir, "--hash-workers", "2")
	kills := size(3, 100)
	for n := 0; n < kills && !t.Failed(); n++ {
		killUnder(p, all, func() { time.Sleep(time.Duration(1500+r.IntN(2500)) * time.Millisecond) })
		auditVoyagers(t, dir, all)
		p, _ = p.again()
	}
	p.stop()
	journeys := auditVoyagers(t, dir, all)
	p.check()
	if journeys == 0 {
		t.Error("nobody has gone anywhere")
	}
	figure(t, "36", "%d kills under %d players who went by tokens: %d journeys; each stood where its charges said", kills,
		len(all), journeys)
}

// auditVoyagers compares the places of all with their charges, and with the messages to them.
func auditVoyagers(t *testing.T, dir string, all []*voyager) (journeys int) {
	t.Helper()
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, v := range all {
		c, err := store.CharacterByName(t.Context(), v.login)
		if err != nil {
			t.Fatal(err)
		}
		items, err := store.Items(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		used := map[uint16]int{tokenBack: tokenCharges, tokenThere: tokenCharges}
		for _, it := range items {
			used[binary.LittleEndian.Uint16(it.Extra)] -= it.Count
		}
		city, metres, _ := content.NearestCity(c.Position)
		there, back := used[tokenThere], used[tokenBack]
		want := "shipstone"
		if there == back+1 {
			want = "bangville"
		}
		if there != back && there != back+1 || city.Key != want || metres > 100 {
			t.Errorf("%s has gone %d times there and %d times back, and stands %.0f m from %s", v.login, there, back, metres,
				city.Key)
		}
		switch gone := there + back; {
		case gone == v.arrivals:
		case gone == v.arrivals+1 && v.asked:
			v.arrivals++ // it was not told any more
		default:
			t.Errorf("%s has used %d charges, and was told of %d arrivals", v.login, gone, v.arrivals)
		}
		v.asked = false
		journeys += there + back
	}
	return journeys
}
