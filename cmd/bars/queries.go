package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/packets/ase"
	"sphereserver/packets/mcquery"
	"sphereserver/packets/w3gs"
	"sphereserver/server/query"
	"sphereserver/server/w3host"
	"sphereserver/world"
)

// A question is one that P10 asks of a server of a protocol.
type question struct {
	protocol, what string
	// request is what a client sends again and again; it may have to ask something else before.
	request func(*net.UDPConn) ([]byte, error)
}

var questions = []question{
	{"ase", "All-Seeing Eye, EYE1", always(ase.AskEYE1.Append(nil))},
	{"minecraft", "Minecraft Query, handshake", always(mcquery.AskToken(1).Append(nil))},
	{"minecraft", "Minecraft Query, basic", withToken(mcquery.AskBasic)},
	{"minecraft", "Minecraft Query, full", withToken(mcquery.AskFull)},
	{"w3gs", "Warcraft III, search", func(*net.UDPConn) ([]byte, error) {
		o := w3host.DefaultOptions()
		return w3gs.Append(nil, &w3gs.Search{Product: o.Product, Version: o.Version})
	}},
}

func always(request []byte) func(*net.UDPConn) ([]byte, error) {
	return func(*net.UDPConn) ([]byte, error) { return request, nil }
}

func withToken(status func(session uint32, token int32) *mcquery.Request) func(*net.UDPConn) ([]byte, error) {
	return func(c *net.UDPConn) ([]byte, error) {
		answer, err := askOnce(c, mcquery.AskToken(1).Append(nil))
		if err != nil {
			return nil, err
		}
		var m mcquery.Token
		if err := mcquery.Decode(answer, &m); err != nil {
			return nil, err
		}
		token, err := m.Number()
		return status(1, token).Append(nil), err
	}
}

// measureQueries is P10: how many queries a second are answered by a server without limits, beside an echo that sends the
// same bytes to whoever sends it anything.
func measureQueries(ctx context.Context, b *bench) ([]*row, error) {
	var rows []*row
	for _, q := range questions {
		r := &row{Number: b.now, Unit: perSecond, Bar: ratioAtLeast(0.7), Great: ratioAtLeast(0.9), What: "answers: " + q.what}
		var e exchange // the same for the reference
		err := b.takeTurns(r, func() (rate float64, err error) {
			rate, e, err = b.asked(ctx, q.request, "serve-queries", querySettings{q.protocol, queryPlayers}, b.profile())
			return rate, err
		}, func() (float64, error) {
			rate, _, err := b.asked(ctx, always(e.request), "serve-datagrams", datagramSettings{e.answer}, "")
			return rate, err
		})
		if err != nil {
			return rows, err
		}
		r.What += fmt.Sprintf(", %d bytes", len(e.answer))
		rows = append(rows, r)
	}
	rows[0].note("servers in processes of their own, %s players in the world, %d sockets with %d requests under way on each; clients on the same processors",
		thousands(queryPlayers), askers, inFlight)
	return rows, nil
}

const (
	queryPlayers = 1000
	askers       = 4 // sockets that ask at once
	inFlight     = 16
	lostAfter    = time.Second // without an answer: what was under way has been lost
	longest      = 2048        // bytes of an answer
)

// An exchange is a request and its answer.
type exchange struct{ request, answer []byte }

// asked starts a server, asks it for a while, and returns how many answers a second came, and what was asked.
func (b *bench) asked(ctx context.Context, request func(*net.UDPConn) ([]byte, error), server string, settings any, profile string) (
	rate float64, e exchange, err error) {
	c, err := startChild(ctx, server, settings)
	if err != nil {
		return 0, e, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	to, err := netip.ParseAddrPort(c.addr)
	if err != nil {
		return 0, e, err
	}
	var answers atomic.Uint64
	var running sync.WaitGroup
	var conns []*net.UDPConn
	defer func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		running.Wait()
	}()
	for range askers {
		conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(to))
		if err != nil {
			return 0, e, err
		}
		conns = append(conns, conn)
		if e.request, err = request(conn); err != nil {
			return 0, e, err
		}
		if e.answer, err = askOnce(conn, e.request); err != nil {
			return 0, e, err
		}
		ask := e.request // each socket has a token of its own
		running.Go(func() { askOn(conn, ask, &answers) })
	}
	if err := sleep(ctx, b.sizes.warm/2); err != nil {
		return 0, e, err
	}
	before, began := answers.Load(), time.Now()
	err = c.profile(profile, func() error { return sleep(ctx, b.sizes.window/2) })
	return float64(answers.Load()-before) / time.Since(began).Seconds(), e, err
}

// askOnce asks until there is an answer.
func askOnce(c *net.UDPConn, request []byte) ([]byte, error) {
	buf := make([]byte, longest)
	var failure error
	for range 50 {
		if _, err := c.Write(request); err != nil {
			return nil, err
		}
		_ = c.SetReadDeadline(time.Now().Add(lostAfter / 10))
		n, err := c.Read(buf)
		if err == nil {
			return slices.Clone(buf[:n]), nil
		}
		failure = err
	}
	return nil, fmt.Errorf("no answer from %v: %w", c.RemoteAddr(), failure)
}

// askOn keeps requests under way on a socket until that is closed.
func askOn(c *net.UDPConn, request []byte, answers *atomic.Uint64) {
	buf := make([]byte, longest)
	for {
		for range inFlight {
			if _, err := c.Write(request); err != nil {
				return
			}
		}
		for {
			_ = c.SetReadDeadline(time.Now().Add(lostAfter))
			if _, err := c.Read(buf); errors.Is(err, net.ErrClosed) {
				return
			} else if err != nil {
				break // lost: once more from the beginning
			}
			answers.Add(1)
			if _, err := c.Write(request); err != nil {
				return
			}
		}
	}
}

// querySettings are what a server of queries is started with.
type querySettings struct {
	Protocol string // ase, minecraft or w3gs
	Players  int
}

// serveQueries answers one protocol, without limits.
func serveQueries(settings []byte) (*served, error) {
	var set querySettings
	if err := json.Unmarshal(settings, &set); err != nil {
		return nil, err
	}
	if set.Protocol == "w3gs" {
		return serveSearches()
	}
	o := query.DefaultOptions()
	o.Limits = query.Limits{}
	o.ASE.Off, o.Minecraft.Off = set.Protocol != "ase", set.Protocol != "minecraft"
	for {
		at, err := freePort()
		if err != nil {
			return nil, err
		}
		o.ASE.Port, o.Minecraft.Port = at.Port(), at.Port()
		source := &query.Game{Name: "Сфера", Version: "bars", Slots: 10000, Port: at.Port(), Started: time.Now(), Start: place(), World: crowdedWorld(set.Players)}
		s, err := query.Listen(at, o, source)
		if err != nil {
			continue // somebody was quicker
		}
		return &served{at, s.Counters, func(context.Context) error { return s.Close() }}, nil
	}
}

// freePort is a UDP port of this machine that nobody has at the moment.
func freePort() (netip.AddrPort, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return netip.AddrPort{}, err
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).AddrPort(), nil
}

// crowdedWorld is a world that publishes a new snapshot each second, as the real one does. One goroutine may look at it.
func crowdedWorld(players int) func() *world.Snapshot {
	began := time.Now()
	s := &world.Snapshot{}
	return func() *world.Snapshot {
		if now := time.Now(); now.Sub(s.At) >= time.Second {
			s = &world.Snapshot{At: now, Players: make([]world.PlayerView, players)}
			for i := range s.Players {
				s.Players[i] = world.PlayerView{ID: world.PlayerID(i), Name: fmt.Sprintf("Игрок%d", i), Title: i % 60, Position: place(), Entered: began}
			}
		}
		return s
	}
}

// serveSearches hosts one game of Warcraft III, and answers everybody who looks for one.
func serveSearches() (*served, error) {
	const slots = 4
	o := w3host.DefaultOptions()
	o.Listen, o.Limits.Answers, o.Limits.AnswersPerSource = "127.0.0.1:0", 1e9, 1e9
	o.Games = []w3host.GameOptions{{Name: "bars", Host: "Sphere", Slots: w3host.OpenSlots(slots, slots, o.Version), Starts: slots,
		Settings: w3gs.UsualSettings, Flags: w3gs.CustomGame, StartWhen: w3host.StartNever,
		Map: w3host.Map{Path: `Maps\Test\(2)Tiny.w3x`, Size: 4096, Width: 64, Height: 64}}}
	h, err := w3host.New(o)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := h.Serve(); err != nil {
			fmt.Fprintf(os.Stderr, "bars: host: %v\n", err)
			os.Exit(1)
		}
	}()
	return &served{h.SearchAddr(), h.Counters, h.Stop}, nil
}

// datagramSettings are what the reference is started with.
type datagramSettings struct{ Answer []byte }

// serveDatagrams is the reference: one loop that answers every datagram with the same bytes.
func serveDatagrams(settings []byte) (*served, error) {
	var set datagramSettings
	if err := json.Unmarshal(settings, &set); err != nil {
		return nil, err
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	go func() {
		buf := make([]byte, longest)
		for {
			_, from, err := c.ReadFromUDPAddrPort(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				_, _ = c.WriteToUDPAddrPort(set.Answer, from)
			}
		}
	}()
	return &served{c.LocalAddr().(*net.UDPAddr).AddrPort(), func() map[string]uint64 { return nil }, func(context.Context) error { return c.Close() }}, nil
}
