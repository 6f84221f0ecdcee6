package config

import (
	"fmt"
	"strings"
)

// documentation is the page about all keys, docs/configuration.md or docs/configuration.ru.md.
func documentation(russian bool) string {
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
