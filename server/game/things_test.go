package game

import (
	"testing"

	"pgregory.net/rapid"

	"sphereserver/packets"
	"sphereserver/world"
)

// Whatever is named and freed: no two things share an id, ids are those of things, and both ways of asking agree.
func TestThingsNeverShareAnID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var things things
		things.next = uint16(rapid.IntRange(0, int(thingIDs)-1).Draw(t, "next"))
		carried := map[packets.ObjectID]bool{}
		objects := map[world.ObjectID]packets.ObjectID{}
		held := func() map[packets.ObjectID]bool {
			all := map[packets.ObjectID]bool{}
			for id := range carried {
				all[id] = true
			}
			for _, id := range objects {
				all[id] = true
			}
			return all
		}
		last := world.ObjectID(0)
		t.Repeat(map[string]func(*rapid.T){
			"carry": func(t *rapid.T) {
				id, ok := things.name(thing{item: 7})
				if !ok || held()[id] || packets.PlayerIndexOf(id) >= packets.FirstPlayerIndex || id < 0x1000 || id >= 0xC000 {
					t.Fatalf("named %v, %v", id, ok)
				}
				carried[id] = true
			},
			"see": func(t *rapid.T) {
				last++
				id, ok := things.name(thing{what: aLooseItem, object: last})
				if !ok || held()[id] {
					t.Fatalf("named %v, %v", id, ok)
				}
				objects[last] = id
			},
			"lose": func(t *rapid.T) {
				for id := range carried {
					things.free(id)
					delete(carried, id)
					break
				}
			},
			"leave": func(t *rapid.T) {
				for o, id := range objects {
					things.free(id)
					if _, still := things.idOf(o); still {
						t.Fatalf("object %d was freed and has an id", o)
					}
					delete(objects, o)
					break
				}
			},
			"": func(t *rapid.T) {
				if len(things.known) != len(carried)+len(objects) {
					t.Fatalf("%d in use, want %d", len(things.known), len(carried)+len(objects))
				}
				for o, id := range objects {
					if got, ok := things.objectOf(id); !ok || got != o {
						t.Fatalf("%v is object %d, found %d, %v", id, o, got, ok)
					}
					if got, ok := things.idOf(o); !ok || got != id {
						t.Fatalf("object %d is %v, found %v, %v", o, id, got, ok)
					}
				}
				for id := range carried {
					if o, ok := things.objectOf(id); ok {
						t.Fatalf("the carried %v is object %d", id, o)
					}
				}
			},
		})
	})
}

func TestFreedIDsComeAgainLast(t *testing.T) {
	var things things
	seen := map[packets.ObjectID]bool{}
	for n := range int(thingIDs) {
		id, ok := things.name(thing{item: 7})
		if !ok || seen[id] {
			t.Fatalf("id %v comes again after %d others", id, n)
		}
		seen[id] = true
		things.free(id)
	}
	for range int(thingIDs) {
		if _, ok := things.name(thing{what: aLooseItem, object: 1}); !ok {
			t.Fatal("ids are lost")
		}
	}
	if id, ok := things.name(thing{item: 7}); ok {
		t.Errorf("%v was given though all are in use", id)
	}
	if _, ok := things.objectOf(packets.EmptyHand); ok {
		t.Error("the empty hand is an object")
	}
}
