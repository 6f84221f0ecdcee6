// Package api serves operators by HTTP: a page for browsers, JSON for the page, for programs and for the command
// line, a stream of events, metrics, and whether the server is well.
//
// Acts on accounts, characters and the database are done by the verbs of package ops, as in the chat; this package
// finds the caller. All requests stand in one table, routes.go, with the verb or the role that each needs, and all
// refusals in texts.go. There are two listeners: one for the page, which may be off, and one on this machine for the
// command line.
package api

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/data/landscape"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	gamesession "sphereserver/server/session"
	"sphereserver/server/tiles"
)

// Limits of the listeners. Few operators come at a time, but anybody may knock.
const (
	maxConnections      = 256
	maxPerAddress       = 32
	maxLocalConnections = 16 // of commands
	maxHeader           = 16 << 10
	maxBody             = 64 << 10
	maxFileBody         = 3 << 20 // of a file of the operator's, which has a megabyte at most
	headerTimeout       = 5 * time.Second
	readTimeout         = 15 * time.Second // for the whole request
	idleTimeout         = 2 * time.Minute
	answerTimeout       = 30 * time.Second // unless a route says otherwise
)

// Options are the options of the interface.
type Options struct {
	Settings config.Admin
	Version  string
	Store    *data.Store
	Ops      *ops.Service // of the running server
	Game     *game.Server
	Config   *config.Live
	Backups  *data.BackupSchedule
	Tail     *oplog.Tail
	// Russian is a line of the log in Russian; nil: pages show the English one.
	Russian func(oplog.Line) oplog.Line
	Log     *slog.Logger
	// Listeners are the addresses of the other listeners by name, "game", "public", "ase" and "minecraft"; closed ones
	// are missing.
	Listeners map[string]string
	// Queries returns the counts of answers to server browsers; nil for none.
	Queries func() map[string]uint64
	// Passwords checks them; nil for this process.
	Passwords gamesession.Passwords
	// Land is the ground that was imported; nil for none.
	Land *landscape.File
	// Maps draws the tiles of maps; not nil where there is a page.
	Maps *tiles.Service
	// Writes are the times that writes to the store have taken.
	Writes *measure.Histogram

	// listen takes the place of [net.Listen] in tests.
	listen func(network, address string) (net.Listener, error)
}

// A Server answers operators until it is closed.
type Server struct {
	o        Options
	addr     netip.AddrPort // of the page; the zero value when it is off
	local    local
	http     *http.Server
	serving  sync.WaitGroup
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	running  sync.WaitGroup
	hosts    map[string]bool
	networks []netip.Prefix

	sessions *sessions
	guard    *gamesession.LoginLimiter
	hashing  hashing
	meter    *meter
	stream   *stream
	metrics  http.Handler
	ready    atomic.Bool
}

// A local is the listener for the command line: a socket in the data folder, or a free port of 127.0.0.1, with any
// settings of the page. A user that can read the control file of the data folder may use it, and needs no account.
type local struct {
	listener net.Listener
	host     string            // that requests have to name
	token    [sha256.Size]byte // hashed, so that comparing takes the same time for all tokens
	verbs    http.Handler
}

// Addr is the address of the page; the zero value when it is off.
func (s *Server) Addr() netip.AddrPort { return s.addr }

// Ready says that the game is served from now on.
func (s *Server) Ready() { s.ready.Store(true) }
