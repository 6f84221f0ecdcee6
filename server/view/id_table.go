package view

import (
	"slices"
	"sync"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// An IDTable has the ids by which one client knows what is no player: what it carries, what stands or lies around it,
// and what it has been shown of bags, vaults and goods. No two of them share an id at any time, and an id that has
// become free comes again only after all others. What is picked up or dropped keeps its id, as it does in recordings.
//
// Players have the same ids for every client, see [packets.PlayerIndex]; those of the table keep clear of them.
//
// Two goroutines use a table. Its owner changes it: the session's loop until the player enters the world, the world's
// goroutine from then on. The loop asks by [IDTable.Lookup] and nothing else what its client means by an id. So only
// changes and lookup take the lock; the owner reads without.
type IDTable struct {
	mu       sync.Mutex
	byID     map[packets.ObjectID]*IDEntry
	byObject map[world.EntityID]*IDEntry
	byItem   map[rules.ItemID]*IDEntry
	held     map[world.EntityID]int // how many entries have a holder
	vault    *IDEntry               // what shows the vault, nil for none
	next     uint16                 // number of the id to try next
}

// An IDEntry is one id in use. No two entries have the same object or item.
type IDEntry struct {
	ID     uint16
	Kind   EntryKind
	Class  packets.Class
	Object world.EntityID // what stands or lies in the world, else 0
	Item   rules.ItemID   // what is carried, in the vault or in a bag, else 0
	// the bag in the world in which it lies, the trader who sells it, or [InVault]; the client loses it with that
	Holder world.EntityID
	At     coords.Position // of an object
}

func (e *IDEntry) objectID() packets.ObjectID { return packets.ObjectID(e.ID) }

// An EntryKind is what a client can do with what an id stands for.
type EntryKind uint8

const (
	ItemEntry       EntryKind = iota // an item that is carried, or in something
	goodsEntry                       // an item that is for sale
	GroundItemEntry                  // an object: an item that lies by itself
	GroundBagEntry                   // an object: a bag that lies in the world
	NPCEntry
	BankerEntry
	PortalEntry
	VaultEntry // what shows the vault of the account; it is no object of the world
)

// InVault stands for the vault in [IDEntry].Holder.
const InVault = ^world.EntityID(0)

// Ids of the table have a low byte below that of every player's id, since those are indexes from 0x4F6F on with their
// bytes swapped. They begin above the few ids that have a meaning, and end below those of lines of chat.
const (
	idLows   = uint16(packets.FirstPlayerIndex >> 8)
	firstID  = 0x1000
	endOfIDs = 0xC000
	idCount  = (endOfIDs - firstID) >> 8 * idLows
)

// numberedID returns the id of a number below idCount.
func numberedID(n uint16) uint16 { return firstID + n/idLows<<8 | n%idLows }

// add gives an entry an id; ok is false when all ids are in use.
func (t *IDTable) add(e IDEntry) (id packets.ObjectID, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID) >= int(idCount) {
		return 0, false
	}
	for taken := true; taken; {
		e.ID = numberedID(t.next)
		t.next = (t.next + 1) % idCount
		_, taken = t.byID[e.objectID()]
	}
	put(&t.byID, e.objectID(), &e)
	t.index(&e)
	return e.objectID(), true
}

// index notes what an entry can be found by beside its id. Most clients need only some of the maps, and there are
// thousands of clients.
func (t *IDTable) index(e *IDEntry) {
	if e.Object != 0 {
		put(&t.byObject, e.Object, e)
	}
	if e.Item != 0 {
		put(&t.byItem, e.Item, e)
	}
	if e.Holder != 0 {
		put(&t.held, e.Holder, t.held[e.Holder]+1)
	}
	if e.Kind == VaultEntry {
		t.vault = e
	}
}

// put makes the map with its first key.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// unindex undoes index.
func (t *IDTable) unindex(e *IDEntry) {
	if t.byObject[e.Object] == e {
		delete(t.byObject, e.Object)
	}
	if t.byItem[e.Item] == e {
		delete(t.byItem, e.Item)
	}
	if e.Holder != 0 {
		if t.held[e.Holder]--; t.held[e.Holder] == 0 {
			delete(t.held, e.Holder)
		}
	}
	if t.vault == e {
		t.vault = nil
	}
}

func (t *IDTable) remove(id packets.ObjectID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.byID[id]; e != nil {
		t.unindex(e)
		delete(t.byID, id)
	}
}

func (t *IDTable) change(id packets.ObjectID, do func(*IDEntry)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.byID[id]; e != nil {
		t.unindex(e)
		do(e)
		t.index(e)
	}
}

func (t *IDTable) moveTo(object world.EntityID, to coords.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.byObject[object]; e != nil {
		e.At = to
	}
}

// Lookup returns what the client means by an id; ok is false if it was not given that id. It is for the session's loop.
func (t *IDTable) Lookup(id packets.ObjectID) (IDEntry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return known(t.byID[id])
}

// known is a copy of an entry; ok is false for none.
func known(e *IDEntry) (IDEntry, bool) {
	if e == nil {
		return IDEntry{}, false
	}
	return *e, true
}

// Object returns what the client knows of an object of the world; ok is false if it does not hold it.
func (t *IDTable) Object(object world.EntityID) (IDEntry, bool) {
	return known(t.byObject[object])
}

// Item returns what the client knows of an item that is carried or in something; ok is false if it does not hold it.
func (t *IDTable) Item(item rules.ItemID) (IDEntry, bool) {
	return known(t.byItem[item])
}

// vaultShown returns what shows the vault; ok is false if the client was not given it.
func (t *IDTable) vaultShown() (IDEntry, bool) {
	return known(t.vault)
}

// HeldBy lists by id what the client loses together with an object, or with the vault.
func (t *IDTable) HeldBy(holder world.EntityID) []IDEntry {
	if t.held[holder] == 0 {
		return nil
	}
	return t.Entries(func(e *IDEntry) bool { return e.Holder == holder })
}

// Entries lists by id the entries of which is says so.
func (t *IDTable) Entries(is func(*IDEntry) bool) (out []IDEntry) {
	for _, e := range t.byID {
		if is(e) {
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(a, b IDEntry) int { return int(a.ID) - int(b.ID) })
	return out
}
