package query

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/packets/ase"
	"sphereserver/packets/mcquery"
	"sphereserver/packets/w3gs"
	"sphereserver/server/w3host"
)

// A bareEcho is the reference: it answers every datagram with bytes that it has, and does nothing else.
type bareEcho struct {
	conn *net.UDPConn
	done sync.WaitGroup
}

func newBareEcho(b *testing.B, answer []byte) netip.AddrPort {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	e := &bareEcho{conn: conn}
	e.done.Go(func() {
		buf := make([]byte, maxDatagram)
		for {
			_, from, err := conn.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			if _, err := conn.WriteToUDPAddrPort(answer, from); err != nil {
				return
			}
		}
	})
	b.Cleanup(func() {
		conn.Close()
		e.done.Wait()
	})
	return conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

const (
	askers   = 4    // sockets that ask at once
	inFlight = 16   // requests of each that are not answered yet
	perTurn  = 4000 // answers of each that are waited for in one turn
)

// An asker keeps requests in flight on one socket.
type asker struct {
	conn    *net.UDPConn
	request []byte
	buf     []byte
}

// turn asks until so many answers have come.
func (a *asker) turn(n int) {
	for range inFlight {
		_, _ = a.conn.Write(a.request)
	}
	for got := 0; got < n; {
		_ = a.conn.SetReadDeadline(time.Now().Add(time.Second))
		for got < n {
			if _, err := a.conn.Read(a.buf); err != nil { // all in flight were lost
				break
			}
			got++
			_, _ = a.conn.Write(a.request)
		}
	}
	for { // those still in flight belong to nobody
		_ = a.conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		if _, err := a.conn.Read(a.buf); err != nil {
			return
		}
	}
}

// turn measures how many answers a second all askers get together.
func turn(all []*asker) float64 {
	var done sync.WaitGroup
	began := time.Now()
	for _, a := range all {
		done.Go(func() { a.turn(perTurn) })
	}
	done.Wait()
	return float64(len(all)*perTurn) / (time.Since(began) - 5*time.Millisecond).Seconds()
}

// BenchmarkAnswers is bar P10, which cmd/bench prints: at least 0.7 of the echoes. It compares the answers of a
// server without limits with a bare echo of the same sizes. Both take turns; the ratio is the medians'. Askers and
// servers share the machine.
func BenchmarkAnswers(b *testing.B) {
	s := listen(b, unlimited(), newBoard(1000))
	token := func(c caller) int32 {
		var m mcquery.Token
		_ = mcquery.Decode(c.ask(mcquery.AskToken(1).Append(nil)), &m)
		n, _ := m.Number()
		return n
	}
	for _, v := range []struct {
		name    string
		to      netip.AddrPort
		request func(c caller) []byte
	}{
		{"EYE1", s.ASE(), func(caller) []byte { return ase.AskEYE1.Append(nil) }},
		{"EYE3", s.ASE(), func(caller) []byte { return ase.AskEYE3.Append(nil) }},
		{"handshake", s.Minecraft(), func(caller) []byte { return mcquery.AskToken(1).Append(nil) }},
		{"basic", s.Minecraft(), func(c caller) []byte { return mcquery.AskBasic(1, token(c)).Append(nil) }},
		{"full", s.Minecraft(), func(c caller) []byte { return mcquery.AskFull(1, token(c)).Append(nil) }},
		{"search", warcraft(b), func(caller) []byte {
			o := w3host.DefaultOptions()
			request, _ := w3gs.Append(nil, &w3gs.Search{Product: o.Product, Version: o.Version})
			return request
		}},
	} {
		b.Run(v.name, func(b *testing.B) {
			var ours, reference []*asker
			var size int
			var echo netip.AddrPort
			for i := range askers {
				c := call(b, v.to)
				a := &asker{c.UDPConn, v.request(c), make([]byte, maxDatagram)}
				if i == 0 {
					answer := slices.Clone(c.ask(a.request))
					size, echo = len(answer), newBareEcho(b, answer)
				}
				ours = append(ours, a)
				reference = append(reference, &asker{call(b, echo).UDPConn, a.request, make([]byte, maxDatagram)})
			}
			var us, them []float64
			for b.Loop() {
				us = append(us, turn(ours))
				them = append(them, turn(reference))
			}
			slices.Sort(us)
			slices.Sort(them)
			mine, bare := us[len(us)/2], them[len(them)/2]
			b.ReportMetric(mine, "answers/s")
			b.ReportMetric(bare, "echoes/s")
			b.ReportMetric(mine/bare, "ratio")
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// warcraft hosts one game of Warcraft III, and answers every search for one.
func warcraft(b *testing.B) netip.AddrPort {
	o := w3host.DefaultOptions()
	o.Listen, o.Limits.Answers, o.Limits.AnswersPerSource = "127.0.0.1:0", 1e9, 1e9
	o.Games = []w3host.GameOptions{{Name: "bench", Host: "Sphere", Slots: w3host.OpenSlots(4, 4, o.Version), Starts: 4,
		Settings: w3gs.UsualSettings, Flags: w3gs.CustomGame, StartWhen: w3host.StartNever,
		Map: w3host.Map{Path: `Maps\Test\(2)Tiny.w3x`, Size: 4096, Width: 64, Height: 64}}}
	h, err := w3host.New(o)
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = h.Serve() }()
	b.Cleanup(func() { _ = h.Stop(context.Background()) })
	return h.SearchAddr()
}

func BenchmarkRespond(b *testing.B) {
	eye := newASEResponder(unlimited(), newBoard(200))
	craft := newMinecraftResponder(unlimited(), newBoard(200))
	t := shake(b, craft, 0, client)
	strict := newASEResponder(limited(), newBoard(200))
	for _, v := range []struct {
		name    string
		respond func(clock, netip.AddrPort, []byte) ([]byte, outcome)
		request []byte
		want    outcome
	}{
		{"EYE1", eye.respond, []byte("s"), answered},
		{"handshake", newMinecraftResponder(unlimited(), newBoard(200)).respond, mcquery.AskToken(1).Append(nil), answered},
		{"basic", craft.respond, mcquery.AskBasic(1, t).Append(nil), answered},
		{"full", craft.respond, mcquery.AskFull(1, t).Append(nil), answered},
		{"wrong token", craft.respond, mcquery.AskFull(1, t+variants).Append(nil), badToken},
		{"refused", strict.respond, []byte("s"), addressLimit},
	} {
		b.Run(v.name, func(b *testing.B) {
			for range 10 {
				v.respond(0, client, v.request)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, what := v.respond(0, client, v.request); what != v.want {
					b.Fatal(outcomeNames[what])
				}
			}
		})
	}
}
