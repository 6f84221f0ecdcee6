package game

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world/rules"
)

// perform does an operator's verb for who has given a command.
func perform[R, A any](a *asking, v ops.Verb[R, A], request R) (A, error) {
	return v.Do(a, a.server.ops, a.actor(), request)
}

// actor is who gives the command, as the verbs of operators know him.
func (a *asking) actor() ops.Actor { return ops.Actor{Account: a.account, Name: a.login, Role: a.role} }

// whose is the account of the character that the first word names, and how that name is written.
func (a *asking) whose() ops.AccountName { return ops.AccountName{Character: a.word(0)} }

// written is the name of the first word as the character has it.
func (a *asking) written(of ops.Account) string {
	i := slices.IndexFunc(of.Characters, func(name string) bool { return orderKey(name) == orderKey(a.word(0)) })
	if i < 0 {
		return a.word(0)
	}
	return of.Characters[i]
}

// penalty reads how long a ban or a mute lasts, and why.
func (a *asking) penalty() (ops.Penalty, error) {
	span, ok := parseSpan(a.word(1))
	if !ok {
		return ops.Penalty{}, mistaken(timeText, shortName(a.word(1)))
	}
	p := ops.Penalty{Reason: a.rest(2)}
	if span > 0 {
		p.Until = time.Now().Add(span)
	}
	return p, nil
}

// kick ends a player's session.
func (a *asking) kick() (string, error) {
	of, err := perform(a, ops.KickAccount, ops.Kick{AccountName: a.whose(), Reason: a.rest(1)})
	return a.say(kickText, a.written(of)), err
}

var (
	kickText   = text{"Сеанс игрока %s прерван.", "The session of %s was ended."}
	kickedText = text{"Ваш сеанс прерван. %s", "Your session was ended. %s"}
)

// mute keeps a player from speaking.
func (a *asking) mute() (string, error) {
	p, err := a.penalty()
	if err != nil {
		return "", err
	}
	of, err := perform(a, ops.MuteAccount, ops.AccountMute{AccountName: a.whose(), Penalty: p})
	return a.say(muteText, a.written(of), until(p.Until, a.language)), err
}

// SetMute tells the session of an account, if it has one, of a mute that has been stored; the zero mute lets it speak
// again.
func (s *Server) SetMute(account data.AccountID, m data.Mute) {
	p := s.Presence(account)
	if p == nil {
		return
	}
	p.Session.Post(func(of *session.Session) {
		of.SetMute(m)
		if s, ok := of.Player().(*player); ok {
			s.setMute(m)
		}
	})
}

// setMute keeps the player from speaking, or lets it speak again, and says so if it is in the world.
func (s *player) setMute(m data.Mute) {
	spoke := !time.Now().Before(s.mutedUntil)
	s.mutedUntil = time.Time{}
	if !m.At.IsZero() {
		s.mutedUntil = muteEnd(m)
	}
	switch {
	case s.State() != session.InWorld:
	case !m.At.IsZero():
		s.Say(strings.TrimSpace(mutedNowText.in(s.language, until(m.Until, s.language), m.Reason)))
	case !spoke:
		s.tell(unmutedNowText)
	}
}

var (
	muteText       = text{"%s молчит %s.", "%s is mute %s."}
	unmuteText     = text{"%s снова может говорить.", "%s may speak again."}
	mutedNowText   = text{"Вам запрещено говорить %s. %s", "You may not speak %s. %s"}
	unmutedNowText = text{"Вы снова можете говорить.", "You may speak again."}
)

// unmute lets a player speak again.
func (a *asking) unmute() (string, error) {
	of, err := perform(a, ops.UnmuteAccount, a.whose())
	return a.say(unmuteText, a.written(of)), err
}

// ban keeps a player's account out, and ends its session.
func (a *asking) ban() (string, error) {
	p, err := a.penalty()
	if err != nil {
		return "", err
	}
	of, err := perform(a, ops.BanAccount, ops.AccountBan{AccountName: a.whose(), Penalty: p})
	return a.say(banText, a.written(of), until(p.Until, a.language)), err
}

var (
	banText   = text{"Вход для %s закрыт %s.", "%s is kept out %s."}
	unbanText = text{"%s снова может входить.", "%s may come in again."}
)

// unban lets a player's account in again.
func (a *asking) unban() (string, error) {
	of, err := perform(a, ops.UnbanAccount, a.whose())
	return a.say(unbanText, a.written(of)), err
}

// teleport takes the game master to a point, a place or a player.
func (a *asking) teleport() (string, error) {
	words := a.rest(0)
	m := ops.Move{CharacterName: ops.CharacterName{ID: a.character}}
	to, isPoint, err := parsePoint(a.words)
	switch _, isPlace := content.FindPlace(words); {
	case isPoint && err != nil:
		return "", mistaken(outsideText)
	case isPoint:
		m.Position, m.KeepYaw = to, len(a.words) < 4
	case isPlace:
		m.Place = words
	default:
		if _, err := a.findInWorld(words); err != nil {
			return "", a.orPlace(words, err)
		}
		m.Beside = words
	}
	at, err := perform(a, ops.MoveCharacter, m)
	return a.say(jumpText, whereabouts(at.Position, a.language)), err
}

// orPlace names the nearest place for words that name neither a place nor a player.
func (a *asking) orPlace(words string, err error) error {
	if m, ok := err.(*mistake); ok && m.text == unknownText {
		if _, written, ok := content.NearestPlace(words); ok {
			return mistaken(nearText, shortName(words), written)
		}
	}
	return err
}

var (
	jumpText    = text{"Перенос: %s.", "On the way: %s."}
	outsideText = text{"Такой точки в мире нет.", "There is no such point in the world."}
)

// summon brings a player.
func (a *asking) summon() (string, error) {
	m := ops.Move{CharacterName: ops.CharacterName{Name: a.word(0)}, Beside: a.name}
	who, err := perform(a, ops.MoveCharacter, m)
	return a.say(summonText, who.Name), err
}

var summonText = text{"%s переносится к вам.", "%s is on the way to you."}

// announce says something to all in the server's name.
func (a *asking) announce() (string, error) {
	_, err := perform(a, ops.Say, ops.Broadcast{Text: a.rest(0)})
	return "", err
}

// give puts an item into somebody's inventory.
func (a *asking) give() (string, error) {
	words, count := a.words[1:], 1
	if n, err := parseCount(words[len(words)-1]); err == nil && len(words) > 1 {
		words, count = words[:len(words)-1], n
	}
	g := ops.Gift{CharacterName: ops.CharacterName{Name: a.word(0)}, Item: strings.Join(words, " "), Count: &count}
	gave, err := perform(a, ops.GiveItem, g)
	return a.say(giveText, gave.Character, gave.Name.In(a.russian()), gave.Count), err
}

var giveText = text{"%s получает: %s × %d.", "%s gets: %s × %d."}

// spawn puts an NPC of the table of townsfolk, or removes the nearest that was put.
func (a *asking) spawn() (string, error) {
	r := ops.NPCSpawn{NPC: a.rest(0), At: a.at}
	if who := orderKey(r.NPC); who == "убрать" || who == "remove" {
		_, err := perform(a, ops.RemoveNPC, r)
		return doneText.in(a.language), err
	}
	npc, err := perform(a, ops.SpawnNPC, r)
	return a.say(spawnText, npc.Role.In(a.russian())), err
}

var spawnText = text{"Здесь теперь стоит %s.", "Here now stands: %s."}

// money sets, adds or takes money.
func (a *asking) money() (string, error) {
	amount, err := strconv.ParseInt(a.word(1), 10, 32)
	if err != nil {
		return "", mistaken(amountText, shortName(a.word(1)))
	}
	m := ops.Money{CharacterName: ops.CharacterName{Name: a.word(0)}, Amount: amount,
		Relative: strings.ContainsAny(a.word(1)[:1], "+-")}
	has, err := perform(a, ops.SetMoney, m)
	return a.say(moneyText, has.Name, has.Money), err
}

var (
	amountText = text{"Нужна сумма, как 500, +500 или -500, а не «%s».",
		"Expected an amount like 500, +500 or -500, not “%s”."}
	moneyText = text{"%s: денег теперь %d.", "%s has %d coins now."}
)

// level sets levels, and the points to be spent that belong to them.
func (a *asking) level() (string, error) {
	l := ops.Levels{CharacterName: ops.CharacterName{Name: a.word(0)}}
	for i, to := range []**int{&l.Title, &l.Degree} {
		if word := a.word(i + 1); word != "" {
			n, err := parseCount(word)
			if err != nil || n < 1 || n > rules.MaxLevel+1 {
				return "", mistaken(levelRangeText, rules.MaxLevel+1, shortName(word))
			}
			n--
			*to = &n
		}
	}
	c, err := perform(a, ops.SetLevels, l)
	return a.say(levelText, c.Name, c.TitleLevel+1, c.DegreeLevel+1), err
}

var (
	levelRangeText = text{"Нужен уровень от 1 до %d, а не «%s».",
		"Expected a level from 1 to %d, not “%s”."}
	levelText = text{"%s: титул %d, степень %d.", "%s: title %d, degree %d."}
)

// clear destroys what a player carries.
func (a *asking) clear() (string, error) {
	word := orderKey(a.word(1))
	all := word == "все" || word == "all"
	if word != "" && !all {
		return "", mistaken(clearWordText, shortName(a.word(1)))
	}
	c, err := perform(a, ops.ClearItems, ops.Clearing{CharacterName: ops.CharacterName{Name: a.word(0)}, All: all})
	return a.say(clearText, c.Name), err
}

var (
	clearWordText = text{"Нужно «всё» или ничего, а не «%s».",
		"Expected ALL or nothing, not “%s”."}
	clearText = text{"Вещи игрока %s уничтожены.", "The things of %s are destroyed."}
)
