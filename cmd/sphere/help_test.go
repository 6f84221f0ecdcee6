package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helped is the help of a command in a language of the system.
func helped(t *testing.T, language string, args ...string) string {
	t.Helper()
	t.Setenv("LC_ALL", language)
	var out, errs bytes.Buffer
	if code := run(args, nil, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("%q: exit code %d, %s", args, code, errs.String())
	}
	return out.String()
}

func TestSphereAlonePrintsItsHelp(t *testing.T) {
	for language, wants := range map[string][]string{
		"en_GB.UTF-8": {"The server:\n  serve ", "People and characters:\n  account ", "\nOther:\n  completion "},
		"ru_RU.UTF-8": {"Сервер:\n  serve        Запустить сервер\n", "Люди и персонажи:\n", "Ключи:\n"},
	} {
		alone := helped(t, language)
		for _, want := range wants {
			if !strings.Contains(alone, want) {
				t.Errorf("%s: expected %q in\n%s", language, want, alone)
			}
		}
		if asked := helped(t, language, "--help"); asked != alone {
			t.Errorf("%s: with --help it prints\n%s", language, asked)
		}
	}
	if out := helped(t, "C", "account"); !strings.Contains(out, "\n  ban ") {
		t.Errorf("sphere account prints\n%s", out)
	}
}

func TestRussianHelpNamesArgumentsInRussian(t *testing.T) {
	for want, args := range map[string][]string{
		"\n  sphere КОМАНДА [ключи]\n":                             nil,
		"\n  sphere account КОМАНДА [ключи]\n":                     {"account"},
		"\n  sphere account list [ТЕКСТ] [ключи]\n":                {"account", "list", "--help"},
		"\n  sphere import ПАПКА_КЛИЕНТА [ключи]\n":                {"import", "--help"},
		"move ИМЯ МЕСТО | X Y Z [YAW] | --beside ИМЯ [ключи]\n":    {"character", "move", "--help"},
		"\n  sphere account ban ЛОГИН | --address АДРЕС [ключи]\n": {"account", "ban", "--help"},
		"\n  sphere bot [ключи]\n":                                 {"bot", "--help"},
	} {
		if out := helped(t, "ru_RU.UTF-8", args...); !strings.Contains(out, want) {
			t.Errorf("%q: expected %q in\n%s", args, want, out)
		}
	}
	if out := helped(t, "C", "account"); !strings.Contains(out, "\n  sphere account COMMAND [flags]\n") {
		t.Errorf("in English\n%s", out)
	}
}

func TestFlagsAndArgumentsHaveRussianHelp(t *testing.T) {
	root := rootCommand(&environment{})
	root.InitDefaultCompletionCmd()
	used := map[string]bool{}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if used[f.Usage] = true; keyOf(f) == nil && russianFlags[f.Usage] == "" {
				t.Errorf("%s --%s has no Russian help: %q", c.CommandPath(), f.Name, f.Usage)
			}
			value, _ := pflag.UnquoteUsage(f)
			if used[value] = true; value != "" && !strings.Contains(f.Usage, "`") && russianFlags[value] == "" {
				t.Errorf("%s --%s: its value %s has no Russian name", c.CommandPath(), f.Name, value)
			}
		})
		for _, word := range placeholder().FindAllString(c.Use, -1) {
			if used[word] = true; russianFlags[word] == "" && !strings.Contains("X Y Z YAW HEX", word) {
				t.Errorf("%s: the argument %s has no Russian name", c.CommandPath(), word)
			}
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(root)
	for english := range russianFlags {
		if !used[english] {
			t.Errorf("there is Russian help for %q, which there is not", english)
		}
	}
}

func TestHelpHasSettingsInTheGroupsOfTheFile(t *testing.T) {
	for language, wants := range map[string][]string{
		"C":  {"\n[limits] What keeps one client", "\n[log] The operator's log:\n", "--config file"},
		"ru": {"\n[limits] Чтобы один клиент", "\n[log] Журнал:\n", "Ключи всех команд:\n", "(по умолчанию true)", " --name ТЕКСТ  "},
	} {
		out := helped(t, language, "serve", "--help")
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: expected %q in\n%s", language, want, out)
			}
		}
		if strings.Index(out, "[server]") > strings.Index(out, "[limits]") {
			t.Errorf("%s: the groups are not in the order of the file:\n%s", language, out)
		}
	}
}

func TestEveryCommandHasAGroupAndRussianHelp(t *testing.T) {
	root := rootCommand(&environment{})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	known := map[string]bool{"": true}
	others := []string{"completion", "help", "version"}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			path := strings.TrimPrefix(below.CommandPath(), "sphere ")
			if below.Hidden {
				continue
			}
			if c == root && !slices.Contains(others, path) && !slices.ContainsFunc(commandGroups, func(g commandGroup) bool {
				return slices.Contains(g.of, path)
			}) {
				t.Errorf("%q is in no group of the help", path)
			}
			if known[path] = true; russianHelp[path].short == "" {
				t.Errorf("%q has no Russian help", path)
			}
			look(below)
		}
	}
	look(root)
	for path := range russianHelp {
		if !known[path] {
			t.Errorf("there is Russian help for %q, which there is not", path)
		}
	}
	for _, group := range commandGroups {
		for _, name := range group.of {
			if !known[name] {
				t.Errorf("the group %s has %q, which there is not", group.name.English, name)
			}
		}
	}
}

// Help is read in a terminal, which breaks longer lines within words.
func TestHelpHasNoLongLines(t *testing.T) {
	const most = 140
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, russian := range []bool{false, true} {
			for line := range strings.Lines(about(c, russian)) {
				if n := utf8.RuneCountInString(line); n > most {
					t.Errorf("%q, Russian %v: a line of %d letters, at most %d: %s", c.CommandPath(), russian, n, most, line)
				}
			}
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(rootCommand(&environment{}))
}

func TestMisspeltVariablesAreMistakes(t *testing.T) {
	inTurn(t)
	l := populated(t)
	t.Setenv("SPHERE_SERVICE_HOST", "10.0.0.1") // a cluster's for a service of this name
	l.must("config", "check")
	t.Setenv("SPHERE_MAX_PER_ADDRES", "5")
	const want = "environment variable SPHERE_MAX_PER_ADDRES is unknown, did you mean SPHERE_MAX_PER_ADDRESS?"
	l.fails(2, want, "config", "check")
	l.fails(2, want, "serve")
}

func TestOneFlagNamesTheServer(t *testing.T) {
	for _, path := range [][]string{{"bot"}, {"bot", "script"}, {"capture", "replay"}} {
		c, _, err := rootCommand(&environment{}).Find(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Flags().Set("connect", "192.0.2.1:1"); err != nil ||
			c.Flags().Lookup("addr").Value.String() != "192.0.2.1:1" {
			t.Errorf("%q: %v", path, err)
		}
		if usage := c.Flags().FlagUsages(); strings.Contains(usage, "--connect") || !strings.Contains(usage, "--addr") {
			t.Errorf("%q shows\n%s", path, usage)
		}
	}
}
