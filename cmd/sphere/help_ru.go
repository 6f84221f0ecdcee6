package main

import (
	_ "embed" // the texts
	"strings"
)

//go:embed help.ru.txt
var russianText string

// An abstract is the purpose of a command, in one line and in more; the long text may be empty.
type abstract struct{ short, long string }

// russianHelp are the Russian abstracts of commands by their paths, russianFlags the Russian descriptions of flags,
// and the words for arguments, by the English ones.
var russianHelp, russianFlags = readHelp(russianText)

func readHelp(text string) (help map[string]abstract, flags map[string]string) {
	help, flags = map[string]abstract{}, map[string]string{}
	path, flag := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if of, isFlag := strings.CutPrefix(line, "= "); isFlag {
			flag, flags[of] = of, ""
		} else if of, isCommand := strings.CutPrefix(line, "# "); isCommand {
			of, short, _ := strings.Cut(of, ": ")
			path, help[of] = of, abstract{short: short}
		} else if flag != "" {
			flags[flag] += line
		} else if own, known := help[path]; known && line != "" {
			own.long += line + "\n"
			help[path] = own
		}
	}
	return help, flags
}
