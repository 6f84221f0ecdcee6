package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// password is the one of the flag --password, or the first line of the input, for which a terminal is asked without
// echo.
func (o *operatorCommand) password(ctx context.Context, flag *string, fromInput bool) (string, error) {
	switch {
	case flag != nil:
		return *flag, nil
	case fromInput:
		return readPassword(ctx, o.env.in)
	}
	fmt.Fprint(o.env.err, "Password: ")
	terminal, ok := o.env.in.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return readPassword(ctx, o.env.in)
	}
	password, err := readHidden(ctx, terminal)
	if err != nil {
		return "", err
	}
	fmt.Fprint(o.env.err, "\nOnce more: ")
	again, err := readHidden(ctx, terminal)
	fmt.Fprintln(o.env.err)
	if err == nil && again != password {
		return "", errors.New("expected the same password twice, found two different ones; nothing was changed")
	}
	return password, err
}

func readPassword(ctx context.Context, in io.Reader) (string, error) {
	line, err := readLine(ctx, in)
	if err != nil {
		return "", fmt.Errorf("expected a password, found %w", err)
	}
	return line, nil
}

// readHidden reads a line that the terminal does not show. The terminal is as it was afterwards, also when ctx ends.
func readHidden(ctx context.Context, terminal *os.File) (string, error) {
	fd := int(terminal.Fd()) // here: what reads below may outlive the file
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("expected a password: %w", err)
	}
	defer term.Restore(fd, before)
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			r.err = errNoLine
		}
		if r.err != nil {
			return "", fmt.Errorf("expected a password, found %w", r.err)
		}
		return string(r.line), nil
	case <-ctx.Done(): // the program ends
		return "", errors.New("expected a password, found an interruption")
	}
}
