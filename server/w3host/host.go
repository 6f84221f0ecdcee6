package w3host

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/server/measure"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
)

// A Host hosts games.
type Host struct {
	options   Options
	transport *transport.Server
	udp       *net.UDPConn
	port      uint16 // TCP, as games tell it
	started   time.Time
	ended     measure.CounterBy[Reason]
	count     counters
	stopping  atomic.Bool

	sessionsMu sync.Mutex
	sessions   map[*session]struct{}

	roomsMu sync.Mutex
	next    uint32                  // host counter
	rooms   atomic.Pointer[[]*room] // replaced as a whole

	rateMu sync.Mutex
	rate   ratelimit.Bucket // of map downloads

	over    chan struct{} // closed when no game is left
	stop    chan struct{} // closed by Stop
	running sync.WaitGroup
}

// counters are a host's counts since its start.
type counters struct {
	accepted, refused         atomic.Uint64 // connections
	packetsIn                 atomic.Uint64
	bytesIn, bytesOut         atomic.Uint64
	games                     atomic.Uint64 // created
	searches, answers         atomic.Uint64
	searchesStrange           atomic.Uint64 // not a search, or from elsewhere
	searchesOther             atomic.Uint64 // for another product or version
	searchesLimited           atomic.Uint64
	announced, announceFailed atomic.Uint64
	panics                    atomic.Uint64
}

// A room is where a game happens: the goroutine that owns it, and its public values.
type room struct {
	host    *Host
	counter uint32
	created time.Time
	mail    *mailbox
	game    *game                         // the goroutine's own
	open    atomic.Pointer[[]byte]        // answer to searches while the game can be joined, else nil
	status  atomic.Pointer[GameStatus]    // as operators see it
	ended   chan struct{}                 // closed when the goroutine has ended
	batches map[transport.Loop][]delivery // of one turn, by loop; the goroutine's own
	shown   time.Duration                 // when status was made, in the game's time
}

// A delivery has bytes for a connection, and reports whether to close it then.
type delivery struct {
	to     *session
	out    []byte
	end    bool
	reason Reason
	detail string
}

// A session is a connection. It is touched on its loop only, except where a field says otherwise: there packets are
// cut off the stream and counted, and left in the mailbox of the game that the first of them names.
type session struct {
	host   *Host
	conn   transport.Conn
	addr   netip.AddrPort
	source netip.Addr    // see ratelimit.Source
	lasted time.Duration // goes by like the time of a game
	real   time.Time     // up to here
	room   *room         // nil until it has asked to join
	player *player       // the game's side of this connection; the game's own, except the pointer
	name   string

	packets ratelimit.Bucket
	strange int
	in, out uint64 // bytes

	owed  int           // pending when last looked at,
	wrote int           // and written since
	stuck time.Duration // since then nothing was taken

	joined atomic.Bool // no stranger any more
	ending bool
	reason Reason
	detail string
}

// allRooms are the rooms now; the slice is not to be changed.
func (h *Host) allRooms() []*room { return *h.rooms.Load() }

// room returns the one of a game, or nil.
func (h *Host) room(counter uint32) *room {
	for _, r := range h.allRooms() {
		if r.counter == counter {
			return r
		}
	}
	return nil
}
