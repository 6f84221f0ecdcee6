package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/config"
)

// Completion itself ("sphere completion bash|zsh|fish|powershell") is cobra's; here is what it can offer besides
// commands and flags.

// completions offer arguments to a command, named by its path.
var completions = map[string]func(*environment) cobra.CompletionFunc{
	"account passwd":   logins,
	"account role":     logins,
	"account ban":      logins,
	"account unban":    logins,
	"account delete":   logins,
	"character show":   characters,
	"character move":   characters,
	"character rename": characters,
	"character delete": characters,
}

// completionLimit is how many names are offered at most, and completionTime how long they may take.
const (
	completionLimit = 200
	completionTime  = 2 * time.Second
)

// offerCompletions gives the commands below root what they can offer.
func offerCompletions(env *environment, root *cobra.Command) {
	for path, offer := range completions {
		c, _, err := root.Find(strings.Fields(path))
		if err != nil || c.CommandPath() != root.Name()+" "+path {
			panic("completion for a command that is not there: " + path)
		}
		c.ValidArgsFunction = offer(env)
	}
}

// offerWords gives a command's flags the words that they know.
func offerWords(c *cobra.Command) {
	for _, k := range config.Keys() {
		words := k.OneOf
		if len(words) == 0 {
			continue
		}
		if err := c.RegisterFlagCompletionFunc(k.Flag,
			cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("completion of --" + k.Flag + ": " + err.Error())
		}
	}
}

func logins(env *environment) cobra.CompletionFunc {
	return names(env, func(ctx context.Context, s *data.Store, typed string) ([]string, error) {
		accounts, err := s.Accounts(ctx, typed)
		var names []string
		for _, a := range accounts {
			names = append(names, a.Login)
		}
		return names, err
	})
}

func characters(env *environment) cobra.CompletionFunc {
	return names(env, func(ctx context.Context, s *data.Store, typed string) ([]string, error) {
		found, err := s.FindCharacters(ctx, typed)
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		return names, err
	})
}

// names offers names of the database, which is only read; without one it offers nothing.
func names(env *environment, find func(ctx context.Context, s *data.Store, typed string) ([]string,
	error)) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || flagsFromEnvironment(c) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(context.Background(), completionTime)
		defer cancel()
		s, err := data.Open(ctx, env.dataDir, data.Options{ReadOnly: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer s.Close()
		all, err := find(ctx, s, typed)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var fitting []string
		for _, name := range all {
			if strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) && len(fitting) < completionLimit {
				fitting = append(fitting, visible(name))
			}
		}
		return fitting, cobra.ShellCompDirectiveNoFileComp
	}
}
