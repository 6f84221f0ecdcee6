// Package recording is the file in which sessions are kept as they were: every frame of each, both ways, with its
// time. It is written while a server runs, read by the tools for captures, and played again by package replay.
//
// A file is a gzip stream of a head and records. docs/recordings.md describes it byte by byte.
//
//	"SPHREC"  version u16 | record | record | …
//	record: kind u8 | session u32 | microseconds u64 | length u32 | data | CRC-32 u32
package recording

import (
	"fmt"
	"time"
)

// Magic begins the file within the gzip stream.
const Magic = "SPHREC"

// Version is the one that is written; no other is read.
const Version = 1

// Extension is the end of names of files.
const Extension = ".sphrec"

// FileName is a name for a recording that begins now, in local time.
func FileName(now time.Time) string { return "sessions-" + now.Format("20060102-150405") + Extension }

// MaxData is the most bytes that a record holds: a frame of the server has 65535 at most.
const MaxData = 1 << 17

const (
	headBytes   = len(Magic) + 2
	recordBytes = 1 + 4 + 8 + 4 // before the data
	sumBytes    = 4
)

// A Kind is the kind of content of a record.
type Kind uint8

// The kinds of records. A reader passes over kinds that it does not know.
const (
	Begins  Kind = iota + 1 // the first record: an [Info]
	Opened                  // a session is recorded from here on: a [Session]
	Client                  // one whole frame of the client, as it travelled, with any password blanked
	Server                  // one whole frame of the server
	Account                 // the session has logged in: an [Identity]
	Closed                  // the session has ended: an [End]
	Lost                    // the session goes on and is recorded no further: a [Loss]
	Ends                    // the last record: a [Summary]
)

var kindNames = [...]string{Begins: "begins", Opened: "opened", Client: "client", Server: "server", Account: "account",
	Closed: "closed",
	Lost:   "lost", Ends: "ends"}

// String returns the kind's name, or its number.
func (k Kind) String() string {
	if k > 0 && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// A Record is one thing that happened.
type Record struct {
	Kind    Kind
	Session uint32        // from 1; 0 for the file as a whole
	At      time.Duration // since the recording began, in whole microseconds
	Data    []byte        // a frame, or JSON
}

// The records that are no frames, as JSON.
type (
	// Info is the facts about the recording as a whole.
	Info struct {
		Started   time.Time `json:"started"`
		Dialect   string    `json:"dialect"` // as settings spell it
		Server    string    `json:"server,omitempty"`
		Anonymous bool      `json:"anonymous,omitempty"` // logins and names are not the true ones
	}

	// Session is the facts about a session when its recording begins.
	Session struct {
		Index   uint16 `json:"index"` // of the player
		Key     uint16 `json:"key"`   // of the client's checksums
		Address string `json:"address,omitempty"`
		Whole   bool   `json:"whole"` // recorded from its first byte
		State   string `json:"state"`
	}

	// Identity is the account of a session.
	Identity struct {
		Login string `json:"login"`
		Role  string `json:"role"`
	}

	// End is why a session ended.
	End struct {
		Reason string `json:"reason"`
		Client bool   `json:"client"` // it was the client that closed, or its connection that broke
	}

	// Loss is why a session is recorded no further.
	Loss struct {
		Why string `json:"why"`
	}

	// Summary stands at the end of a recording that was ended in order.
	Summary struct {
		Why      string `json:"why"`
		Sessions int    `json:"sessions"`
		Frames   int    `json:"frames"`
		Lost     int    `json:"lost"` // sessions
	}
)
