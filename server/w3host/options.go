package w3host

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"sphereserver/packets/w3gs"
)

// Options are the settings of a host. [DefaultOptions] are the shipped ones; a zero field is not replaced.
type Options struct {
	Listen  string // HOST:PORT of TCP and UDP; port 0 for free ones
	Network string // of package transport: "gnet", "net", or empty for the system's default
	Product w3gs.Product
	Version w3gs.Version
	Games   []GameOptions
	// Once ends the host when every game has ended. Otherwise a game that has ended is created again.
	Once bool
	Log  *slog.Logger

	// Announce lists addresses that games are announced to without being asked. The broadcast address belongs here only
	// by the operator's will.
	Announce []netip.AddrPort
	// Networks are further addresses for that, looked up each time, since cards and tunnels come and go; nil for none.
	Networks func() []netip.AddrPort
	// AnswerAll answers searches from anywhere, not only from private, link-local and loopback addresses.
	AnswerAll bool

	Tick         time.Duration // 50 to 250 ms; on a local network 100 is usual
	Countdown    time.Duration // from the start of the countdown to loading
	DownloadRate int           // bytes of maps per second, of all games together
	Limits       Limits
}

// GameOptions are the settings of one game.
type GameOptions struct {
	Name string // as lists show it, 1 to 31 bytes
	Host string // name of the host's own player, 1 to 15 bytes
	Map  Map
	// Download lets players without the map fetch it, from Map.Data.
	Download bool
	Slots    []w3gs.Slot // as they are while nobody has taken them
	Layout   w3gs.Layout
	Starts   int // start positions of the map
	Settings w3gs.Settings
	Flags    w3gs.GameFlags
	// StartWhen is how many players have to be ready for the countdown to begin by itself: 0 for as many as there is room
	// for, StartNever for never.
	StartWhen int
}

// StartNever waits for the operator to start the game.
const StartNever = -1

// Limits keep one client, or one address, from costing the others. Source: protocol w3gs 8.
type Limits struct {
	// Strangers are connections that have not joined, in all. A refused one counts until it is closed, within a second:
	// it has its socket.
	Strangers           int
	StrangersPerAddress int

	ChatPerSecond   float64 // lines of one player; more are dropped
	ChatBurst       int
	ChatDropped     int // lines dropped within 10 s, after which the connection ends
	ChangePerSecond float64
	ChangeBurst     int

	Packets     float64 // of one connection per second, with a burst of the same; more end it
	Actions     float64 // the same of actions,
	ActionBytes float64 // and of the bytes in them
	Strange     int     // packets that are unknown or out of place, after which a connection ends
	Pending     int     // bytes that a client owes to read; with more, it is sent no more and closed
	Queued      int     // bytes of actions that wait for a tick, in a game

	Answers          float64 // to searches per second, with a burst of the same
	AnswersPerSource float64
}

// Times of the protocol. Source: protocol w3gs 8, the last paragraph.
const (
	pingEvery    = 5 * time.Second
	refreshEvery = 5 * time.Second
	joinWithin   = 10 * time.Second
	readyWithin  = 10 * time.Second
	loadWithin   = 120 * time.Second
	lagAfter     = 5 * time.Second
	voteAfter    = 45 * time.Second
	dropAfter    = 60 * time.Second
	silentFor    = 30 * time.Second
	silentGrace  = 10 * time.Second // after a waiting screen
	closeAfter   = time.Second      // after the end of the game
	chatWindow   = 10 * time.Second
	unwritable   = 10 * time.Second

	slotsEvery    = 100 * time.Millisecond
	progressEvery = time.Second
	// refreshPause is the least time between two refreshes, those for changes included.
	refreshPause = time.Second
)

// DefaultOptions returns the settings that ship, with no game yet.
func DefaultOptions() Options {
	return Options{
		Listen:       ":6112",
		Product:      w3gs.FrozenThrone,
		Version:      26,
		Log:          slog.New(slog.DiscardHandler),
		Tick:         100 * time.Millisecond,
		Countdown:    5 * time.Second,
		DownloadRate: 1 << 20,
		Limits: Limits{Strangers: 64, StrangersPerAddress: 8, ChatPerSecond: 4, ChatBurst: 8, ChatDropped: 50,
			ChangePerSecond: 4, ChangeBurst: 8, Packets: 2000, Actions: 100, ActionBytes: 32 << 10, Strange: 50,
			Pending: 512 << 10, Queued: 256 << 10, Answers: 50, AnswersPerSource: 5},
	}
}

// maxDatagram is the most that is read of a datagram. Source: protocol w3gs 8.
const maxDatagram = 512

// Check says the first mistake in the options.
func (o *Options) Check() error {
	switch {
	case o.Tick < 50*time.Millisecond || o.Tick > 250*time.Millisecond:
		return fmt.Errorf("tick: expected 50ms to 250ms, found %v", o.Tick)
	case o.Countdown < 0 || o.Countdown > time.Minute:
		return fmt.Errorf("countdown: expected 0s to 1m, found %v", o.Countdown)
	case o.DownloadRate < 1:
		return fmt.Errorf("download rate: expected at least 1 byte per second, found %d", o.DownloadRate)
	case len(o.Games) == 0:
		return errors.New("expected a game, found none")
	}
	for _, a := range o.Announce {
		if !a.Addr().Unmap().Is4() || a.Port() == 0 {
			return fmt.Errorf("announce: expected an IPv4 address and a port, found %s", a)
		}
	}
	for i := range o.Games {
		if err := o.Games[i].check(o); err != nil {
			return fmt.Errorf("game %q: %w", o.Games[i].Name, err)
		}
	}
	return nil
}

// nameFits reports whether a name has 1 to most bytes and no control characters.
func nameFits(name string, most int) bool {
	return name != "" && len(name) <= most && strings.IndexFunc(name, unicode.IsControl) < 0
}

// OpenSlots returns n open slots of which the first starts play, each in a team of its own, and the others watch.
func OpenSlots(n, starts int, version w3gs.Version) []w3gs.Slot {
	slots := make([]w3gs.Slot, n)
	for i := range slots {
		slots[i] = w3gs.Slot{Download: w3gs.UnknownDownload, Team: uint8(i), Colour: uint8(i),
			Race: w3gs.Random | w3gs.RaceSelectable, Level: w3gs.NormalComputer, Handicap: 100}
		if i >= starts {
			slots[i].Team, slots[i].Colour = version.ObserverTeam(), version.ObserverTeam()
		}
	}
	return slots
}

// A Map is the map that players have to have. Its check value and SHA-1 are made from its contents in a way that is
// the game's own: an operator takes them from a game that the original client hosts. Source: protocol w3gs 3.1, 4.17.
type Map struct {
	Path          string // as clients know it: Maps\Download\Name.w3x
	Size          uint32 // of the file in bytes
	CRC           uint32 // CRC-32 of the file
	Check         uint32 // the "xoro" value
	SHA1          [20]byte
	Width, Height uint16 // playable
	Data          []byte // the file, where the host has it
}

func (m *Map) check() *w3gs.MapCheck {
	return &w3gs.MapCheck{Path: m.Path, Size: m.Size, CRC: m.CRC, Check: m.Check, SHA1: m.SHA1}
}
