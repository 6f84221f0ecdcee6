package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/data/lazyregexp"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

// Help is in the language of the system, as the output of "sphere doctor": commands in groups by their purpose,
// settings in the groups of the configuration file.

// commandGroups are the groups of the program's own commands, in their order. The last one has all others.
var commandGroups = []commandGroup{
	{text("Сервер", "The server"), []string{"serve", "demo", "status", "stop", "rate", "motd", "maintenance",
		"doctor", "config", "service", "webhook"}},
	{text("Люди и персонажи", "People and characters"), []string{"account", "character", "note", "audit"}},
	{text("Монстры и подземелья", "Monsters and instances"), []string{"monster", "spawner", "instance"}},
	{text("Данные", "What is stored"), []string{"db", "catalogue", "balance", "import", "ground"}},
	{text("Клиент и протокол", "The client and the wire"), []string{"client", "bot", "capture"}},
	{text("Другие серверы и игры", "Other servers and games"), []string{"query", "w3host"}},
	{text("Прочее", "Other"), nil},
}

type commandGroup struct {
	name ops.Text
	of   []string
}

func text(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

var (
	usageText    = text("Как писать", "Usage")
	examplesText = text("Примеры", "Examples")
	commandsText = text("Команды", "Commands")
	flagsText    = text("Ключи", "Flags")
	globalText   = text("Ключи всех команд", "Flags of all commands")
	moreText     = text("Подробнее о команде: «%s КОМАНДА --help»",
		`"%s COMMAND --help" tells more of a command`)
)

// setHelp gives a command, and all below it, their help.
func setHelp(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		russian, _ := inRussian(c, "")
		writeHelp(c.OutOrStdout(), c, russian)
	})
}

// helpWidth in letters is where descriptions of flags are broken.
const helpWidth = 110

func writeHelp(w io.Writer, c *cobra.Command, russian bool) {
	fmt.Fprintf(w, "%s\n\n%s:\n  %s\n", strings.TrimSpace(about(c, russian)), usageText.In(russian), useLine(c, russian))
	if c.HasExample() {
		fmt.Fprintf(w, "\n%s:\n%s\n", examplesText.In(russian), c.Example)
	}
	writeCommands(w, c, russian)
	flags := c.LocalFlags()
	var own []*pflag.Flag
	flags.VisitAll(func(f *pflag.Flag) {
		if keyOf(f) == nil {
			own = append(own, f)
		}
	})
	writeFlags(w, flagsText.In(russian), own, russian)
	heading, settings := "", []*pflag.Flag(nil)
	for _, key := range config.Keys() { // in the order of the file
		f := flags.Lookup(key.Flag)
		if f == nil || keyOf(f) != key {
			continue
		}
		if next := fmt.Sprintf("[%s] %s", key.Table(), key.Heading(russian)); next != heading {
			writeFlags(w, heading, settings, russian)
			heading, settings = next, nil
		}
		settings = append(settings, f)
	}
	writeFlags(w, heading, settings, russian)
	var global []*pflag.Flag
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) { global = append(global, f) })
	writeFlags(w, globalText.In(russian), global, russian)
}

// useLine is how a command is written.
func useLine(c *cobra.Command, russian bool) string {
	line := c.UseLine()
	if !russian {
		return line
	}
	line = placeholder().ReplaceAllStringFunc(line, func(word string) string { return cmp.Or(russianFlags[word], word) })
	return strings.Replace(line, "[flags]", "[ключи]", 1)
}

// placeholder is a word of a use line that stands for a value: LOGIN, CLIENT_FOLDER.
var placeholder = lazyregexp.Of(`\b[A-Z_]+\b`)

// keyOf is the setting that a flag sets, if it is one's.
func keyOf(f *pflag.Flag) *config.Key {
	if configured, ok := f.Value.(*config.Flag); ok {
		return configured.Key
	}
	return nil
}

// about is the purpose of a command.
func about(c *cobra.Command, russian bool) string {
	path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
	own := russianHelp[path]
	if !russian || own.short == "" {
		return cmp.Or(c.Long, c.Short)
	}
	return own.short + ".\n" + own.long
}

func writeCommands(w io.Writer, c *cobra.Command, russian bool) {
	var rest []*cobra.Command
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() || below.Name() == "help" {
			rest = append(rest, below)
		}
	}
	if len(rest) == 0 {
		return
	}
	if c.HasParent() {
		writeNames(w, commandsText.In(russian), rest, russian)
	} else {
		for _, group := range commandGroups {
			var in []*cobra.Command
			for _, name := range group.of {
				if i := slices.IndexFunc(rest, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
					in, rest = append(in, rest[i]), slices.Delete(rest, i, i+1)
				}
			}
			if group.of == nil {
				in = rest
			}
			writeNames(w, group.name.In(russian), in, russian)
		}
	}
	fmt.Fprintf(w, "\n%s\n", moreText.In(russian, c.CommandPath()))
}

func writeNames(w io.Writer, heading string, commands []*cobra.Command, russian bool) {
	fmt.Fprintf(w, "\n%s:\n", heading)
	for _, c := range commands {
		path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
		short := c.Short
		if own := russianHelp[path].short; russian && own != "" {
			short = own
		}
		fmt.Fprintf(w, "  %-12s %s\n", c.Name(), short)
	}
}

func writeFlags(w io.Writer, heading string, flags []*pflag.Flag, russian bool) {
	var rows [][2]string      // how a flag is written, and what it is for
	column := 0               // where the descriptions begin
	for _, f := range flags { // settings are in the order of the file, others come sorted
		in := *f
		switch key := keyOf(f); {
		case russian && f.Name == "help":
			in.Usage = "рассказать о команде"
		case russian && strings.HasPrefix(f.Usage, "version for "):
			in.Usage = "показать, какая это программа"
		case russian && key != nil:
			in.Usage = key.Russian
		case russian && russianFlags[f.Usage] != "":
			in.Usage = russianFlags[f.Usage]
		}
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(&in)
		line := one.FlagUsages()
		if line == "" { // hidden
			continue
		}
		head, text, _ := strings.Cut(line[len("  -h, "):], "   ")
		if value, _ := pflag.UnquoteUsage(&in); russian && value != "" {
			head = strings.TrimSuffix(head, value) + cmp.Or(russianFlags[value], value)
		}
		if russian {
			text = strings.Replace(text, "(default ", "(по умолчанию ", 1)
		}
		head = line[:len("  -h, ")] + head
		rows = append(rows, [2]string{head, text})
		column = max(column, utf8.RuneCountInString(head)+3)
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", heading)
	for _, row := range rows {
		text := wrapped(row[1], helpWidth-column)
		fmt.Fprintf(w, "%-*s%s\n", column, row[0], strings.Join(text, "\n"+strings.Repeat(" ", column)))
	}
}

// wrapped breaks a text between words into lines of at most so many letters.
func wrapped(text string, width int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && utf8.RuneCountInString(lines[n-1])+1+utf8.RuneCountInString(word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
