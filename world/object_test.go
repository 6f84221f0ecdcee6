package world

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestObjectsAreSeenInSight(t *testing.T) {
	s := newStage(Options{MaxSpeed: -1})
	s.in(shipstone, 1)
	s.in(east(150), 2)
	id := s.NextEntityID()
	trader := Object{ID: id, Position: east(20), Kind: NPC{Key: "trader"}}
	if got := told[ObjectAppeared](s.does(Put{trader})); !reflect.DeepEqual(got, []ObjectAppeared{{1, &trader}}) {
		t.Errorf("told %+v", got)
	}
	if events := s.does(Put{Object{ID: id, Position: shipstone, Kind: Portal{}}}); len(events) != 0 {
		t.Errorf("an object was replaced: %v", events)
	}
	s.Move(2, east(119))
	if got := told[ObjectAppeared](s.pass(time.Second)); len(got) != 1 || got[0].Viewer != 2 || *got[0].Object != trader {
		t.Errorf("told %+v", got)
	}
	s.Move(1, east(-89.5))
	if got := told[Vanished](s.pass(time.Second)); len(got) != 0 {
		t.Errorf("vanished at 109.5 m: %v", got)
	}
	s.Move(1, east(-93))
	if got := told[Vanished](s.pass(time.Second)); !reflect.DeepEqual(got, []Vanished{{1, id}}) {
		t.Errorf("told %v", got)
	}
	// A player that enters sees the objects that are there already.
	if got := told[ObjectAppeared](s.in(shipstone, 3)); len(got) != 1 {
		t.Errorf("told %v", got)
	}
	got := told[Vanished](s.does(Remove{id}))
	slices.SortFunc(got, func(a, b Vanished) int { return int(a.Viewer) - int(b.Viewer) })
	if !reflect.DeepEqual(got, []Vanished{{2, id}, {3, id}}) {
		t.Errorf("told %v", got)
	}
	if events := s.does(Remove{id}); len(events) != 0 {
		t.Errorf("removed twice: %v", events)
	}
	s.sound(t)
}

func TestObjectIDsAreGivenOnce(t *testing.T) {
	s := newStage(Options{})
	a := s.NextEntityID()
	s.does(Put{Object{Position: shipstone, Kind: Portal{}}},
		Put{Object{ID: MaxPlayerID + 100, Position: shipstone, Kind: Portal{}}},
		Put{Object{ID: MaxPlayerID, Position: shipstone, Kind: Portal{}}})
	b := s.NextEntityID()
	s.does(Put{Object{Position: shipstone, Kind: Portal{}}})
	s.pass(time.Second)
	var ids []EntityID
	for o := range s.Snapshot().Objects() {
		ids = append(ids, o.ID)
	}
	const first = MaxPlayerID + 1
	if a != first || b != first+100 || !slices.Equal(ids, []EntityID{first + 1, first + 99, first + 101}) {
		t.Errorf("given %d and %d, put %v", a, b, ids)
	}
}

func TestSnapshotsShareWhatDoesNotChange(t *testing.T) {
	s := newStage(Options{})
	for i := range 3 * viewPage {
		s.Do(Put{Object{Position: east(float32(i)), Kind: NPC{Key: "a"}}})
	}
	s.pass(time.Second)
	first := s.Snapshot().objects
	s.pass(2 * time.Second)
	shared := func(pages [][]ObjectView, want ...bool) {
		t.Helper()
		for i, want := range want {
			if got := &pages[i][0] == &first[i][0]; got != want {
				t.Errorf("page %d is shared: %v", i, got)
			}
		}
	}
	shared(s.Snapshot().objects, true, true, true)
	moved := s.objects()[viewPage+5]
	s.places.moveTo(&moved.entity, east(5000))
	s.pass(time.Second)
	shared(s.Snapshot().objects, true, false, true)
	if got := s.Snapshot().objects[1][5]; got.ID != moved.ID || got.Position != east(5000) {
		t.Errorf("what has moved is %+v", got)
	}
	gone := s.objects()[3].ID
	s.does(Remove{gone})
	s.pass(time.Second)
	n := 0
	for o := range s.Snapshot().Objects() {
		if n++; o.ID == gone {
			t.Error("what was removed is still in the snapshot")
		}
	}
	if n != 3*viewPage-1 || len(first[2]) != viewPage {
		t.Errorf("%d objects, %d on the last page before", n, len(first[2]))
	}
	for range s.Snapshot().Objects() {
		break
	}
}

func TestSnapshotShowsWhatOthersMayKnow(t *testing.T) {
	s := newStage(Options{})
	s.Do(Enter{Player{ID: 1, Character: 1, Name: "а", Role: Helper,
		Appearance: Appearance{Clan: "Клан"}, Position: shipstone}})
	s.pass(2 * time.Second)
	players := s.Snapshot().Players
	if p := players[0]; p.Role != Helper || p.Clan != "Клан" {
		t.Errorf("snapshot is %+v", players)
	}
}

func TestPortals(t *testing.T) {
	const o = MaxPlayerID // objects are numbered from here
	there := east(3000)
	s := newStage(Options{Reach: 5})
	s.in(shipstone, 1)
	s.in(east(6), 2)
	s.does(Put{Object{ID: o + 1, Position: shipstone, Kind: Portal{Place: "there", To: there}}},
		Put{Object{ID: o + 2, Position: shipstone, Kind: Portal{To: there}}},
		Put{Object{ID: o + 3, Position: shipstone, Kind: NPC{}}},
		Put{Object{ID: o + 4, Position: east(300), Kind: Portal{Place: "there", To: there}}},
		Put{Object{ID: o + 6, Position: shipstone, Kind: Portal{Place: "out of the world", To: east(1e6)}}})
	for _, c := range []struct {
		use UsePortal
		why rules.RejectReason
	}{
		{UsePortal{1, o + 2}, rules.LeadsNowhere}, {UsePortal{1, o + 6}, rules.LeadsNowhere},
		{UsePortal{1, o + 3}, rules.NoPortal}, {UsePortal{1, o + 4}, rules.NotInSight},
		{UsePortal{1, o + 99}, rules.NotInSight}, {UsePortal{1, 0}, rules.NotInSight}, {UsePortal{2, o + 1}, rules.TooFar},
	} {
		if events := s.does(c.use); !reflect.DeepEqual(events, []Event{PortalRefused{c.use.By, c.use.Object, c.why}}) {
			t.Errorf("%+v is told as %v", c.use, events)
		}
	}
	events := s.does(UsePortal{1, o + 1})
	players := func(events []Event) (n int) {
		for _, e := range told[Vanished](events) {
			if _, ok := e.ID.Player(); ok {
				n++
			}
		}
		return n
	}
	if got := of[Teleported](events); !slices.Equal(got, []Teleported{{1, there}}) || players(events) != 2 {
		t.Errorf("told %v", events)
	}
	if got := of[PortalRefused](s.does(UsePortal{1, o + 1})); len(got) != 1 || got[0].Why != rules.NotInSight {
		t.Errorf("from the other side told %v", got)
	}
	s.sound(t)
}
