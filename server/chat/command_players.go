package chat

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// help lists the commands that the player may give, or explains one.
func (c *commandContext) help() (string, error) {
	role := c.actor.Role
	if len(c.words) > 0 {
		o, err := findCommand(strings.TrimLeft(c.word(0), "/!"), role)
		if err == nil && role < o.least() {
			err = ops.RoleRefusal(o.least(), role)
		}
		if err != nil {
			return "", err
		}
		return o.usage(c.russian) + ": " + o.help.In(c.russian), nil
	}
	var names []string
	for i := range commands {
		if o := &commands[i]; role >= o.least() {
			names = append(names, "/"+o.names.In(c.russian))
		}
	}
	return c.say("Команды: %s. Подробнее: %s КОМАНДА", "Commands: %s. More: %s COMMAND",
		strings.Join(names, ", "),
		names[0]), nil
}

// shownPlayers is how many names /who shows.
const shownPlayers = 40

// players counts the players in the world and names some of them.
func (c *commandContext) players() (string, error) {
	part := commandKey(c.rest(0))
	var names []string
	for _, v := range c.service.Host.World().Players {
		if strings.Contains(commandKey(v.Name), part) {
			names = append(names, v.Name)
		}
	}
	found := len(names)
	shown := strings.Join(names[:min(found, shownPlayers)], ", ")
	switch {
	case found == 0 && part != "":
		return "", UserError(unknownText, shortName(c.rest(0)))
	case found > shownPlayers:
		return whoMoreText.In(c.russian, found, shown, found-shownPlayers), nil
	}
	return c.say("В мире: %d. %s", "In the world: %d. %s", found, shown), nil
}

var whoMoreText = text("В мире: %d. %s и ещё %d", "In the world: %d. %s and %d more")

// where says where the player is; helpers may ask for others.
func (c *commandContext) where() (string, error) {
	if len(c.words) == 0 {
		return c.say("Вы здесь: %s (%.0f %.0f %.0f).", "You are here: %s (%.0f %.0f %.0f).",
			ops.Where(c.at).In(c.russian), c.at.X, c.at.Y, c.at.Z) + c.mapLink(c.at), nil
	}
	if c.actor.Role < data.Helper {
		return "", UserError(whereOtherText)
	}
	other, err := c.find(c.word(0))
	if err != nil {
		return "", err
	}
	at, format := other.Position, whereAwayText
	if v, ok := c.service.Host.Present(other.Account, other.ID); ok {
		at, format = v.Position, whereInText
	}
	return format.In(c.russian, other.Name, ops.Where(at).In(c.russian), at.X, at.Y, at.Z) + c.mapLink(at), nil
}

// mapLink is the address of a place on the map of the administrators' page, after a space; empty for players, since
// they have no use for it, and where the address of the page is not known.
func (c *commandContext) mapLink(at coords.Position) string {
	area, known := content.AreaOf(at)
	if c.service.Page == "" || c.actor.Role < data.Helper || !known {
		return ""
	}
	return fmt.Sprintf(" %s/#/map/%s/%.0f,%.0f/1", strings.TrimRight(c.service.Page, "/"), area.Key, at.X, at.Z)
}

var (
	whereInText    = text("%s: %s (%.0f %.0f %.0f).", "%s: %s (%.0f %.0f %.0f).")
	whereAwayText  = text("%s не в мире; место: %s (%.0f %.0f %.0f).", "%s is away; place: %s (%.0f %.0f %.0f).")
	whereOtherText = text("Где другие игроки, могут узнать только помощники.", "Only helpers may ask where others are.")
)

// tell says something to one player.
func (c *commandContext) tell() (string, error) {
	v, err := c.findInWorld(c.word(0))
	if err == nil {
		c.from.Speaker.Call(func() { c.from.whisper(v.Name, c.rest(1)) })
	}
	return "", err
}

// ignore ignores a character, or lists those that are ignored.
func (c *commandContext) ignore() (string, error) {
	if len(c.words) == 0 {
		names, err := c.service.Store.IgnoredNames(c, c.character)
		if len(names) == 0 || err != nil {
			return hearsAllText.In(c.russian), err
		}
		return c.say("Вы не слышите: %s.", "You do not hear: %s.", strings.Join(names, ", ")), nil
	}
	other, err := c.find(c.rest(0))
	if err == nil && other.ID == c.character {
		err = UserError(refusalTexts[rules.Yourself])
	}
	if err != nil {
		return "", err
	}
	all, err := c.service.Store.Ignore(c, c.character, other.ID)
	if errors.Is(err, data.ErrTooManyIgnored) {
		err = UserError(tooManyIgnoredText, data.MaxIgnored)
	}
	return c.ignores(all, err, text("Игрока %s вы больше не слышите; торг, группа, клан и дуэль с вами по его желанию не "+
		"начнутся.", "You do not hear %s any more, and no trade, group, clan or duel with you begins at that player's wish."),
		other.Name)
}

// unignore hears a character again, or all.
func (c *commandContext) unignore() (string, error) {
	done, other := text("Вы снова слышите всех.", "You hear everybody again."), data.Character{}
	if key := commandKey(c.rest(0)); key != commandKey("все") && key != "all" {
		var err error
		if other, err = c.find(c.rest(0)); err != nil {
			return "", err
		}
		done = text("Вы снова слышите игрока %s.", "You hear %s again.")
	}
	all, err := c.service.Store.Unignore(c, c.character, other.ID)
	if errors.Is(err, data.ErrNotFound) {
		err = UserError(notIgnoredText, other.Name)
	}
	if other.ID == 0 {
		return c.ignores(all, err, done)
	}
	return c.ignores(all, err, done, other.Name)
}

// ignores has the player ignore those that the store has for it, and answers.
func (c *commandContext) ignores(all rules.Ignored, err error, done ops.Text, args ...any) (string, error) {
	if err != nil {
		return "", err
	}
	c.from.Speaker.Call(func() {
		c.from.Speaker.Character().Ignored = all
		c.service.Host.Command(world.Ignore{ID: c.from.id(), All: all})
	})
	return done.In(c.russian, args...), nil
}

var (
	hearsAllText       = text("Вы слышите всех.", "You hear everybody.")
	notIgnoredText     = text("Игрока %s вы и так слышите.", "You do hear %s.")
	tooManyIgnoredText = text("Больше %d игроков не слышать нельзя: уберите кого-нибудь командой /разигнор.",
		"No more than %d players can be ignored: take one off by /unignore.")
)

// sayOn says something on a channel, as the client does it there.
func sayOn(on world.Channel) func(*commandContext) (string, error) {
	return func(c *commandContext) (string, error) {
		message := c.rest(0)
		c.from.Speaker.Call(func() { c.from.say(on, "", message, composeLine(c.name, "", "", message)) })
		return "", nil
	}
}

// duelWords are the words of players that answer a challenge.
var duelWords = map[string]world.DuelWord{
	"yes": world.AcceptDuel, "accept": world.AcceptDuel, "да": world.AcceptDuel, "принять": world.AcceptDuel,
	"no": world.EndDuel, "decline": world.EndDuel, "surrender": world.EndDuel,
	"нет": world.EndDuel, "отказ": world.EndDuel, "отказаться": world.EndDuel, "сдаюсь": world.EndDuel,
	"сдаться": world.EndDuel}

// duel passes a word about a duel on; the world answers.
func (c *commandContext) duel() (string, error) {
	d := world.Duel{ID: c.from.id(), Name: c.rest(0)}
	if word, ok := duelWords[commandKey(c.word(0))]; ok {
		d.Word = word
	}
	c.service.Host.Command(d)
	return "", nil
}

// travel makes the player use a token to a place, or asks for its things for journeys; the world answers.
func (c *commandContext) travel() (string, error) {
	number := uint16(0)
	if words := c.rest(0); words != "" {
		place, ok := content.FindPlace(words)
		for _, d := range content.Destinations() {
			if strconv.Itoa(int(d.Number)) == words || ok && (d.Place == place.Key || d.Place == place.Key+"-token") {
				number = d.Number
				break
			}
		}
		if number == 0 {
			return "", UserError(noTokenText, shortName(words))
		}
	}
	c.service.Host.Command(world.Travel{ID: c.from.id(), Number: number})
	return "", nil
}

var noTokenText = text("Жетонов в место «%s» не бывает.", "There are no tokens to “%s”.")

// missionWords are the words of players about missions.
var missionWords = map[string]world.MissionWord{"take": world.TakeMission, "взять": world.TakeMission,
	"enter": world.EnterDungeon, "войти": world.EnterDungeon, "leave": world.LeaveDungeon, "выйти": world.LeaveDungeon,
	"hand": world.HandOver, "отдать": world.HandOver, "lead": world.HandOver, "вести": world.HandOver,
	"give": world.PassMission, "передать": world.PassMission, "drop": world.GiveUpMission, "бросить": world.GiveUpMission,
	"accept": world.AcceptMission, "принять": world.AcceptMission, "decline": world.DeclineMission,
	"отказ": world.DeclineMission, "отказаться": world.DeclineMission}

// missionPlaceWords are the words for where a mission is to lead: near its giver, or anywhere on that one's continent.
var missionPlaceWords = map[string]rules.MissionPlace{"near": rules.NearbyPlace, "рядом": rules.NearbyPlace,
	"far": rules.FarPlace, "далеко": rules.FarPlace}

// mission passes a word about missions on; the world answers.
func (c *commandContext) mission() (string, error) {
	m := world.Mission{ID: c.from.id(), Aloud: true}
	if len(c.words) > 0 {
		word, ok := missionWords[commandKey(c.word(0))]
		if !ok {
			return "", UserError(missionText, shortName(c.word(0)))
		}
		m.Word = word
	}
	switch {
	case m.Word == world.PassMission && len(c.words) < 2:
		return "", UserError(toWhomText)
	case m.Word == world.PassMission:
		m.To = c.rest(1)
	case len(c.words) > 1:
		for _, word := range c.words[1:] {
			goal, isGoal := rules.MissionGoalOf(word)
			place, isPlace := missionPlaceWords[commandKey(word)]
			switch {
			case isGoal && !m.Exact:
				m.Goal, m.Exact = goal, true
			case isPlace:
				m.Place = place
			default:
				return "", UserError(goalText, shortName(word))
			}
		}
	}
	c.service.Host.Command(m)
	return "", nil
}

// guild asks about guilds; the world answers.
func (c *commandContext) guild() (string, error) {
	g := world.Guild{ID: c.from.id()}
	if len(c.words) > 0 {
		switch commandKey(c.word(0)) {
		case "ранг", "вступить", "rise", "join":
			g.Rise = true
		default:
			return "", UserError(guildText, shortName(c.word(0)))
		}
	}
	c.service.Host.Command(g)
	return "", nil
}

var guildText = text("Слово: ранг, а не «%s».", "The word is rise, not “%s”.")

var (
	missionText = text("Слова: взять, войти, выйти, отдать, передать, принять, отказаться, бросить, а не «%s».",
		"The words are take, enter, leave, hand, give, accept, decline and drop, not “%s”.")
	toWhomText = text("Кому передать? /задание передать ИГРОК", "Give it to whom? /mission give PLAYER")
	goalText   = text("Одна цель: титул, степень, деньги, карма; и место: рядом, далеко; а не «%s».",
		"One goal of title, degree, money and karma, and a place, near or far; not “%s”.")
)

// resetProgress is the command of a reset: the world warns of it first, and does it once the player confirms.
func resetProgress(what rules.Reset) func(*commandContext) (string, error) {
	return func(c *commandContext) (string, error) {
		c.service.Host.Command(world.ResetProgress{ID: c.from.id(), What: what, Asks: !yesWords[commandKey(c.rest(0))]})
		return "", nil
	}
}

// lang sets the language in which the server speaks to the player.
func (c *commandContext) lang() (string, error) {
	name, ok := languageWords[commandKey(c.word(0))]
	if !ok {
		return "", UserError(langText, shortName(c.word(0)))
	}
	if err := c.service.Store.SetLanguage(c, c.actor.Account, name); err != nil {
		return "", err
	}
	c.russian = name != "en"
	c.from.Speaker.Call(func() { c.from.Russian, c.from.chosen = c.russian, true })
	return c.say("Теперь сервер говорит с вами по-русски.", "The server speaks English to you now."), nil
}

var langText = text("Языки: русский и английский, а не «%s».", "The languages are Russian and English, not “%s”.")

// languageWords are the words of players for a language.
var languageWords = map[string]string{"ru": "ru", "рус": "ru", "русский": "ru", "russian": "ru",
	"en": "en", "англ": "en", "английский": "en", "english": "en"}

// time tells the time of the world.
func (c *commandContext) time() (string, error) {
	const yearShown = 7800 // that the client adds
	m := rules.Calendar(time.Now())
	return c.say("В мире %02d:%02d, день %d месяца %d, год %d.",
		"In the world it is %02d:%02d, day %d of month %d, year %d.", m.Hour, m.Minute, m.Day, m.Month, m.Year+yearShown), nil
}

// find finds a character by its name, or says which name was meant.
func (c *commandContext) find(name string) (data.Character, error) {
	found, err := c.service.Store.CharacterByName(c, name)
	if !errors.Is(err, data.ErrNotFound) {
		return found, err
	}
	if c.actor.Role < data.Helper { // to read all characters for a name costs too much to be had by everybody
		return found, notFound(name, playerNames(c.service.Host.World().Players))
	}
	all, err := c.service.Store.FindCharacters(c, "")
	if err != nil {
		return found, err
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return found, notFound(name, names)
}

// notFound says that no character has a name, with the nearest known one, which the client's own text cannot name.
func notFound(name string, known []string) error {
	if nearest, ok := rules.Nearest(shortName(name), known); ok {
		return UserError(nearText, shortName(name), nearest)
	}
	return ownError{UserError(unknownText, shortName(name)), view.TextNoCharacter}
}

// playerNames are the names of players.
func playerNames(players []world.PlayerView) []string {
	names := make([]string, len(players))
	for i := range players {
		names[i] = players[i].Name
	}
	return names
}

// findInWorld finds a player that is in the world.
func (c *commandContext) findInWorld(name string) (v world.PlayerView, err error) {
	players := c.service.Host.World().Players
	for i := range players {
		if commandKey(players[i].Name) == commandKey(name) {
			return players[i], nil
		}
	}
	other, err := c.service.Store.CharacterByName(c, name)
	if errors.Is(err, data.ErrNotFound) {
		return v, notFound(name, playerNames(players))
	}
	if err != nil {
		return v, err
	}
	v, ok := c.service.Host.Present(other.Account, other.ID) // since the last snapshot
	if !ok {
		err = UserError(awayText, other.Name)
	}
	return v, err
}

// clan lists the members of the player's clan, whether they are in the world or not.
func (c *commandContext) clan() (string, error) {
	clan, err := c.service.Store.ClanOf(c, c.character)
	if errors.Is(err, data.ErrNoClan) {
		return "", ownError{UserError(refusalTexts[rules.NoClan]), view.TextNoClan}
	}
	if err != nil {
		return "", err
	}
	members, err := c.service.Store.ClanMembers(c, clan.ID)
	if err != nil {
		return "", err
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = fmt.Sprintf("%s (%s)", m.Name, ClanRanks[m.Rank].In(c.russian))
	}
	return c.say("Клан «%s»: %s.", "Clan “%s”: %s.", clan.Name, strings.Join(names, ", ")), nil
}

// ClanRanks are the ranks as players read them; the client calls the first one so, too.
var ClanRanks = [...]ops.Text{data.Senior: text("сеньор", "senior"),
	data.Seneschal: text("сенешаль", "seneschal"),
	data.Vassal:    text("вассал", "vassal"), data.Neophyte: text("неофит", "neophyte")}

// firstHelp opens a page of the client's first help.
func (c *commandContext) firstHelp() (string, error) {
	page, err := strconv.Atoi(c.word(0))
	if err != nil || page < 0 || page >= data.HelpPages {
		return "", UserError(helpPageText, data.HelpPages-1, shortName(c.word(0)))
	}
	c.from.Speaker.Call(func() { c.from.Speaker.FirstHelp(page) })
	return "", nil
}

var (
	helpPageText = text("Страницы — от 0 до %d, а не «%s».", "The pages are 0 to %d, not “%s”.")
	markText     = text("Нужны X и Z в метрах или ничего.", "Expected X and Z in metres, or nothing.")
)

// mark has the leader of a group mark a place for the others.
func (c *commandContext) mark() (string, error) {
	at := c.at
	if len(c.words) > 0 {
		x, wrong := strconv.ParseFloat(c.word(0), 32)
		z, too := strconv.ParseFloat(c.word(1), 32)
		at.X, at.Z = float32(x), float32(z)
		if wrong != nil || too != nil || len(c.words) > 2 || at.Check() != nil {
			return "", UserError(markText)
		}
	}
	c.service.Host.Command(world.PartyMark{ID: c.from.id(), At: at, Aloud: true})
	return "", nil
}
