package main

import (
	_ "embed" // the texts
	"slices"
	"strings"
	"sync"
	"time"

	"sphereserver/server/oplog"
	"sphereserver/server/ops"
)

//go:embed log.ru.txt
var russianLogText string

// russianLog are the Russian words of the log by the English ones: messages, values, and names with the sign = behind
// them.
var russianLog = sync.OnceValue(func() map[string]string {
	_, words := readHelp(russianLogText)
	return words
})

// Values of the log that are words of the program. All others are names, numbers and the like, which stay as they are.
var (
	wordValues  = []string{"all", "from", "message", "of", "readers", "reason", "source", "state", "to", "why"}
	errorValues = []string{"detail", "err", "error", "fault", "outcome", "problem", "reason", "why"}
)

// russianLine is a line of the log in Russian. A message that has no Russian text stays in English.
func russianLine(line oplog.Line) oplog.Line {
	if text, known := russianLog()[line.Message]; known {
		line.Message = text
	} else {
		line.Message = russianSentence(line.Message)
	}
	if line.Attrs == nil {
		return line
	}
	attrs := make(map[string]string, len(line.Attrs))
	for name, value := range line.Attrs {
		word, known := russianLog()[value]
		switch err := line.Errors[name]; {
		case err != nil:
			value = russianOf(err)
		case known && slices.Contains(wordValues, name):
			value = word
		case name == "who":
			value = ops.Author(value).Russian
		case name == "lasted":
			if d, err := time.ParseDuration(value); err == nil && d >= time.Minute {
				value = russianDuration(d.Round(time.Second))
			} else if err == nil {
				value = russianDuration(d)
			}
		case slices.Contains(errorValues, name):
			value = russianSentence(value)
		}
		if text, known := russianLog()[name+"="]; known {
			name = strings.ReplaceAll(text, " ", "\u00A0") // a name and its value stand in one line of the page
		}
		attrs[name] = value
	}
	line.Attrs = attrs
	return line
}
