package bot

import (
	"math"
	"slices"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// bagsShown are the bags of monsters that clients of a swarm hold: all clients near them have to be shown them, too.
// Each client knows a bag by an id of its own, so they are told apart by their places.
type bagsShown struct {
	mu  sync.Mutex
	all map[spot]shownBag
}

// A spot is a place to the decimetre.
type spot [3]int32

// A shownBag is since when some client holds a bag.
type shownBag struct {
	at      coords.Position
	since   time.Time
	holders int
	missed  bool // and another one does not, which was told
}

func spotOf(p coords.Position) spot {
	const perMetre = 10
	round := func(v float32) int32 { return int32(math.Round(float64(v) * perMetre)) }
	return spot{round(p.X), round(p.Y), round(p.Z)}
}

// noteBag tells the others of the swarm that the client holds a bag, or no more.
func (c *Client) noteBag(o *Object, held bool) {
	if c.trackedBot == nil || o.Class != packets.ClassLootBag {
		return
	}
	b := &c.options.groundTruth.bags
	b.mu.Lock()
	defer b.mu.Unlock()
	key := spotOf(o.Position)
	if !held { // it is gone for all, or soon will be
		delete(b.all, key)
		return
	}
	if b.all == nil {
		b.all = map[spot]shownBag{}
	}
	bag, known := b.all[key]
	if !known {
		bag = shownBag{at: o.Position, since: time.Now()}
	}
	bag.holders++
	b.all[key] = bag
}

// partWithBags stops the others of the swarm from relying on the bags of a leaving client: nobody knows whether a bag
// that no other client holds is still there.
func (c *Client) partWithBags() {
	if c.trackedBot == nil {
		return
	}
	b := &c.options.groundTruth.bags
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range c.bags {
		key := spotOf(o.Position)
		bag, known := b.all[key]
		if bag.holders--; known && bag.holders > 0 {
			b.all[key] = bag
		} else {
			delete(b.all, key)
		}
	}
}

// compareBags finds a bag that others near by have been shown for a while, and the client has not.
func (c *Client) compareBags(now time.Time) {
	s := c.options.groundTruth
	var room [trackLength]coords.Position
	mine, known := c.trackedBot.since(now.Add(-bagPatience), room[:0])
	if !known {
		return
	}
	s.bags.mu.Lock()
	defer s.bags.mu.Unlock()
	for key, b := range s.bags.all {
		if age := now.Sub(b.since); age < c.patient(bagPatience) || age > bagMemory || b.missed {
			continue
		}
		_, farthest := distances(mine, []coords.Position{b.at})
		if farthest > s.sight-sightMargin || c.holdsBag(key) {
			continue
		}
		b.missed = true
		s.bags.all[key] = b
		c.find(MissingBag, "a bag at %s, %.1f m away at most, which others hold", placeText(b.at), farthest)
	}
}

func (c *Client) holdsBag(at spot) bool {
	return slices.ContainsFunc(c.bags, func(o *Object) bool { return spotOf(o.Position) == at })
}

const (
	// bagPatience is how long a bag has to have been in sight before it is missed.
	bagPatience = 10 * time.Second
	// bagMemory is how long a bag is thought of: about as long as it lies. Source: protocol fight 10.
	bagMemory = 150 * time.Second
)
