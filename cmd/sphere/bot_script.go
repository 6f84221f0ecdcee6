package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets"
	"sphereserver/server/bot/script"
)

// botScriptCommand is "sphere bot script": it plays a scenario with a server.
func botScriptCommand(env *environment) *cobra.Command {
	var dialect string
	var o script.Options
	var list bool
	c := &cobra.Command{
		Use:   "script FILE",
		Short: "Play a scenario: what players do, and what they are to see of each other",
		Long: `Plays a scenario from a file, "-" for the standard input: what players do, and what they are to ` +
			`see, hear or be. It is written in
Starlark, a small kin of Python, with a verb for each of these. A step that is not so within its ` +
			`patience has failed; it is shown with
what was expected and what is so instead. The exit code is 1 then, or if the original client would have ` +
			`stumbled over something.

docs/scripts.md describes the verbs, and --list shows them; testdata/scripts has scenarios.`,
		Example: `  sphere bot script meeting.star
  sphere bot script meeting.star --addr 192.168.0.5:25860 --keep-going
  sphere bot script --list`,
		Args: func(c *cobra.Command, args []string) error {
			if list {
				return expect(0)(c, args)
			}
			return expect(0, "a file")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if list {
				return listVerbs(env.answers())
			}
			if err := checkPlaying(c, dialect, &o); err != nil {
				return err
			}
			text, err := readScript(env, args[0])
			if err != nil {
				return err
			}
			s, err := script.Parse(args[0], text)
			if err != nil {
				return err
			}
			return playScript(c, env, s, o)
		},
	}
	fl := c.Flags()
	addServerFlag(fl, &o.Addr)
	fl.DurationVar(&o.Patience, "patience", 5*time.Second, "how long a step waits for what it expects")
	fl.BoolVar(&o.KeepGoing, "keep-going", false, "go on when a step has failed")
	fl.StringVar(&dialect, "dialect", packets.Dialect2026.String(), "generation of the clients: 2026, 2022 or classic")
	fl.DurationVar(&o.Client.PingEvery, "ping-every", 500*time.Millisecond, "time between two positions of a player")
	fl.BoolVar(&list, "list", false, "show what scenarios can call, and end")
	return c
}

// checkPlaying takes the dialect of the clients, and returns the fault of a flag.
func checkPlaying(c *cobra.Command, dialect string, o *script.Options) (err error) {
	o.Client.Dialect, err = packets.ParseDialect(dialect)
	switch {
	case err != nil:
		return usagef(c, "--dialect: %v", err)
	case o.Patience <= 0:
		return usagef(c, "--patience: expected more than 0, found %v", o.Patience)
	case o.Client.PingEvery <= 0:
		return usagef(c, "--ping-every: expected more than 0, found %v", o.Client.PingEvery)
	}
	return nil
}

// listVerbs shows all that scenarios can call.
func listVerbs(w printer) error {
	for _, v := range script.Verbs() {
		signature, help := v.Signature, v.Help.In(w.russian)
		if signature == "" {
			signature, help = "\n"+help, ""
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-44s %s", signature, help), " ")); err != nil {
			return err
		}
	}
	return nil
}

// readScript reads a scenario, but no more than one can have.
func readScript(env *environment, file string) (string, error) {
	in, err := env.open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(in, script.MaxBytes+1)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// playScript plays a scenario and shows the outcome of each step.
func playScript(c *cobra.Command, env *environment, s *script.Script, o script.Options) error {
	o.Client.Seed = 1
	w := env.answers()
	o.Print = func(text string) { fmt.Fprintf(env.out, "              %s\n", visible(text)) }
	o.Tell = func(out script.Outcome) {
		result := w.say("ok")
		if out.Err != nil {
			result = w.say("failed")
		}
		fmt.Fprintf(w, "%4d  %-6s  %s\n", out.Line, result, out.Text)
		var failure *script.Failure
		switch {
		case errors.As(out.Err, &failure):
			fmt.Fprintf(w, "%14s%s\n%14s%s\n", "", w.say("expected: %s", failure.Expected.In(w.russian)), "",
				w.say("instead: %s", failure.Instead.In(w.russian)))
		case out.Err != nil:
			fmt.Fprintf(w, "%14s%s\n", "", w.say("instead: %v", out.Err))
		}
	}
	r, err := script.Run(c.Context(), s, o)
	for _, v := range r.Violations {
		w.line("finding: %s", v)
	}
	w.line("%d of %s ok, %d failed, %s", r.OK, counted(r.OK+r.Failed, "step"), r.Failed,
		counted(len(r.Violations), "finding"))
	if err == nil && !r.Clean() {
		err = failf("%s: %s failed, %s", s.Name, counted(r.Failed, "step"), counted(len(r.Violations), "finding"))
	}
	return err
}
