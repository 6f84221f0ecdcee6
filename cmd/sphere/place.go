package main

import (
	"os"
	"strings"
	"time"
)

// A disk is where data do not lie well. The zero value is an ordinary disk, or one of which nothing is known.
type disk struct {
	network  string // its kind, if it is another machine's: locks and fsync of such may be none
	memory   bool   // all is gone when the machine restarts
	readOnly bool
}

// unknownZone is the time zone of the environment if no zone has that name, "" if all is well: times are UTC
// then, without a word.
func unknownZone() string {
	name := strings.TrimPrefix(os.Getenv("TZ"), ":")
	if name == "" || strings.HasPrefix(name, "/") {
		return ""
	}
	if _, err := time.LoadLocation(name); err != nil {
		return name
	}
	return ""
}
