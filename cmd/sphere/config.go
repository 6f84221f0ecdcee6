package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"sphereserver/data/atomicfile"
	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

// configCommand is "sphere config" with all below it.
func configCommand(env *environment) *cobra.Command {
	return group("config", "Write, check and show the configuration", configInit(env), configCheck(env), configShow(env),
		configReload(env))
}

func configInit(env *environment) *cobra.Command {
	set := &configured{}
	var force bool
	var lang string
	c := &cobra.Command{
		Use: "init", Short: "Write the configuration files with every key explained", Args: expect(0),
		Long: `Write a configuration file with every key explained and none set, to sphere.toml of the data folder or to
that of --config, and one with every number of fights, to balance.toml of the data folder. A file that is
there stays.`,
		RunE: func(c *cobra.Command, _ []string) error {
			russian, err := inRussian(c, lang)
			if err != nil {
				return err
			}
			path, _ := set.path(env)
			balance := filepath.Join(env.dataDir, config.BalanceFile)
			if filepath.Base(path) != config.FileName {
				if err := notKept(env.dataDir, path); err != nil {
					return err
				}
			}
			wrote, err := writeNew(path, config.Sample(russian), force)
			if err != nil {
				return err
			}
			also, err := writeNew(balance, config.BalanceSample(russian), force)
			if err != nil {
				return err
			}
			if !wrote && !also {
				return failf("%s is there already; nothing was written (--force replaces it)", path)
			}
			for file, done := range map[string]bool{path: wrote, balance: also} {
				if !done {
					env.note("%s is there already and stays as it is", file)
				}
			}
			if wrote {
				env.answers().line("wrote %s", path)
			}
			if also {
				env.answers().line("wrote %s", balance)
			}
			return nil
		},
	}
	set.addFileFlag(c)
	c.Flags().BoolVar(&force, "force", false, "replace files that are there")
	addLanguageFlag(c, &lang)
	return c
}

// writeNew writes a file that is not there yet, or replaces it whole, and reports whether it has.
func writeNew(path, text string, replace bool) (wrote bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, err
	}
	if replace {
		return true, atomicfile.Write(path, []byte(text), 0o600)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return false, nil
	case err != nil:
		return false, err
	}
	_, err = io.WriteString(f, text)
	return true, errors.Join(err, f.Close())
}

func configCheck(env *environment) *cobra.Command {
	set := &configured{}
	c := &cobra.Command{
		Use: "check [FILE]", Short: "List what is wrong in the configuration files", Args: expect(1, "a file"),
		Long: `List what is wrong in sphere.toml, balance.toml and webhooks.toml of the data folder, or in one file; one
that is called balance.toml or webhooks.toml is taken for such a file.`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				set.file = args[0]
			}
			from, hooks, path, err := set.toCheck(env, len(args) == 0)
			if err != nil {
				return err
			}
			found, err := config.Load(from)
			var problems, more config.Problems
			if err != nil && !errors.As(err, &problems) {
				return err
			}
			webhooks, err := config.ReadWebhooks(hooks)
			if err != nil && !errors.As(err, &more) {
				return err
			}
			problems = append(problems, more...)
			if len(args) == 0 {
				problems = append(problems, config.Misnamed(env.dataDir, content.MissionsFile)...)
			}
			result := struct {
				File     string          `json:"file"`
				Problems config.Problems `json:"problems"`
			}{path, append(config.Problems{}, problems...)}
			err = env.print(result, func(w printer) {
				if len(problems) == 0 && found.File == "" && found.Balance == "" && len(webhooks) == 0 {
					w.line("%s is not there: everything is as it ships", path)
					return
				}
				showProblems(w, each(problems, func(p config.Problem) string { return p.In(w.russian) }))
			})
			if err == nil && len(problems) > 0 {
				err = failf("config check: expected no problems, found %d", len(problems))
			}
			return err
		},
	}
	set.addFileFlag(c)
	return env.withJSON(c)
}

// toCheck are the files that are checked: all three, or that which was named. path is that or sphere.toml.
func (set *configured) toCheck(env *environment, all bool) (from config.Sources, hooks, path string, err error) {
	path, optional := set.path(env)
	from = config.Sources{Defaults: config.Defaults(), File: path, Optional: optional}
	switch base := filepath.Base(path); {
	case all:
		from.Balance = filepath.Join(env.dataDir, config.BalanceFile)
		hooks = filepath.Join(env.dataDir, config.WebhooksFile)
	case base == config.BalanceFile:
		from.File, from.Balance = "", path
		_, err = os.Stat(path)
	case base == config.WebhooksFile:
		from.File, hooks = "", path
		_, err = os.Stat(path)
	}
	return from, hooks, path, err
}

func showProblems(w printer, problems []string) {
	for _, p := range problems {
		fmt.Fprintln(w, visible(p))
	}
	if len(problems) == 0 {
		w.line("no problems found")
	}
}

// A shownKey is a line of "sphere config show".
type shownKey struct {
	Key    string        `json:"key"`
	Value  string        `json:"value"`
	Origin config.Origin `json:"origin"`
	Reload bool          `json:"reload"` // may change while the server runs
}

func configShow(env *environment) *cobra.Command {
	var set *configured
	c := &cobra.Command{
		Use: "show", Short: "Print each value and where it comes from", Args: expect(0),
		Long: "Print each value as \"sphere serve\" with the same flags and the same environment would have it, and where " +
			"it comes from.",
		RunE: func(c *cobra.Command, _ []string) error {
			found, _, err := set.load(c, env)
			if err != nil {
				return err
			}
			shown := each(config.Keys(), func(k *config.Key) shownKey {
				return shownKey{k.Name, k.Get(&found.Settings), found.Origin(k), k.Reload}
			})
			return env.print(shown, func(w printer) {
				table(w, w.words("KEY", "VALUE", "FROM"), each(shown, func(s shownKey) []string {
					value := s.Value
					if value == "" {
						value = strconv.Quote(value)
					}
					return []string{s.Key, value, w.told(s.Origin.String())}
				}))
			})
		},
	}
	set = addConfigured(c, config.Defaults(), false)
	return env.withJSON(c)
}

func configReload(env *environment) *cobra.Command {
	var o ops.ReloadOrder
	c := &cobra.Command{
		Use: "reload", Short: "Have the server that runs read its configuration files again", Args: expect(0),
		Long: "Have the server that runs read sphere.toml and balance.toml again. When anything is wrong in them nothing " +
			"changes.",
		RunE: func(c *cobra.Command, _ []string) error {
			return verb(c.Context(), env, ops.ReloadConfiguration, o, func(w printer, r ops.Reloaded) {
				if len(r.Changes) == 0 {
					w.line("nothing has changed")
				}
				for _, change := range r.Changes {
					switch {
					case change.Restart:
						w.line("%s: %q, after a restart %q", change.Key, change.Old, change.New)
					case o.Check:
						w.line("%s: %q, would be %q", change.Key, change.Old, change.New)
					default:
						w.line("%s: %q, now %q", change.Key, change.Old, change.New)
					}
				}
			})
		},
	}
	c.Flags().BoolVar(&o.Check, "check", false, "only say what would change")
	return env.withJSON(c)
}
