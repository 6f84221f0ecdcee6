package config

import (
	_ "embed" // the heads of the pages
	"fmt"
	"strings"
)

// documentation is the page about all keys, docs/configuration.md or docs/configuration.ru.md.
func documentation(russian bool) string {
	var b strings.Builder
	b.WriteString(map[bool]string{false: pageEnglish, true: pageRussian}[russian])
	defaults := Defaults()
	for _, t := range server.tables {
		title, columns := t.English, "key | flag | default | what it sets | range | reload"
		if russian {
			title, columns = t.Russian, "ключ | флаг | по умолчанию | что задаёт | пределы "+
				"| на ходу"
		}
		fmt.Fprintf(&b, "\n## `[%s]`\n\n%s.\n\n| %s |\n|---|---|---|---|---|---|\n", t.Name, title, columns)
		for _, k := range server.keys {
			if k.Table() != t.Name {
				continue
			}
			mark := ""
			if k.Reload {
				mark = map[bool]string{false: "yes", true: "да"}[russian]
			}
			fmt.Fprintf(&b, "| `%s` | `--%s` | `%s` | %s | %s | %s |\n", k.LastName(), k.Flag, k.fileValue(&defaults),
				strings.ReplaceAll(k.Doc(russian), "|", `\|`), k.Range(russian), mark)
		}
	}
	return b.String()
}

// balanceDocumentation is the page about the balance file, docs/balance.md or docs/balance.ru.md.
func balanceDocumentation(russian bool) string {
	var b strings.Builder
	b.WriteString(map[bool]string{false: balanceEnglish, true: balanceRussian}[russian])
	defaults := Defaults()
	for _, t := range balance.tables {
		title, columns := t.English, "key | default | what it sets | range"
		if russian {
			title, columns = t.Russian, "ключ | по умолчанию | что задаёт | пределы"
		}
		fmt.Fprintf(&b, "\n## `[%s]`\n\n%s.\n\n| %s |\n|---|---|---|---|\n", t.Name, title, columns)
		for _, k := range balance.keys {
			if k.Table() != t.Name {
				continue
			}
			value := k.fileValue(&defaults)
			if k.Kind() == List || k.Kind() == Wholes {
				value = inLanguage(russian, "see the file", "см. файл")
			} else {
				value = "`" + value + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.LastName(), value, k.Doc(russian), k.Range(russian))
		}
	}
	return b.String()
}

//go:embed testdata/balance.en.md
var balanceEnglish string

//go:embed testdata/balance.ru.md
var balanceRussian string

//go:embed testdata/page.en.md
var pageEnglish string

//go:embed testdata/page.ru.md
var pageRussian string
