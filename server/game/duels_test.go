package game

import (
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestDuelsHaveWords(t *testing.T) {
	t.Parallel()
	for news := world.DuelAsked; news < world.DuelRefused; news++ {
		if duelNews[news].English == "" || duelNews[news].Russian == "" {
			t.Errorf("no words for the news %d", news)
		}
	}
	for _, why := range []rules.RejectReason{rules.NobodyThere, rules.Yourself, rules.Dead, rules.TargetDead, rules.Busy,
		rules.TooFar, rules.PeacefulPlace, rules.TheirPeacefulPlace, rules.Declined, rules.NoChallenge} {
		if duelRefusals[why].English == "" || duelRefusals[why].Russian == "" {
			t.Errorf("no words for the refusal %q", why)
		}
	}
}

func TestWhoCannotBeRebornIsTold(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	g.wantLine(g.player, "Чтобы сделать это, напишите: /перерождение подтвердить", "/rebirth")
	g.wantLine(g.player, "#10049", "/rebirth confirm")
	g.wantLine(g.player, "Уровень и так не выше 15.", "/опуститьтитул подтвердить")
	g.wantLine(g.player, "Вы ещё ничего не вложили.", "/сброс да")
}

func TestThoseAroundAreToldOfAKill(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.fighter()
	seen := world.KillSeen{Victim: "Один", Killer: "Другой", To: []world.PlayerID{p.pid(), 999}}
	g.server.Happened([]world.Event{seen})
	g.pass(100 * time.Millisecond)
	told := commandsOf[*packets.SystemMessage](p.frames())
	if len(told) != 1 || told[0].Text != "Один погибает от руки Другой." {
		t.Errorf("told %+v", told)
	}
}
