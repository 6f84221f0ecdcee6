package game

import (
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ops"
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

// A reset by the player itself is in the audit trail, with the points that it gave back.
func TestAResetIsWrittenDown(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	name := g.player.p().character.Name
	g.server.Happened([]world.Event{world.BeganAgain{ID: g.player.pid(), What: rules.Unlearn, Title: 3, Degree: 1,
		TitlePoints: 8, Back: [2]int{8, 0}}})
	var trail []data.AuditEntry
	g.until("the entry", func() bool {
		trail, _ = g.store.AuditTrail(t.Context(), data.AuditFilter{Target: name}, 9)
		return len(trail) > 0
	})
	if len(trail) != 1 || trail[0].Action != ops.CharacterReset || trail[0].Who != g.player.s().Login() ||
		trail[0].Detail != "unlearn: title 3, degree 1, points +8 and +0" {
		t.Errorf("written down %+v", trail)
	}
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
