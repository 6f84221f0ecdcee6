package sim

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// A Voyager is a character that goes to and fro between two cities by tokens, so that the charges that are left say
// where it is. It begins in Shipstone, with its Items. It counts the arrivals that its client was told of.
type Voyager struct {
	Name     string
	city     string // in which it was told to be
	arrivals int
}

const (
	tokenBack    = 1800 // to Shipstone
	tokenThere   = 1801 // to Bangville
	tokenCharges = 5000 // of each
)

// Items are the tokens with which a voyager begins.
func (v *Voyager) Items() (items []rules.Item) {
	for n, number := range []uint16{tokenBack, tokenThere} {
		items = append(items, rules.Item{Slot: 26 + n, Class: rules.ClassTokenCharges, Suffix: -1,
			Count: tokenCharges, Durability: 100, MaxDurability: 100, Weight: 10, Extra: rules.TokenExtra(number)})
	}
	return items
}

// Next looks where the voyager's client is, and returns the line by which it goes to the other city.
func (v *Voyager) Next(c *bot.Client) string {
	city, _, ok := content.NearestCity(c.Position)
	if v.city != "" && v.city != city.Key {
		v.arrivals++
	}
	if v.city = city.Key; ok && city.Key == "bangville" {
		return fmt.Sprintf("/travel %d", tokenBack)
	}
	return fmt.Sprintf("/travel %d", tokenThere)
}

// Arrived reports whether the voyager's client is in another city than when it was last looked at.
func (v *Voyager) Arrived(c *bot.Client) bool {
	city, _, _ := content.NearestCity(c.Position)
	return city.Key != v.city
}

// Audit compares the stored place of the voyager with its charges, and the charges with the arrivals that it was told
// of. It returns how many charges are used.
func (v *Voyager) Audit(t testing.TB, s *data.Store) (used int) {
	t.Helper()
	c, err := s.CharacterByName(context.Background(), v.Name)
	if err != nil {
		t.Fatal(err)
	}
	items, err := s.Items(context.Background(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	gone := map[uint16]int{tokenBack: tokenCharges, tokenThere: tokenCharges}
	for _, it := range items {
		gone[binary.LittleEndian.Uint16(it.Extra)] -= it.Count
	}
	there, back, want := gone[tokenThere], gone[tokenBack], "shipstone"
	if there == back+1 {
		want = "bangville"
	}
	city, metres, _ := content.NearestCity(c.Position)
	if there != back && there != back+1 || city.Key != want || metres > 100 {
		t.Errorf("%s has gone %d times there and %d times back, and stands %.0f m from %s", v.Name, there, back, metres,
			city.Key)
	}
	if there+back < v.arrivals {
		t.Errorf("%s has used %d charges, and was told of %d arrivals", v.Name, there+back, v.arrivals)
	}
	return there + back
}
