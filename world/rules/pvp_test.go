package rules

import "testing"

func TestMayFight(t *testing.T) {
	b := &DuelBalance{FromLevel: 10}
	grown := Opponent{Level: 10}
	weak := Opponent{Level: 9}
	quiet := Opponent{Level: 10, AtPeace: true}
	for _, v := range []struct {
		what             string
		attacker, victim Opponent
		between          Bond
		want             RejectReason
	}{
		{"two grown", grown, grown, Bond{}, 0},
		{"a dead one", grown, Opponent{Level: 10, Dead: true}, Bond{Duel: true}, TargetDead},
		{"one of the party", grown, grown, Bond{Party: true}, PartyMember},
		{"one of the party, in a duel", grown, grown, Bond{Party: true, Duel: true}, 0},
		{"from a town", quiet, grown, Bond{}, PeacefulPlace},
		{"into a town", grown, quiet, Bond{}, TheirPeacefulPlace},
		{"into a town, in a duel", grown, quiet, Bond{Duel: true}, TheirPeacefulPlace},
		{"by a beginner", weak, grown, Bond{}, TooLow},
		{"at a beginner", grown, weak, Bond{}, TheyTooLow},
		{"two beginners", weak, weak, Bond{}, TooLow},
		{"two beginners, in a duel", weak, weak, Bond{Duel: true}, 0},
		{"one who has just come to life", grown, Opponent{Level: 10, Protected: true}, Bond{}, Protected},
		{"after a duel", grown, grown, Bond{Truce: true}, Protected},
	} {
		if got := b.MayFight(v.attacker, v.victim, v.between); got != v.want {
			t.Errorf("%s: %v, want %v", v.what, got, v.want)
		}
	}
}

func TestMayDuel(t *testing.T) {
	alive, dead, quiet := Opponent{}, Opponent{Dead: true}, Opponent{AtPeace: true}
	for _, v := range []struct {
		what              string
		challenger, other Opponent
		busy, far         bool
		want              RejectReason
	}{
		{"anybody", alive, alive, false, false, 0},
		{"the dead", dead, alive, true, true, Dead},
		{"with the dead", alive, dead, true, true, TargetDead},
		{"in the middle of something", alive, alive, true, true, Busy},
		{"from afar", quiet, alive, false, true, TooFar},
		{"in a town", quiet, quiet, false, false, PeacefulPlace},
		{"with one in a town", alive, quiet, false, false, TheirPeacefulPlace},
	} {
		if got := MayDuel(v.challenger, v.other, v.busy, v.far); got != v.want {
			t.Errorf("%s: %v, want %v", v.what, got, v.want)
		}
	}
}
