package game

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// maxReason in characters bounds why somebody is banned or muted.
const maxReason = 100

// target finds the character that a measure is about. Nobody takes measures against who has at least the same role, but for
// administrators, and nobody against himself.
func (a *asking) target() (data.Character, error) {
	c, err := a.find(a.word(0))
	if err != nil {
		return c, err
	}
	if c.Account == a.account {
		return c, mistaken(selfText)
	}
	account, err := a.server.store.AccountByID(a, c.Account)
	if err == nil && account.Role >= a.role && a.role < data.Administrator {
		err = mistaken(aboveText, c.Name)
	}
	return c, err
}

// reason reads why, from the i-th word on.
func (a *asking) reason(i int) (string, error) {
	r := a.rest(i)
	if utf8.RuneCountInString(r) > maxReason {
		return "", mistaken(reasonText, maxReason)
	}
	return r, nil
}

// sentence reads whom a ban or a mute is about, how long it lasts, and why.
func (a *asking) sentence() (data.Character, data.Ban, error) {
	span, ok := parseSpan(a.word(1))
	if !ok {
		return data.Character{}, data.Ban{}, mistaken(timeText, shortName(a.word(1)))
	}
	reason, err := a.reason(2)
	if err != nil {
		return data.Character{}, data.Ban{}, err
	}
	c, err := a.target()
	b := data.Ban{Reason: reason, By: a.login, At: time.Now()}
	if span > 0 {
		b.Until = b.At.Add(span)
	}
	return c, b, err
}

// kick ends a player's session.
func (a *asking) kick() (string, error) {
	reason, err := a.reason(1)
	if err != nil {
		return "", err
	}
	c, err := a.target()
	if err != nil {
		return "", err
	}
	if a.server.online.of(c.Account) == nil {
		return "", mistaken(awayText, c.Name)
	}
	if err := a.server.Kick(a, c.Account, reason); err != nil {
		return "", err
	}
	return a.say(kickText, c.Name), nil
}

var (
	kickText   = text{"Сеанс игрока %s прерван.", "The session of %s was ended."}
	kickedText = text{"Ваш сеанс прерван. %s", "Your session was ended. %s"}
)

// mute keeps a player from speaking.
func (a *asking) mute() (string, error) {
	c, b, err := a.sentence()
	if err != nil {
		return "", err
	}
	if err := a.server.store.Mute(a, c.Account, data.Mute(b)); err != nil {
		return "", err
	}
	a.server.SetMute(c.Account, data.Mute(b))
	return a.say(muteText, c.Name, until(b.Until, a.language)), nil
}

// SetMute tells the session of an account, if it has one, of a mute that has been stored; the zero mute lets it speak again.
func (s *Server) SetMute(account data.AccountID, m data.Mute) {
	p := s.online.of(account)
	if p == nil {
		return
	}
	p.session.later(func(s *Session) {
		spoke := !time.Now().Before(s.mutedUntil)
		s.mutedUntil = time.Time{}
		if !m.At.IsZero() {
			s.mutedUntil = muteEnd(m)
		}
		switch {
		case s.state != InWorld:
		case !m.At.IsZero():
			s.say(strings.TrimSpace(mutedNowText.in(s.language, until(m.Until, s.language), m.Reason)))
		case !spoke:
			s.tell(unmutedNowText)
		}
	})
}

var (
	muteText       = text{"%s молчит %s.", "%s is mute %s."}
	unmuteText     = text{"%s снова может говорить.", "%s may speak again."}
	notMuteText    = text{"%s и так может говорить.", "%s is not mute."}
	mutedNowText   = text{"Вам запрещено говорить %s. %s", "You may not speak %s. %s"}
	unmutedNowText = text{"Вы снова можете говорить.", "You may speak again."}
)

// unmute lets a player speak again.
func (a *asking) unmute() (string, error) {
	c, err := a.target()
	if err != nil {
		return "", err
	}
	switch err := a.server.store.Unmute(a, c.Account); {
	case errors.Is(err, data.ErrNotFound):
		return "", mistaken(notMuteText, c.Name)
	case err != nil:
		return "", err
	}
	a.server.SetMute(c.Account, data.Mute{})
	return a.say(unmuteText, c.Name), nil
}

// ban keeps a player's account out, and ends its session.
func (a *asking) ban() (string, error) {
	c, b, err := a.sentence()
	if err != nil {
		return "", err
	}
	if err := a.server.store.Ban(a, c.Account, b); err != nil {
		return "", err
	}
	if err := a.server.Disconnect(a, c.Account, "banned: "+b.Reason); err != nil {
		return "", err
	}
	return a.say(banText, c.Name, until(b.Until, a.language)), nil
}

var (
	banText    = text{"Вход для %s закрыт %s.", "%s is kept out %s."}
	unbanText  = text{"%s снова может входить.", "%s may come in again."}
	notBanText = text{"Вход для %s и так открыт.", "%s is not banned."}
)

// unban lets a player's account in again.
func (a *asking) unban() (string, error) {
	c, err := a.target()
	if err != nil {
		return "", err
	}
	switch err := a.server.store.Unban(a, c.Account); {
	case errors.Is(err, data.ErrNotFound):
		return "", mistaken(notBanText, c.Name)
	case err != nil:
		return "", err
	}
	return a.say(unbanText, c.Name), nil
}

// teleport takes the game master to a point, a place or a player.
func (a *asking) teleport() (string, error) {
	words := a.rest(0)
	to, isPoint, err := parsePoint(a.words)
	if isPoint {
		if err != nil {
			return "", mistaken(outsideText)
		}
		return a.jump(world.Teleport{ID: a.player, To: to}, to)
	}
	if p, ok := data.FindPlace(words); ok {
		return a.jump(world.Teleport{ID: a.player, To: p.Position}, p.Position)
	}
	v, err := a.findInWorld(words)
	if err == nil {
		return a.jump(world.TeleportBeside{ID: a.player, Beside: v.ID}, v.Position)
	}
	var m *mistake
	if errors.As(err, &m) && m.text == unknownText {
		if _, written, ok := data.NearestPlace(words); ok {
			return "", mistaken(nearText, shortName(words), written)
		}
	}
	return "", err
}

// jump sends a teleport on its way, and says where it leads.
func (a *asking) jump(t world.Command, to coords.Position) (string, error) {
	a.server.world.Do(t)
	return a.say(jumpText, whereabouts(to, a.language)), nil
}

var (
	jumpText    = text{"Перенос: %s.", "On the way: %s."}
	outsideText = text{"Такой точки в мире нет.", "There is no such point in the world."}
)

// accountOf is the account of a character.
func (a *asking) accountOf(id data.CharacterID) (data.Account, error) {
	c, err := a.server.store.CharacterByID(a, id)
	if err != nil {
		return data.Account{}, err
	}
	return a.server.store.AccountByID(a, c.Account)
}

// summon brings a player.
func (a *asking) summon() (string, error) {
	v, err := a.findInWorld(a.word(0))
	if err != nil {
		return "", err
	}
	if v.ID == a.player {
		return "", mistaken(selfText)
	}
	account, err := a.accountOf(data.CharacterID(v.Character))
	switch {
	case err != nil:
		return "", err
	case account.Role > a.role:
		return "", mistaken(aboveText, v.Name)
	}
	a.server.world.Do(world.TeleportBeside{ID: v.ID, Beside: a.player})
	return a.say(summonText, v.Name), nil
}

var summonText = text{"%s переносится к вам.", "%s is on the way to you."}

// announce says something to all in the server's name.
func (a *asking) announce() (string, error) {
	a.server.Announce(a.rest(0))
	return "", nil
}

// give puts an item into somebody's inventory.
func (a *asking) give() (string, error) {
	words, count := a.words[1:], 1
	if n, err := parseCount(words[len(words)-1]); err == nil && len(words) > 1 {
		words, count = words[:len(words)-1], n
	}
	c, err := a.find(a.word(0))
	if err != nil {
		return "", err
	}
	what := strings.Join(words, " ")
	kinds := a.server.Kinds()
	found := kinds.Find(what, 1)
	language := [...]string{Russian: "ru", English: "en"}[a.language]
	switch {
	case len(found) == 0:
		return "", mistaken(unknownText, shortName(what))
	case found[0].Distance > 0:
		return "", mistaken(nearText, shortName(what), found[0].Kind.Name(language))
	}
	kind, suffix := found[0].Kind, found[0].Suffix
	if most := max(1, kind.Stack); count < 1 || count > most {
		return "", mistaken(countText, most)
	}
	if err := a.server.Give(a, c.ID, kind, suffix, count); err != nil {
		return "", told(err)
	}
	return a.say(giveText, c.Name, kind.FullName(kinds.Suffix(kind, suffix), language), count), nil
}

var (
	countText = text{"Нужно количество от 1 до %d.", "Expected a count from 1 to %d."}
	giveText  = text{"%s получает: %s × %d.", "%s gets: %s × %d."}
)

// told turns what the world has refused into words.
func told(err error) error {
	if t, ok := thingRefusals[RefusedBy(err)]; ok {
		return mistaken(t)
	}
	return err
}

// spawnedKey marks townsfolk that were put by a command.
const spawnedKey = "put: "

// spawnReach is how far from the game master who is to be removed may stand, in metres.
const spawnReach = 30

// spawn puts a townsman of the table of townsfolk, or removes the nearest that was put.
func (a *asking) spawn() (string, error) {
	who := orderKey(a.rest(0))
	if who == "убрать" || who == "remove" {
		return a.unspawn()
	}
	t, err := a.townsman(who)
	if err != nil {
		return "", err
	}
	a.server.world.Do(world.Put{Object: world.Object{ID: a.server.world.NextObjectID(), Position: a.at, Kind: world.NPC{Class: t.Class,
		Name: t.Name, Model: t.Model, Title: t.Title, Type: t.Type, Label: t.Role(true), Key: spawnedKey + t.Key}}})
	return a.say(spawnText, t.Role(a.russian())), nil
}

// townsman finds one by key, kind or what he does.
func (a *asking) townsman(who string) (data.Townsman, error) {
	var known []string
	all := data.Townsfolk()
	for _, t := range all {
		for _, name := range []string{t.Key, string(t.Kind), t.Role(true), t.Role(false)} {
			if orderKey(name) == who {
				return t, nil
			}
			known = append(known, name)
		}
	}
	return data.Townsman{}, notFound(who, known)
}

// unspawn removes the nearest townsman that was put by a command.
func (a *asking) unspawn() (string, error) {
	var id world.ObjectID
	least := float64(spawnReach)
	for o := range a.server.world.Snapshot().Objects() {
		t, ok := o.Kind.(world.NPC)
		if d := a.at.Distance(o.Position); ok && strings.HasPrefix(t.Key, spawnedKey) && d <= least {
			id, least = o.ID, d
		}
	}
	if id == 0 {
		return "", mistaken(nobodySpawnedText, spawnReach)
	}
	a.server.world.Do(world.Remove{ID: id})
	return doneText.in(a.language), nil
}

var (
	spawnText         = text{"Здесь теперь стоит %s.", "Here now stands: %s."}
	nobodySpawnedText = text{"В %d м нет никого, кто был поставлен командой.", "Within %d m there is nobody who was put by a command."}
)

// money sets, adds or takes money.
func (a *asking) money() (string, error) {
	c, err := a.find(a.word(0))
	if err != nil {
		return "", err
	}
	amount, err := strconv.ParseInt(a.word(1), 10, 64)
	if err != nil || amount < -math.MaxInt32 || amount > math.MaxInt32 {
		return "", mistaken(amountText, shortName(a.word(1)))
	}
	has, err := a.server.SetMoney(a, c.ID, amount, strings.ContainsAny(a.word(1)[:1], "+-"))
	switch RefusedBy(err) {
	case rules.TooPoor, rules.TooRich:
		return "", mistaken(moneyRangeText, has)
	}
	if err != nil {
		return "", told(err)
	}
	return a.say(moneyText, c.Name, has), nil
}

var (
	amountText     = text{"Нужна сумма, как 500, +500 или -500, а не «%s».", "Expected an amount like 500, +500 or -500, not “%s”."}
	moneyRangeText = text{"Денег может быть от 0 до 2147483647; сейчас %d.", "Money is from 0 to 2147483647; now it is %d."}
	moneyText      = text{"%s: денег теперь %d.", "%s has %d coins now."}
)

// level sets levels, and the points to be spent that belong to them.
func (a *asking) level() (string, error) {
	c, err := a.find(a.word(0))
	if err != nil {
		return "", err
	}
	title, err := parseLevel(a.word(1))
	degree := c.DegreeLevel
	if err == nil && len(a.words) > 2 {
		degree, err = parseLevel(a.word(2))
	}
	if err != nil {
		return "", err
	}
	if err := a.server.SetLevels(a, c.ID, title, degree); err != nil {
		return "", told(err)
	}
	return a.say(levelText, c.Name, title+1, degree+1), nil
}

// parseLevel reads a level, and returns it less one.
func parseLevel(word string) (int, error) {
	n, err := parseCount(word)
	if err != nil || n < 1 || n > data.MaxLevel+1 {
		return 0, mistaken(levelRangeText, data.MaxLevel+1, shortName(word))
	}
	return n - 1, nil
}

var (
	levelRangeText = text{"Нужен уровень от 1 до %d, а не «%s».", "Expected a level from 1 to %d, not “%s”."}
	levelText      = text{"%s: титул %d, степень %d.", "%s: title %d, degree %d."}
)

// clear destroys what a player carries.
func (a *asking) clear() (string, error) {
	word := orderKey(a.word(1))
	all := word == "все" || word == "all"
	if word != "" && !all {
		return "", mistaken(clearWordText, shortName(a.word(1)))
	}
	c, err := a.find(a.word(0))
	if err != nil {
		return "", err
	}
	if err := a.server.Clear(a, c.ID, all); err != nil {
		return "", told(err)
	}
	return a.say(clearText, c.Name), nil
}

var (
	clearWordText = text{"Нужно «всё» или ничего, а не «%s».", "Expected ALL or nothing, not “%s”."}
	clearText     = text{"Вещи игрока %s уничтожены.", "The things of %s are destroyed."}
)
