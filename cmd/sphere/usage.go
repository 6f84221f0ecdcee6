package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/server/config"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// A usageError is a mistake in the command line.
type usageError struct {
	path string // of the command, "account add"
	text error  // the expected and the found
}

func (e *usageError) Error() string { return e.In(false) }

// In writes the mistake in a language.
func (e *usageError) In(russian bool) string {
	if e.path == "" {
		return sentence{`%v; see "sphere --help"`, []any{e.text}}.In(russian)
	}
	return sentence{`%[1]s: %[2]v; see "sphere %[1]s --help"`, []any{e.path, e.text}}.In(russian)
}

func usagef(c *cobra.Command, format string, args ...any) error {
	return mistake(c, failf(format, args...))
}

// mistake makes an error one of the command line.
func mistake(c *cobra.Command, err error) error {
	path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
	return &usageError{path: path, text: err}
}

// group makes a command that only has others below it.
func group(name, short string, below ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name + " COMMAND", Short: short, Args: cobra.ArbitraryArgs, RunE: runGroup}
	c.AddCommand(below...)
	c.SetFlagErrorFunc(flagError)
	return c
}

// runGroup helps with a command that only has others below it, and refuses a word that names none of them.
func runGroup(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	return usagef(c, "%v", unknownWord(commandsBelow(c), args[0]))
}

func commandsBelow(c *cobra.Command) (names []string) {
	for _, b := range c.Commands() {
		if b.IsAvailableCommand() {
			names = append(names, b.Name())
		}
	}
	return names
}

// addLibraryCommands adds "help" and "completion", which are cobra's, and has them refuse unknown words.
func addLibraryCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, runGroup
		case "help":
			c.RunE = func(c *cobra.Command, args []string) error {
				of, rest, err := root.Find(args)
				if err == nil && len(rest) > 0 {
					err = unknownWord(commandsBelow(of), rest[0])
				}
				if err != nil {
					return usagef(c, "%v", err)
				}
				of.InitDefaultHelpFlag()
				return of.Help()
			}
		}
	}
}

// unknownWord says the expected words in the place of one, and the likely meaning.
func unknownWord(known []string, found string) error {
	if near, ok := rules.Nearest(found, known); ok {
		return failf("expected one of %s, found %q, did you mean %q?", strings.Join(known, ", "), found, near)
	}
	return failf("expected one of %s, found %q", strings.Join(known, ", "), found)
}

func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return usagef(c, "--%s: %v", invalid.GetFlag().Name, valueFault(invalid))
	case !errors.As(err, &unknown):
		return usagef(c, "%v", err)
	case strings.IndexAny(unknown.GetSpecifiedShortnames(), "0123456789.") == 0:
		return usagef(c, "expected a flag or a number that is not negative, found \"-%s\"",
			unknown.GetSpecifiedShortnames())
	}
	var names []string
	for _, word := range strings.Fields(c.Flags().FlagUsages()) {
		if name, isFlag := strings.CutPrefix(word, "--"); isFlag {
			names = append(names, name)
		}
	}
	if near, ok := rules.Nearest(unknown.GetSpecifiedName(), names); ok {
		return usagef(c, "%v, did you mean --%s?", err, near)
	}
	return usagef(c, "%v", err)
}

// expectedValues are the values of flags of the kinds that come with pflag.
var expectedValues = map[string]word{
	"int": "a whole number", "int64": "a whole number",
	"uint": smallNumber, "uint16": smallNumber, "uint32": smallNumber, "uint64": smallNumber,
	"float64": "a number", "bool": "true or false", "duration": "a time like 30s, 5m or 2h",
}

const smallNumber = "a whole number that is not negative, and not too large"

// valueFault explains a wrong value of a flag.
func valueFault(wrong *pflag.InvalidValueError) error {
	why := wrong.Unwrap()
	if strings.Contains(why.Error(), ", found ") {
		return why
	}
	near, close := ops.NearSpan(wrong.GetValue())
	if _, err := time.ParseDuration(near); close && err == nil && wrong.GetFlag().Value.Type() == "duration" {
		return failf("expected %s, found %q, did you mean %s?", expectedValues["duration"], wrong.GetValue(), near)
	}
	if what, known := expectedValues[wrong.GetFlag().Value.Type()]; known {
		return failf("expected %s, found %q", what, wrong.GetValue())
	}
	return failf("%v, found %q", why, wrong.GetValue())
}

// meantFlag is the flag as which an argument too many was probably meant: the address of a server, or the value of a
// switch that was given; empty for none.
func meantFlag(c *cobra.Command, arg string) string {
	if c.Flags().Lookup("addr") != nil && !c.Flags().Changed("addr") && isHostPort(arg) {
		return "--addr " + arg
	}
	value, ok := config.SwitchOf(arg)
	if !ok {
		return ""
	}
	var switches []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			switches = append(switches, "--"+f.Name+"="+strconv.FormatBool(value))
		}
	})
	if len(switches) != 1 {
		return ""
	}
	return switches[0]
}

// expect checks that a command line has these arguments, of which the last few may be left out: "a login", "a name".
func expect(optional int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names)-optional:
			if len(args) > 0 {
				return usagef(c, "expected %s, found nothing after %q", word(names[len(args)]), args[len(args)-1])
			}
			return usagef(c, "expected %s, found nothing", word(names[0]))
		case len(args) > len(names) && meantFlag(c, args[len(names)]) != "":
			return usagef(c, "expected no argument %q here, did you mean %s?", args[len(names)], meantFlag(c, args[len(names)]))
		case len(args) > len(names) && len(names) == 0:
			return usagef(c, "expected no argument, found %q", args[0])
		case len(args) > len(names):
			return usagef(c, "expected nothing after %q, found %q", args[len(names)-1], args[len(names)])
		}
		return nil
	}
}
