package game

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/measure"
	"sphereserver/world/rules"
)

// A flakyStore fails to save as told.
type flakyStore struct {
	Store
	fail       error
	characters map[data.CharacterID]data.Character
	live       map[data.CharacterID]rules.LiveState
	ground     []rules.GroundCell
}

func (f *flakyStore) SaveGround(_ context.Context, cells []rules.GroundCell) error {
	if f.fail == nil {
		f.ground = append(f.ground, cells...)
	}
	return f.fail
}

func (f *flakyStore) SaveCharacters(_ context.Context, cs []data.Character) error {
	if f.fail != nil && f.fail != data.ErrPartly {
		return f.fail
	}
	for _, c := range cs {
		f.characters[c.ID] = c
	}
	return f.fail
}

func (f *flakyStore) SaveLive(_ context.Context, states []rules.LiveState) error {
	if f.fail != nil {
		return f.fail
	}
	for _, s := range states {
		f.live[data.CharacterID(s.Character)] = s
	}
	return nil
}

func newFlaky() (*flakyStore, *autosaver) {
	f := &flakyStore{characters: map[data.CharacterID]data.Character{}, live: map[data.CharacterID]rules.LiveState{}}
	return f, newAutosaver(f, slog.New(slog.DiscardHandler), newCounters(new(measure.Registry)))
}

// Fault case 22: states that cannot be saved now are saved when they can, the newest of each.
func TestSavesAreRetriedWithTheNewest(t *testing.T) {
	t.Parallel()
	store, v := newFlaky()
	store.fail = data.ErrUnavailable
	done := 0
	v.saveLive([]rules.LiveState{{Character: 1, Position: coords.Position{X: 1}},
		{Character: 2, Position: coords.Position{X: 1}}})
	v.save()
	v.saveLive([]rules.LiveState{{Character: 1, Position: coords.Position{X: 2}}})
	v.saveCharacter(data.Character{ID: 2, Position: coords.Position{X: 3}}, func(error) { done++ })
	v.save()
	if v.waiting() != 2 || done != 0 || !v.failing {
		t.Fatalf("%d wait, %d done, failing %v", v.waiting(), done, v.failing)
	}
	store.fail = nil
	v.save()
	if v.waiting() != 0 || done != 1 || v.failing || store.live[1].Position.X != 2 || store.characters[2].Position.X != 3 {
		t.Errorf("%d wait, %d done, saved %v and %v", v.waiting(), done, store.live, store.characters)
	}
	if _, late := store.live[2]; late {
		t.Error("an older place was saved over the character that had left")
	}
}

func TestLearnedGroundIsSavedInOrder(t *testing.T) {
	t.Parallel()
	store, v := newFlaky()
	store.fail = data.ErrUnavailable
	v.saveGround([]rules.GroundCell{{X: 1, Y: 1}, {X: 2, Y: 1}})
	v.save()
	v.saveGround([]rules.GroundCell{{X: 1, Y: 2}})
	v.save()
	v.saveGround(make([]rules.GroundCell, mostGround))
	store.fail = nil
	v.save()
	v.save()
	if want := []rules.GroundCell{{X: 1, Y: 1}, {X: 2, Y: 1}, {X: 1, Y: 2}}; !slices.Equal(store.ground, want) {
		t.Errorf("saved %v, expected %v", store.ground, want)
	}
}

// One character that can never be saved holds up nobody.
func TestTheUnsavableHoldsUpNobody(t *testing.T) {
	t.Parallel()
	store, v := newFlaky()
	store.fail = data.ErrPartly
	done := 0
	v.saveCharacter(data.Character{ID: 1}, func(error) { done++ })
	v.saveCharacter(data.Character{ID: 2}, func(error) { done++ })
	v.save()
	if done != 2 || v.waiting() != 0 {
		t.Errorf("%d done, %d wait", done, v.waiting())
	}
}

// A caller that waits for an older state of a character is told when a newer one is safe: once, and before the
// callers that wait for the newer.
func TestOlderSavesAreDoneWithTheNewer(t *testing.T) {
	t.Parallel()
	store, v := newFlaky()
	store.fail = data.ErrUnavailable
	var done []string
	save := func(name string, money int64) {
		v.saveCharacter(data.Character{ID: 1, Money: money}, func(err error) {
			if err != nil {
				name += " failed"
			}
			done = append(done, name)
		})
	}
	save("first", 1)
	save("second", 2)
	v.save()
	save("third", 3) // comes while the others are kept
	if len(done) != 0 || v.waiting() != 1 {
		t.Fatalf("%v done, %d wait", done, v.waiting())
	}
	store.fail = nil
	v.save()
	v.save()
	if !slices.Equal(done, []string{"first", "second", "third"}) || store.characters[1].Money != 3 {
		t.Errorf("%v done, %d coins saved", done, store.characters[1].Money)
	}
	store.fail = data.ErrPartly
	save("lost", 4)
	if v.save(); done[len(done)-1] != "lost failed" {
		t.Errorf("a character that cannot be saved at all: %v", done)
	}
}
