package game

import (
	"slices"
	"sync"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
)

// things are the ids by which one client knows what is no player: what it carries, what stands or lies around it, and what it has been
// shown of bags, vaults and goods. No two of them share an id at any time, and an id that has become free comes again only after all
// others. What is picked up or dropped keeps its id, as it does in recordings.
//
// Players have the same ids for every client, see [packets.PlayerIndex]; those of things keep clear of them. Things are
// few, so a sorted list serves.
type things struct {
	mu    sync.Mutex // the world's goroutine changes, the session's loop looks up what its client means
	known []thing    // by id
	next  uint16     // number of the id to try next
}

// A thing is one id in use.
type thing struct {
	id     uint16
	what   thingKind
	class  packets.Class
	object world.ObjectID  // what stands or lies in the world, else 0
	item   world.ItemID    // what is carried, in the vault or in a bag, else 0
	of     world.ObjectID  // the bag in the world in which it lies, the trader who sells it, or inVault; the client loses it with that
	at     coords.Position // of an object
}

// A thingKind is what can be done with a thing.
type thingKind uint8

const (
	anItem     thingKind = iota // a thing that is carried, or in something
	anArticle                   // a thing that is for sale
	aLooseItem                  // an object: a thing that lies by itself
	aBag                        // an object: a bag that lies in the world
	aTownsman
	aBanker
	aPortal
	aVault // what shows the vault of the account; it is no object of the world
)

// inVault stands for the vault in thing.of.
const inVault = ^world.ObjectID(0)

// Ids of things have a low byte below that of every player's id, since those are indexes from 0x4F6F on with their bytes
// swapped. They begin above the few ids that have a meaning, and end below those of lines of chat.
const (
	thingLows  = uint16(packets.FirstPlayerIndex >> 8)
	firstThing = 0x1000
	endOfThing = 0xC000
	thingIDs   = (endOfThing - firstThing) >> 8 * thingLows // how many there are
)

// thingID returns the id of a number below thingIDs.
func thingID(n uint16) uint16 { return firstThing + n/thingLows<<8 | n%thingLows }

// name gives a thing an id; ok is false when all ids are in use.
func (t *things) name(k thing) (id packets.ObjectID, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= int(thingIDs) {
		return 0, false
	}
	for {
		k.id = thingID(t.next)
		t.next = (t.next + 1) % thingIDs
		at, taken := t.find(k.id)
		if !taken {
			t.known = slices.Insert(t.known, at, k)
			return packets.ObjectID(k.id), true
		}
	}
}

func (t *things) find(id uint16) (at int, found bool) {
	return slices.BinarySearchFunc(t.known, id, func(k thing, id uint16) int { return int(k.id) - int(id) })
}

// free gives up an id.
func (t *things) free(id packets.ObjectID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, ok := t.find(uint16(id)); ok {
		t.known = slices.Delete(t.known, at, at+1)
	}
}

// first returns the first thing of which is says so.
func (t *things) first(is func(*thing) bool) (thing, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.known {
		if is(&t.known[i]) {
			return t.known[i], true
		}
	}
	return thing{}, false
}

// object returns what the client knows of an object of the world; ok is false if it does not hold it.
func (t *things) object(object world.ObjectID) (k thing, ok bool) {
	if object == 0 {
		return thing{}, false
	}
	return t.first(func(k *thing) bool { return k.object == object })
}

// item returns what the client knows of a thing that is carried or in something; ok is false if it does not hold it.
func (t *things) item(item world.ItemID) (k thing, ok bool) {
	if item == 0 {
		return thing{}, false
	}
	return t.first(func(k *thing) bool { return k.item == item })
}

// idOf returns the id of an object of the world; ok is false if the client does not hold it.
func (t *things) idOf(object world.ObjectID) (id packets.ObjectID, ok bool) {
	k, ok := t.object(object)
	return packets.ObjectID(k.id), ok
}

// called returns what the client calls by an id; ok is false if there is none.
func (t *things) called(id packets.ObjectID) (k thing, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.find(uint16(id))
	if !ok || id > 0xFFFF {
		return thing{}, false
	}
	return t.known[at], true
}

// objectOf returns the object of the world that the client calls by an id; ok is false if there is none.
func (t *things) objectOf(id packets.ObjectID) (object world.ObjectID, ok bool) {
	k, _ := t.called(id)
	return k.object, k.object != 0
}

// change changes what is known of an id.
func (t *things) change(id uint16, do func(*thing)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, ok := t.find(id); ok {
		do(&t.known[at])
	}
}

// within lists what the client loses together with an object, or with the vault.
func (t *things) within(of world.ObjectID) (out []thing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.known {
		if k.of == of {
			out = append(out, k)
		}
	}
	return out
}
