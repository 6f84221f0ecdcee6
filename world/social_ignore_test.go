package world

import (
	"slices"
	"testing"

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
	m.does(Ignore{2, rules.Ignored{1001}})
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

	// It is of game masters no more, ends a trade that is under way, and goes with the player.
	m.does(ChangeRole{1, GameMaster})
	if to := heard(Say{From: 1, Channel: Near, Text: "порядок"}); len(to) != 3 {
		t.Errorf("a game master is heard by %v", to)
	}
	m.does(ChangeRole{1, Anyone}, Ignore{ID: 2})
	if to := heard(Say{From: 1, Channel: Private, To: "Герой2", Text: "привет"}); !slices.Equal(to, []PlayerID{1, 2}) {
		t.Errorf("heard by %v again", to)
	}
	if e := of[PlayerTradeOpened](m.asks(t, TradeWithPlayer{ID: 1, With: 2})); len(e) != 2 {
		t.Errorf("a trade is told as %+v", e)
	}
	m.does(Ignore{2, rules.Ignored{1001}})
	refused(t, m.asks(t, OfferSlot{ID: 1, Slot: 1, Price: 1}), rules.IgnoresYou)
	if e := of[PlayerTradeClosed](m.pass(2 * dealWatch)); len(e) != 2 {
		t.Errorf("its end is told as %+v", e)
	}
	if m.does(Leave{ID: 2}); len(m.ignores) != 0 {
		t.Error("a list outlasts its player")
	}
}
