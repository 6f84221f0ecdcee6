package ops

import (
	"errors"
	"testing"

	"sphereserver/data/content"
	"sphereserver/world"
)

// A townRuntime has towns of another size than those of the balance that ships.
type townRuntime struct {
	*fakeRuntime
	free float64
}

func (r *townRuntime) World() *world.Snapshot {
	s := r.fakeRuntime.World()
	b := *s.Balance
	b.Spawn.TownFree = r.free
	s.Balance = &b
	return s
}

// Review D10: no monster is said to be summoned where the world puts none, since a town is as large as the balance in
// force says.
func TestMonstersAreSummonedOutsideOfTheTownInForce(t *testing.T) {
	for _, v := range []struct {
		free, metres float32
		town         bool
	}{{75, 100, false}, {200, 100, true}, {200, 210, false}, {20, 30, false}} {
		s, live := made(t)
		s.Runtime = &townRuntime{live, float64(v.free)}
		at := content.Cities()[0].Position
		at.X += v.metres
		_, err := SummonMonster.Do(t.Context(), s, tester, MonsterSummon{Monster: "1011", At: at})
		if v.town != errors.Is(err, ErrInvalid) || !v.town && err != nil {
			t.Errorf("%v m from the middle, with towns of %v m: %v", v.metres, v.free, err)
		}
		if told := live.log(); (told == "") != v.town {
			t.Errorf("%v m from the middle, with towns of %v m: the world is told %q", v.metres, v.free, told)
		}
	}
}
