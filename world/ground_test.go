package world

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A slope is a ground that rises with x.
type slope struct{ unknown }

func (slope) Height(at coords.Position, _ *coords.Position) (float32, bool) { return at.X / 2, true }

func TestGroundIsUnknownUnlessGiven(t *testing.T) {
	if _, known := New(Options{}, nil).options.Ground.Height(shipstone, nil); known {
		t.Error("a height is known without a map")
	}
	if y, known := New(Options{Ground: slope{}}, nil).options.Ground.Height(east(8), nil); y != east(8).X/2 || !known {
		t.Errorf("the height is %v, %v", y, known)
	}
}

// A student is a ground that remembers the places that it is taught.
type student struct {
	unknown
	taught []coords.Position
}

func (s *student) Learn(at coords.Position) bool {
	s.taught = append(s.taught, at)
	return true
}

func (s *student) Learned() (cells []rules.GroundCell) {
	for _, at := range s.taught {
		cells = append(cells, rules.GroundCell{X: int32(at.X / 2), Z: int32(at.Z / 2), Y: at.Y})
	}
	s.taught = nil
	return cells
}

func TestWhoWalksTeachesTheGround(t *testing.T) {
	ground := &student{}
	s := newStage(Options{Ground: ground})
	s.enter(1)
	expect := func(what string, to coords.Position, want int) {
		t.Helper()
		s.Move(1, to)
		s.pass(TickPeriod)
		if len(ground.taught) != want {
			t.Errorf("%s: %d places are taught, expected %d", what, len(ground.taught), want)
		}
		ground.taught = nil
	}
	expect("a step", east(1), 1)
	up := east(2)
	up.Y += 2.5
	expect("a leap", up, 0)
	s.pass(3 * time.Second)
	expect("a step after it", east(3), 1)
	s.does(setPools{1, rules.Pools{MaxHP: 100}})
	expect("the dead", east(4), 0)
	expect("the dead", east(5), 0)
	s.does(setPools{1, rules.Pools{HP: 1, MaxHP: 100}})
	s.does(Teleport{1, east(50)})
	if len(ground.taught) > 0 {
		t.Error("a teleport teaches something")
	}
	s.Move(1, east(51))
	if got := of[GroundLearned](s.pass(4 * time.Second)); len(got) != 1 || len(got[0].Cells) != 1 {
		t.Errorf("%v are to last", got)
	}
}
