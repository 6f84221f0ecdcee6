package chat

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// Commands of operators call the verbs of package ops: here are the words of both.

// perform does an operator's verb for the player that has given a command.
func perform[R, A any](c *commandContext, v ops.Verb[R, A], request R) (A, error) {
	return v.Do(c, c.service.Operators, c.actor, request)
}

// whose names the account of the character in the first word.
func (c *commandContext) whose() ops.AccountName { return ops.AccountName{Character: c.word(0)} }

// who names the character in the first word.
func (c *commandContext) who() ops.CharacterName { return ops.CharacterName{Name: c.word(0)} }

// written is the name of the first word as the character has it.
func (c *commandContext) written(of ops.Account) string {
	i := slices.IndexFunc(of.Characters, func(name string) bool { return commandKey(name) == commandKey(c.word(0)) })
	if i < 0 {
		return c.word(0)
	}
	return of.Characters[i]
}

// penalty reads how long a ban or a mute lasts, and why.
func (c *commandContext) penalty() (ops.Penalty, error) {
	span, ok := parseSpan(c.word(1))
	if !ok {
		return ops.Penalty{}, spanError(timeText, c.word(1))
	}
	p := ops.Penalty{Reason: c.rest(2)}
	if span > 0 {
		p.Until = time.Now().Add(span)
	}
	return p, nil
}

func (c *commandContext) kick() (string, error) {
	of, err := perform(c, ops.KickAccount, ops.Kick{AccountName: c.whose(), Reason: c.rest(1)})
	return c.say("Сеанс игрока %s прерван.", "The session of %s was ended.", c.written(of)), err
}

func (c *commandContext) mute() (string, error) {
	p, err := c.penalty()
	if err != nil {
		return "", err
	}
	of, err := perform(c, ops.MuteAccount, ops.AccountMute{AccountName: c.whose(), Penalty: p})
	return c.say("%s молчит %s.", "%s is muted %s.", c.written(of), ops.Until(p.Until)), err
}

func (c *commandContext) unmute() (string, error) {
	of, err := perform(c, ops.UnmuteAccount, c.whose())
	return c.say("%s снова может говорить.", "%s may speak again.", c.written(of)), err
}

func (c *commandContext) ban() (string, error) {
	p, err := c.penalty()
	if err != nil {
		return "", err
	}
	of, err := perform(c, ops.BanAccount, ops.AccountBan{AccountName: c.whose(), Penalty: p})
	return c.say("Вход для %s закрыт %s.", "%s is kept out %s.", c.written(of), ops.Until(p.Until)), err
}

func (c *commandContext) unban() (string, error) {
	of, err := perform(c, ops.UnbanAccount, c.whose())
	return c.say("%s снова может входить.", "%s may come in again.", c.written(of)), err
}

// notesShown is how many notes the chat shows.
const notesShown = 5

// note writes a note on the account of a character, or shows the last ones.
func (c *commandContext) note() (string, error) {
	text := c.rest(1)
	if text != "" {
		n, err := perform(c, ops.AddNote, ops.NewNote{AccountName: c.whose(), Text: text})
		return c.say("Заметка %d об учётной записи %s записана.", "Note %d on the account %s is written.", n.ID, n.Login), err
	}
	notes, err := perform(c, ops.ListNotes, ops.NoteSearch{AccountName: c.whose(), Limit: notesShown})
	lines := make([]string, len(notes))
	for i, n := range notes {
		lines[i] = c.say("%s, %s: %s", "%s, %s: %s", n.At.Local().Format("2006-01-02 15:04"), n.By, n.Text)
	}
	if err == nil && len(notes) == 0 {
		return c.say("Заметок нет.", "There are no notes."), nil
	}
	return strings.Join(lines, "\n"), err
}

// teleport takes the game master to a point, a place or a player.
func (c *commandContext) teleport() (string, error) {
	words := c.rest(0)
	m := ops.Move{CharacterName: ops.CharacterName{ID: c.character}}
	to, isPoint, err := content.ParsePoint(c.words)
	_, isLandmark := content.FindLandmark(words)
	switch _, isPlace := content.FindPlace(words); {
	case isPoint && err != nil:
		return "", UserError(outsideText)
	case isPoint:
		m.Position, m.KeepYaw = to, len(c.words) < 4
	case isPlace || isLandmark:
		m.Place = words
	default:
		if _, err := c.findInWorld(words); err != nil {
			return "", orPlace(words, err)
		}
		m.Beside = words
	}
	at, err := perform(c, ops.MoveCharacter, m)
	return c.say("Перенос: %s.", "On the way: %s.", ops.Where(at.Position).In(c.russian)), err
}

// orPlace names the nearest place for words that name neither a place nor a player, of which the client's own text says
// the latter only.
func orPlace(words string, err error) error {
	var refused *ops.Refusal
	if !errors.As(err, &refused) || refused.Text != unknownText {
		return err
	}
	if _, near, ok := content.NearestPlace(words); ok {
		return UserError(nearText, shortName(words), near)
	}
	return refused
}

func (c *commandContext) summon() (string, error) {
	who, err := perform(c, ops.MoveCharacter, ops.Move{CharacterName: c.who(), Beside: c.name})
	return c.say("%s переносится к вам.", "%s is on the way to you.", who.Name), err
}

func (c *commandContext) heal() (string, error) {
	who, err := perform(c, ops.HealCharacter, c.who())
	return c.say("%s: здоровье и прана восстановлены.", "%s has all HP and MP.", who.Name), err
}

func (c *commandContext) revive() (string, error) {
	who, err := perform(c, ops.ReviveCharacter, c.who())
	return c.say("%s снова в живых.", "%s lives again.", who.Name), err
}

// questWords are the words of game masters about a player's mission.
var questWords = map[string]string{"give": "give", "дать": "give", "finish": "finish", "засчитать": "finish",
	"cancel": "cancel", "отменить": "cancel"}

// quest gives a player a mission, finishes the one that it has, or cancels it.
func (c *commandContext) quest() (string, error) {
	m := ops.MissionDeed{CharacterName: c.who(), Do: c.word(1)}
	if word, ok := questWords[commandKey(m.Do)]; ok {
		m.Do = word
	}
	for _, word := range c.words[2:] {
		m.Want(word)
	}
	who, err := perform(c, ops.OrderMission, m)
	return c.say("%s: с заданием сделано.", "%s: done about the mission.", who.Name), err
}

func (c *commandContext) announce() (string, error) {
	_, err := perform(c, ops.Say, ops.Broadcast{Text: c.rest(0)})
	return "", err
}

// shutdown plans a stop of the server, or takes it back.
func (c *commandContext) shutdown() (string, error) {
	if word := commandKey(c.word(0)); word == "cancel" || word == "отмена" {
		_, err := perform(c, ops.CancelStop, ops.Empty{})
		return c.say("Остановка отменена.", "The stop is called off."), err
	}
	wait, ok := ops.ParseSpan(c.word(0))
	if !ok {
		return "", spanError(waitText, c.word(0))
	}
	o := ops.StopOrder{Seconds: new(int(wait.Round(time.Second) / time.Second)), Reason: c.rest(1)}
	_, err := perform(c, ops.StopServer, o)
	return c.say("Остановка назначена.", "The stop is planned."), err
}

// endWords end a setting.
var endWords = []string{"end", "off", "cancel", "отмена", "выкл", "конец"}

// rate lists rates, sets one or ends it.
func (c *commandContext) rate() (string, error) {
	if len(c.words) == 0 {
		return c.rates()
	}
	if len(c.words) == 1 {
		return "", UserError(factorMissingText)
	}
	if slices.Contains(endWords, commandKey(c.word(1))) {
		_, err := perform(c, ops.EndRate, ops.RateName{Rate: c.word(0)})
		return c.say("Множитель отменён.", "The rate is ended."), err
	}
	factor, ok := rules.ParseFactor(c.word(1))
	if _, swapped := rules.ParseFactor(c.word(0)); !ok && swapped {
		return "", UserError(swappedText, shortName(c.word(1)), shortName(c.word(0)))
	}
	if !ok {
		return "", UserError(factorText, rules.LeastRate, rules.MostRate, shortName(c.word(1)))
	}
	o, words := ops.RateOrder{Rate: c.word(0), Factor: factor}, c.words[2:]
	if len(words) > 1 && slices.Contains([]string{"for", "на"}, commandKey(words[0])) {
		words = words[1:]
	}
	if len(words) > 0 {
		span, ok := parseSpan(words[0])
		if !ok || len(words) > 1 {
			return "", spanError(timeText, strings.Join(words, " "))
		}
		o.Seconds = int(span.Round(time.Second) / time.Second)
	}
	_, err := perform(c, ops.OrderRate, o)
	return c.say("Множитель задан.", "The rate is set."), err
}

// rates lists them.
func (c *commandContext) rates() (string, error) {
	all, err := perform(c, ops.ListRates, ops.Empty{})
	lines := make([]string, len(all))
	for i, r := range all {
		lines[i] = c.say("%s x%v", "%s x%v", r.Name, r.Factor)
		if !r.Changes.IsZero() {
			lines[i] += c.say(" %s, потом x%v", " %s, then x%v", ops.Until(r.Changes), r.Then)
		}
	}
	return strings.Join(lines, "\n"), err
}

// give puts an item into a character's inventory; the last word may say how many.
func (c *commandContext) give() (string, error) {
	words, count := c.words[1:], 1
	if n, err := strconv.Atoi(words[len(words)-1]); err == nil && len(words) > 1 {
		words, count = words[:len(words)-1], n
	}
	g := ops.Gift{CharacterName: c.who(), Item: strings.Join(words, " "), Count: &count}
	gave, err := perform(c, ops.GiveItem, g)
	return c.say("%s получает: %s x %d.", "%s gets: %s x %d.", gave.Character, gave.Name.In(c.russian), gave.Count), err
}

// spawn puts an NPC of the table of townsfolk, or removes the nearest that was put.
func (c *commandContext) spawn() (string, error) {
	r := ops.NPCSpawn{NPC: c.rest(0), At: c.at}
	if who := commandKey(r.NPC); who == "убрать" || who == "remove" {
		_, err := perform(c, ops.RemoveNPC, r)
		return doneText.In(c.russian), err
	}
	npc, err := perform(c, ops.SpawnNPC, r)
	return c.say("Здесь теперь стоит %s.", "Here now stands: %s.", npc.Role.In(c.russian)), err
}

// monster summons a monster, or removes all that were summoned near.
func (c *commandContext) monster() (string, error) {
	words := c.words
	if what := commandKey(words[0]); len(words) == 1 && (what == "убрать" || what == "remove") {
		gone, err := perform(c, ops.RemoveMonsters, ops.MonsterRemoval{At: c.at})
		return c.say("Убрано монстров: %d.", "Monsters removed: %d.", gone.Count), err
	}
	r := ops.MonsterSummon{At: c.at}
	for len(words) > 1 {
		last := commandKey(words[len(words)-1])
		r.Named = r.Named || last == "именной" || last == "named"
		r.Rewards = r.Rewards || last == "награда" || last == "rewards"
		if last != "именной" && last != "named" && last != "награда" && last != "rewards" {
			break
		}
		words = words[:len(words)-1]
	}
	if level, err := strconv.Atoi(words[len(words)-1]); err == nil && len(words) > 1 {
		if level < 1 {
			level = -1 // 0 would be any
		}
		r.Level, words = level, words[:len(words)-1]
	}
	r.Monster = strings.Join(words, " ")
	m, err := perform(c, ops.SummonMonster, r)
	return c.say("Здесь теперь %s, уровень %d.", "Here is now: %s, level %d.", m.Name.In(c.russian), m.Level), err
}

// mostInstances is how many instances are listed at most; the page has all.
const mostInstances = 20

// instances lists them, the lowest numbers first.
func (c *commandContext) instances() (string, error) {
	all, err := perform(c, ops.ListInstances, ops.Empty{})
	if err != nil {
		return "", err
	}
	lines := []string{c.say("Подземелий: %d.", "Instances: %d.", len(all))}
	for _, in := range all[:min(len(all), mostInstances)] {
		who := strings.Join(in.Players, ", ")
		if who == "" {
			who = c.say("никого", "nobody")
		}
		since := in.Began.Format("15:04:05")
		lines = append(lines, c.say("%d %s: %s; внутри %s; с %s; монстров %d, вещей %d", "%d %s: %s; inside %s; since %s; "+
			"monsters %d, things %d", in.Number, in.Dungeon, in.Owner, who, since, in.Living(), in.Lying()))
	}
	return strings.Join(lines, "\n"), nil
}

// instance takes the game master into an instance, or out to the city.
func (c *commandContext) instance() (string, error) {
	me := ops.CharacterName{ID: c.character}
	r := ops.InstanceEntry{CharacterName: me, Dungeon: c.word(1)}
	switch what := commandKey(c.word(0)); what {
	case "выйти", "out":
		at, err := perform(c, ops.UnstuckCharacter, me)
		return c.say("Перенос: %s.", "On the way: %s.", ops.Where(at.Position).In(c.russian)), err
	case "новое", "new":
	default:
		n, err := strconv.Atoi(what)
		if err != nil || n < 1 {
			return "", UserError(instanceText, shortName(c.word(0)))
		}
		r.Number = n
	}
	_, err := perform(c, ops.EnterInstance, r)
	return doneText.In(c.russian), err
}

// spawners turns off or on where monsters come from around.
func (c *commandContext) spawners() (string, error) {
	r := ops.SpawnerSwitch{At: c.at}
	switch commandKey(c.word(0)) {
	case "выкл", "off":
		r.Off = true
	case "вкл", "on":
	default:
		return "", UserError(switchText, shortName(c.word(0)))
	}
	if word := c.word(1); word != "" {
		metres, err := strconv.ParseFloat(word, 64)
		if err != nil || !(metres > 0) {
			return "", UserError(metresText, shortName(word))
		}
		r.Radius = metres
	}
	turned, err := perform(c, ops.TurnSpawners, r)
	if r.Off {
		return c.say("Монстры больше не появляются, мест: %d.", "No monsters come any more, places: %d.", turned.Count), err
	}
	return c.say("Монстры снова появляются, мест: %d.", "Monsters come again, places: %d.", turned.Count), err
}

// money sets, adds or takes money.
func (c *commandContext) money() (string, error) {
	amount, err := strconv.ParseInt(c.word(1), 10, 32)
	if err != nil {
		return "", UserError(amountText, shortName(c.word(1)))
	}
	relative := strings.ContainsAny(c.word(1)[:1], "+-")
	has, err := perform(c, ops.SetMoney, ops.Money{CharacterName: c.who(), Amount: amount, Relative: relative})
	return c.say("%s: денег теперь %d.", "%s has %d coins now.", has.Name, has.Money), err
}

// level sets levels, and the points to be spent that belong to them.
func (c *commandContext) level() (string, error) {
	l := ops.Levels{CharacterName: c.who()}
	for i, to := range []**ops.Ordinal{&l.Title, &l.Degree} {
		if word := c.word(i + 1); word != "" {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 || n > rules.MaxLevel+1 {
				return "", UserError(levelRangeText, rules.MaxLevel+1, shortName(word))
			}
			level := ops.Ordinal(n - 1)
			*to = &level
		}
	}
	has, err := perform(c, ops.SetLevels, l)
	return c.say("%s: титул %d, степень %d.", "%s: title %d, degree %d.", has.Name, has.TitleLevel+1,
		has.DegreeLevel+1), err
}

// points sets the points to spend.
func (c *commandContext) points() (string, error) {
	p := ops.Points{CharacterName: c.who()}
	for i, to := range []**int{&p.Title, &p.Degree} {
		if word := c.word(i + 1); word != "" {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n > rules.MaxPoints {
				return "", UserError(pointsRangeText, rules.MaxPoints, shortName(word))
			}
			*to = &n
		}
	}
	left, err := perform(c, ops.SetPoints, p)
	return c.say("%s: свободных очков титула %d, степени %d.", "%s: points to spend: title %d, degree %d.",
		left.Character, left.Title, left.Degree), err
}

// clear destroys items of a player.
func (c *commandContext) clear() (string, error) {
	word := commandKey(c.word(1))
	all := word == "все" || word == "all"
	if word != "" && !all {
		return "", UserError(clearWordText, shortName(c.word(1)))
	}
	who, err := perform(c, ops.ClearItems, ops.Clearing{CharacterName: c.who(), All: all})
	return c.say("Вещи игрока %s уничтожены.", "The things of %s are destroyed.", who.Name), err
}

// spanError is a mistake in a length of time, with the likely meaning behind it.
func spanError(t ops.Text, found string) error {
	if near, ok := ops.NearSpan(found); ok {
		return UserError(maybeText, ops.Text{Russian: t.In(true, shortName(found)), English: t.In(false, shortName(found))},
			near)
	}
	return UserError(t, shortName(found))
}

var (
	maybeText = text("%v Может быть, %s?", "%v Did you mean %s?")
	timeText  = text("Нужно время: 30м, 12ч, 7д или «навсегда», а не «%s».",
		"Expected a time like 30m, 12h, 7d or “forever”, not “%s”.")
	waitText = text("Нужно время до остановки: 10м, 2ч или 1д, а не «%s».",
		"Expected the time until the stop: 10m, 2h or 1d, not “%s”.")
	swappedText = text("Сначала нужно, что меняется, потом множитель: /рейт %s %s",
		"Expected what is to change before the factor: /rate %s %s")
	factorMissingText = text("Нужен множитель, например: /рейт опыт 2", "Expected a factor, for example: /rate xp 2")
	outsideText       = text("Такой точки в мире нет.", "There is no such point in the world.")
	doneText          = text("Готово.", "Done.")
	instanceText      = text("Нужен номер подземелья, «новое» или «выйти», а не «%s».",
		"Expected the number of an instance, new or out, not “%s”.")
	switchText = text("Нужно «вкл» или «выкл», а не «%s».", "Expected on or off, not “%s”.")
	metresText = text("Нужно число метров, а не «%s».", "Expected a number of metres, not “%s”.")
	amountText = text("Нужна сумма, как 500, +500 или -500, а не «%s».",
		"Expected an amount like 500, +500 or -500, not “%s”.")
	factorText      = text("Нужен множитель от %v до %v, а не «%s».", "Expected a factor from %v to %v, not “%s”.")
	levelRangeText  = text("Нужен уровень от 1 до %d, а не «%s».", "Expected a level from 1 to %d, not “%s”.")
	pointsRangeText = text("Нужно число очков от 0 до %d, а не «%s».",
		"Expected a number of points from 0 to %d, not “%s”.")
	clearWordText = text("Нужно «всё» или ничего, а не «%s».", "Expected ALL or nothing, not “%s”.")
)
