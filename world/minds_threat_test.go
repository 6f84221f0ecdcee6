package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

func TestMonstersLeaveTheStrongAlone(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	p := s.lives(1, east(30))
	p.Title = 19 // level 20
	s.walk(1, east(6), 20, nil)
	s.pass(5 * time.Second)
	if m.mind.state > wandering {
		t.Error("it goes after somebody 15 levels above it")
	}
	p.Title = 18
	s.pass(5 * time.Second)
	if m.mind.state <= wandering {
		t.Error("it leaves somebody alone 14 levels above it")
	}
}

// Review D9: a player that was reborn is as strong as its level since then.
func TestMonstersGoAfterTheReborn(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	p := s.lives(1, east(30))
	p.Title = 60 + 4 // level 5 once more
	s.walk(1, east(6), 20, nil)
	s.pass(5 * time.Second)
	if m.mind.state <= wandering {
		t.Error("it leaves a reborn player of its own level alone")
	}
}

func TestMonstersOnlyFightBack(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(4, 1, shipstone)
	s.lives(1, east(2))
	s.pass(5 * time.Second)
	s.minds.addThreat(m, s.player(1), 50, rules.Physical)
	s.pass(5 * time.Second)
	if m.mind.state > wandering || len(m.threat) != 1 || m.threat[0].recent[0].damage != 50 {
		t.Errorf("who hits nobody is in state %d", m.mind.state)
	}
}

func TestThreatDecidesWhomAMonsterFights(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	a, b := s.lives(1, east(2)), s.lives(2, east(-2))
	s.minds.addThreat(m, a, 100, rules.Physical)
	s.pass(time.Second)
	s.minds.addThreat(m, b, 119, rules.Physical)
	s.pass(time.Second)
	if m.mind.target != a {
		t.Error("it has turned for less than 1.2 times the threat")
	}
	s.minds.addThreat(m, b, 5, rules.Physical)
	s.pass(time.Second)
	if m.mind.target != b {
		t.Error("it has not turned for 1.2 times the threat")
	}
	s.pass(55 * time.Second)
	s.minds.addThreat(m, a, 10, rules.Physical)
	s.pass(6 * time.Second)
	if m.mind.target != a {
		t.Error("what is longer ago than a minute still threatens")
	}
	s.does(Leave{ID: 1})
	s.pass(time.Second)
	if m.mind.target != b || len(m.threat) != 1 {
		t.Errorf("it has not turned to who is left; %d threats", len(m.threat))
	}
}

// A crowd does not make a threat list long: the least threat makes room for a new one, that of an absent player first.
func TestThreatListsAreBounded(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(4, 1, shipstone)
	const least, absent, n = 7, 9, mostThreats
	for id := PlayerID(1); id <= n; id++ {
		damage := 10 + int(id)
		if id == least {
			damage = 2
		}
		s.minds.addThreat(m, s.lives(id, east(2)), damage, rules.Physical)
	}
	threatens := func(id PlayerID) bool {
		return slices.ContainsFunc(m.threat, func(t threat) bool { return t.by == id })
	}
	s.minds.addThreat(m, s.lives(n+1, east(2)), 100, rules.Physical)
	if len(m.threat) != n || threatens(least) || !threatens(absent) || !threatens(n+1) {
		t.Fatalf("%d threats", len(m.threat))
	}
	s.minds.addThreat(m, s.player(1), 100, rules.Physical)
	s.does(Leave{ID: absent})
	s.minds.addThreat(m, s.lives(n+2, east(2)), 1, rules.Physical)
	if len(m.threat) != n || threatens(absent) || !threatens(n+2) {
		t.Errorf("%d threats after one has left", len(m.threat))
	}
	for id := PlayerID(1); id <= n; id++ {
		if id != least && id != absent && !threatens(id) {
			t.Errorf("the threat of %d is lost", id)
		}
	}
}
