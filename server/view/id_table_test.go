package view

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// After any series of additions, changes and removals no two entries share an id, ids keep clear of those of players,
// and every way of asking agrees with a plain map.
func TestIDTableAgreesWithAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table IDTable
		table.next = uint16(rapid.IntRange(0, int(idCount)-1).Draw(t, "next"))
		model := map[packets.ObjectID]IDEntry{}
		last := 0
		pick := func(t *rapid.T) packets.ObjectID {
			if len(model) == 0 {
				t.Skip("nothing is known")
			}
			return rapid.SampledFrom(slices.Sorted(maps.Keys(model))).Draw(t, "id")
		}
		draw := func(t *rapid.T) (e IDEntry) {
			last++
			switch rapid.IntRange(0, 2).Draw(t, "sort") {
			case 0:
				e = IDEntry{Item: rules.ItemID(last), Holder: world.EntityID(rapid.IntRange(0, 3).Draw(t, "holder"))}
			case 1:
				e = IDEntry{Kind: GroundItemEntry, Object: world.EntityID(last)}
			case 2:
				e = IDEntry{Kind: goodsEntry, Holder: world.EntityID(rapid.IntRange(1, 3).Draw(t, "holder"))}
			}
			return e
		}
		add := func(t *rapid.T) {
			e := draw(t)
			id, ok := table.add(e)
			if _, taken := model[id]; !ok || taken || packets.PlayerIndexOf(id) >= packets.FirstPlayerIndex || id < firstID ||
				id >= endOfIDs {
				t.Fatalf("got id %v, %v", id, ok)
			}
			e.ID = uint16(id)
			model[id] = e
		}
		for range rapid.SampledFrom([]int{0, fewIDs - 2}).Draw(t, "known") {
			add(t)
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": add,
			"change": func(t *rapid.T) {
				id, e := pick(t), draw(t)
				e.ID = uint16(id)
				table.change(id, func(to *IDEntry) { *to = e })
				model[id] = e
			},
			"remove": func(t *rapid.T) {
				id := pick(t)
				table.remove(id)
				e := model[id]
				delete(model, id)
				_, known := table.Lookup(id)
				_, object := table.Object(e.Object)
				_, item := table.Item(e.Item)
				if known || object || item {
					t.Fatalf("%v was removed and is still known: %v %v %v", id, known, object, item)
				}
			},
			"": func(t *rapid.T) {
				var all []IDEntry
				for _, id := range slices.Sorted(maps.Keys(model)) {
					e := model[id]
					all = append(all, e)
					if got, ok := table.Lookup(id); !ok || got != e {
						t.Fatalf("%v is %+v, want %+v", id, got, e)
					}
					if got, ok := table.Object(e.Object); ok != (e.Object != 0) || ok && got != e {
						t.Fatalf("object %d is %+v, want %+v", e.Object, got, e)
					}
					if got, ok := table.Item(e.Item); ok != (e.Item != 0) || ok && got != e {
						t.Fatalf("item %d is %+v, want %+v", e.Item, got, e)
					}
				}
				if got := table.Entries(func(*IDEntry) bool { return true }); !slices.Equal(got, all) {
					t.Fatalf("%v are known, want %v", got, all)
				}
				for holder := world.EntityID(1); holder <= 3; holder++ {
					want := slices.DeleteFunc(slices.Clone(all), func(e IDEntry) bool { return e.Holder != holder })
					if got := table.HeldBy(holder); !slices.Equal(got, want) {
						t.Fatalf("%d holds %v, want %v", holder, got, want)
					}
				}
			},
		})
	})
}

func TestFreedIDsComeAgainLast(t *testing.T) {
	var table IDTable
	seen := map[packets.ObjectID]bool{}
	for n := range int(idCount) {
		id, ok := table.add(IDEntry{Item: 7})
		if !ok || seen[id] {
			t.Fatalf("id %v comes again after %d others", id, n)
		}
		seen[id] = true
		table.remove(id)
	}
	for n := range int(idCount) {
		if _, ok := table.add(IDEntry{Kind: GroundItemEntry, Object: world.EntityID(n + 1)}); !ok {
			t.Fatal("ids are lost")
		}
	}
	if id, ok := table.add(IDEntry{Item: 7}); ok {
		t.Errorf("%v was given though all are in use", id)
	}
	if _, ok := table.Lookup(packets.EmptyHand); ok {
		t.Error("the empty hand is known")
	}
}

func TestIDTableShowsTheVaultOnce(t *testing.T) {
	var table IDTable
	if _, ok := table.vaultShown(); ok {
		t.Error("an empty table shows a vault")
	}
	id, _ := table.add(IDEntry{Kind: VaultEntry})
	if e, ok := table.vaultShown(); !ok || e.objectID() != id {
		t.Errorf("the vault is %+v, %v, want %v", e, ok, id)
	}
	table.remove(id)
	if _, ok := table.vaultShown(); ok {
		t.Error("a vault is shown that was removed")
	}
}

// BenchmarkIDs asks for the ids of moving objects, with few or many of them known: the world's goroutine by object,
// the loop by id.
func BenchmarkIDs(b *testing.B) {
	for name, known := range map[string]int{"few": fewIDs, "many": 150} {
		var table IDTable
		var ids []packets.ObjectID
		for i := range known {
			id, _ := table.add(IDEntry{Kind: GroundItemEntry, Object: world.EntityID(1000 + i)})
			ids = append(ids, id)
		}
		b.Run(name+"/object", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, ok := table.Object(world.EntityID(1000 + i%known)); !ok {
					b.Fatal("not known")
				}
			}
		})
		b.Run(name+"/id", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, ok := table.Lookup(ids[i%known]); !ok {
					b.Fatal("not known")
				}
			}
		})
	}
}

// Ids of items are never ids of players, and differ from each other.
func TestItemIDsAreNobodys(t *testing.T) {
	seen := map[packets.ObjectID]bool{}
	for n := range idCount {
		id := packets.ObjectID(numberedID(n))
		if seen[id] || id > 0xFFFF || id == 0 {
			t.Fatalf("item %d has id %v", n, id)
		}
		seen[id] = true
		if packets.PlayerIndexOf(id) >= packets.FirstPlayerIndex {
			t.Fatalf("item %d has the id %v of a player", n, id)
		}
		if id == packets.StatObject {
			t.Fatalf("item %d has the id of the count of players", n)
		}
	}
}
