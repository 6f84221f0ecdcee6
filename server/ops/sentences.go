package ops

import (
	_ "embed" // the sentences
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/lazyregexp"
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
	detail func() *regexp.Regexp // compiled when an entry is first told: the start of the server need not pay for all
	text   Text
}

// An auditAction is an action of the audit trail: its name, and the sentences of its entries.
type auditAction struct {
	noun    Text
	phrases []phrase
}

//go:embed deeds.tsv
var deedsTable string

// auditActions are all actions of the audit trail, except chat commands that are no verbs.
var auditActions = func() map[string]auditAction {
	named := strings.NewReplacer("PLACE", `\{(?P<place>\S+ \S+ \S+) \S+\}`,
		"PENALTY", `(?P<end>for ever|until \S+?)(?:: (.*))?`)
	all := map[string]auditAction{}
	action := ""
	for _, cells := range content.TableLines(deedsTable, "#") {
		if cells[0] != "" {
			action = cells[0]
			all[action] = auditAction{noun: Text{cells[1], cells[2]}}
			continue
		}
		d := all[action]
		detail := sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile("(?s)^" + named.Replace(cells[1]) + "$")
		})
		d.phrases = append(d.phrases, phrase{detail, Text{cells[2], cells[3]}})
		all[action] = d
	}
	return all
}()

var (
	failedText     = Text{"%s: не удалось: %s: %s", "%s: not done: %s: %s"}
	otherText      = Text{"%s: %s: %s", "%s: %s: %s"}
	withTargetText = Text{"%s, %s", "%s, %s"}
	refusedText    = Text{"%s пытался сделать то, на что не хватает роли: %s, %s",
		"%s tried what takes a higher role: %s, %s"}
	commandText = Text{"%s дал команду %s %s", "%s gave the command %s %s"}
	sayText     = Text{"%s объявил всем: %s", "%s announced: %s"}
	sayToText   = Text{"%s написал учётной записи %s: %s", "%s wrote to the account %s: %s"}
)

// IsAudited reports whether a verb changes something and so leaves entries in the audit trail.
func IsAudited(v Any) bool { return auditActions[v.Name()].noun != Text{} }

// sentence tells an entry of the audit trail. An entry that it does not know is told with its own words.
func (s *Service) sentence(e data.AuditEntry) Text {
	what, known := auditActions[e.Action]
	if !known {
		what.noun = Text{e.Action, e.Action}
	}
	who, target := Author(e.Who), s.target(e)
	noun := what.noun
	if e.Target != "" {
		noun = told(withTargetText, noun, target)
	}
	why, failed := whyNot(e.Detail)
	switch {
	case e.Action == "refused":
		return refusedAction(e)
	case strings.HasPrefix(e.Action, "/"):
		return told(commandText, who, e.Action, e.Detail)
	case known && failed:
		return told(failedText, who, noun, why)
	case e.Action == "say" && e.Target == "":
		return told(sayText, who, e.Detail)
	case e.Action == "say":
		return told(sayToText, who, target, e.Detail)
	}
	for _, p := range what.phrases {
		args := []any{who, target}
		detail := p.detail()
		if groups := detail.FindStringSubmatch(e.Detail); groups != nil {
			for i, name := range detail.SubexpNames()[1:] {
				args = append(args, s.inWords(name, groups[i+1]))
			}
			return told(p.text, args...)
		}
	}
	return told(otherText, who, noun, e.Detail)
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

var around = lazyregexp.Of(`^(\S+ \S+ \S+), (\d+) m$`)

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
		if m := around().FindStringSubmatch(e.Target); m != nil {
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

// refusedAction tells a refused attempt: a verb, perhaps with its target, a login, or a request.
func refusedAction(e data.AuditEntry) Text {
	if e.Detail == "login" {
		e.Detail = PageLogin
	}
	for i := len(e.Detail); i > 0; i = strings.LastIndexByte(e.Detail[:i], ' ') { // names have blanks, too
		if what, known := auditActions[e.Detail[:i]]; known {
			return told(refusedText, Author(e.Who), what.noun, strings.TrimSpace(e.Detail[i:]))
		}
	}
	return told(refusedText, e.Who, e.Detail, "")
}

var givenThing = lazyregexp.Of(`^(.*) \((\d+), suffix (-?\d+)\)$`)

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
		if parts := givenThing().FindStringSubmatch(group); parts != nil {
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
