package config

import (
	_ "embed" // the heads of the samples
	"fmt"
	"strings"
)

// fileValue is the value of a key as the file has it.
func (k *Key) fileValue(s *Settings) string {
	text := k.Get(s)
	switch k.Kind() {
	case Text, Duration:
		return quote(text)
	case List:
		var words []string
		for word := range strings.SplitSeq(text, ",") {
			if word != "" {
				words = append(words, quote(word))
			}
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return text
}

// LastName is the name of the key within its table.
func (k *Key) LastName() string { return strings.TrimPrefix(k.Name, k.Table()+".") }

// Range says what a value may be, in Russian or in English; empty when anything.
func (k *Key) Range(russian bool) string {
	from, least := "%s to %s", "at least %s"
	if russian {
		from, least = "от %s до %s", "не меньше %s"
	}
	switch {
	case k.Min != "" && k.Max != "":
		return fmt.Sprintf(from, k.Min, k.Max)
	case k.Min != "":
		return fmt.Sprintf(least, k.Min)
	}
	return ""
}

// Sample is a configuration file in which every key is explained and none is set.
func Sample(russian bool) string {
	var b strings.Builder
	b.WriteString(map[bool]string{false: headEnglish, true: headRussian}[russian])
	defaults := Defaults()
	for _, t := range tables {
		title := t.English
		if russian {
			title = t.Russian
		}
		fmt.Fprintf(&b, "\n[%s]\n# %s.\n", t.Name, title)
		for _, k := range keys {
			if k.Table() != t.Name {
				continue
			}
			fmt.Fprintf(&b, "\n# %s.\n", upperFirst(k.Doc(russian)))
			var notes []string
			if r := k.Range(russian); r != "" {
				notes = append(notes, r)
			}
			if k.Reload {
				notes = append(notes, liveWord[russian])
			}
			if len(notes) > 0 {
				fmt.Fprintf(&b, "# %s.\n", upperFirst(strings.Join(notes, "; ")))
			}
			fmt.Fprintf(&b, "#%s = %s\n", k.LastName(), k.fileValue(&defaults))
		}
	}
	return b.String()
}

var liveWord = map[bool]string{
	false: "can change while the server runs",
	true:  "можно менять на ходу",
}

//go:embed head.en.toml
var headEnglish string

//go:embed head.ru.toml
var headRussian string

func upperFirst(text string) string {
	for i, r := range text {
		return strings.ToUpper(string(r)) + text[i+len(string(r)):]
	}
	return text
}
