package config

import (
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
	b.WriteString(head[russian])
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

var head = map[bool]string{
	false: `# Configuration of the Sphere server.
#
# Every key is shown with its default. To change one, remove the "#" before it.
# "sphere config check" looks for mistakes, "sphere config show" prints what counts and where it comes from.
# A running server reads this file again on SIGHUP; what can change while it runs is marked.
# Each key is also a flag of "sphere serve" and a variable of the environment, which go before the file.
`,
	true: `# Настройки сервера «Сфера».
#
# Каждый ключ показан со значением по умолчанию. Чтобы изменить его, уберите «#» в начале строки.
# «sphere config check» найдёт ошибки, «sphere config show» покажет, что действует и откуда взято.
# Работающий сервер перечитывает файл по сигналу SIGHUP; что можно менять на ходу, отмечено.
# Каждый ключ — ещё и флаг команды «sphere serve» и переменная окружения; они важнее файла.
`,
}

func upperFirst(text string) string {
	for i, r := range text {
		return strings.ToUpper(string(r)) + text[i+len(string(r)):]
	}
	return text
}
