package game

import (
	"strings"
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
	for _, confirmed := range []string{"", " confirm"} {
		g.wantLine(g.player, "#10049", "/rebirth%s", confirmed)
		g.wantLine(g.player, "Титул и так не выше 15.", "/опуститьтитул%s", confirmed)
		g.wantLine(g.player, "Степень и так не выше 15.", "/опуститьстепень%s", confirmed)
		g.wantLine(g.player, "Вы ещё ничего не вложили.", "/сброс%s", confirmed)
	}
}

// A reset by the player itself is in the audit trail, with the points that it gave back.
func TestAResetIsWrittenDown(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	name := g.player.p().character.Name
	g.server.Happened([]world.Event{world.ProgressReset{ID: g.player.pid(), What: rules.Unlearn, Title: 3, Degree: 1,
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
	if len(told) != 1 || told[0].Text != "Один погибает от руки игрока Другой." {
		t.Errorf("told %+v", told)
	}
}

// What the client has a text for is told by its number, with the level where that has a place.
func TestRefusalsAreToldByNumber(t *testing.T) {
	t.Parallel()
	g := newStage(t, sharp)
	p := g.fighter()
	for _, c := range []struct {
		why     rules.RejectReason
		request world.Command
		text    uint16
		number  int16
	}{
		{rules.NoSlot, world.MoveItem{}, 101, 0},
		{rules.Promised, world.Open{}, 106, 0},
		{rules.LacksTitle, world.Strike{}, 110, 0},
		{rules.LacksDegree, world.UseItem{}, 111, 0},
		{rules.KarmaTooBad, world.MoveItem{}, 112, 0},
		{rules.LacksGuild, world.MoveItem{}, 119, 0},
		{rules.NoArrows, world.Strike{}, 185, 0},
		{rules.AlreadyReset, world.ResetProgress{}, 851, 0},
		{rules.HasGuild, world.ResetProgress{}, 10045, 0},
		{rules.NotSixty, world.ResetProgress{}, 10049, 0},
		{rules.Greatest, world.ResetProgress{}, 10050, 0},
		{rules.TooLow, world.Strike{}, 10300, 10},
		{rules.TheyTooLow, world.Strike{}, 10301, 10},
		{rules.PeacefulPlace, world.Strike{}, 10302, 0},
		{rules.TheirPeacefulPlace, world.Strike{}, 10303, 0},
		{rules.Busy, world.Strike{}, 10561, 0},
		{rules.StoreFailed, world.Strike{}, 10561, 0},
		{rules.StoreFailed, world.UseItem{}, 10561, 0},
		{rules.StoreFailed, nil, 10561, 0}, // what a kill would have brought
	} {
		p.frames()
		g.server.Happened([]world.Event{world.Refused{ID: p.pid(), Command: c.request, Why: c.why}})
		g.pass(100 * time.Millisecond)
		frames := p.frames()
		var text uint16
		var number int16
		for _, m := range commandsOf[*packets.SystemText](frames) {
			text += m.Text
		}
		for _, m := range commandsOf[*packets.SystemTextNumber](frames) {
			text, number = text+m.Text, m.Argument
		}
		if lines := commandsOf[*packets.SystemMessage](frames); text != c.text || number != c.number || len(lines) > 0 {
			t.Errorf("%v of %T: text %d with %d, lines %+v; expected text %d with %d", c.why, c.request, text, number, lines,
				c.text, c.number)
		}
	}
}

// A duel is counted down and begun in the client's own words; users B5, B6: the terms, and how far away peace ends, are
// told in ours.
func TestDuelsAreCountedDown(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	for _, c := range []struct {
		told world.DuelTold
		want string
	}{
		{world.DuelTold{News: world.DuelAgreed, Other: "Сыч"},
			"Дуэль с игроком Сыч: до 10 % здоровья, не дольше 3 мин, не дальше 40 м отсюда.\n#10403 5"},
		{world.DuelTold{News: world.DuelBegan, Other: "Сыч"}, "#10402\nДуэль с игроком Сыч началась."},
		{world.DuelTold{News: world.DuelWon, Other: "Сыч"}, "Вы победили в дуэли с игроком Сыч."},
		{world.DuelTold{News: world.DuelRefused, Why: rules.NoChallenge}, "Вас никто не вызывал, или вызов устарел."},
		{world.DuelTold{News: world.DuelRefused, Why: rules.PeacefulPlace},
			"Вы находитесь в мирном месте: отойдите на 75 м от середины города и на 25 м от торговцев."},
	} {
		g.settle()
		c.told.ID = g.player.pid()
		g.server.Happened([]world.Event{c.told})
		if have := strings.Join(g.settle()[0], "\n"); have != c.want {
			t.Errorf("told %q, expected %q", have, c.want)
		}
	}
}

func TestResetsAreTold(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	for what := rules.Rebirth; what <= rules.LeaveGuild; what++ {
		g.settle()
		told := world.ProgressReset{ID: g.player.pid(), What: what, Title: 75, Degree: 23, TitlePoints: 77, DegreePoints: 5}
		g.server.Happened([]world.Event{world.ResetPossible{ProgressReset: told, Licensed: true}})
		have := strings.Join(g.settle()[0], "\n")
		if !strings.Contains(have, "примените её ещё раз") || strings.Contains(have, "/") {
			t.Errorf("of reset %d by a licence it is warned by %q", what, have)
		}
		if what != rules.LeaveGuild && !strings.Contains(have, "титул 15, степень 23; свободных очков титула 77, степени 5.") {
			t.Errorf("of reset %d it is told %q", what, have)
		}
		g.server.Happened([]world.Event{world.ResetPossible{ProgressReset: told}})
		have = strings.Join(g.settle()[0], "\n")
		word, ok := strings.CutSuffix(have[strings.LastIndexByte(have, '/')+1:], " подтвердить")
		if !ok || word == "" {
			t.Errorf("of reset %d it is warned by %q", what, have)
		}
	}
	for what, want := range map[rules.Reset]string{rules.Unlearn: "#850", rules.LeaveGuild: "Вы отказались от специальности."} {
		g.settle()
		g.server.Happened([]world.Event{world.ProgressReset{ID: g.player.pid(), What: what}})
		if have := strings.Join(g.settle()[0], "\n"); !strings.Contains(have, want) {
			t.Errorf("reset %d is told as %q", what, have)
		}
	}
	g.wantLine(g.player, "У вас нет специальности.", "/resetguild confirm")
}
