package main

import (
	"cmp"
	_ "embed" // the texts
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sphereserver/data/lazyregexp"
	"sphereserver/server/config"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

//go:embed answers.ru.txt
var russianAnswerText string

// russianAnswers are the Russian answers of commands, by the English ones with their verbs of package fmt.
var russianAnswers = sync.OnceValue(func() map[string]string {
	_, answers := readHelp(russianAnswerText)
	return answers
})

// A sentence is a text in both languages: the English one is in the code, the Russian one in answers.ru.txt. It is an
// error, too.
type sentence struct {
	format string
	args   []any
}

// A word is an argument of a sentence that has a Russian form of its own.
type word string

// failf is an error in both languages; errors among the arguments are wrapped.
func failf(format string, args ...any) error { return sentence{format, args} }

// In writes the sentence in a language.
func (s sentence) In(russian bool) string {
	format, known := russianAnswers()[s.format]
	if !russian || !known {
		format = s.format
	}
	args := slices.Clone(s.args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case word:
			if args[i] = string(arg); russian {
				args[i] = russianSentence(string(arg))
			}
		case sentence:
			args[i] = arg.In(russian)
		case ops.Text:
			args[i] = arg.In(russian)
		case time.Duration:
			if russian {
				args[i] = russianDuration(arg)
			}
		case error:
			if args[i] = plain(arg).Error(); russian {
				args[i] = russianOf(arg)
			}
		}
	}
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	if russian && !known { // its parts may be
		return russianSentence(text)
	}
	return text
}

// russianDuration is a length of time in Russian, to the millisecond.
func russianDuration(d time.Duration) string {
	switch d = d.Round(time.Millisecond); {
	case d%time.Second == 0 && d >= 0:
		return ops.Span(d).In(true)
	case d.Abs() < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " мс"
	}
	return strings.Replace(strconv.FormatFloat(d.Seconds(), 'f', -1, 64), ".", ",", 1) + " с"
}

func (s sentence) Error() string { return s.In(false) }

func (s sentence) Unwrap() (wrapped []error) {
	for _, arg := range s.args {
		if err, is := arg.(error); is {
			wrapped = append(wrapped, err)
		}
	}
	return wrapped
}

// russianOf is an error in Russian: as it says it itself, or else by its English text.
func russianOf(err error) string {
	var several interface{ Unwrap() []error }
	var source *config.SourceError
	var inBoth ops.Localized
	switch {
	case errors.As(err, &source):
		if source.Origin.From == "environment" {
			return sentence{"environment variable %s: %v", []any{source.Origin.Name, source.Err}}.In(true)
		}
		return sentence{"--%s: %v", []any{source.Origin.Name, source.Err}}.In(true)
	case errors.As(err, &inBoth):
		own := inBoth.In(true)
		if around := strings.Replace(plain(err).Error(), inBoth.In(false), "\x00", 1); strings.Contains(around, "\x00") {
			own = strings.Replace(russianSentence(around), "\x00", own, 1)
		}
		return own
	case errors.As(err, &several):
		parts := slices.DeleteFunc(several.Unwrap(), func(err error) bool { return err == nil })
		if joined := errors.Join(parts...); joined != nil && joined.Error() == err.Error() {
			return strings.Join(each(parts, russianOf), "; ")
		}
	}
	return russianSentence(plain(err).Error())
}

// A pattern finds an English text of the packages below, which know one language, and has the Russian one.
type pattern struct {
	text    string
	english *regexp.Regexp
	russian string // with a %s for each group
	nested  []bool // which groups are errors, of which there may be patterns, too
	literal int    // bytes that are no group: of several patterns the one with the most is meant
}

var (
	verbOfText  = lazyregexp.Of(`%(\[\d+\])?[-+#0-9.]*[a-zA-Z]`)
	verbPattern = map[byte]string{'d': `(-?\d+)`, 'q': `("(?:[^"\\]|\\.)*"|'[^']+')`}
)

// patterns are of all sentences, the most exact first.
var patterns = sync.OnceValue(func() (all []pattern) {
	for english, russian := range russianAnswers() {
		if strings.HasPrefix(english, "%v") {
			continue // it begins with anything
		}
		p := pattern{text: english}
		var b strings.Builder
		rest := english
		for _, at := range verbOfText().FindAllStringIndex(english, -1) {
			start := at[0] - (len(english) - len(rest))
			verb := english[at[1]-1]
			group, exact := verbPattern[verb]
			if !exact {
				group = `((?:[^:]|:[^ ])+?)` // the part after a colon is a text of its own
			}
			if verb == 'w' || verb == 'v' {
				group = `(.+?)`
			}
			b.WriteString(regexp.QuoteMeta(rest[:start]) + group)
			p.nested, p.literal = append(p.nested, verb == 'w' || verb == 'v'), p.literal+start
			rest = english[at[1]:]
		}
		if p.literal += len(rest); p.literal < leastLiteral {
			continue // it fits everything
		}
		p.english = regexp.MustCompile("(?s)^" + b.String() + regexp.QuoteMeta(rest) + "$")
		p.russian = verbOfText().ReplaceAllString(russian, "%${1}s")
		all = append(all, p)
	}
	// parts counts those that have Russian texts of their own.
	parts := func(p pattern) int { return strings.Count(fmt.Sprint(p.nested), "true") }
	slices.SortFunc(all, func(a, b pattern) int {
		return cmp.Or(b.literal-a.literal, parts(b)-parts(a), cmp.Compare(b.text, a.text))
	})
	return all
})

// leastLiteral is how many bytes of a text have to be its own for it to be known by them.
const leastLiteral = 5

// meantText is a text with the nearest right form behind it.
var meantText = lazyregexp.Of(`(?s)^(.+); did you mean (\S+|"(?:[^"\\]|\\.)*")\?$`)

// expectedText is a mistake, of which the expected part may be a text of its own that has an "or" in it.
var expectedText = lazyregexp.Of(`(?s)^expected (.+), found ("(?:[^"\\]|\\.)*"|\S+)$`)

// agreement finds the nouns that are expected, but are not neuter.
var agreement = lazyregexp.Of(`нужно (?:` +
	`(вид|игрок|канал|класс|ключ|монстр|номер|предмет|рубеж|суффикс|текст|уровень)|(цель|роль|часть)|` +
	`(номера|монстры|значения))([ ,:]|$)`)

// agreed puts "нужно" into the gender and number of the noun behind it.
func agreed(russian string) string {
	return agreement().ReplaceAllStringFunc(russian, func(found string) string {
		m := agreement().FindStringSubmatch(found)
		for i, form := range []string{"нужен ", "нужна ", "нужны "} {
			if m[i+1] != "" {
				return form + m[i+1] + m[4]
			}
		}
		return found
	})
}

// russianSentence is an English text in Russian, or as it is where none is known. The part before a colon may be a
// name, such as that of a file.
func russianSentence(text string) string {
	if exact, known := russianAnswers()[text]; known {
		return exact
	}
	if m := meantText().FindStringSubmatch(text); m != nil {
		return russianSentence(m[1]) + "; может быть, " + m[2] + "?"
	}
	if m := expectedText().FindStringSubmatch(text); m != nil && russianAnswers()[m[1]] != "" {
		return agreed("нужно " + russianAnswers()[m[1]] + ", а не " + m[2])
	}
	for _, p := range patterns() {
		groups := p.english.FindStringSubmatch(text)
		if groups == nil {
			continue
		}
		args := make([]any, len(p.nested))
		for i, nested := range p.nested {
			if args[i] = groups[i+1]; nested {
				args[i] = russianSentence(groups[i+1])
			}
		}
		return agreed(fmt.Sprintf(p.russian, args...))
	}
	for _, between := range []string{": ", "; ", "\n"} {
		if head, tail, more := strings.Cut(text, between); more {
			return russianSentence(head) + between + russianSentence(tail)
		}
	}
	return text
}

// A printer writes the answers of a command, in the language of the system.
type printer struct {
	io.Writer
	russian bool
}

func (p printer) say(format string, args ...any) string { return sentence{format, args}.In(p.russian) }

// told is a text of a package below, which is in English.
func (p printer) told(english string) string {
	if p.russian {
		return russianSentence(english)
	}
	return english
}

// line writes a sentence.
func (p printer) line(format string, args ...any) { fmt.Fprintln(p, p.say(format, args...)) }

// words are texts each.
func (p printer) words(all ...string) []string {
	return each(all, func(english string) string { return p.say(english) })
}

// labelled are rows that each begin with a word of the program.
func (p printer) labelled(rows [][]string) [][]string {
	for _, row := range rows {
		row[0] = p.say(row[0])
	}
	return rows
}

// when shows a time, as the operator's clock has it.
func (p printer) when(t time.Time) string {
	if t.IsZero() {
		return p.say("never")
	}
	return when(t)
}

// level shows an absolute level minus one as players know it: "great 15".
func (p printer) level(of ops.Ordinal) string {
	cycle := [...]string{"%d", "great %d", "greatest %d", "legendary %d"}
	level := min(max(int(of), 0), rules.MaxLevel)
	return p.say(cycle[level/rules.CycleLevels], level%rules.CycleLevels+1)
}

// counted is a number of things, in the singular where it is one: "1 step", "2 steps".
func counted(n int, what string) ops.Text {
	english := strconv.Itoa(n) + " " + what + "s"
	if n == 1 {
		english = "1 " + what
	}
	return text(sentence{what + "s", nil}.In(true)+": "+strconv.Itoa(n), english)
}
