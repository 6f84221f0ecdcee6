package config

import (
	_ "embed" // the heads of the pages
	"fmt"
	"strings"
)

// documentation is the page about all keys, docs/configuration.md or docs/configuration.ru.md.
func documentation(russian bool) string {
	defaults := Defaults()
	columns := inLanguage(russian, "key | flag | default | what it sets | range | reload",
		"ключ | флаг | по умолчанию | что задаёт | пределы | на ходу")
	return inLanguage(russian, pageEnglish, pageRussian) + server.tabled(russian, columns, func(k *Key) string {
		mark := ""
		if k.Reload {
			mark = inLanguage(russian, "yes", "да")
		}
		return fmt.Sprintf("`%s` | `--%s` | `%s` | %s | %s | %s", k.LastName(), k.Flag, k.fileValue(&defaults),
			strings.ReplaceAll(k.Doc(russian), "|", `\|`), k.Range(russian), mark)
	})
}

// balanceDocumentation is the page about the balance file, docs/balance.md or docs/balance.ru.md.
func balanceDocumentation(russian bool) string {
	defaults := Defaults()
	columns := inLanguage(russian, "key | default | what it sets | range", "ключ | по умолчанию | что задаёт | пределы")
	return inLanguage(russian, balanceEnglish, balanceRussian) + balance.tabled(russian, columns, func(k *Key) string {
		value := "`" + k.fileValue(&defaults) + "`"
		if k.Kind() == List || k.Kind() == Wholes {
			value = inLanguage(russian, "see the file", "см. файл")
		}
		return fmt.Sprintf("`%s` | %s | %s | %s", k.LastName(), value, k.Doc(russian), k.Range(russian))
	})
}

// tabled writes each table of a file under a heading, as a table with a row for each key.
func (d *document) tabled(russian bool, columns string, row func(*Key) string) string {
	var b strings.Builder
	line := strings.Repeat("|---", 1+strings.Count(columns, "|")) + "|"
	for _, t := range d.tables {
		fmt.Fprintf(&b, "\n## `[%s]`\n\n%s.\n\n| %s |\n%s\n", t.Name, inLanguage(russian, t.English, t.Russian), columns, line)
		for _, k := range d.keys {
			if k.Table() == t.Name {
				fmt.Fprintf(&b, "| %s |\n", row(k))
			}
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
