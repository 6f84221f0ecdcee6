package clientfiles

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// languages are the meanings of the ends of names of language files; none is Russian (13.5). "_p" may be another
// language than Polish: nothing known says which.
var languages = []struct{ end, language string }{
	{"_spa", "es"}, {"_e", "en"}, {"_i", "it"}, {"_p", "pl"}, {"_d", "de"}, {"_f", "fr"},
}

// textFiles are the language files that are kept whole (13.5).
var textFiles = []string{"_rnms", "_sys", "_entries", "_tokens", "_teleports", "_castles", "_viruses", "_npc_classes"}

// Numbers of lines with a meaning of their own (13.5).
const (
	nameLine    = 1
	suffixLines = 200
	maxSuffixes = 100
	maxNumber   = 1 << 20
)

// splitLanguage finds the module and the language of a language file's name; no module when it is none that we know.
func splitLanguage(bare string) (module, language string) {
	if m := languageModule(bare); m != "" {
		return m, "ru" // also a module with such an end in its own name: crystal_attr_d
	}
	for _, l := range languages {
		rest, ok := strings.CutSuffix(bare, l.end)
		if !ok {
			continue
		}
		if m := languageModule(rest); m != "" {
			return m, l.language
		}
		if rules.HasFamily(rest) {
			return rest, l.language
		}
	}
	if rules.HasFamily(bare) {
		return bare, "ru"
	}
	return "", ""
}

// languageModule is the module of a name without the end of a language: one of the special files, or a module of a
// known class.
func languageModule(name string) string {
	for _, t := range textFiles {
		if name == t || name == t[1:] {
			return t
		}
	}
	if rules.ClassOfModule(name) != 0 {
		return name
	}
	return ""
}

// A numberedLine is one line of a language file.
type numberedLine struct {
	section string
	number  int
	text    string
}

// parseLanguage reads the lines of a language file; strange counts lines that are neither a section nor begin with a
// number.
func parseLanguage(raw []byte) (out []numberedLine, strange int) {
	section := ""
	for _, l := range lines(raw) {
		text := strings.TrimSpace(l.text)
		if name, ok := strings.CutPrefix(text, "#"); ok {
			section, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			section, _, _ = strings.Cut(section, "\t")
			continue
		}
		end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(text)
		}
		n, err := strconv.Atoi(text[:end])
		if err != nil || n > maxNumber {
			strange++
			continue
		}
		out = append(out, numberedLine{section, n, strings.TrimSpace(text[end:])})
	}
	return out, strange
}

func (c *collection) language(f file, raw []byte) {
	c.report.Languages[f.language]++
	read, strange := parseLanguage(raw)
	if strange > 0 {
		c.report.problem(f.path, "", "%d lines not read: expected a number or \"#\" at the beginning", strange)
	}
	if slices.Contains(textFiles, f.name) {
		c.text(f, read)
		return
	}
	m := c.module(f.name)
	for _, l := range read {
		switch id, err := strconv.Atoi(l.section); {
		case l.text == "":
		case l.number == nameLine:
			if err == nil {
				keepFirst(namesAt(m.names, id), f.language, l.text)
			}
			keepFirst(m.own, f.language, l.text)
		case l.number >= suffixLines && l.number < suffixLines+maxSuffixes:
			keepFirst(namesAt(m.suffixes, l.number-suffixLines), f.language, l.text)
		}
	}
}

// namesAt are the names of one of many, which are made if there are none.
func namesAt[K comparable](of map[K]rules.Names, key K) rules.Names {
	if of[key] == nil {
		of[key] = rules.Names{}
	}
	return of[key]
}

// keepFirst keeps the first text of a language.
func keepFirst(names rules.Names, language, text string) {
	if names[language] == "" {
		names[language] = text
	}
}

func (c *collection) text(f file, read []numberedLine) {
	t := c.texts[f.name]
	if t == nil {
		t = map[textKey]rules.Names{}
		c.texts[f.name] = t
	}
	for _, l := range read {
		if l.text != "" {
			namesAt(t, textKey{l.section, l.number})[f.language] = l.text
		}
	}
}

func (c *collection) orderTexts() {
	for name, t := range c.texts {
		keys := slices.SortedFunc(maps.Keys(t), func(a, b textKey) int {
			return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.number, b.number))
		})
		var texts []content.Text
		for _, k := range keys {
			texts = append(texts, content.Text{Section: k.section, Number: k.number, Text: t[k]})
		}
		if len(texts) > 0 {
			set(&c.out.Texts, name, texts)
		}
	}
}
