package config

import (
	_ "embed" // the heads of the samples
	"fmt"
	"strings"
	"unicode/utf8"
)

// fileValue is the value of a key as the file has it.
func (k *Key) fileValue(s *Settings) string {
	text := k.Get(s)
	switch k.Kind() {
	case Text, Duration:
		return quote(text)
	case List:
		words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
		for i, word := range words {
			words[i] = quote(word)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case Wholes:
		return "[" + strings.ReplaceAll(text, ",", ", ") + "]"
	}
	return text
}

// LastName is the name of the key within its table.
func (k *Key) LastName() string { return strings.TrimPrefix(k.Name, k.Table()+".") }

// Range describes the allowed values, in Russian or in English; empty when all are.
func (k *Key) Range(russian bool) string {
	switch {
	case k.Min != "" && k.Max != "":
		return fmt.Sprintf(inLanguage(russian, "%s to %s", "от %s до %s"), k.Min, k.Max)
	case k.Min != "":
		return fmt.Sprintf(inLanguage(russian, "at least %s", "не меньше %s"), k.Min)
	}
	return ""
}

// Sample is a configuration file in which every key is explained and none is set.
func Sample(russian bool) string {
	return server.sample(inLanguage(russian, headEnglish, headRussian), russian)
}

// BalanceSample is the same for the balance file.
func BalanceSample(russian bool) string {
	return balance.sample(inLanguage(russian, balanceHeadEnglish, balanceHeadRussian), russian)
}

func (d *document) sample(head string, russian bool) string {
	var b strings.Builder
	b.WriteString(head)
	defaults := Defaults()
	for _, t := range d.tables {
		fmt.Fprintf(&b, "\n[%s]\n# %s.\n", t.Name, inLanguage(russian, t.English, t.Russian))
		for _, k := range d.keys {
			if k.Table() != t.Name {
				continue
			}
			fmt.Fprintf(&b, "\n# %s.\n", upperFirst(k.Doc(russian)))
			var notes []string
			if r := k.Range(russian); r != "" {
				notes = append(notes, r)
			}
			if k.Reload && d == server {
				notes = append(notes, inLanguage(russian, "can change while the server runs", "можно менять на ходу"))
			}
			if len(notes) > 0 {
				fmt.Fprintf(&b, "# %s.\n", upperFirst(strings.Join(notes, "; ")))
			}
			fmt.Fprintf(&b, "#%s = %s\n", k.LastName(), k.fileValue(&defaults))
		}
	}
	return b.String()
}

//go:embed head.en.toml
var headEnglish string

//go:embed head.ru.toml
var headRussian string

//go:embed balance.en.toml
var balanceHeadEnglish string

//go:embed balance.ru.toml
var balanceHeadRussian string

func upperFirst(text string) string {
	_, n := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:n]) + text[n:]
}
