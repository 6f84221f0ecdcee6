package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets"
	"sphereserver/server/bot/script"
)

// botScriptCommand is "sphere bot script": it plays a scenario with a server.
func botScriptCommand(env *environment) *cobra.Command {
	var addr, dialect string
	var o script.Options
	c := &cobra.Command{
		Use:   "script FILE",
		Short: "Play a scenario: what players do, and what they are to see of each other",
		Long: `Plays a scenario from a file, "-" for the standard input: each line says what a player does, or what it is to see, hear or be. A line
that is not so within its patience has failed; it is shown with what is so instead. The exit code is 1 then, or if
the original client would have stumbled over something.

docs/scripts.md describes the language; testdata/scripts has scenarios.`,
		Example: `  sphere bot script meeting.txt
  sphere bot script meeting.txt --connect 192.168.0.5:25860 --keep-going`,
		Args: expect(0, "a file"),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := packets.ParseDialect(dialect)
			switch {
			case err != nil:
				return usagef(c, "--dialect: %v", err)
			case o.Patience <= 0:
				return usagef(c, "--patience: expected more than 0, found %v", o.Patience)
			case o.Client.PingEvery <= 0:
				return usagef(c, "--ping-every: expected more than 0, found %v", o.Client.PingEvery)
			}
			o.Addr, o.Client.Dialect = addr, d
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
	c.SetFlagErrorFunc(flagError)
	fl := c.Flags()
	fl.StringVar(&addr, "connect", "127.0.0.1:25860", "server, HOST:PORT")
	fl.DurationVar(&o.Patience, "patience", 5*time.Second, "how long a line waits for what it expects")
	fl.BoolVar(&o.KeepGoing, "keep-going", false, "go on when a line has failed")
	fl.StringVar(&dialect, "dialect", packets.Dialect2026.String(), "generation of the clients: 2026, 2022 or classic")
	fl.DurationVar(&o.Client.PingEvery, "ping-every", 500*time.Millisecond, "time between two positions of a player")
	return c
}

// readScript reads a scenario, but no more than one can have.
func readScript(env *environment, file string) (string, error) {
	in := env.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(in, script.MaxBytes+1)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// playScript plays a scenario and shows what becomes of each line.
func playScript(c *cobra.Command, env *environment, s *script.Script, o script.Options) error {
	o.Client.Seed = 1
	o.Tell = func(out script.Outcome) {
		word := "ok    "
		if out.Err != nil {
			word = "failed"
		}
		fmt.Fprintf(env.out, "%4d  %s  %s\n", out.Number, word, out.Text)
		if out.Err != nil {
			fmt.Fprintf(env.out, "              instead: %v\n", out.Err)
		}
	}
	r := script.Run(c.Context(), s, o)
	for _, f := range r.Findings {
		fmt.Fprintf(env.out, "finding: %s\n", f)
	}
	fmt.Fprintf(env.out, "%d of %d lines ok, %d failed, %d findings\n", r.OK, len(s.Lines), r.Failed, len(r.Findings))
	if !r.Clean() {
		return fmt.Errorf("%s: %d lines failed, %d findings", s.Name, r.Failed, len(r.Findings))
	}
	return nil
}
