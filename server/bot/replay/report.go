package replay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sphereserver/packets/capture"
)

// A DifferenceKind is a kind of difference.
type DifferenceKind string

// The kinds of differences.
const (
	Missing    DifferenceKind = "missing"    // a message that was recorded has not come
	Additional DifferenceKind = "additional" // a message has come that was not recorded
	Changed    DifferenceKind = "changed"    // a field of a message has another value
	Closed     DifferenceKind = "closed"     // the server has closed a session that went on
	Open       DifferenceKind = "open"       // the server has not closed a session that it had closed
	Abandoned  DifferenceKind = "abandoned"  // the session has gone another way, and is played no further
)

// A Difference is one thing that is not as it was recorded.
type Difference struct {
	Session  uint32         `json:"session"`
	At       time.Duration  `json:"-"` // in the recording
	Seconds  float64        `json:"seconds"`
	Kind     DifferenceKind `json:"kind"`
	Message  string         `json:"message"`          // its name and its subject
	Detail   string         `json:"detail,omitempty"` // its contents
	Field    string         `json:"field,omitempty"`
	Recorded string         `json:"recorded,omitempty"`
	Now      string         `json:"now,omitempty"`
}

// String says it in words.
func (d Difference) String() string {
	head := fmt.Sprintf("session %d, %.3f s: ", d.Session, d.At.Seconds())
	switch d.Kind {
	case Changed:
		return head + fmt.Sprintf("%s: %s: recorded %s, now %s", d.Message, d.Field, d.Recorded, d.Now)
	case Closed:
		return head + d.Message + ": recorded, it goes on"
	case Abandoned:
		return head + d.Message
	case Open:
		return head + d.Message + ": recorded, it did: " + d.Recorded
	}
	return head + fmt.Sprintf("%s: %s: %s", d.Kind, d.Message, capture.Clean(d.Detail))
}

// A SessionReport names the login and the character of a session.
type SessionReport struct {
	Number    uint32 `json:"session"`
	Login     string `json:"login,omitempty"`
	Character string `json:"character,omitempty"`
	Skipped   string `json:"skipped,omitempty"` // why it was not played

	session *Session
}

// maxDifferences is how many are kept; the first ones tell most.
const maxDifferences = 1000

func newReport(t *Recording) *Report {
	r := &Report{Differences: []Difference{}}
	for _, s := range t.Sessions {
		one := SessionReport{Number: s.Number, Login: s.Who.Login, session: s}
		if !s.About.Whole {
			one.Skipped = "it began before the recording"
		}
		r.Sessions = append(r.Sessions, one)
	}
	return r
}

// A Report has the findings of a replay.
type Report struct {
	Sessions    []SessionReport `json:"sessions"`
	Compared    int             `json:"compared"` // messages of the server that were recorded
	Sent        int             `json:"sent"`     // frames
	Took        time.Duration   `json:"-"`
	Seconds     float64         `json:"seconds"`
	Differences []Difference    `json:"differences"`
}

func (r *Report) session(s *Session) *SessionReport {
	return &r.Sessions[slices.IndexFunc(r.Sessions, func(one SessionReport) bool { return one.session == s })]
}

// Same reports whether everything was as recorded.
func (r *Report) Same() bool { return len(r.Differences) == 0 }

// Words returns the findings, a line each.
func (r *Report) Words() string {
	var out strings.Builder
	for _, d := range r.Differences {
		fmt.Fprintln(&out, d)
	}
	return out.String() + r.Summary()
}

// Summary says which part was not played, and how much was.
func (r *Report) Summary() string {
	var out strings.Builder
	for _, s := range r.Sessions {
		if s.Skipped != "" {
			fmt.Fprintf(&out, "session %d is not played: %s\n", s.Number, s.Skipped)
		}
	}
	fmt.Fprintf(&out, "%d sessions, %d frames sent, %d messages compared, %d differences\n", len(r.Sessions), r.Sent,
		r.Compared, len(r.Differences))
	return out.String()
}
