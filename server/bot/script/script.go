// Package script reads and plays scenarios: what players of the game do and what they are to see of each other, a line each.
// docs/scripts.md describes the language.
package script

import (
	"context"
	"fmt"
	"strings"
)

// A Script is a scenario that has been read.
type Script struct {
	Name  string
	Lines []Line
}

// A Line is a line of a script that says something.
type Line struct {
	Number int // in the file, from 1
	Text   string
	do     step
}

// A step does what a line says, or checks it. The error says what is so instead.
type step func(ctx context.Context, s *stage) error

// An Error is a mistake in a script.
type Error struct {
	Name string // of the script
	Line int
	Text string // what was expected and what was found
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text) }

// Limits of a script.
const (
	MaxBytes  = 1 << 20
	maxLines  = 10_000
	maxPeople = 100
)

// Parse reads a script. The error is an [*Error].
func Parse(name, text string) (*Script, error) {
	s := &Script{Name: name}
	if len(text) > MaxBytes {
		return nil, &Error{name, 1, fmt.Sprintf("expected at most %d bytes, found %d", MaxBytes, len(text))}
	}
	var players []string
	text = strings.TrimPrefix(text, "\uFEFF")
	number := 0
	for line := range strings.Lines(text) {
		number++
		mistake := func(err error) error { return &Error{name, number, err.Error()} }
		tokens, err := tokenize(line)
		if err != nil {
			return nil, mistake(err)
		}
		if len(tokens) == 0 {
			continue
		}
		words := &sentence{tokens: tokens, players: players}
		do, a, err := words.parse()
		if err != nil {
			return nil, mistake(err)
		}
		if tokens[0].text == "player" {
			players = append(players, a.names[0])
		}
		s.Lines = append(s.Lines, Line{number, strings.TrimSpace(line), do})
		if len(s.Lines) > maxLines || len(players) > maxPeople {
			return nil, mistake(fmt.Errorf("expected at most %d lines and %d players", maxLines, maxPeople))
		}
	}
	if len(s.Lines) == 0 {
		return nil, &Error{name, max(number, 1), "expected a line that says something, found none"}
	}
	return s, nil
}

// Forms are the sentences of the language, each with what it does.
func Forms() (all [][2]string) {
	for i := range forms {
		all = append(all, [2]string{forms[i].pattern, forms[i].help})
	}
	return all
}
