package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// newTerminal returns both ends of a pseudoterminal: the person's, and the program's.
func newTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	if program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// prompts is where the program asks: the person answers each prompt with the next line.
type prompts struct {
	bytes.Buffer
	person  *os.File
	answers []string
	asked   func()
}

func (p *prompts) Write(text []byte) (int, error) {
	if strings.HasSuffix(string(text), ": ") {
		if p.asked != nil {
			go func() {
				untilHidden(p.person)
				p.asked()
			}()
		}
		if len(p.answers) > 0 {
			answer := p.answers[0]
			p.answers = p.answers[1:]
			go func() {
				untilHidden(p.person)
				fmt.Fprint(p.person, answer)
			}()
		}
	}
	return p.Buffer.Write(text)
}

// untilHidden waits until a terminal does not show typed text any more.
func untilHidden(terminal *os.File) {
	for {
		termios, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil || termios.Lflag&unix.ECHO == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestATerminalIsAskedWithoutEcho(t *testing.T) {
	for _, c := range []struct {
		name         string
		answers      []string
		want, failed string
	}{
		{"twice the same", []string{"тайна 1\n", "тайна 1\n"}, "тайна 1", ""},
		{"two different ones", []string{"one\n", "two\n"}, "", "expected the same password twice"},
	} {
		person, program := newTerminal(t)
		before, err := term.GetState(int(program.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		asks := &prompts{person: person, answers: c.answers}
		env := &environment{in: program, err: asks}
		got, err := askPassword(t.Context(), env)
		if got != c.want || (err == nil) != (c.failed == "") || err != nil && !strings.Contains(err.Error(), c.failed) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if after, err := term.GetState(int(program.Fd())); err != nil || *after != *before {
			t.Errorf("%s: the terminal is not as it was: %v", c.name, err)
		}
		fmt.Fprintln(program, "end")
		shown := make([]byte, 1000)
		n, _ := person.Read(shown)
		if s := string(shown[:n]); strings.ContainsAny(s, "тайнаotw1") {
			t.Errorf("%s: the terminal has shown %q", c.name, s)
		}
	}
}

func TestAnInterruptedTerminalShowsAgain(t *testing.T) {
	person, program := newTerminal(t)
	before, err := term.GetState(int(program.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	env := &environment{in: program, err: &prompts{person: person, asked: cancel}}
	if _, err := askPassword(ctx, env); err == nil || !strings.Contains(err.Error(), "an interruption") {
		t.Errorf("%v", err)
	}
	if after, err := term.GetState(int(program.Fd())); err != nil || *after != *before {
		t.Errorf("the terminal is not as it was: %v", err)
	}
	fmt.Fprintln(person) // a reader ends before another test has its descriptor
	for n := 1; n > 0; n, err = unix.IoctlGetInt(int(program.Fd()), unix.TIOCINQ) {
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}
