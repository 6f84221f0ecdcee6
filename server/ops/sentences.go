package ops

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

// An AuditEntry is one of the audit trail, with its sentence for people.
type AuditEntry struct {
	data.AuditEntry
	Sentence Text `json:"sentence"` // the act, its author and its target
}

// PageLogin is the action of a login at the page in the audit trail; its detail is the address.
const PageLogin = "admin login"

// CharacterReset is the action of a reset of a character by its own player. It is written down when it is done.
const CharacterReset = "character reset"

// hidden stands for an address that is not shown.
const hidden = "…"

// shownTo is an entry of the audit trail as a role may read it: addresses are for administrators.
func shownTo(reader data.Role, e data.AuditEntry) data.AuditEntry {
	switch {
	case reader >= data.Administrator:
	case e.Action == PageLogin:
		e.Detail = ""
	case strings.HasPrefix(e.Action, "address "):
		e.Target = hidden
		e.Detail, _, _ = strings.Cut(e.Detail, ": ") // the rest is an operator's own words
	}
	return e
}

// Told is an entry with its sentence, as a role may read it.
func (s *Service) Told(reader data.Role, e data.AuditEntry) AuditEntry {
	e = shownTo(reader, e)
	told := AuditEntry{e, s.sentence(e)}
	if _, failed := whyNot(e.Detail); failed { // programs read the English line
		told.Detail, _, _ = strings.Cut(e.Detail, "\n")
	}
	return told
}

// A phrase is the sentence for entries with details that fit a pattern. The texts take the author, the target and the
// groups of the pattern, each written as its name asks.
type phrase struct {
	detail *regexp.Regexp // nil fits all
	text   Text
}

// A deed is an action of the audit trail: its name, and the sentences of its entries.
type deed struct {
	noun    Text
	phrases []phrase
}

func when(pattern, russian, english string) phrase {
	return phrase{regexp.MustCompile(`(?s)^` + pattern + `$`), Text{russian, english}}
}

func always(russian, english string) []phrase { return []phrase{{nil, Text{russian, english}}} }

// penalties are the phrases of a ban or a mute, with and without an end and a reason; see banText.
func penalties(russian, english string) []phrase {
	return []phrase{when(`(?P<end>for ever|until \S+?)(?:: (.*))?`, russian+" %[3]s: %[4]s", english+" %[3]s: %[4]s")}
}

const placed = `\{(?P<place>\S+ \S+ \S+) \S+\}` // a position as package fmt writes it

// deeds are all actions of the audit trail, except chat commands that are no verbs. Details are stored in
// English, as they were written at the act.
var deeds = map[string]deed{
	"account add": {Text{"создание учётной записи", "making an account"}, []phrase{
		when(`(?P<role>\w+)`, "%[1]s создал учётную запись %[2]s с ролью «%[3]s»",
			"%[1]s made the account %[2]s with the role %[3]s")}},
	"account passwd": {Text{"смена пароля", "changing a password"}, always(
		"%[1]s сменил пароль учётной записи %[2]s",
		"%[1]s changed the password of the account %[2]s")},
	"account role": {Text{"смена роли", "changing a role"}, []phrase{
		when(`from (?P<role>\w+) to (?P<role>\w+)`,
			"%[1]s сменил роль учётной записи %[2]s: была «%[3]s», стала «%[4]s»",
			"%[1]s changed the role of the account %[2]s from %[3]s to %[4]s")}},
	"account ban": {Text{"бан", "a ban"}, penalties("%[1]s забанил учётную запись %[2]s",
		"%[1]s banned the account %[2]s")},
	"account unban": {Text{"снятие бана", "lifting a ban"}, always(
		"%[1]s снял бан с учётной записи %[2]s",
		"%[1]s lifted the ban of the account %[2]s")},
	"account kick": {Text{"отключение игрока", "a kick"}, []phrase{
		when(``, "%[1]s отключил игрока с учётной записью %[2]s",
			"%[1]s kicked the player of the account %[2]s"),
		when(`(.*)`, "%[1]s отключил игрока с учётной записью %[2]s: %[3]s",
			"%[1]s kicked the player of the account %[2]s: %[3]s")}},
	"account mute": {Text{"запрет говорить", "a mute"}, penalties(
		"%[1]s запретил говорить учётной записи %[2]s",
		"%[1]s muted the account %[2]s")},
	"account unmute": {Text{"разрешение говорить", "lifting a mute"}, always(
		"%[1]s снова разрешил говорить учётной записи %[2]s",
		"%[1]s let the account %[2]s speak again")},
	"account delete": {Text{"удаление учётной записи", "deleting an account"}, []phrase{
		when(`account \d+ with characters \[(?P<list>.+)\]`,
			"%[1]s удалил учётную запись %[2]s с персонажами: %[3]s",
			"%[1]s deleted the account %[2]s with the characters %[3]s"),
		when(`.*`, "%[1]s удалил учётную запись %[2]s", "%[1]s deleted the account %[2]s")}},
	"note add": {Text{"заметка", "a note"}, []phrase{
		when(`(.*)`, "%[1]s заметил об учётной записи %[2]s: %[3]s", "%[1]s noted of the account %[2]s: %[3]s")}},
	"note delete": {Text{"удаление заметки", "deleting a note"}, []phrase{
		when(`(.*)`, "%[1]s удалил заметку об учётной записи %[2]s: %[3]s",
			"%[1]s deleted the note on the account %[2]s: %[3]s")}},
	"address ban": {Text{"бан адреса", "a ban of an address"}, penalties(
		"%[1]s закрыл вход с адреса %[2]s",
		"%[1]s banned the address %[2]s")},
	"address unban": {Text{"снятие бана с адреса", "lifting the ban of an address"}, always(
		"%[1]s снова открыл вход с адреса %[2]s",
		"%[1]s lifted the ban of the address %[2]s")},

	"character move": {Text{"перемещение персонажа", "moving a character"}, []phrase{
		when(`from `+placed+` to `+placed+`(?:, in the world)?`,
			"%[1]s перенёс %[2]s; откуда: %[3]s; куда: %[4]s",
			"%[1]s moved %[2]s; from: %[3]s; to: %[4]s"),
		when(`from `+placed+` to (.*), in the world`,
			"%[1]s перенёс %[2]s к игроку %[4]s, откуда: %[3]s",
			"%[1]s moved %[2]s to the player %[4]s, from: %[3]s")}},
	"character unstuck": {Text{"вызволение персонажа", "freeing a character"}, always(
		"%[1]s перенёс %[2]s в ближайший город",
		"%[1]s brought %[2]s to the nearest city")},
	"character rename": {Text{"переименование персонажа", "renaming a character"}, []phrase{
		when(`to (.*)`, "%[1]s переименовал %[2]s в %[3]s", "%[1]s renamed %[2]s to %[3]s")}},
	"character delete": {Text{"удаление персонажа", "deleting a character"}, []phrase{
		when(`character \d+ of account "(.*)", slot \d+`,
			"%[1]s удалил персонажа %[2]s учётной записи %[3]s",
			"%[1]s deleted the character %[2]s of the account %[3]s")}},
	"character undelete": {Text{"возвращение персонажа", "undeleting a character"}, []phrase{
		when(`character \d+ of account "(.*)"`,
			"%[1]s вернул удалённого персонажа %[2]s учётной записи %[3]s",
			"%[1]s brought back the deleted character %[2]s of the account %[3]s")}},
	"character give": {Text{"выдача предмета", "giving a thing"}, []phrase{
		when(`(\d+) × (?P<thing>.* \(\d+, suffix -?\d+\))`, "%[1]s дал %[2]s предмет «%[4]s», штук: %[3]s",
			"%[1]s gave %[2]s the thing %[4]s, pieces: %[3]s")}},
	"character money": {Text{"изменение денег", "changing money"}, []phrase{
		when(`set to (\d+)`, "%[1]s сделал деньги %[2]s равными %[3]s",
			"%[1]s set the money of %[2]s to %[3]s"),
		when(`\+(\d+)`, "%[1]s дал %[2]s денег: %[3]s", "%[1]s gave %[2]s money: %[3]s"),
		when(`-(\d+)`, "%[1]s забрал у %[2]s денег: %[3]s", "%[1]s took money from %[2]s: %[3]s")}},
	"character level": {Text{"изменение уровней", "changing levels"}, []phrase{
		when(`title (\d+), degree (\d+)`, "%[1]s сделал %[2]s титул %[3]s и степень %[4]s",
			"%[1]s set the levels of %[2]s to title %[3]s and degree %[4]s")}},
	CharacterReset: {Text{"сброс персонажа самим игроком", "a reset by the player"}, []phrase{
		when(`(?:.+): title (\d+), degree (\d+), points ([+-]\d+) and ([+-]\d+)`,
			"%[1]s начал персонажа %[2]s заново: титул %[3]s, степень %[4]s, очков титула %[5]s, степени %[6]s",
			"%[1]s began %[2]s again: title %[3]s, degree %[4]s, points of title %[5]s, of degree %[6]s")}},
	"character points": {Text{"изменение свободных очков", "changing points to spend"}, []phrase{
		when(`title (\d+), degree (\d+)`, "%[1]s сделал свободные очки %[2]s: титула %[3]s, степени %[4]s",
			"%[1]s set the points to spend of %[2]s: title %[3]s, degree %[4]s")}},
	"character clear": {Text{"изъятие предметов", "taking things"}, []phrase{
		when(`inventory`,
			"%[1]s уничтожил всё в инвентаре %[2]s", "%[1]s destroyed what was in the inventory of %[2]s"),
		when(`all`, "%[1]s уничтожил все предметы %[2]s", "%[1]s destroyed all things of %[2]s"),
		when(`(\d+) × (?P<thing>.* \(\d+, suffix -?\d+\))`,
			"%[1]s забрал у %[2]s предмет «%[4]s», штук: %[3]s",
			"%[1]s took the thing %[4]s from %[2]s, pieces: %[3]s")}},
	"character heal": {Text{"исцеление персонажа", "healing a character"}, always(
		"%[1]s исцелил %[2]s", "%[1]s healed %[2]s")},
	"character revive": {Text{"воскрешение персонажа", "reviving a character"}, always(
		"%[1]s воскресил %[2]s", "%[1]s revived %[2]s")},
	"character mission": {Text{"задание персонажа", "a mission of a character"}, []phrase{
		when(`give`, "%[1]s дал задание %[2]s", "%[1]s gave a mission to %[2]s"),
		when(`give (\w{4})`, "%[1]s дал %[2]s задание %[3]s", "%[1]s gave %[2]s the mission %[3]s"),
		when(`finish`, "%[1]s засчитал задание %[2]s", "%[1]s finished the mission of %[2]s"),
		when(`cancel`, "%[1]s отменил задание %[2]s", "%[1]s cancelled the mission of %[2]s")}},

	"say": {Text{"объявление", "an announcement"}, nil}, // of which the target is a part: see sentence
	"npc spawn": {Text{"постановка жителя", "putting a townsman"}, always(
		"%[1]s поставил жителя %[2]s",
		"%[1]s put the townsman %[2]s")},
	"npc remove": {Text{"удаление жителя", "removing a townsman"}, always(
		"%[1]s убрал жителя %[2]s",
		"%[1]s removed the townsman %[2]s")},

	"monster summon": {Text{"призыв монстра", "summoning a monster"}, []phrase{
		when(`(?:named )?(?:rewarding )?of level (\d+) at `+placed,
			"%[1]s призвал монстра «%[2]s» уровня %[3]s: %[4]s",
			"%[1]s summoned the monster %[2]s of level %[3]s: %[4]s")}},
	"monster remove": {Text{"удаление монстров", "removing monsters"}, []phrase{
		when(`(\d+) at `+placed, "%[1]s убрал монстров (%[2]s), сколько: %[3]s, где: %[4]s",
			"%[1]s removed monsters (%[2]s), how many: %[3]s, where: %[4]s")}},
	"spawner set": {Text{"переключение мест появления монстров", "turning spawners"}, []phrase{
		when(`off: (\d+)`, "%[1]s отключил появление монстров: %[2]s, мест: %[3]s",
			"%[1]s turned spawners off: %[2]s, places: %[3]s"),
		when(`on: (\d+)`, "%[1]s включил появление монстров: %[2]s, мест: %[3]s",
			"%[1]s turned spawners on: %[2]s, places: %[3]s")}},

	"instance enter": {Text{"вход в подземелье", "entering an instance"}, []phrase{
		when(`from `+placed+` into instance (\d+), in the world`,
			"%[1]s перенёс %[2]s в подземелье %[4]s, откуда: %[3]s",
			"%[1]s moved %[2]s into instance %[4]s, from: %[3]s"),
		when(`from `+placed+` into a new instance of (.*), in the world`,
			"%[1]s перенёс %[2]s в новое подземелье «%[4]s», откуда: %[3]s",
			"%[1]s moved %[2]s into a new instance of %[4]s, from: %[3]s")}},

	"server stop": {Text{"остановка сервера", "stopping the server"}, []phrase{
		when(`in (?P<span>\S+): (.*)`, "%[1]s назначил остановку сервера через %[3]s: %[4]s",
			"%[1]s ordered that the server stops in %[3]s: %[4]s"),
		when(`in (?P<span>\S+)`, "%[1]s назначил остановку сервера через %[3]s", "%[1]s ordered that the server stops in %[3]s")}},
	"server stay": {Text{"отмена остановки", "taking back a stop"}, always(
		"%[1]s отменил остановку сервера", "%[1]s took back that the server stops")},
	"rate set": {Text{"множитель", "a rate"}, []phrase{
		when(`(?P<rate>\w+) (\S+)`, "%[1]s задал: %[3]s x%[4]s, пока не отменят", "%[1]s set %[3]s x%[4]s until it is ended"),
		when(`(?P<rate>\w+) (\S+) (?P<end>until \S+)`, "%[1]s задал: %[3]s x%[4]s %[5]s", "%[1]s set %[3]s x%[4]s %[5]s"),
		when(`(?P<rate>\w+) (\S+) from (?P<since>\S+)`, "%[1]s задал: %[3]s x%[4]s %[5]s, пока не отменят",
			"%[1]s set %[3]s x%[4]s %[5]s until it is ended"),
		when(`(?P<rate>\w+) (\S+) from (?P<since>\S+) (?P<end>until \S+)`, "%[1]s задал: %[3]s x%[4]s %[5]s %[6]s",
			"%[1]s set %[3]s x%[4]s %[5]s %[6]s")}},
	"rate end": {Text{"конец множителя", "the end of a rate"}, []phrase{
		when(`(?P<rate>\w+)`, "%[1]s отменил множитель: %[3]s", "%[1]s ended the rate of %[3]s")}},
	"db backup": {Text{"резервная копия", "a backup"}, always(
		"%[1]s сделал резервную копию %[2]s",
		"%[1]s made the backup %[2]s")},
	"backup restore": {Text{"восстановление из копии", "restoring a backup"}, always(
		"%[1]s назначил на следующий запуск восстановление из копии %[2]s",
		"%[1]s ordered that the backup %[2]s is restored at the next start")},
	"backup keep": {Text{"отмена восстановления", "keeping the database"}, always(
		"%[1]s отменил восстановление из копии %[2]s",
		"%[1]s took back that the backup %[2]s is restored")},
	"backup delete": {Text{"удаление копии", "deleting a backup"}, always(
		"%[1]s удалил резервную копию %[2]s",
		"%[1]s deleted the backup %[2]s")},
	"backup download": {Text{"скачивание копии", "downloading a backup"}, always(
		"%[1]s скачал резервную копию %[2]s",
		"%[1]s downloaded the backup %[2]s")},
	"capture record": {Text{"запись обмена", "a recording"}, always(
		"%[1]s начал запись обмена: %[2]s",
		"%[1]s began to record: %[2]s")},
	"capture stop": {Text{"конец записи обмена", "the end of a recording"}, always(
		"%[1]s остановил запись обмена %[2]s",
		"%[1]s stopped the recording %[2]s")},

	PageLogin: {Text{"вход на страницу", "logging in on the page"}, []phrase{
		when(``, "%[1]s вошёл на страницу", "%[1]s logged in on the page"),
		when(`(.*)`, "%[1]s вошёл на страницу с адреса %[3]s",
			"%[1]s logged in on the page from %[3]s")}},
	"config set": {Text{"изменение настройки", "changing a setting"}, []phrase{
		when(`from (.*) to (.*)`, "%[1]s изменил настройку %[2]s: было «%[3]s», стало «%[4]s»",
			"%[1]s changed the setting %[2]s from “%[3]s” to “%[4]s”")}},
	"config reload": {Text{"чтение файлов настроек", "reading the configuration files"}, always(
		"%[1]s велел перечитать файлы настроек",
		"%[1]s had the configuration files read again")},
	"balance set": {Text{"изменение файла баланса", "changing the balance file"}, []phrase{
		when(``, "%[1]s изменил в файле баланса только примечания", "%[1]s changed only remarks of the balance file"),
		when(`(.*)`, "%[1]s изменил файл баланса: %[3]s", "%[1]s changed the balance file: %[3]s")}},
	"token add": {Text{"создание ключа доступа", "making an access token"}, []phrase{
		when(`(?P<role>\w+) (.*)`, "%[1]s создал ключ доступа «%[4]s» с ролью «%[3]s»",
			"%[1]s made the access token “%[4]s” with the role %[3]s")}},
	"token delete": {Text{"удаление ключа доступа", "deleting an access token"}, []phrase{
		when(`(.*)`, "%[1]s удалил ключ доступа № %[3]s", "%[1]s deleted the access token no. %[3]s")}},
}

var (
	failedDeedText = Text{"%s: не удалось: %s: %s", "%s: not done: %s: %s"}
	otherDeedText  = Text{"%s: %s: %s", "%s: %s: %s"}
	deedToText     = Text{"%s, %s", "%s, %s"}
	refusedText    = Text{"%s пытался сделать то, на что не хватает роли: %s, %s",
		"%s tried what takes a higher role: %s, %s"}
	commandDeedText = Text{"%s дал команду %s %s", "%s gave the command %s %s"}
	sayText         = Text{"%s объявил всем: %s", "%s announced: %s"}
	sayToText       = Text{"%s написал учётной записи %s: %s", "%s wrote to the account %s: %s"}
)

// IsAudited says whether a verb changes something and so leaves entries in the audit trail.
func IsAudited(v Any) bool { return deeds[v.Name()].noun != Text{} }

// sentence tells an entry of the audit trail. An entry that it does not know is told with its own words.
func (s *Service) sentence(e data.AuditEntry) Text {
	what, known := deeds[e.Action]
	if !known {
		what.noun = Text{e.Action, e.Action}
	}
	who, target := Author(e.Who), s.target(e)
	noun := what.noun
	if e.Target != "" {
		noun = told(deedToText, noun, target)
	}
	why, failed := whyNot(e.Detail)
	switch {
	case e.Action == "refused":
		return refusedDeed(e)
	case strings.HasPrefix(e.Action, "/"):
		return told(commandDeedText, who, e.Action, e.Detail)
	case known && failed:
		return told(failedDeedText, who, noun, why)
	case e.Action == "say" && e.Target == "":
		return told(sayText, who, e.Detail)
	case e.Action == "say":
		return told(sayToText, who, target, e.Detail)
	}
	for _, p := range what.phrases {
		args := []any{who, target}
		if p.detail == nil {
			return told(p.text, args...)
		}
		if groups := p.detail.FindStringSubmatch(e.Detail); groups != nil {
			for i, name := range p.detail.SubexpNames()[1:] {
				args = append(args, s.inWords(name, groups[i+1]))
			}
			return told(p.text, args...)
		}
	}
	return told(otherDeedText, who, noun, e.Detail)
}

// firstOwner is the author of the first administrator, as the audit trail calls it.
const firstOwner = "first administrator"

// Author is the author of an act, as people read it.
func Author(who string) Text {
	if who == firstOwner {
		return Text{"первый администратор", firstOwner}
	}
	if name, is := strings.CutPrefix(who, MachineOwner); is && (name == "" || name[0] == ' ') {
		return Text{"оператор" + name, who}
	}
	return Text{who, who}
}

// Targets that stand for more than one, or for one without a name.
const (
	allSessions = "all sessions"
	oneSession  = "session "
	allSummoned = "summoned"
)

var around = regexp.MustCompile(`^(\S+ \S+ \S+), (\d+) m$`)

// target is the target of an entry, as people read it.
func (s *Service) target(e data.AuditEntry) any {
	index, session := strings.CutPrefix(e.Target, oneSession)
	switch {
	case e.Action == "db backup" || e.Action == "capture stop":
		return filepath.Base(e.Target)
	case e.Action == "capture record" && e.Target == allSessions:
		return Text{"все сеансы", allSessions}
	case e.Action == "capture record" && session:
		return Text{"сеанс " + index, e.Target}
	case e.Action == "monster remove" && e.Target == allSummoned:
		return Text{"призванных", allSummoned}
	case strings.HasPrefix(e.Action, "monster "):
		if m, err := s.findMonster(e.Target); err == nil {
			return nameOfMonster(m)
		}
	case e.Action == "spawner set":
		if m := around.FindStringSubmatch(e.Target); m != nil {
			t := Text{"%s, на %s м вокруг", "%s, %s m around"}
			where := whereIn(m[1])
			return Text{t.In(true, where, m[2]), t.In(false, where, m[2])}
		}
	}
	return e.Target
}

// whereIn is the place of coordinates as package fmt writes them.
func whereIn(text string) Text {
	var at coords.Position
	if _, err := fmt.Sscan(text, &at.X, &at.Y, &at.Z); err != nil {
		return Text{text, text}
	}
	return Where(at)
}

// told writes a text in both languages.
func told(t Text, args ...any) Text {
	in := func(russian bool) string { return strings.TrimRight(t.In(russian, args...), " :,") }
	return Text{in(true), in(false)}
}

// refusedDeed tells a refused attempt: a verb, perhaps with its target, a login, or a request.
func refusedDeed(e data.AuditEntry) Text {
	if e.Detail == "login" {
		e.Detail = PageLogin
	}
	for i := len(e.Detail); i > 0; i = strings.LastIndexByte(e.Detail[:i], ' ') { // names have blanks, too
		if what, known := deeds[e.Detail[:i]]; known {
			return told(refusedText, Author(e.Who), what.noun, strings.TrimSpace(e.Detail[i:]))
		}
	}
	return told(refusedText, e.Who, e.Detail, "")
}

var givenThing = regexp.MustCompile(`^(.*) \((\d+), suffix (-?\d+)\)$`)

// inWords writes a group of a pattern as people read it, by its name.
func (s *Service) inWords(name, group string) any {
	switch name {
	case "role":
		for r, words := range RoleNames {
			if data.Role(r).String() == group {
				return words
			}
		}
	case "rate":
		if k, _, ok := rules.RateKindOf(group); ok {
			return rateNames[k]
		}
	case "since":
		if at, err := time.Parse(time.RFC3339, group); err == nil {
			return Since(at)
		}
	case "end":
		at, _ := time.Parse("until "+time.RFC3339, group) // zero: for ever
		return Until(at)
	case "place":
		return whereIn(group)
	case "span":
		if d, err := time.ParseDuration(group); err == nil {
			return Span(d)
		}
	case "list":
		return strings.ReplaceAll(strings.Trim(group, `"`), `" "`, ", ")
	case "thing":
		if parts := givenThing.FindStringSubmatch(group); parts != nil {
			id, _ := strconv.Atoi(parts[2])
			suffix, _ := strconv.Atoi(parts[3])
			if k := s.kinds().Kind(id); k != nil {
				with := s.kinds().Suffix(k, suffix)
				return Text{k.FullName(with, "ru"), k.FullName(with, "en")}
			}
			return parts[1]
		}
	}
	return group
}
