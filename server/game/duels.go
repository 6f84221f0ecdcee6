package game

import (
	"context"
	"fmt"
	"math"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// duelNews are the texts about duels; %s is the other player.
var duelNews = map[world.DuelNews]ops.Text{
	world.DuelAsked: text("Вызов отправлен: %s.", "%s has been challenged."),
	world.DuelOffered: text("%s вызывает вас на дуэль. Ответьте /дуэль да или /дуэль нет.",
		"%s challenges you to a duel. Answer /duel yes or /duel no."),
	world.DuelAgreed: text("Дуэль с игроком %s: до %.0f %% здоровья, не дольше %.0f мин, не дальше %.0f м отсюда.",
		"A duel with %s: to %.0f %% of the health, for %.0f min at most, within %.0f m of here."),
	world.DuelBegan: text("Дуэль с игроком %s началась.", "The duel with %s begins."),
	world.DuelWon:   text("Вы победили в дуэли с игроком %s.", "You have won the duel with %s."),
	world.DuelLost:  text("Вы проиграли дуэль с игроком %s.", "You have lost the duel with %s."),
	world.DuelOver: text("Время дуэли с игроком %s вышло, победителя "+
		"нет.", "The time of the duel with %s is up, nobody has won."),
	world.DuelMeddled: text("В дуэль с игроком %s вмешались, победителя нет.",
		"Somebody has meddled in the duel with %s, nobody has won."),
	world.DuelExpired: text("Вызов на дуэль с игроком %s остался без "+
		"ответа.", "The challenge to a duel with %s was not answered."),
}

// duelRefusals are why there is no duel.
var duelRefusals = map[rules.RejectReason]ops.Text{
	rules.NobodyThere: text("Такого игрока рядом нет.", "There is no such player near."),
	rules.NoChallenge: text("Вас никто не вызывал, или вызов "+
		"устарел.", "Nobody has challenged you, or it was too long ago."),
	rules.Yourself:   text("С собой не дерутся.", "Nobody fights himself."),
	rules.Dead:       text("Мёртвые не дерутся.", "The dead do not fight."),
	rules.TargetDead: text("Этот игрок мёртв.", "That player is dead."),
	rules.Busy:       text("Кто-то из вас уже дерётся или торгует.", "One of you fights or trades already."),
	rules.TooFar:     text("Слишком далеко.", "Too far away."),
	rules.PeacefulPlace: text(
		"Вы находитесь в мирном месте: отойдите на %.0f м от середины города и на %.0f м от торговцев.",
		"You are in a peaceful place: go %.0f m away from the middle of the city, and %.0f m from traders."),
	rules.TheirPeacefulPlace: text("Этот игрок находится в мирном месте.", "That player is in a peaceful place."),
	rules.Declined:           text("Вызов отклонён.", "Your challenge is declined."),
	rules.IgnoresYou:         text("Этот игрок не хочет вас слышать.", "That player does not want to hear you."),
	rules.JustDeclined:       chat.DeclinedText,
	rules.TheyHaveChallenge: text("Этого игрока уже вызвал другой: он ещё не ответил.",
		"Another has challenged that player already, and it has not answered yet."),
	rules.AlreadyInvited: text("Вы уже вызвали этого игрока: он ещё не ответил.",
		"You have challenged that player already, and it has not answered yet."),
}

// duelTold tells a player news of a duel.
func (s *player) duelTold(e world.DuelTold) {
	b := &s.server.world.Balance().Duel
	switch e.News {
	case world.DuelRefused:
		if e.Why == rules.PeacefulPlace {
			s.Tell(duelRefusals[e.Why], b.City, b.Trader)
			return
		}
		s.Tell(duelRefusals[e.Why])
		return
	case world.DuelAgreed:
		s.Tell(duelNews[e.News], e.Other, 100*b.Lost, b.Lasts.Minutes(), b.Field)
		if seconds := int(math.Ceil(b.Countdown.Seconds())); seconds > 0 {
			s.TellOwnNumber(view.TextFightSoon, text("Бой начнётся через %d с.", "The fight begins in %d s."), seconds)
		}
		return
	case world.DuelBegan:
		s.SayOwn(view.TextFightBegun, 0)
	}
	s.Tell(duelNews[e.News], e.Other)
}

// resetPossible tells a player what a reset takes and leaves, and how to do it.
func (s *player) resetPossible(e world.ResetPossible) {
	w := resetWarnings[e.What]
	s.Tell(w.effect)
	if e.What != rules.LeaveGuild {
		s.Tell(text("Будет: титул %d, степень %d; свободных очков титула %d, степени %d.",
			"It will be: title %d, degree %d; free points of the title %d, of the degree %d."), levelInCycle(e.Title),
			levelInCycle(e.Degree), e.TitlePoints, e.DegreePoints)
	}
	if e.Licensed {
		s.Tell(text("Лицензия будет израсходована. Чтобы сделать это, примените её ещё раз в течение минуты.",
			"The licence will be used up. To do it use it once more within a minute."))
		return
	}
	if w.once {
		s.Tell(text("Без лицензии это можно сделать один раз.", "Without a licence this can be done once."))
	}
	s.Tell(text("Чтобы сделать это, в течение минуты напишите: /%s", "To do it write within a minute: /%s"), w.order.In(s.Russian))
}

// levelInCycle is a level as players read it: after a rebirth it counts from 1 again.
func levelInCycle(level int) int { return (level-1)%rules.CycleLevels + 1 }

// resetWarnings tell the effects of a reset before it is done, and the command that does it.
var resetWarnings = map[rules.Reset]struct {
	effect, order ops.Text
	once          bool
}{
	rules.Rebirth: {text("Титул и степень станут 15, вложенные очки вернутся, опыт к следующему уровню пропадёт.",
		"Title and degree become 15, spent points come back, experience towards the next level is lost."),
		text("перерождение подтвердить", "rebirth confirm"), false},
	rules.TitleDown: {text("Титул станет 15, каждые 5 потерянных уровней дадут уровень степени, вложенные очки вернутся.",
		"The title becomes 15, each 5 levels that are lost give a level of the degree, spent points come back."),
		text("опуститьтитул подтвердить", "titledown confirm"), true},
	rules.DegreeDown: {text("Степень станет 15, каждые 5 потерянных уровней дадут уровень титула, вложенные очки вернутся.",
		"The degree becomes 15, each 5 levels that are lost give a level of the title, spent points come back."),
		text("опуститьстепень подтвердить", "degreedown confirm"), true},
	rules.Unlearn: {text("Все вложенные очки характеристик вернутся.", "All points spent on statistics come back."),
		text("сброс подтвердить", "resetskills confirm"), true},
	rules.LeaveGuild: {text("Специальность, ранг, знак и умения гильдии пропадут.",
		"The speciality, its rank, emblem and abilities are lost."),
		text("отказгильдии подтвердить", "resetguild confirm"), false},
}

// progressReset tells a player its values after a reset.
func (s *player) progressReset(e world.ProgressReset) {
	s.Log().Info("began again", "login", s.Login(), "character", s.character.Name, "reset", int(e.What),
		"title", e.Title,
		"degree", e.Degree)
	switch e.What {
	case rules.Unlearn:
		s.SayOwn(view.TextStatsReset, 0)
	case rules.LeaveGuild:
		s.Tell(text("Вы отказались от специальности.", "You have given up your speciality."))
	}
	s.Tell(text("Готово: титул %d, степень %d; свободных очков титула %d, степени %d.",
		"Done: title %d, degree %d; free points of the title %d, of the degree %d."), levelInCycle(e.Title),
		levelInCycle(e.Degree), e.TitlePoints, e.DegreePoints)
	entry := data.AuditEntry{Who: s.Login(), Action: ops.CharacterReset, Target: s.character.Name,
		Detail: fmt.Sprintf("%s: title %d, degree %d, points %+d and %+d", resets[e.What], e.Title, e.Degree, e.Back[0],
			e.Back[1])}
	s.Go(func(ctx context.Context) {
		if err := s.server.ops.Store.AppendAudit(ctx, entry); err != nil {
			s.Log().Error("a reset is not in the audit trail", "error", err, "character", entry.Target, "detail", entry.Detail)
		}
	})
}

// resets are the names of resets in the audit trail.
var resets = map[rules.Reset]string{rules.Rebirth: "rebirth", rules.TitleDown: "title down",
	rules.DegreeDown: "degree down", rules.Unlearn: "unlearn", rules.LeaveGuild: "leave the guild"}
