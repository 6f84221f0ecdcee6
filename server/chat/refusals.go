package chat

import (
	"fmt"

	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

var (
	floodText = text(
		"Слишком много сообщений подряд: последнее не отправлено.",
		"Too many messages at once: the last one was not sent.")
	// privateHint answers the client's own way to say something to one player, which is not understood.
	privateHint = text("Личное сообщение: ИМЯ>ТЕКСТ или /tell ИМЯ ТЕКСТ",
		"For a private message: NAME>TEXT, or /tell NAME TEXT")

	privateFrom = text("Лично от %s: %s", "Private from %s: %s")
	privateTo   = text("Лично для %s: %s", "Private to %s: %s")
)

// DeclinedText tells a player that it has to wait before it asks another for the same again.
var DeclinedText = text(fmt.Sprintf("Этот игрок только что отказался: спросить снова можно через %.0f с.",
	rules.DeclineCooldown.Seconds()), fmt.Sprintf("That player has just declined: you can ask again after %.0f s.",
	rules.DeclineCooldown.Seconds()))

// refusalTexts are the answers when the world refuses a request of chat or groups.
var refusalTexts = map[rules.RejectReason]ops.Text{
	rules.NobodyThere:     text("Такого игрока сейчас нет в мире.", "There is no such player in the world now."),
	rules.Yourself:        text("Это вы сами.", "That is you yourself."),
	rules.NotAllowed:      text("Вам это не разрешено.", "You are not allowed to do that."),
	rules.UnknownChannel:  text("Такого канала нет.", "There is no such channel."),
	rules.NoClan:          text("Вы не состоите в клане.", "You are not in a clan."),
	rules.NoParty:         text("Вы не состоите в группе.", "You are not in a group."),
	rules.AlreadyInParty:  text("Вы уже состоите в группе.", "You are in a group already."),
	rules.AlreadyApplied:  text("Вы уже попросились в эту группу.", "You have asked to join this group already."),
	rules.TheyHaveNoParty: text("Этот игрок не состоит в группе.", "That player is not in a group."),
	rules.PartyFull:       text("В группе нет места.", "The group is full."),
	rules.NotLeader:       text("Это может только лидер группы.", "Only the leader of the group can do that."),
	rules.NotMember:       text("Этого игрока нет в группе.", "That player is not in the group."),
	rules.NotApplied:      text("Этот игрок не просился в группу.", "That player has not asked to join the group."),
	rules.TheyHaveParty:   text("Этот игрок уже состоит в группе.", "That player is in a group already."),
	rules.AlreadyInvited: text("Вы уже пригласили этого игрока: он ещё не ответил.",
		"You have invited that player already, and it has not answered yet."),
	rules.JustDeclined: DeclinedText,
	rules.JustApplied: text(fmt.Sprintf("Эту просьбу вы только что отозвали: попроситься снова можно через %.0f с.",
		rules.DeclineCooldown.Seconds()), fmt.Sprintf("You have just withdrawn that request: you can ask again after %.0f s.",
		rules.DeclineCooldown.Seconds())),
	rules.NoInvitation: text("Этого приглашения больше нет.", "That invitation is over."),
	rules.TooFar:       text("Этот игрок слишком далеко.", "That player is too far away."),
	rules.Declined:     text("Вас не приняли в группу.", "You were not taken into the group."),
	rules.IgnoresYou:   text("Этот игрок не хочет вас слышать.", "That player does not want to hear you."),
}

// Refuse tells the player why something was not done.
func (p *Participant) Refuse(why rules.RejectReason) {
	t, ok := refusalTexts[why]
	if !ok {
		t = refusalTexts[rules.NotAllowed]
	}
	p.TellOwn(view.RefusalText(why, nil), t)
}

// SayRefused tells the player why nobody has heard a line.
func (p *Participant) SayRefused(e world.SayRefused) {
	if e.Why == rules.NobodyThere && e.To != "" {
		p.Tell(awayText, shortName(e.To))
		return
	}
	p.Refuse(e.Why)
}
