package game

import (
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// duelNews are what players are told of duels; %s is the other.
var duelNews = map[world.DuelNews]ops.Text{
	world.DuelAsked: text("Вызов отправлен: %s.", "%s has been challenged."),
	world.DuelOffered: text("%s вызывает вас на дуэль. Ответьте /дуэль да или /дуэль нет.",
		"%s challenges you to a duel. Answer /duel yes or /duel no."),
	world.DuelBegan: text("Дуэль началась: %s.", "The duel with %s begins."),
	world.DuelWon:   text("Вы победили в дуэли: %s.", "You have won the duel with %s."),
	world.DuelLost:  text("Вы проиграли дуэль: %s.", "You have lost the duel with %s."),
	world.DuelOver:  text("Время дуэли вышло, победителя нет: %s.", "The time of the duel with %s is up, nobody has won."),
	world.DuelMeddled: text("В дуэль вмешались, победителя нет: %s.",
		"Somebody has meddled in the duel with %s, nobody has won."),
	world.DuelExpired: text("Вызов остался без ответа: %s.", "The challenge was not answered: %s."),
}

// duelRefusals are why there is no duel.
var duelRefusals = map[rules.RejectReason]ops.Text{
	rules.NobodyThere: text("Вызывать некого.", "There is nobody for a duel."),
	rules.Yourself:    text("С собой не дерутся.", "Nobody fights himself."),
	rules.Dead:        text("Мёртвые не дерутся.", "The dead do not fight."),
	rules.TargetDead:  text("Этот игрок мёртв.", "That player is dead."),
	rules.Busy:        text("Кто-то из вас уже дерётся.", "One of you has a duel already."),
	rules.TooFar:      text("Слишком далеко.", "Too far away."),
	rules.PeacefulPlace: text("Вы находитесь в мирном месте.",
		"You are in a peaceful place."),
	rules.TheirPeacefulPlace: text("Этот игрок находится в мирном месте.",
		"That player is in a peaceful place."),
	rules.Declined: text("Вызов отклонён.", "Your challenge is declined."),
}

// duelTold tells a player what has become of a duel.
func (s *player) duelTold(e world.DuelTold) {
	if e.News == world.DuelRefused {
		s.Tell(duelRefusals[e.Why])
		return
	}
	s.Tell(duelNews[e.News], e.Other)
}
