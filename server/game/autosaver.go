package game

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/world/rules"
)

// An autosaver writes changes of play: the volatile values of players in the world, and whole characters of players
// that have left. A character that the store cannot take now is kept and tried again, so a full disk costs nothing
// once there is space; the queue is bounded by the number of characters that have played, one entry each, the newest.
type autosaver struct {
	store Store
	log   *slog.Logger
	count *counters

	mu         sync.Mutex
	live       map[data.CharacterID]rules.LiveState
	characters map[data.CharacterID]departure
	ground     []rules.GroundCell
	wake       chan struct{}
	failing    bool
}

// A departure is a character to save, since its player has left or it has changed, and the calls to make when that is
// done.
type departure struct {
	character data.Character
	done      []func(error)
}

const (
	saveRetry   = time.Second
	saveTimeout = 30 * time.Second
	// saveGather is how long the saver waits for more: players that leave in one tick are safe in one transaction.
	saveGather = 5 * time.Millisecond
)

func newAutosaver(store Store, log *slog.Logger, count *counters) *autosaver {
	return &autosaver{store: store, log: log, count: count, live: map[data.CharacterID]rules.LiveState{},
		characters: map[data.CharacterID]departure{}, wake: make(chan struct{}, 1)}
}

// saveLive takes states to save. It never blocks.
func (v *autosaver) saveLive(states []rules.LiveState) {
	v.mu.Lock()
	for _, s := range states {
		v.live[data.CharacterID(s.Character)] = s
	}
	v.mu.Unlock()
	v.poke()
}

// saveCharacter takes a character to save; done runs when it, or something newer, is safe, or with an error if it
// cannot be saved at all.
func (v *autosaver) saveCharacter(c data.Character, done func(error)) {
	v.mu.Lock()
	delete(v.live, c.ID) // older than the character
	v.characters[c.ID] = departure{c, append(v.characters[c.ID].done, done)}
	v.mu.Unlock()
	v.poke()
}

// mostGround is how many heights of the ground wait at most. Others are lost: players that walk there teach them again.
const mostGround = 1 << 16

// saveGround takes heights to save. It never blocks.
func (v *autosaver) saveGround(cells []rules.GroundCell) {
	v.mu.Lock()
	if len(v.ground)+len(cells) <= mostGround {
		v.ground = append(v.ground, cells...)
	}
	v.mu.Unlock()
	v.poke()
}

func (v *autosaver) poke() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// waiting is how many entries are not safe yet.
func (v *autosaver) waiting() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.live) + len(v.characters)
}

// run saves until ctx ends, and then once more.
func (v *autosaver) run(ctx context.Context) {
	for {
		wake := v.wake
		var retry <-chan time.Time
		if v.failing { // not at once again, however often we are woken
			wake, retry = nil, time.After(saveRetry)
		}
		select {
		case <-wake:
			select {
			case <-time.After(saveGather):
			case <-ctx.Done():
			}
		case <-retry:
		case <-ctx.Done():
			v.save()
			return
		}
		v.save()
	}
}

// save tries to write all that waits.
func (v *autosaver) save() {
	v.mu.Lock()
	live, characters, ground := v.live, v.characters, v.ground
	v.ground = nil
	v.live, v.characters = map[data.CharacterID]rules.LiveState{}, map[data.CharacterID]departure{}
	v.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), saveTimeout)
	defer cancel()

	err := v.saveCharacters(ctx, characters)
	if err == nil {
		characters = nil
	}
	if len(live) > 0 && err == nil {
		if err = v.store.SaveLive(ctx, slices.Collect(maps.Values(live))); err == nil {
			v.count.saves.Add(uint64(len(live)))
			live = nil
		}
	}
	if len(ground) > 0 && err == nil {
		if err = v.store.SaveGround(ctx, ground); err == nil {
			ground = nil
		}
	}
	if err != nil {
		v.count.saveFailures.Add(1)
	}
	if failing := err != nil; failing != v.failing {
		v.failing = failing
		if failing {
			v.log.Error("cannot save; will try again", "error", err, "characters", len(characters), "places", len(live))
		} else {
			v.log.Info("saving works again")
		}
	}
	v.keep(live, characters)
	v.keepGround(ground)
}

// saveCharacters writes those that have left, and tells all that wait for it.
func (v *autosaver) saveCharacters(ctx context.Context, characters map[data.CharacterID]departure) error {
	if len(characters) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(characters)) // players of one batch leave in the same order in equal runs
	batch := make([]data.Character, len(ids))
	for i, id := range ids {
		batch[i] = characters[id].character
	}
	err := v.store.SaveCharacters(ctx, batch)
	var lost error
	if errors.Is(err, data.ErrPartly) {
		// Deleted meanwhile, or a defect of ours: to try again would help nobody, and keep their accounts.
		v.log.Error("cannot save", "error", err)
		err, lost = nil, err
	}
	if err != nil {
		return err
	}
	v.count.saves.Add(uint64(len(ids)))
	for _, id := range ids {
		for _, done := range characters[id].done {
			done(lost)
		}
	}
	return nil
}

// keep puts back states that could not be written, unless newer ones have come meanwhile.
func (v *autosaver) keep(live map[data.CharacterID]rules.LiveState, characters map[data.CharacterID]departure) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, d := range characters {
		newer, ok := v.characters[id]
		if ok {
			d = departure{newer.character, append(d.done, newer.done...)}
		}
		v.characters[id] = d
	}
	for id, state := range live {
		_, newer := v.live[id]
		_, left := v.characters[id]
		if !newer && !left {
			v.live[id] = state
		}
	}
}

// keepGround puts back heights that could not be written, before the heights that have come meanwhile.
func (v *autosaver) keepGround(cells []rules.GroundCell) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(cells)+len(v.ground) <= mostGround {
		v.ground = append(cells, v.ground...)
	}
}
