package game

import (
	"fmt"
	"time"

	"sphereserver/world"
	"sphereserver/world/rules"
)

var (
	floodText = text{"Слишком много сообщений подряд: последнее не " +
		"отправлено.", "Too many messages at once: the last one was not sent."}
	hasteText = text{"Не так быстро, пожалуйста.", "Not so fast, please."}
	mutedText = text{"Вам запрещено говорить %s.", "You may not speak %s."}
	// privateHint answers the client's own way to say something to one player, which is not understood.
	privateHint = text{"Личное сообщение: /tell ИМЯ ТЕКСТ",
		"For a private message: /tell NAME TEXT"}
	nobodyText = text{"Игрока %s сейчас нет в мире.", "%s is not in the world now."}

	privateFrom = text{"Лично от %s: %s", "Private from %s: %s"}
	privateTo   = text{"Лично для %s: %s", "Private to %s: %s"}
)

// refusalTexts are what a player is told when the world does not do what was asked for in chat and groups.
var refusalTexts = map[rules.RejectReason]text{
	rules.NobodyThere: {"Такого игрока сейчас нет в мире.",
		"There is no such player in the world now."},
	rules.Yourself:       {"Это вы сами.", "That is you yourself."},
	rules.NotAllowed:     {"Вам это не разрешено.", "You are not allowed to do that."},
	rules.UnknownChannel: {"Такого канала нет.", "There is no such channel."},
	rules.NoClan:         {"Вы не состоите в клане.", "You are not in a clan."},
	rules.NoParty:        {"Вы не состоите в группе.", "You are not in a group."},
	rules.AlreadyInParty: {"Вы уже состоите в группе.", "You are in a group already."},
	rules.AlreadyApplied: {"Вы уже попросились в эту группу.",
		"You have asked to join this group already."},
	rules.TheyHaveNoParty: {"Этот игрок не состоит в группе.", "That player is not in a group."},
	rules.PartyFull:       {"В группе нет места.", "The group is full."},
	rules.NotLeader: {"Это может только лидер группы.",
		"Only the leader of the group can do that."},
	rules.NotMember: {"Этого игрока нет в группе.", "That player is not in the group."},
	rules.NotApplied: {"Этот игрок не просился в группу.",
		"That player has not asked to join the group."},
	rules.Declined: {"Вас не приняли в группу.", "You were not taken into the group."},
}

// refuse tells the player why something was not done.
func (s *player) refuse(why rules.RejectReason) {
	t, ok := refusalTexts[why]
	if !ok {
		t = refusalTexts[rules.NotAllowed]
	}
	s.tell(t)
}

// sayRefused tells the player why nobody has heard a line.
func (s *player) sayRefused(e world.SayRefused) {
	if e.Why == rules.NobodyThere && e.To != "" {
		s.tell(nobodyText, shortName(e.To))
		return
	}
	s.refuse(e.Why)
}

// mutedFor says how much longer a mute lasts, as players read it.
func mutedFor(now, end time.Time, l Language) string {
	left := end.Sub(now)
	switch minutes := int((left + time.Minute - 1) / time.Minute); {
	case left > longestSpan/2:
		return until(time.Time{}, l)
	case left >= 24*time.Hour:
		return until(end, l)
	case minutes < 60:
		return fmt.Sprintf(text{"ещё %d мин", "for another %d min"}.in(l), minutes)
	default:
		return fmt.Sprintf(text{"ещё %d ч %d мин", "for another %d h %d min"}.in(l), minutes/60, minutes%60)
	}
}

// shortName is a name that a player has typed, as it may be shown: one that is too long for a name is cut.
func shortName(name string) string {
	const most = 32
	n := 0
	for i := range name {
		if n++; n > most {
			return cleanMessage(name[:i]) + "…"
		}
	}
	return cleanMessage(name)
}
