package view

import (
	"slices"
	"sync"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// An IDTable has the ids by which one client knows all but players: carried items, objects around it, and those things
// in bags, vaults and shops that it has been shown. No two of them share an id at any time, and an id that has become
// free comes again only after all others. An item that is picked up or dropped keeps its id, as it does in recordings.
//
// Players have the same ids for every client, see [packets.PlayerIndex]; those of the table keep clear of them.
//
// Two goroutines use a table. Its owner changes it: the session's loop until the player enters the world, the world's
// goroutine from then on. The loop asks by [IDTable.Lookup] and nothing else what its client means by an id. So only
// changes and lookup take the lock; the owner reads without.
type IDTable struct {
	mu sync.Mutex
	// All entries, as long as there is no index, and of each the object, which is by far the most frequent key.
	few     []IDEntry
	objects []world.EntityID
	index   *idIndex         // nil: there have never been many entries
	vault   packets.ObjectID // of the object that shows the vault, 0 for none
	next    uint16           // number of the id to try next
	lost    uint             // how often an entry has gone or become something else

	retired *[]retirement // oldest first; nil: none yet
}

// fewIDs is how many entries are found without an index, which would take as much memory as they do: as many as a
// client holds that is out among monsters. Thousands are.
const fewIDs = 64

// An idIndex finds entries in constant time.
type idIndex struct {
	byID     map[packets.ObjectID]*IDEntry
	byObject map[world.EntityID]*IDEntry
	byItem   map[rules.ItemID]*IDEntry
	held     map[world.EntityID]int // how many entries have a holder
}

// An IDEntry is one id in use. No two entries have the same object or item.
type IDEntry struct {
	ID     uint16
	Class  packets.Class
	Kind   EntryKind
	Object world.EntityID // the entity in the world, else 0
	// the bag in the world in which it lies, the trader that sells it, or [InVault]; the client loses it with that
	Holder world.EntityID
	Item   rules.ItemID    // the item carried, in the vault or in a bag, else 0
	At     coords.Position // of an object
}

func (e *IDEntry) objectID() packets.ObjectID { return packets.ObjectID(e.ID) }

// An EntryKind is the use that a client can make of an entry.
type EntryKind uint8

const (
	ItemEntry       EntryKind = iota // an item that is carried, or in something
	goodsEntry                       // an item that is for sale
	GroundItemEntry                  // an object: an item that lies by itself
	GroundBagEntry                   // an object: a bag that lies in the world
	NPCEntry
	SceneryEntry // with which nothing is done
	BankerEntry
	PortalEntry
	VaultEntry // shows the vault of the account; it is no object of the world
	MonsterEntry
	EffectEntry  // an effect on the player
	retiredEntry // nothing any more: nothing else has its id for a while
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
	if t.index != nil && len(t.index.byID) >= int(idCount) {
		return 0, false
	}
	for taken := true; taken; {
		e.ID = numberedID(t.next)
		t.next = (t.next + 1) % idCount
		taken = t.byID(e.objectID()) != nil
	}
	if t.index == nil && len(t.few) == fewIDs {
		t.makeIndex()
	}
	if t.index == nil {
		t.few, t.objects = append(space.Roomy(t.few), e), append(space.Roomy(t.objects), e.Object)
	} else {
		t.index.byID[e.objectID()] = &e
	}
	t.note(&e)
	return e.objectID(), true
}

// makeIndex goes over to an index of all entries.
func (t *IDTable) makeIndex() {
	t.index = &idIndex{map[packets.ObjectID]*IDEntry{}, map[world.EntityID]*IDEntry{}, map[rules.ItemID]*IDEntry{},
		map[world.EntityID]int{}}
	for i := range t.few {
		e := t.few[i]
		t.index.byID[e.objectID()] = &e
		t.note(&e)
	}
	t.few, t.objects = nil, nil
}

// note puts an entry into the other indexes, beside the one by id.
func (t *IDTable) note(e *IDEntry) {
	if e.Kind == VaultEntry {
		t.vault = e.objectID()
	}
	if t.index == nil {
		t.objects[t.place(e.objectID())] = e.Object
		return
	}
	if e.Object != 0 {
		t.index.byObject[e.Object] = e
	}
	if e.Item != 0 {
		t.index.byItem[e.Item] = e
	}
	if e.Holder != 0 {
		t.index.held[e.Holder]++
	}
}

// forget undoes note.
func (t *IDTable) forget(e *IDEntry) {
	if t.vault == e.objectID() {
		t.vault = 0
	}
	if t.index == nil {
		return
	}
	if t.index.byObject[e.Object] == e {
		delete(t.index.byObject, e.Object)
	}
	if t.index.byItem[e.Item] == e {
		delete(t.index.byItem, e.Item)
	}
	if e.Holder != 0 {
		if t.index.held[e.Holder]--; t.index.held[e.Holder] == 0 {
			delete(t.index.held, e.Holder)
		}
	}
}

// entry is one of few, nil for that at -1.
func (t *IDTable) entry(at int) *IDEntry {
	if at < 0 {
		return nil
	}
	return &t.few[at]
}

// place is where among few the entry of an id is, -1 for none.
func (t *IDTable) place(id packets.ObjectID) int {
	for i := range t.few {
		if t.few[i].objectID() == id {
			return i
		}
	}
	return -1
}

// Results of byID, byObject and byItem are valid until the table changes; nil: there is none.
func (t *IDTable) byID(id packets.ObjectID) *IDEntry {
	if t.index != nil {
		return t.index.byID[id]
	}
	return t.entry(t.place(id))
}

func (t *IDTable) byObject(object world.EntityID) *IDEntry {
	switch {
	case t.index != nil:
		return t.index.byObject[object]
	case object == 0:
		return nil
	}
	return t.entry(slices.Index(t.objects, object))
}

func (t *IDTable) byItem(item rules.ItemID) *IDEntry {
	switch {
	case t.index != nil:
		return t.index.byItem[item]
	case item == 0:
		return nil
	}
	for i := range t.few {
		if t.few[i].Item == item {
			return &t.few[i]
		}
	}
	return nil
}

func (t *IDTable) remove(id packets.ObjectID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.byID(id)
	if e == nil {
		return
	}
	t.forget(e)
	t.lost++
	if t.index != nil {
		delete(t.index.byID, id)
		return
	}
	at, last := t.place(id), len(t.few)-1
	t.few[at], t.objects[at] = t.few[last], t.objects[last]
	t.few, t.objects = space.Fitting(t.few[:last]), space.Fitting(t.objects[:last])
}

// A retirement is an id that nothing else is given for a while, since its object has just died.
type retirement struct {
	id packets.ObjectID
	at uint16 // on the wire's clock
}

// retire takes an id out of use, and frees ids that have been out of use for so long on the wire's clock.
//
// Source: protocol fight 6.2.
func (t *IDTable) retire(id packets.ObjectID, clock, rest uint16) {
	if t.retired == nil {
		t.retired = new([]retirement)
	}
	all := *t.retired
	done := slices.IndexFunc(all, func(r retirement) bool { return (clock-r.at)&packets.MaxClock < rest })
	if done < 0 {
		done = len(all)
	}
	for _, r := range all[:done] {
		t.remove(r.id)
	}
	*t.retired = append(slices.Delete(all, 0, done), retirement{id, clock})
	t.change(id, func(k *IDEntry) { *k = IDEntry{ID: k.ID, Kind: retiredEntry} })
}

func (t *IDTable) change(id packets.ObjectID, do func(*IDEntry)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.byID(id); e != nil {
		t.lost++
		t.forget(e)
		do(e)
		t.note(e)
	}
}

// moveTo notes where an object is now, and returns its entry before that; ok is false if the client does not hold it.
func (t *IDTable) moveTo(object world.EntityID, to coords.Position) (was IDEntry, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.byObject(object)
	if was, ok = known(e); ok {
		e.At = to
	}
	return was, ok
}

// Lookup returns the entry that the client means by an id; ok is false if it was not given that id. It is for the
// session's loop.
func (t *IDTable) Lookup(id packets.ObjectID) (IDEntry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return known(t.byID(id))
}

// known is a copy of an entry; ok is false for none.
func known(e *IDEntry) (IDEntry, bool) {
	if e == nil {
		return IDEntry{}, false
	}
	return *e, true
}

// Object returns the client's entry for an object of the world; ok is false if it does not hold it.
func (t *IDTable) Object(object world.EntityID) (IDEntry, bool) {
	return known(t.byObject(object))
}

// stands reports whether the client knows an object of the world by an id.
func (t *IDTable) stands(object world.EntityID, id packets.ObjectID) bool {
	e := t.byObject(object)
	return e != nil && e.objectID() == id
}

// Item returns the client's entry for an item that is carried or in something; ok is false if it does not hold it.
func (t *IDTable) Item(item rules.ItemID) (IDEntry, bool) {
	return known(t.byItem(item))
}

// vaultShown returns the entry that shows the vault; ok is false if the client was not given it.
func (t *IDTable) vaultShown() (IDEntry, bool) {
	if t.vault == 0 {
		return IDEntry{}, false
	}
	return known(t.byID(t.vault))
}

// HeldBy lists by id the entries that the client loses together with an object, or with the vault.
func (t *IDTable) HeldBy(holder world.EntityID) []IDEntry {
	if t.index != nil && t.index.held[holder] == 0 {
		return nil
	}
	return t.Entries(func(e *IDEntry) bool { return e.Holder == holder })
}

// Entries lists the entries for which is returns true, in the order of their ids.
func (t *IDTable) Entries(is func(*IDEntry) bool) (out []IDEntry) {
	for i := range t.few {
		if is(&t.few[i]) {
			out = append(out, t.few[i])
		}
	}
	if t.index != nil {
		for _, e := range t.index.byID {
			if is(e) {
				out = append(out, *e)
			}
		}
	}
	slices.SortFunc(out, func(a, b IDEntry) int { return int(a.ID) - int(b.ID) })
	return out
}
