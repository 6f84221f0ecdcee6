package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/bot/replay"
)

// replayFlags are the flags of "sphere capture replay".
type replayFlags struct {
	replay.Options
	fast, quiet bool
}

// captureReplayCommand is "sphere capture replay".
func captureReplayCommand(env *environment) *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play recorded sessions against a server, and tell what it answers differently",
		Long: `Plays the clients of a recording ("sphere capture record") against a server, and compares what ` +
			`the server answers with what was
recorded: missing messages, additional ones, and fields with other values. Ids, keys, clocks and ` +
			`sequence numbers are translated;
what else may differ is in docs/recordings.md. The status is 1 when something differs.

Recordings hold no passwords: all sessions log in with --password, each with the login that was recorded ` +
			`unless --login names
another. A recording that makes characters makes them again, so they must not exist; --rename gives them other names,
and plays what began without characters on new accounts.`,
		Example: `  sphere capture replay evening.sphrec --addr 127.0.0.1:25860 --password secret
  sphere capture replay vasya.sphrec --addr test.example.org:25860 --login tester --password secret --rename
  sphere capture replay evening.sphrec --as-fast-as-possible --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef(c, "expected one recording, found %d arguments", len(args))
			}
			return f.run(c, env, args[0])
		},
	}
	fl := c.Flags()
	addServerFlag(fl, &f.Addr)
	fl.StringSliceVar(&f.Logins, "login", nil,
		"logins of the sessions, in their order (default: those that were recorded)")
	fl.StringVar(&f.Password, "password", "bot", "password of all sessions")
	fl.Float64Var(&f.Speed, "speed", 1, "how many times faster than it was recorded")
	fl.BoolVar(&f.fast, "as-fast-as-possible", false, "as fast as the server answers")
	fl.BoolVar(&env.json, "json", false, "print what was found as JSON")
	fl.BoolVar(&f.quiet, "quiet", false, "tell nothing on the way")
	fl.BoolVar(&f.Rename, "rename", false, "give the characters other names, and accounts without characters other logins")
	fl.DurationVar(&f.Patience, "patience", 10*time.Second, "how long an answer is waited for")
	return c
}

func (f *replayFlags) run(c *cobra.Command, env *environment, path string) error {
	switch {
	case !(f.Speed >= 0.001 && f.Speed <= 1000):
		return usagef(c, "--speed %v: expected 0.001 to 1000", f.Speed)
	case f.fast && c.Flags().Changed("speed"):
		return usagef(c, "expected --speed or --as-fast-as-possible, found both")
	case f.Patience <= 0:
		return usagef(c, "--patience %v: expected more than 0", f.Patience)
	}
	if err := notAFile(path); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	tape, err := replay.Load(file)
	if err != nil {
		return failf("%s: %v", path, err)
	}
	if tape.Damage != nil {
		env.note("%s: %v; what stands before is played", path, tape.Damage)
	}
	if f.fast {
		f.Speed = 0
	}
	if !f.quiet {
		f.Tell = func(line string) { fmt.Fprintln(env.err, visible(env.progress().told(line))) }
	}
	if !env.json {
		f.Found = func(d replay.Difference) { fmt.Fprintln(env.out, visible(env.answers().told(d.String()))) }
	}
	report, err := tape.Replay(c.Context(), f.Options)
	if err != nil {
		return err
	}
	err = env.print(report, func(w printer) { w.line("%v", w.told(strings.TrimSpace(report.Summary()))) })
	if err == nil && !report.Same() {
		err = failf("%s from the recording", counted(len(report.Differences), "difference"))
	}
	return err
}
