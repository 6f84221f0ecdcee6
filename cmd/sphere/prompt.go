package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// confirm asks a question that has to be answered with yes.
func confirm(ctx context.Context, env *environment, question sentence) error {
	fmt.Fprint(env.err, visible(question.In(env.russian)), " ", env.progress().say("[y/N]"), " ")
	answer, err := readLine(ctx, env.in)
	if err != nil {
		return failf("expected an answer or --yes, found %v; nothing was changed", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "д", "да":
		return nil
	}
	return failf("not confirmed, nothing was changed")
}

// passwordFlags are the flags of commands that take a password.
type passwordFlags struct {
	password  string
	fromInput bool
}

func (f *passwordFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.password, "password", "",
		"the password; others on this machine may see it while the command runs")
	c.Flags().BoolVar(&f.fromInput, "password-stdin", false, "read the password from the first line of the standard input")
}

// read is the password of the flag, or the first line of the input, for which a terminal is asked without echo.
func (f *passwordFlags) read(c *cobra.Command, env *environment) (string, error) {
	switch given := c.Flags().Changed("password"); {
	case given && f.fromInput:
		return "", usagef(c, "expected --password or --password-stdin, found both")
	case given:
		return f.password, nil
	case f.fromInput:
		return readPassword(c.Context(), env.in)
	}
	return askPassword(c.Context(), env)
}

func askPassword(ctx context.Context, env *environment) (string, error) {
	fmt.Fprint(env.err, env.progress().say("Password"), ": ")
	terminal, ok := env.in.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return readPassword(ctx, env.in)
	}
	password, err := readHidden(ctx, terminal)
	if err != nil {
		return "", err
	}
	fmt.Fprint(env.err, "\n", env.progress().say("Once more"), ": ")
	again, err := readHidden(ctx, terminal)
	fmt.Fprintln(env.err)
	if err == nil && again != password {
		return "", failf("expected the same password twice, found two different ones; nothing was changed")
	}
	return password, err
}

func readPassword(ctx context.Context, in io.Reader) (string, error) {
	line, err := readLine(ctx, in)
	if err != nil {
		return "", failf("expected a password, found %v", err)
	}
	return line, nil
}

// readHidden reads a line that the terminal does not show. The terminal is as it was afterwards, also when ctx ends.
func readHidden(ctx context.Context, terminal *os.File) (string, error) {
	fd := int(terminal.Fd()) // here: the reader below may outlive the file
	before, err := term.GetState(fd)
	if err != nil {
		return "", failf("expected a password: %v", err)
	}
	defer term.Restore(fd, before)
	line, err := unlessDone(ctx, func() (string, error) {
		line, err := term.ReadPassword(fd)
		return string(line), err
	})
	if err != nil {
		return "", failf("expected a password, found %v", err)
	}
	return line, nil
}

// maxLine in bytes is more than anybody has to answer.
const maxLine = 4096

// readLine reads one line and not a byte more, so that another one can be read later.
func readLine(ctx context.Context, in io.Reader) (string, error) {
	return unlessDone(ctx, func() (string, error) {
		var line []byte
		for b := make([]byte, 1); len(line) < maxLine; {
			n, err := in.Read(b)
			if n == 1 && b[0] == '\n' || err == io.EOF && len(line) > 0 {
				break
			}
			if n == 1 {
				line = append(line, b[0])
			}
			if err != nil {
				return "", err
			}
		}
		text := strings.TrimPrefix(string(line), "\uFEFF") // the mark that PowerShell puts before what it pipes
		return strings.TrimSuffix(text, "\r"), nil
	})
}

// unlessDone returns the result of read. When ctx ends it is not waited for: the program ends.
func unlessDone(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := read()
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			r.err = failf("the end of the input")
		}
		return r.line, r.err
	case <-ctx.Done():
		return "", failf("an interruption")
	}
}
