package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync/atomic"
	"testing"
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
	protocol, what string // ase, minecraft or w3gs
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
func measureQueries(ctx context.Context, b *bench) error {
	for _, q := range questions {
		request, answer, err := q.example(ctx)
		if err != nil {
			return err
		}
		r, err := b.measure(fmt.Sprintf("answers: %s, %d bytes", q.what, len(answer)), perSecond, ratioAtLeast(0.7), ratioAtLeast(0.9),
			func() (float64, error) {
				s, err := serveQueries(q.protocol, queryPlayers)
				if err != nil {
					return 0, err
				}
				return b.asked(ctx, s, q.request)
			}, func() (float64, error) {
				s, err := serveDatagrams(answer)
				if err != nil {
					return 0, err
				}
				return b.asked(ctx, s, always(request))
			})
		if err != nil {
			return err
		}
		if q.what == questions[0].what {
			r.note("%s players in the world, %d sockets with a request under way on each; server and clients in one process",
				thousands(queryPlayers), askers)
		}
	}
	return nil
}

const (
	queryPlayers = 1000
	askers       = 64 // sockets that ask at once
	lostAfter    = time.Second
	longest      = 2048 // bytes of an answer
)

// example is a request and its answer.
func (q question) example(ctx context.Context) (request, answer []byte, err error) {
	s, err := serveQueries(q.protocol, queryPlayers)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.stop(ctx)) }()
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(s.addr))
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	if request, err = q.request(conn); err == nil {
		answer, err = askOnce(conn, request)
	}
	return request, answer, err
}

// asked asks a server for a while, stops it, and returns how many answers a second came.
func (b *bench) asked(ctx context.Context, s *served, request func(*net.UDPConn) ([]byte, error)) (rate float64, err error) {
	defer func() { err = errors.Join(err, s.stop(ctx)) }()
	var conns [askers]*net.UDPConn
	var requests [askers][]byte
	for i := range conns {
		if conns[i], err = net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(s.addr)); err != nil {
			return 0, err
		}
		defer conns[i].Close()
		if requests[i], err = request(conns[i]); err != nil { // each socket has a token of its own
			return 0, err
		}
	}
	result, err := b.loop(func(t *testing.B) error {
		var answers atomic.Int64
		return inParallel(ctx, askers, askers, func(_ context.Context, i int) error {
			buf := make([]byte, longest)
			for int(answers.Add(1)) <= t.N {
				if _, err := conns[i].Write(requests[i]); err != nil {
					return err
				}
				_ = conns[i].SetReadDeadline(time.Now().Add(lostAfter))
				if _, err := conns[i].Read(buf); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) { // one may be lost
					return err
				}
			}
			return nil
		})
	})
	return 1 / perOperation(result), err
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

// serveQueries answers one protocol, without limits.
func serveQueries(protocol string, players int) (*served, error) {
	if protocol == "w3gs" {
		return serveSearches()
	}
	o := query.DefaultOptions()
	o.Limits = query.Limits{}
	o.ASE.Off, o.Minecraft.Off = protocol != "ase", protocol != "minecraft"
	for {
		at, err := freePort()
		if err != nil {
			return nil, err
		}
		o.ASE.Port, o.Minecraft.Port = at.Port(), at.Port()
		source := &query.Game{Name: "Сфера", Version: "bench", Slots: 10000, Port: at.Port(), Started: time.Now(), Start: place(),
			World: crowdedWorld(players)}
		s, err := query.Listen(at, o, source)
		if err != nil {
			continue // somebody was quicker
		}
		return &served{at, nil, func(context.Context) error { return s.Close() }}, nil
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
				s.Players[i] = world.PlayerView{ID: world.PlayerID(i), Name: fmt.Sprintf("Игрок%d", i), Title: i % 60, Position: place(),
					Entered: began}
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
	o.Games = []w3host.GameOptions{{Name: "bench", Host: "Sphere", Slots: w3host.OpenSlots(slots, slots, o.Version), Starts: slots,
		Settings: w3gs.UsualSettings, Flags: w3gs.CustomGame, StartWhen: w3host.StartNever,
		Map: w3host.Map{Path: `Maps\Test\(2)Tiny.w3x`, Size: 4096, Width: 64, Height: 64}}}
	h, err := w3host.New(o)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := h.Serve(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: host: %v\n", err)
			os.Exit(1)
		}
	}()
	return &served{h.SearchAddr(), nil, h.Stop}, nil
}

// serveDatagrams is the reference: one loop that answers every datagram with the same bytes.
func serveDatagrams(answer []byte) (*served, error) {
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
				_, _ = c.WriteToUDPAddrPort(answer, from)
			}
		}
	}()
	return &served{c.LocalAddr().(*net.UDPAddr).AddrPort(), nil, func(context.Context) error { return c.Close() }}, nil
}
