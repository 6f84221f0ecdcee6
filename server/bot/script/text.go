package script

import (
	"fmt"
	"slices"
	"strings"

	"sphereserver/data/content"
)

// A Text is for readers in both languages.
type Text struct{ English, Russian string }

// In is the text in a language.
func (t Text) In(russian bool) string {
	if russian {
		return t.Russian
	}
	return t.English
}

// say makes a text of two formats. Texts among the arguments are written in the language of the format.
func say(english, russian string, args ...any) Text {
	in := func(russian bool, format string) string {
		own := make([]any, len(args))
		for i, arg := range args {
			own[i] = arg
			if t, is := arg.(Text); is {
				own[i] = t.In(russian)
			}
		}
		return fmt.Sprintf(format, own...)
	}
	return Text{in(false, english), in(true, russian)}
}

// named is a text that is the same in both languages: a name, a number, a word of scenarios.
func named(text string) Text { return Text{text, text} }

// and adds a text.
func (t Text) and(more Text) Text { return Text{t.English + more.English, t.Russian + more.Russian} }

// nobody and nothing stand for an empty list.
var (
	nobody  = Text{"nobody", "никого"}
	nothing = Text{"nothing", "ничего"}
)

// mostListed is how many things a failure names.
const mostListed = 10

// list names some things, or says that there are none.
func list(what []Text, none Text) Text {
	if len(what) == 0 {
		return none
	}
	more := len(what) - mostListed
	what = what[:min(len(what), mostListed)]
	english, russian := make([]string, len(what)), make([]string, len(what))
	for i, t := range what {
		english[i], russian[i] = t.English, t.Russian
	}
	all := Text{strings.Join(english, ", "), strings.Join(russian, ", ")}
	if more > 0 {
		all = all.and(say(" and %d more", " и ещё %d", more))
	}
	return all
}

// newest names the last of some things: of what was heard or read the newest matters.
func newest(what []Text, none Text) Text {
	if older := len(what) - mostListed; older > 0 {
		return say("%d older and ", "более старых: %d, и ", older).and(list(what[older:], none))
	}
	return list(what, none)
}

// names are the texts of names.
func names(all []string) []Text {
	out := make([]Text, len(all))
	for i, name := range all {
		out[i] = named(name)
	}
	return out
}

// monsterText names a type of monsters, with its number.
func monsterText(kind int) Text {
	row := content.Default().Monster(kind)
	if row == nil {
		return say("monster %d", "монстр %d", kind)
	}
	return say("%s (%d)", "%s (%d)", Text{row.Name("en"), row.Name("ru")}, kind)
}

// sight expects that something is seen, noSight that it is not: a [Text], or a name.
func sight(what any) Text   { return say("to see %s", "видеть: %s", what) }
func noSight(what any) Text { return say("not to see %s", "не видеть: %s", what) }

// notFar is how far something may be away.
func notFar(metres float64) Text {
	return say(", %v m away at most", ", не дальше %v м", metres)
}

// sorted puts texts in the order of their English words, whatever the order in which the client holds what they are
// about.
func sorted(all []Text) {
	slices.SortFunc(all, func(a, b Text) int { return strings.Compare(a.English, b.English) })
}
