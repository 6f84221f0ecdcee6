package world

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// Lines of an ignored player reach all but the one that ignores it, and no trade, party or duel begins at its wish.
//
// Source: protocol life 13, check 5.3.
func TestLifeCheck5_3Ignored(t *testing.T) {
	m := newTradeStage()
	for id := range PlayerID(3) {
		m.joins(id + 1)
	}
	heard := func(say Say) []PlayerID {
		t.Helper()
		said := of[*Said](m.does(say))
		if len(said) != 1 {
			t.Fatalf("said %v", said)
		}
		to := slices.Clone(said[0].To)
		slices.Sort(to)
		return to
	}
	e := only[IgnoreTold](t, m.does(Ignore{ID: 2, Character: 1001, Name: "Герой1"}))
	if e.Why != 0 || !slices.Equal(e.All, []string{"Герой1"}) {
		t.Errorf("told %+v", e)
	}
	for _, on := range []Channel{Near, Normal, Trade} {
		if to := heard(Say{From: 1, Channel: on, Text: "спам"}); !slices.Equal(to, []PlayerID{1, 3}) {
			t.Errorf("on %v it is heard by %v", on, to)
		}
		if to := heard(Say{From: 3, Channel: on, Text: "да"}); len(to) != 3 {
			t.Errorf("another on %v is heard by %v", on, to)
		}
	}
	if e := only[SayRefused](t, m.does(Say{From: 1, Channel: Private, To: "герой2"})); e.Why != rules.IgnoresYou {
		t.Errorf("a private line is refused with %v", e.Why)
	}
	refused(t, m.asks(t, TradeWithPlayer{ID: 1, With: 2}), rules.IgnoresYou)
	if e := only[PartyRefused](t, m.does(PartyInvite{1, 2})); e.Why != rules.IgnoresYou {
		t.Errorf("an invitation is refused with %v", e.Why)
	}
	m.does(PartyCreate{2})
	if e := only[PartyRefused](t, m.does(PartyApply{1, "Герой2"})); e.Why != rules.IgnoresYou {
		t.Errorf("an application is refused with %v", e.Why)
	}
	m.does(PartyLeave{2})
	if e := only[DuelTold](t, m.does(Duel{ID: 1, Name: "Герой2"})); e.Why != rules.IgnoresYou {
		t.Errorf("a challenge is answered by %+v", e)
	}
	if e := of[DuelTold](m.does(Duel{ID: 3, Name: "Герой2"})); len(e) != 2 {
		t.Errorf("another's challenge is answered by %+v", e)
	}
	if e := only[DuelTold](t, m.does(Duel{ID: 3, Name: "Герой2"})); e.Why != rules.AlreadyInvited {
		t.Errorf("the same challenge once more is answered by %+v", e)
	}

	// It outlasts a logout of either, and is of game masters no more.
	m.does(Leave{ID: 2}, Leave{ID: 1})
	m.does(Enter{m.returning(1)}, Enter{m.returning(2)})
	m.pass(time.Second)
	if to := heard(Say{From: 1, Channel: Near, Text: "ау"}); !slices.Equal(to, []PlayerID{1, 3}) {
		t.Errorf("back again it is heard by %v", to)
	}
	m.does(ChangeRole{1, GameMaster})
	if to := heard(Say{From: 1, Channel: Near, Text: "порядок"}); len(to) != 3 {
		t.Errorf("a game master is heard by %v", to)
	}
	m.does(ChangeRole{1, Anyone})

	if e := only[IgnoreTold](t, m.does(Ignore{ID: 2, Name: "герой9", Off: true})); e.Why != rules.NotIgnored {
		t.Errorf("told %+v", e)
	}
	if e := only[IgnoreTold](t, m.does(Ignore{ID: 2, Name: "герой1", Off: true})); e.Why != 0 || len(e.All) != 0 {
		t.Errorf("told %+v", e)
	}
	if to := heard(Say{From: 1, Channel: Private, To: "Герой2", Text: "привет"}); !slices.Equal(to, []PlayerID{1, 2}) {
		t.Errorf("heard by %v again", to)
	}
}

func TestListOfIgnored(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	add := func(n int64) IgnoreTold {
		return only[IgnoreTold](t, m.does(Ignore{ID: 1, Character: n, Name: fmt.Sprint("Н", n)}))
	}
	if e := add(1001); e.Why != rules.Yourself {
		t.Errorf("ignores itself: %+v", e)
	}
	for n := range int64(mostIgnored) {
		if e := add(1 + n); e.Why != 0 || len(e.All) != int(n)+1 {
			t.Fatalf("told %+v", e)
		}
	}
	if e := add(5); e.Why != 0 || len(e.All) != mostIgnored {
		t.Errorf("one of them again: %+v", e)
	}
	if e := add(500); e.Why != rules.TooManyIgnored || len(e.All) != mostIgnored {
		t.Errorf("one too many: %+v", e)
	}
	if e := only[IgnoreTold](t, m.does(Ignore{ID: 1})); len(e.All) != mostIgnored {
		t.Errorf("the list is %v", e.All)
	}
	if e := only[IgnoreTold](t, m.does(Ignore{ID: 1, Off: true})); len(e.All) != 0 || len(m.ignores) != 0 {
		t.Errorf("after all are heard again: %+v", e)
	}
}
