package wild

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// met reports whether a player at a spawner is struck by its monsters, and hits them.
type met struct{ swung, hit bool }

func (m *met) Happened(events []world.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case *world.MonsterSwung:
			m.swung = true
		case *world.MonsterHurt:
			m.hit = m.hit || e.Damage > 0
		}
	}
}

// Review D1: a player that walks on the true ground at any recorded spawner in the open is noticed by its monsters,
// although the rule guesses the height, and fights them with bare hands, which reach as far as a sword.
func TestMonstersOfAllRecordedSpawnersCanBeFought(t *testing.T) {
	places, areas := openPlaces(t)
	fought := 0
	for i, at := range places {
		guess := at
		guess.Y = newWilds(areas[i], land{}, 1, nil, nil).height(at)
		var is met
		const wolf = 1010
		w := world.New(world.Options{Tables: content.Default().Tables, Ground: ground.New(nil), Seed: 1}, &is)
		now := time.Unix(1_700_000_000, 0)
		pass := func() {
			now = now.Add(world.TickPeriod)
			w.Tick(now)
		}
		w.Do(world.AddSpawners{Spawners: []world.Spawner{{Key: "here", At: guess, Level: 5, Types: []int{wolf}, Guessed: true}}})
		from := at
		from.X -= 60
		w.Do(world.Enter{Player: world.Player{ID: 1, Character: 1, Name: "Путник", Position: from,
			Pools: rules.Pools{HP: 1_000_000, MaxHP: 1_000_000, Satiety: 50, MaxSatiety: 100}}})
		pass()
		const metresPerTick = 0.25
		for x := from.X; x < at.X; x += metresPerTick {
			w.Move(1, coords.Position{X: x, Y: at.Y, Z: at.Z})
			pass()
		}
		for n := 0; n < 60*20 && !(is.swung && is.hit); n++ {
			if n%40 == 0 {
				for o := range w.Snapshot().Objects() {
					w.Do(world.Strike{ID: 1, Target: o.ID})
				}
			}
			pass()
		}
		if is.swung && is.hit {
			fought++
		} else {
			t.Errorf("the spawner at %v, guessed %.1f m off: %+v", at, guess.Y-at.Y, is)
		}
	}
	t.Logf("%d of %d could be fought", fought, len(places))
}
