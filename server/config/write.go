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

// Documentation is the page about all keys, docs/configuration.md or docs/configuration.ru.md.
func Documentation(russian bool) string {
	var b strings.Builder
	b.WriteString(pageHead[russian])
	defaults := Defaults()
	for _, t := range tables {
		title, columns := t.English, "key | flag | default | what it sets | range | reload"
		if russian {
			title, columns = t.Russian, "ключ | флаг | по умолчанию | что задаёт | пределы | на ходу"
		}
		fmt.Fprintf(&b, "\n## `[%s]`\n\n%s.\n\n| %s |\n|---|---|---|---|---|---|\n", t.Name, title, columns)
		for _, k := range keys {
			if k.Table() != t.Name {
				continue
			}
			mark := ""
			if k.Reload {
				mark = map[bool]string{false: "yes", true: "да"}[russian]
			}
			fmt.Fprintf(&b, "| `%s` | `--%s` | `%s` | %s | %s | %s |\n", k.LastName(), k.Flag, k.fileValue(&defaults), k.Doc(russian),
				k.Range(russian), mark)
		}
	}
	return b.String()
}

var pageHead = map[bool]string{
	false: `# Configuration

[По-русски](configuration.ru.md)

` + "`sphere config init`" + ` writes the file ` + "`sphere.toml`" + ` into the data folder, with every key explained and none set;
` + "`sphere serve`" + ` reads it when it is there, or another with ` + "`--config FILE`" + `. A value is that of the flag, else of the
environment, else of the file, else the default.

The variable of the environment is the flag in capitals: ` + "`--max-speed`" + ` is ` + "`SPHERE_MAX_SPEED`" + `. Durations are texts with a
unit: ` + "`\"500ms\"`, `\"10s\"`, `\"1h30m\"`" + `. An unknown key is an error that names the nearest known one.

| command | |
|---|---|
| ` + "`sphere config init`" + ` | write the file; ` + "`--force`" + ` replaces one, ` + "`--lang ru`" + ` has Russian comments |
| ` + "`sphere config check`" + ` | list what is wrong: file, line, column, key |
| ` + "`sphere config show`" + ` | print each value and where it comes from |

A running server reads the file again on SIGHUP (not on Windows). Keys marked in the last column count at once; others are
logged and wait for a restart. When anything is wrong in the file nothing changes, and the log says in which line.

This page is made from the table in ` + "`server/config/keys.go`" + `; a test compares them.
`,
	true: `# Настройки

[English](configuration.md)

` + "`sphere config init`" + ` записывает в папку данных файл ` + "`sphere.toml`" + `: в нём объяснён каждый ключ и не задан ни один. ` + "`sphere serve`" + `
читает его, если он есть, или другой, указанный флагом ` + "`--config FILE`" + `. Сначала действует флаг, потом переменная
окружения, потом файл, потом значение по умолчанию.

Переменная окружения — это флаг большими буквами: ` + "`--max-speed`" + ` — ` + "`SPHERE_MAX_SPEED`" + `. Время пишется в кавычках и с единицей:
` + "`\"500ms\"`, `\"10s\"`, `\"1h30m\"`" + `. Неизвестный ключ — ошибка, в которой назван ближайший известный.

| команда | |
|---|---|
| ` + "`sphere config init`" + ` | записать файл; ` + "`--force`" + ` заменяет готовый, ` + "`--lang en`" + ` пишет пояснения по-английски |
| ` + "`sphere config check`" + ` | перечислить ошибки: файл, строка, столбец, ключ |
| ` + "`sphere config show`" + ` | показать каждое значение и откуда оно взято |

Работающий сервер перечитывает файл по сигналу SIGHUP (кроме Windows). Ключи с отметкой в последнем столбце действуют
сразу; об остальных сказано в журнале, они ждут перезапуска. Если в файле есть ошибка, не меняется ничего, а в журнале
указана строка.

Эта страница составлена по таблице ` + "`server/config/keys.go`" + `; их сверяет тест.
`,
}
