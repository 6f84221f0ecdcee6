package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/data"
)

// Completion itself ("sphere completion bash|zsh|fish|powershell") is cobra's; here are its offers besides commands
// and flags.

// A finder finds names that contain a text.
type finder func(ctx context.Context, s *data.Store, text string) ([]string, error)

// completions have the possible arguments of a command, by its path.
var completions = map[string]finder{
	"account passwd":   logins,
	"account role":     logins,
	"account ban":      logins,
	"account unban":    logins,
	"account delete":   logins,
	"character show":   characters,
	"character move":   characters,
	"character rename": characters,
	"character delete": characters,

	"character undelete": deletedCharacters,
}

func logins(ctx context.Context, s *data.Store, text string) ([]string, error) {
	found, err := s.Accounts(ctx, text)
	return each(found, func(a data.Account) string { return a.Login }), err
}

func characters(ctx context.Context, s *data.Store, text string) ([]string, error) {
	found, err := s.FindCharacters(ctx, text)
	return each(found, func(c data.Character) string { return c.Name }), err
}

func deletedCharacters(ctx context.Context, s *data.Store, text string) ([]string, error) {
	found, err := s.DeletedCharacters(ctx, 0, text)
	return each(found, func(d data.DeletedCharacter) string { return d.Name }), err
}

// completionLimit is how many names are offered at most, and completionTime how long they may take.
const (
	completionLimit = 200
	completionTime  = 2 * time.Second
)

// offerCompletions gives the commands below root their completions.
func offerCompletions(env *environment, root *cobra.Command) {
	for path, find := range completions {
		c, _, err := root.Find(strings.Fields(path))
		if err != nil || c.CommandPath() != root.Name()+" "+path {
			panic("completion for a command that is not there: " + path)
		}
		c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 || flagsFromEnvironment(c) != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offered(env, find, typed), cobra.ShellCompDirectiveNoFileComp
		}
	}
}

// offerWords gives the flags of settings below a command their words. Package cobra keeps what it is told of a flag for
// as long as the program runs, so a command line that asks for no completion tells it nothing.
func offerWords(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if key := keyOf(f); key != nil && len(key.OneOf) > 0 {
			words := cobra.FixedCompletions(key.OneOf, cobra.ShellCompDirectiveNoFileComp)
			if err := c.RegisterFlagCompletionFunc(f.Name, words); err != nil {
				panic("completion of --" + f.Name + ": " + err.Error())
			}
		}
	})
	for _, below := range c.Commands() {
		offerWords(below)
	}
}

// offered are names of the database, which is only read; without one there are none.
func offered(env *environment, find finder, typed string) (fitting []string) {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	s, err := data.Open(ctx, env.dataDir, data.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer s.Close()
	all, err := find(ctx, s, typed)
	if err != nil {
		return nil
	}
	for _, name := range all {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) && len(fitting) < completionLimit {
			fitting = append(fitting, visible(name))
		}
	}
	return fitting
}
