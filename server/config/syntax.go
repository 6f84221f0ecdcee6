package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"sphereserver/data/lazyregexp"
	"sphereserver/world/rules"
)

// Faults of a file that is no TOML: the decoder says which byte it cannot read, and people want to know the right text.

// unreadable says that a text is none, before anything else is tried; nil for nothing.
func unreadable(text []byte) error {
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return wrong("the file is in UTF-16; save it as UTF-8", "файл в кодировке UTF-16; сохраните его в UTF-8")
	case !utf8.Valid(text):
		return wrong("the file is not in UTF-8; save it as UTF-8 and not as ANSI",
			"файл не в кодировке UTF-8; сохраните его в UTF-8, а не в ANSI")
	}
	return nil
}

// syntaxProblem explains the fault where the decoder has stopped.
func (d *document) syntaxProblem(text []byte, err error) Problem {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return problem(0, 0, "", err)
	}
	line, column := at.Position()
	s := stopped{document: d, lines: strings.Split(string(text), "\n"), message: err.Error()}
	s.row = min(max(line, 1), len(s.lines)) - 1
	if name := s.nameIn(s.row); name != "" {
		s.key, _ = d.key(name)
	}
	p := problem(line, column, "", s.explain())
	if s.key != nil {
		p.Key = s.key.Name
	}
	return p
}

// stopped is where the decoder has stopped.
type stopped struct {
	document *document
	lines    []string
	row      int    // of the line, from 0
	key      *Key   // that the line sets; nil for none
	message  string // of the decoder
}

var (
	tableLine  = lazyregexp.Of(`^\s*\[\s*([^\[\]#]*?)\s*\]`)
	signedTail = lazyregexp.Of(`\s+#.*$`)
)

// nameIn is the name of the key that a line sets, with its table.
func (s *stopped) nameIn(row int) string {
	name, _, sets := strings.Cut(s.lines[row], "=")
	if name = strings.TrimSpace(name); !sets || name == "" {
		return ""
	}
	for row--; row >= 0; row-- {
		if m := tableLine().FindStringSubmatch(s.lines[row]); m != nil && m[1] != "" {
			return m[1] + "." + name
		}
	}
	return name
}

func (s *stopped) explain() error {
	line := strings.TrimSpace(s.lines[s.row])
	name, value, sets := strings.Cut(line, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(signedTail().ReplaceAllString(value, ""))
	switch {
	case strings.Contains(s.message, "already"):
		return s.twice()
	case strings.Contains(s.message, "array") || strings.HasPrefix(value, "["):
		return wrong("a list has no closing bracket, or no comma between two values: [1, 2, 3]",
			"в списке нет закрывающей скобки или запятой между значениями: [1, 2, 3]")
	case strings.HasPrefix(line, "["):
		return s.table(line)
	case !sets:
		return wrong("expected KEY = VALUE or [TABLE], found %q", "нужно КЛЮЧ = ЗНАЧЕНИЕ или [РАЗДЕЛ], а не %q", line)
	case !plainName(name):
		return s.document.misnamed(name, "keys", "ключи", s.document.keyNames())
	case value == "":
		return wrong("expected a value after the sign =, found nothing", "после знака = нужно значение, а там пусто")
	case strings.HasPrefix(value, `"`) && strings.Contains(value, `\`):
		return wrong(`in double quotes a backslash begins a special character; a path stands in single quotes: '%s'`,
			`в двойных кавычках обратная черта начинает особый знак; путь пишут в одинарных: '%s'`,
			strings.Trim(value, `"`))
	case strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'"):
		return wrong("expected one text in quotes, found %s", "нужен один текст в кавычках, а не %s", value)
	case s.key != nil:
		return s.key.unlike(value, strconv.Quote(value))
	}
	return wrong("expected a value: a number, true, false, a text in quotes or a list, found %q",
		"нужно значение: число, true, false, текст в кавычках или список, а не %q", value)
}

// twice says that a key or a table stands in the file already, and where.
func (s *stopped) twice() error {
	here := s.nameIn(s.row)
	for row := range s.row {
		same := here != "" && s.nameIn(row) == here
		if m := tableLine().FindStringSubmatch(s.lines[s.row]); m != nil {
			before := tableLine().FindStringSubmatch(s.lines[row])
			same = before != nil && before[1] == m[1]
		}
		if same {
			return wrong("it stands in line %d already; keep one of the two", "это уже есть в строке %d; оставьте что-то одно",
				row+1)
		}
	}
	return wrong("it stands in the file already; keep one of the two", "это уже есть в файле; оставьте что-то одно")
}

func (s *stopped) table(line string) error {
	name, rest, _ := strings.Cut(strings.TrimLeft(line, "[ \t"), "]")
	name, rest = strings.TrimSpace(name), strings.Trim(rest, "] \t")
	if !plainName(name) {
		return s.document.misnamed(name, "tables", "разделы", s.document.tableNames())
	}
	if rest != "" {
		return wrong("expected [%s] in a line of its own", "[%s] должно стоять в отдельной строке", name)
	}
	return wrong("expected [%s], found %q", "нужно [%s], а не %q", name, line)
}

// misnamed says that a name is none of TOML.
func (d *document) misnamed(name, what, russian string, known []string) error {
	e := valueError{fmt.Sprintf("%s have names in Latin letters, found %q", what, name),
		fmt.Sprintf("%s называются латинскими буквами, а не %q", russian, name)}
	if near, ok := d.nearestName(name, known); ok && name != "" {
		return e.maybe(near)
	}
	if what == "tables" {
		e.english += "; there are " + strings.Join(known, ", ")
		e.russian += "; есть " + strings.Join(known, ", ")
	}
	return e
}

func plainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || r != '-' && r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// maybe adds the likely meaning.
func (e valueError) maybe(meant string) valueError {
	return valueError{e.english + ", did you mean " + meant + "?", e.russian + "; может быть, " + meant + "?"}
}

// unlike says that a value is none of its key, with the likely meaning; raw is the value, found the words for it.
func (k *Key) unlike(raw, found string) error {
	kind := kinds[k.Kind()]
	comma := ""
	if k.Kind() == Duration {
		comma = ","
	}
	e := valueError{"expected " + kind.words + comma + k.bounds(false) + ", found " + found,
		kind.russian + comma + k.bounds(true) + ", а не " + found}
	meant, ok := k.meant(raw)
	switch {
	case ok && decimalComma().MatchString(raw):
		return valueError{fmt.Sprintf("a fraction is written with a point: %s, found %s", meant, found),
			fmt.Sprintf("дробная часть отделяется точкой: %s, а не %s", meant, found)}
	case ok:
		return e.maybe(meant)
	}
	return e
}

var (
	decimalComma = lazyregexp.Of(`^-?\d+,\d+%?$`)
	timeParts    = lazyregexp.Of(`^(\d+(?:[.,]\d+)?)\s*(\pL*)\.?\s*`)
)

// meant is a value that the reader may have meant, as the file has it, if the key takes it.
func (k *Key) meant(raw string) (string, bool) {
	text := strings.TrimFunc(strings.TrimSpace(raw), func(r rune) bool { return strings.ContainsRune("\"'«»“”„‘’`", r) })
	var s Settings
	if k.Kind() == Text { // its quotes are missing
		return quote(text), text != "" && k.set(k.at(&s), text) == nil
	}
	for _, try := range []func(string) string{same, truth, numeral, lasting} {
		if candidate := try(text); candidate != "" && candidate != raw && k.set(k.at(&s), candidate) == nil {
			if k.Kind() == Number { // as it was written: 3.0 and not 3
				return candidate, true
			}
			return k.fileValue(&s), true
		}
	}
	return "", false
}

func same(text string) string { return text }

// truth reads a switch in words of both languages.
func truth(text string) string {
	if on, ok := SwitchOf(text); ok {
		return strconv.FormatBool(on)
	}
	return ""
}

// SwitchOf reads a switch in words of both languages.
func SwitchOf(text string) (on, ok bool) {
	switch word := strings.ToLower(text); {
	case slices.Contains([]string{"да", "yes", "on", "вкл", "истина", "true"}, word):
		return true, true
	case slices.Contains([]string{"нет", "no", "off", "выкл", "ложь", "false"}, word):
		return false, true
	}
	return false, false
}

// numeral reads a number as people write it: with a decimal comma, spaces between thousands, or in percent.
func numeral(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' {
			return -1
		}
		return r
	}, text)
	if strings.Count(text, ",") == 1 {
		text = strings.Replace(text, ",", ".", 1)
	}
	if text != "" && unicode.IsDigit(rune(text[0])) {
		text = strings.TrimRightFunc(text, unicode.IsLetter) // 100m
	}
	if text = strings.TrimLeft(text, "0"); text == "" || text[0] < '0' || text[0] > '9' { // .5, 05
		text = "0" + text
	}
	if number, percent := strings.CutSuffix(text, "%"); percent {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return ""
		}
		return strconv.FormatFloat(v/100, 'g', 12, 64)
	}
	return text
}

// lasting reads a time with Russian or longer units, or without any, which is taken for seconds.
func lasting(text string) string {
	var b strings.Builder
	for rest := strings.ToLower(text); rest != ""; {
		m := timeParts().FindStringSubmatch(rest)
		if m == nil {
			return ""
		}
		number, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		unit := timeUnit(m[2])
		if err != nil || unit == "" {
			return ""
		}
		if unit == "d" {
			number, unit = number*24, "h"
		}
		b.WriteString(strconv.FormatFloat(number, 'f', -1, 64) + unit)
		rest = rest[len(m[0]):]
	}
	if d, err := time.ParseDuration(b.String()); err == nil {
		return durationText(d)
	}
	return ""
}

// timeUnit is the unit that a word means.
func timeUnit(word string) string {
	switch {
	case word == "d" || strings.HasPrefix(word, "д") || strings.HasPrefix(word, "day") || strings.HasPrefix(word, "сут"):
		return "d"
	case word == "" || word == "s" || word == "c" || strings.HasPrefix(word, "с") || strings.HasPrefix(word, "sec"):
		return "s"
	case word == "ms" || word == "мс":
		return "ms"
	case word == "m" || strings.HasPrefix(word, "м") || strings.HasPrefix(word, "min"):
		return "m"
	case word == "h" || strings.HasPrefix(word, "ч") || strings.HasPrefix(word, "hour"):
		return "h"
	}
	return ""
}

// nearestName also finds a key that stands in the wrong table, or in none.
func (d *document) nearestName(name string, known []string) (string, bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for _, k := range known {
		if k[strings.LastIndexByte(k, '.')+1:] == last {
			return k, true
		}
	}
	for _, k := range d.keys {
		if k.Flag == last && slices.Contains(known, k.Name) {
			return k.Name, true
		}
	}
	return rules.Nearest(name, known)
}
