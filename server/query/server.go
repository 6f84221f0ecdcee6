package query

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"sphereserver/server/udp"
)

// Options are the settings of the queries. [DefaultOptions] are the shipped ones; a zero field is not replaced.
type Options struct {
	ASE       ASEOptions
	Minecraft MinecraftOptions
	// HideNames hides the names of players, and all other facts about each. Their number is told all the same.
	HideNames bool
	// Reach are the networks that may ask; none means all.
	Reach []netip.Prefix
	// ExemptLoopback frees loopback addresses from the limits for each source.
	ExemptLoopback bool
	Limits         Limits
	Log            *slog.Logger
}

// ASEOptions are the settings of the All-Seeing Eye.
type ASEOptions struct {
	Off bool
	// Port is where queries come; 0 is 123 above the game's, or one of the next few if that is taken.
	Port      int
	Game      string // short name of the game by which browsers know it
	Type      string // of the game
	MaxAnswer int    // bytes of a full answer, 700 to 8192
}

// MinecraftOptions are the settings of Minecraft Query.
type MinecraftOptions struct {
	Off bool
	// Port is where queries come; 0 is the game's.
	Port int
	// HostIP is told as the game's address; empty for the one that it listens on.
	HostIP string
	// Formatting leaves Minecraft's formatting codes in the server's name.
	Formatting bool
}

// DefaultOptions returns the settings that ship.
func DefaultOptions() Options {
	return Options{ASE: ASEOptions{Game: "sphere", Type: "MMORPG", MaxAnswer: 1350}, Limits: DefaultLimits(),
		Log: slog.New(slog.DiscardHandler)}
}

const (
	minASEAnswer, maxASEAnswer = 700, 8192
	// asePorts are how many ports are tried when the usual one is taken. Source: protocol ase 1.
	asePorts = 8
)

func (o *Options) check() error {
	if n := o.ASE.MaxAnswer; !o.ASE.Off && (n < minASEAnswer || n > maxASEAnswer) {
		return fmt.Errorf("query: an answer of at most %d bytes was asked for, expected %d to %d", n, minASEAnswer,
			maxASEAnswer)
	}
	if _, err := netip.ParseAddr(o.Minecraft.HostIP); o.Minecraft.HostIP != "" && err != nil {
		return fmt.Errorf("query: address of the host: %w", err)
	}
	if slices.ContainsFunc(o.Reach, func(n netip.Prefix) bool { return !n.IsValid() }) {
		return errors.New("query: one of the networks that may ask is none")
	}
	return nil
}

// exempt reports whether an address is free from the limits for each source.
func (o *Options) exempt(a netip.Addr) bool { return o.ExemptLoopback && a.IsLoopback() }

// A Server answers queries until it is closed.
type Server struct {
	ase, minecraft *port // nil when off
}

func (s *Server) ports() []*port {
	return slices.DeleteFunc([]*port{s.ase, s.minecraft}, func(p *port) bool { return p == nil })
}

// ASE is the address of the All-Seeing Eye, the zero value if it is off.
func (s *Server) ASE() netip.AddrPort { return s.ase.addr() }

// Minecraft is the address of Minecraft Query, the zero value if it is off.
func (s *Server) Minecraft() netip.AddrPort { return s.minecraft.addr() }

// Counters returns all counts, by name.
func (s *Server) Counters() map[string]uint64 {
	all := map[string]uint64{}
	for _, p := range s.ports() {
		p.count.addTo(all, p.name+"_")
	}
	return all
}

// Close stops answering, and returns when nothing of the server runs any more.
func (s *Server) Close() error {
	var errs []error
	for _, p := range s.ports() {
		if err := p.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	for _, p := range s.ports() {
		p.done.Wait()
	}
	return errors.Join(errs...)
}

// A port is one socket and the goroutine that serves it.
type port struct {
	name    string // of the protocol, in counters and in the log
	conn    *udp.Conn
	own     []uint16 // ports of this server's queries
	reach   []netip.Prefix
	respond func(now clock, from netip.AddrPort, datagram []byte) ([]byte, outcome)
	began   time.Time
	pace    pace
	log     *slog.Logger
	told    time.Time // when a fault was logged
	count   counters
	done    sync.WaitGroup
}

func newPort(name string, conn *udp.Conn, o *Options,
	respond func(clock, netip.AddrPort, []byte) ([]byte, outcome)) *port {
	return &port{name: name, conn: conn, reach: o.Reach, respond: respond, began: time.Now(),
		pace: newPace(o.Limits.Packets), log: o.Log}
}

func (p *port) addr() netip.AddrPort {
	if p == nil {
		return netip.AddrPort{}
	}
	a := p.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// Some systems report the fate of earlier answers on a socket, or that a datagram was too long: that must not stop
// it, nor let it run wild when nothing else comes any more.
const (
	readFailures = 64 // in a row, after which each one more is followed by a pause
	readPause    = 10 * time.Millisecond
	faultLogging = time.Minute // at most one line about a fault per period
)

// serve reads and answers until the socket is closed.
func (p *port) serve() {
	buf := make([]byte, maxDatagram)
	failures := 0
	for {
		n, from, to, err := p.conn.Receive(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			p.count.readFailures.Add(1)
			if failures++; failures > readFailures {
				time.Sleep(readPause)
			}
			continue
		}
		failures = 0
		now := time.Now()
		p.answer(now, from, to, buf[:n])
		if d := p.pace.wait(now); d > 0 {
			time.Sleep(d)
		}
	}
}

// answer answers one datagram, from the address at which it was asked, or counts why not.
func (p *port) answer(now time.Time, from netip.AddrPort, to netip.Addr, datagram []byte) {
	p.count.bytesIn.Add(uint64(len(datagram)))
	out, what := p.decide(now, netip.AddrPortFrom(from.Addr().Unmap().WithZone(""), from.Port()), datagram)
	if what == answered {
		if err := p.conn.Answer(out, from, to); err != nil {
			what = sendFailed
		} else {
			p.count.bytesOut.Add(uint64(len(out)))
		}
	}
	p.count.outcomes[what].Add(1)
}

func (p *port) decide(now time.Time, from netip.AddrPort, datagram []byte) (out []byte, what outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			out, what = nil, panicked
			if now.Sub(p.told) >= faultLogging {
				p.told = now
				p.log.Error("a query could not be answered", "protocol", p.name, "from", from.String(), "fault", fmt.Sprint(fault))
			}
		}
	}()
	if !answerable(from) || slices.Contains(p.own, from.Port()) {
		return nil, badSender
	}
	if !p.reached(from.Addr()) {
		return nil, outOfReach
	}
	return p.respond(now.Sub(p.began), from, datagram)
}

// answerable reports whether an answer may be sent to an address: no browser asks from a port of a system's service,
// such as echo or the time, but others do in its name. Source: protocol ase 10.
func answerable(a netip.AddrPort) bool {
	const firstFree = 1024
	broadcast := netip.AddrFrom4([4]byte{255, 255, 255, 255})
	return a.Port() >= firstFree && a.IsValid() && !a.Addr().IsMulticast() && !a.Addr().IsUnspecified() &&
		a.Addr() != broadcast
}

func (p *port) reached(a netip.Addr) bool {
	return len(p.reach) == 0 || slices.ContainsFunc(p.reach, func(n netip.Prefix) bool { return n.Contains(a) })
}
