package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/world/rules"
)

// A usageError is a mistake in the command line.
type usageError struct {
	path string // of the command, "account add"
	text string // what was expected and what was found
}

func (e *usageError) Error() string {
	if e.path == "" {
		return e.text + `; see "sphere --help"`
	}
	return fmt.Sprintf(`%s: %s; see "sphere %s --help"`, e.path, e.text, e.path)
}

func usagef(c *cobra.Command, format string, args ...any) error {
	path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
	return &usageError{path: path, text: fmt.Sprintf(format, args...)}
}

// group makes a command that only has others below it.
func group(name, short string, below ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name + " COMMAND", Short: short, Args: cobra.ArbitraryArgs}
	c.AddCommand(below...)
	c.RunE = func(c *cobra.Command, args []string) error {
		var names []string
		for _, b := range c.Commands() {
			if b.IsAvailableCommand() {
				names = append(names, b.Name())
			}
		}
		if len(args) == 0 {
			return c.Help()
		}
		return usagef(c, "%v", unknownWord(names, args[0]))
	}
	c.SetFlagErrorFunc(flagError)
	return c
}

// unknownWord says what is expected in the place of a word, and what may have been meant.
func unknownWord(known []string, found string) error {
	if near, ok := rules.Nearest(found, known); ok {
		return fmt.Errorf("expected one of %s, found %q, did you mean %q?", strings.Join(known, ", "), found, near)
	}
	return fmt.Errorf("expected one of %s, found %q", strings.Join(known, ", "), found)
}

func flagError(c *cobra.Command, err error) error {
	var unknown interface {
		error
		GetSpecifiedName() string
	}
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return usagef(c, "--%s: %s, found %q", invalid.GetFlag().Name, expectedValue(invalid), invalid.GetValue())
	case !errors.As(err, &unknown):
		return usagef(c, "%v", err)
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

// expectedValue says what a flag takes.
func expectedValue(wrong *pflag.InvalidValueError) string {
	switch kind := wrong.GetFlag().Value.Type(); kind {
	case "int", "int64":
		return "expected a whole number"
	case "uint", "uint16", "uint32", "uint64":
		return "expected a whole number that is not negative, and not too large"
	case "float64":
		return "expected a number"
	case "bool":
		return "expected true or false"
	case "duration":
		return "expected a time like 30s, 5m or 2h"
	}
	text, _, _ := strings.Cut(wrong.Unwrap().Error(), ", found ")
	return text
}

// expect checks that a command line has these arguments, of which the last few may be left out: "a login", "a name".
func expect(optional int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names)-optional:
			found := "nothing"
			if len(args) > 0 {
				found = "nothing after " + fmt.Sprintf("%q", args[len(args)-1])
			}
			return usagef(c, "expected %s, found %s", names[len(args)], found)
		case len(args) > len(names) && len(names) == 0:
			return usagef(c, "expected no argument, found %q", args[0])
		case len(args) > len(names):
			return usagef(c, "expected nothing after %q, found %q", args[len(names)-1], args[len(names)])
		}
		return nil
	}
}
