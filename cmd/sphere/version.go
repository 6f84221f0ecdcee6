package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// These are set by the Makefile; commit and date come from the build itself where they are not.
var (
	version = "development"
	commit  string
	date    string // of the commit, RFC 3339
)

// A build says which program this is.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	Changed bool   `json:"changed,omitempty"` // the commit is not all there is in it
	Go      string `json:"go"`
	System  string `json:"system"`
}

func thisBuild() build {
	b := build{Version: version, Commit: commit, Date: date, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b = b.complete(info.Settings)
	}
	return b
}

// complete takes values that the Makefile has not set from the build's own settings.
func (b build) complete(settings []debug.BuildSetting) build {
	if b.Commit != "" {
		return b
	}
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	text := "sphere " + b.Version
	if b.Commit != "" {
		text += ", commit " + b.Commit[:min(12, len(b.Commit))]
		if b.Changed {
			text += " with changes"
		}
	}
	if b.Date != "" {
		text += " of " + b.Date
	}
	return text + ", " + b.Go + ", " + b.System
}

func versionCommand(env *environment) *cobra.Command {
	return env.withJSON(&cobra.Command{
		Use: "version", Short: "Print which program this is", Args: expect(0),
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			return env.print(b, func(w printer) { fmt.Fprintln(w, b) })
		},
	})
}
