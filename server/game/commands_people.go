package game

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// help lists the commands that the player may give, or explains one.
func (a *asking) help() (string, error) {
	if len(a.words) > 0 {
		o, err := findOrder(strings.TrimLeft(a.word(0), "/!"), a.role)
		if err == nil && a.role < o.least() {
			err = ops.RoleRefusal(o.least(), a.role)
		}
		if err != nil {
			return "", err
		}
		return o.usage(a.language) + ": " + o.help.in(a.language), nil
	}
	var names []string
	for i := range orders {
		if o := &orders[i]; a.role >= o.least() {
			names = append(names, strings.Fields(o.usage(a.language))[0])
		}
	}
	return a.say(helpText, strings.Join(names, ", "), strings.Fields(orders[0].usage(a.language))[0]), nil
}

var helpText = text{"Команды: %s. Подробнее: %s КОМАНДА", "Commands: %s. More: %s COMMAND"}

// shownPlayers is how many names /who shows.
const shownPlayers = 40

// who counts the players in the world and names some of them.
func (a *asking) who() (string, error) {
	part := orderKey(a.rest(0))
	var names []string
	found := 0
	for _, v := range a.server.world.Snapshot().Players {
		if !strings.Contains(orderKey(v.Name), part) {
			continue
		}
		if found++; found <= shownPlayers {
			names = append(names, v.Name)
		}
	}
	switch {
	case found == 0 && part != "":
		return "", mistaken(unknownText, shortName(a.rest(0)))
	case found > shownPlayers:
		return a.say(whoMoreText, found, strings.Join(names, ", "), found-shownPlayers), nil
	}
	return a.say(whoText, found, strings.Join(names, ", ")), nil
}

var (
	whoText     = text{"В мире: %d. %s", "In the world: %d. %s"}
	whoMoreText = text{"В мире: %d. %s и ещё %d", "In the world: %d. %s and %d more"}
)

// where says where the player is; helpers may ask for others.
func (a *asking) where() (string, error) {
	if len(a.words) == 0 {
		return a.say(whereText, whereabouts(a.at, a.language), a.at.X, a.at.Y, a.at.Z), nil
	}
	if a.role < data.Helper {
		return "", mistaken(whereOtherText)
	}
	c, err := a.find(a.word(0))
	if err != nil {
		return "", err
	}
	at, t := c.Position, whereAwayText
	if v, ok := a.server.inWorld(c.ID); ok {
		at, t = v.Position, whereInText
	}
	return a.say(t, c.Name, whereabouts(at, a.language), at.X, at.Y, at.Z), nil
}

var (
	whereText     = text{"Вы здесь: %s (%.0f %.0f %.0f).", "You are here: %s (%.0f %.0f %.0f)."}
	whereInText   = text{"%s: %s (%.0f %.0f %.0f).", "%s: %s (%.0f %.0f %.0f)."}
	whereAwayText = text{"%s не в мире; место: %s (%.0f %.0f %.0f).",
		"%s is away; place: %s (%.0f %.0f %.0f)."}
	whereOtherText = text{"Где другие игроки, могут узнать только помощники.",
		"Only helpers may ask where others are."}
)

// tell says something to one player.
func (a *asking) tell() (string, error) {
	v, err := a.findInWorld(a.word(0))
	if err != nil {
		return "", err
	}
	message := a.rest(1)
	a.session.post(func(s *player) { s.tellPlayer(v.Name, message) })
	return "", nil
}

// lang sets the language in which the server speaks to the player.
func (a *asking) lang() (string, error) {
	name, ok := languageWords[orderKey(a.word(0))]
	if !ok {
		return "", mistaken(langText, shortName(a.word(0)))
	}
	if err := a.server.store.SetLanguage(a, a.account, name); err != nil {
		return "", err
	}
	l := languageNamed(name)
	a.session.post(func(s *player) { s.language = l })
	return langDoneText.in(l), nil
}

var (
	langText = text{"Языки: русский и английский, а не «%s».",
		"The languages are Russian and English, not “%s”."}
	langDoneText = text{"Теперь сервер говорит с вами по-русски.",
		"The server speaks English to you now."}
)

// time tells the time of the world.
func (a *asking) time() (string, error) {
	const yearShown = 7800 // that the client adds
	m := rules.Calendar(time.Now())
	return a.say(clockText, m.Hour, m.Minute, m.Day, m.Month, m.Year+yearShown), nil
}

var clockText = text{"В мире %02d:%02d, день %d месяца %d, год %d.",
	"In the world it is %02d:%02d, day %d of month %d, year %d."}

// find finds a character by its name, or says which name was meant.
func (a *asking) find(name string) (data.Character, error) {
	c, err := a.server.store.CharacterByName(a, name)
	if !errors.Is(err, data.ErrNotFound) {
		return c, err
	}
	all, err := a.server.store.FindCharacters(a, "")
	if err != nil {
		return c, err
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return c, notFound(name, names)
}

// notFound says that there is nothing of a name, and what is near it.
func notFound(name string, known []string) error {
	if nearest, ok := rules.Nearest(shortName(name), known); ok {
		return mistaken(nearText, shortName(name), nearest)
	}
	return mistaken(unknownText, shortName(name))
}

// findInWorld finds a player who is in the world.
func (a *asking) findInWorld(name string) (world.PlayerView, error) {
	players := a.server.world.Snapshot().Players
	names := make([]string, len(players))
	for i := range players {
		if orderKey(players[i].Name) == orderKey(name) {
			return players[i], nil
		}
		names[i] = players[i].Name
	}
	c, err := a.server.store.CharacterByName(a, name)
	switch {
	case err == nil:
		return world.PlayerView{}, mistaken(awayText, c.Name)
	case errors.Is(err, data.ErrNotFound):
		return world.PlayerView{}, notFound(name, names)
	}
	return world.PlayerView{}, err
}

// unstuck is a way to the nearest city that has been asked for.
type unstuck struct {
	number int // of the way that is waited for, so that older ones end
	from   coords.Position
	due    time.Duration // of the loop's time
	next   time.Duration // before then it cannot be asked for again
}

const (
	unstuckPause = time.Minute // from one to the next
	unstuckReach = 2           // metres that somebody who stands still may move
)

// unstuck takes the player to the nearest city after a while, unless it moves.
func (a *asking) unstuck() (string, error) {
	a.session.post((*player).beginUnstuck)
	return "", nil
}

func (s *player) beginUnstuck() {
	u, now := &s.unstuck, s.Now()
	if u.next > now {
		s.tell(unstuckPauseText, int((u.next-now+time.Second-1)/time.Second))
		return
	}
	delay := s.server.options.Delays.Unstuck
	u.number++
	u.from, u.due, u.next = s.here(), now+delay, now+unstuckPause
	s.tell(unstuckText, int((delay+time.Second-1)/time.Second))
	s.watchUnstuck(u.number)
}

// watchUnstuck looks each second whether the player stands still.
func (s *player) watchUnstuck(number int) {
	u := &s.unstuck
	if u.number != number || s.State() != session.InWorld {
		return
	}
	if s.here().Distance(u.from) > unstuckReach {
		s.tell(unstuckMovedText)
		return
	}
	if left := u.due - s.Now(); left > 0 {
		s.After(min(left, time.Second), func() { s.watchUnstuck(number) })
		return
	}
	to := ops.Refuge(u.from, s.server.options.Start)
	s.server.world.Do(world.Teleport{ID: s.id(), To: to})
	s.Log().Info("unstuck", "login", s.Login(), "character", s.character.Name, "from", u.from, "to", to)
}

var (
	unstuckText = text{"Через %d с вы окажетесь в ближайшем городе. Не " +
		"двигайтесь.", "In %d s you will be in the nearest city. Do not move."}
	unstuckMovedText = text{"Вы сдвинулись с места: перенос отменён.",
		"You have moved, so you stay here."}
	unstuckPauseText = text{"Снова можно будет через %d с.", "You can do that again in %d s."}
)

// clan lists the members of the player's clan, whether they are in the world or not.
func (a *asking) clan() (string, error) {
	clan, err := a.server.store.ClanOf(a, a.character)
	if err != nil {
		return "", clanRefusal(err)
	}
	members, err := a.server.store.ClanMembers(a, clan.ID)
	if err != nil {
		return "", err
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = fmt.Sprintf("%s (%s)", m.Name, clanRankNames[m.Rank].in(a.language))
	}
	return a.say(clanText, clan.Name, strings.Join(names, ", ")), nil
}

var clanText = text{"Клан «%s»: %s.", "Clan “%s”: %s."}
