package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/server/oplog"
)

// logMethods are the methods that write a line of the log, with the argument that is its message.
var logMethods = map[string]int{"Debug": 0, "Info": 0, "Warn": 0, "Error": 0, "Log": 2, "warnOnce": 1}

// logWords are the messages of the server's log and the names of its values, by where they are.
func logWords(t *testing.T) (messages, names map[string]string) {
	messages, names = map[string]string{}, map[string]string{}
	files := token.NewFileSet()
	read := func(path string) error {
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			at, known := logMethods[method.Sel.Name]
			if !known || len(call.Args) <= at {
				return true
			}
			message, is := literal(call.Args[at])
			if !is {
				return true
			}
			messages[message] = files.Position(call.Pos()).String()
			for i := at + 1; i < len(call.Args); i += 2 {
				if name, is := literal(call.Args[i]); is {
					names[name] = files.Position(call.Args[i].Pos()).String()
				}
			}
			return true
		})
		return nil
	}
	for _, room := range []string{"cmd/sphere", "data", "server", "world"} {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "sim" || d.Name() == "w3host"):
				return fs.SkipDir // clients of tests; another program
			case strings.HasPrefix(d.Name(), "w3host"):
				return nil
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return read(path)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return messages, names
}

func TestEveryLineOfTheLogHasARussianText(t *testing.T) {
	messages, names := logWords(t)
	if len(messages) < 100 || len(names) < 50 {
		t.Fatalf("found only %d messages and %d names in the sources", len(messages), len(names))
	}
	for text, at := range messages {
		if russianLine(oplog.Line{Message: text}).Message == text {
			t.Errorf("%s: the message %q has no Russian text", at, text)
		}
	}
	for name, at := range names {
		if russianLog()[name+"="] == "" {
			t.Errorf("%s: the name %q has no Russian text", at, name)
		}
	}
}

func TestALineOfTheLogInRussian(t *testing.T) {
	log := oplog.New(io.Discard, slog.LevelInfo, false)
	tail := oplog.Keep(log)
	defer log.Close()
	log.Error("disconnected", "reason", "login queue full", "login", "silent", "state", "in world", "nobody's", 1, "lasted", "4m36.512s",
		"error", fmt.Errorf("configuration: %w", failf("expected no argument, found %q", "x")))
	log.Warn("gnet: something")
	log.Info("operator", "who", "operator root", "verb", "account add")
	log.Warn("a program that reads the database keeps its log from shrinking", "readers", "unknown")
	lines, _ := tail.From(0)
	got := russianLine(lines[0])
	want := map[string]string{"причина": "очередь входа полна", "логин": "silent", "состояние": "в мире",
		"ошибка": "настройки: за этой командой ничего не пишут, а здесь \"x\"", "nobody's": "1", "длилось": "4 мин 37 с"}
	if got.Message != "соединение закончилось" || !maps.Equal(got.Attrs, want) {
		t.Errorf("found %+v, expected %v", got, want)
	}
	if lines[0].Attrs["reason"] != "login queue full" {
		t.Error("the line itself was changed")
	}
	if got := russianLine(lines[1]); got.Message != "gnet: something" {
		t.Errorf("found %q for a message that is not ours", got.Message)
	}
	if got := russianLine(lines[2]); got.Attrs["автор"] != "оператор root" {
		t.Errorf("the author is %v", got.Attrs)
	}
	if got := russianLine(lines[3]); got.Attrs["читает"] != "неизвестно" {
		t.Errorf("the reader is %v", got.Attrs)
	}
}
