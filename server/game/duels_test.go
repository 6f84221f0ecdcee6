package game

import (
	"testing"

	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestDuelsHaveWords(t *testing.T) {
	for news := world.DuelAsked; news < world.DuelRefused; news++ {
		if duelNews[news].English == "" || duelNews[news].Russian == "" {
			t.Errorf("no words for the news %d", news)
		}
	}
	for _, why := range []rules.RejectReason{rules.NobodyThere, rules.Yourself, rules.Dead, rules.TargetDead, rules.Busy,
		rules.TooFar, rules.PeacefulPlace, rules.TheirPeacefulPlace, rules.Declined} {
		if duelRefusals[why].English == "" || duelRefusals[why].Russian == "" {
			t.Errorf("no words for the refusal %q", why)
		}
	}
}

func TestWhoCannotBeRebornIsTold(t *testing.T) {
	g := newCrew(t)
	g.wantLine(g.player, "Для этого нужен 60-й титул или 60-я степень.", "/rebirth")
	g.wantLine(g.player, "Терять уже нечего.", "/опуститьтитул")
}
