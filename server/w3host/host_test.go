package w3host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/transport"
)

// hostOptions are the options of a host that starts without delay.
func hostOptions(network string, slots int) Options {
	o := testOptions(slots)
	o.Network, o.Countdown, o.Tick = network, 0, 50*time.Millisecond
	o.Limits.Answers, o.Limits.AnswersPerSource = 1000, 1000
	return o
}

// Two players find the game, join, chat, load, play and leave.
func TestTwoPlayers(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 3))
		a := h.join("Grunt")
		if i := a.info; i.Name != "test game" || i.Stat.Host != "Sphere" || i.Stat.Path != testMap().Path || i.Players != 1 ||
			i.Slots != 4 || i.Seats != 4 ||
			i.Stat.Settings != w3gs.UsualSettings || i.Stat.Width != 64 || i.Stat.Check != 0xDEADBEEF {
			t.Errorf("announced as %+v", i)
		}
		b := h.join("Peon")
		if b.info.Players != 2 || b.info.EntryKey != a.info.EntryKey {
			t.Errorf("announced to the second as %+v", b.info)
		}
		a.until("it sees the other", func(m *aiClient) bool { return m.present[3] == "Peon" })
		if w := look(a, func(m *aiClient) w3gs.Slot { return m.slot() }); w.Player != 2 {
			t.Errorf("slot of the first: %+v", w)
		}
		a.send(look(a, func(m *aiClient) *w3gs.Request { return m.line(w3gs.LobbyChat, "hello") }))
		b.until("it reads hello", func(m *aiClient) bool { return slices.Equal(m.chat, []string{"Grunt: hello"}) })
		b.send(look(b, func(m *aiClient) *w3gs.Request { return m.change(w3gs.ChangeRace, uint8(w3gs.Undead)) }))
		a.until("it sees the race", func(m *aiClient) bool { return m.slots.Slots[1].Race == w3gs.Undead|w3gs.RaceSelectable })
		if err := h.Say(t.Context(), 1, "welcome"); err != nil {
			t.Error(err)
		}
		b.until("it reads the host", func(m *aiClient) bool { return slices.Contains(m.chat, "Sphere: welcome") })

		h.start(1)
		both := []*client{a, b}
		for _, c := range both {
			c.until("the game runs", func(m *aiClient) bool { return m.ticks > 1 && m.loaded[2] && m.loaded[3] })
		}
		for i := range 10 {
			for _, c := range both {
				c.send(act(fmt.Sprint(i), 100))
			}
		}
		for _, c := range both {
			c.until("all actions have come", func(m *aiClient) bool { return len(m.actions) == 20*101 })
		}
		if !bytes.Equal(look(a, func(m *aiClient) []byte { return m.actions }),
			look(b, func(m *aiClient) []byte { return m.actions })) {
			t.Error("actions differ")
		}
		h.until("ticks are answered", func() bool {
			g := h.Status().Games[0]
			return g.State == "playing" && len(g.Players) == 2 && g.Players[0].Ticks > 2 && g.Players[0].Latency < 1000
		})
		h.search(0, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26}) // a game that has begun is not announced
		a.send(&w3gs.Leave{Reason: w3gs.LeftLost})
		a.until("the leave is accepted", func(m *aiClient) bool { return m.accepted })
		a.expectEnd()
		b.until("it sees the other leave", func(m *aiClient) bool { return m.left[2] == w3gs.LeftLost })
		b.send(&w3gs.Leave{Reason: w3gs.LeftWon})
		b.expectEnd()
		h.expectReason(a, Left)
		h.expectReason(b, Left)
		// The game is created anew, with the next number.
		h.until("there is another game", func() bool {
			s := h.Status()
			return len(s.Games) == 1 && s.Games[0].Game == 2 && s.Games[0].State == "lobby"
		})
		c := h.join("Grunt")
		if c.info.Game != 2 || c.info.EntryKey == a.info.EntryKey {
			t.Errorf("the next game is %+v", c.info)
		}
		if e := h.Status().Ends; e["left"] != 2 || len(e) != 1 {
			t.Errorf("ends: %v", e)
		}
	})
}

func TestTwelvePlayers(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		o := hostOptions(network, 12)
		o.Games[0].StartWhen = 0 // when full
		h := startHost(t, o)
		var all []*client
		for i := range 12 {
			all = append(all, h.join(fmt.Sprint("Player", i)))
		}
		for _, c := range all {
			c.until("the game runs", func(m *aiClient) bool { return m.ticks > 2 })
		}
		for i, c := range all { // 18,000 bytes within a tick or two
			c.send(act(fmt.Sprint(i), 500), act("x", 500), act("y", 500))
		}
		for _, c := range all {
			c.until("all actions have come", func(m *aiClient) bool { return len(m.actions) == 12*3*501 })
		}
		first := look(all[0], func(m *aiClient) []byte { return m.actions })
		for _, c := range all {
			if !bytes.Equal(first, look(c, func(m *aiClient) []byte { return m.actions })) {
				t.Error("actions differ")
			}
		}
		if parts := look(all[0], func(m *aiClient) int { return m.parts }); parts < 10 {
			t.Errorf("%d parts of ticks", parts)
		}
		// One is out of step: it alone leaves.
		all[5].mu.Lock()
		all[5].mind.wrongCheck = 1
		all[5].mu.Unlock()
		all[5].expectEnd()
		h.expectReason(all[5], OutOfStep)
		id := all[5].mind.id
		all[0].until("the others are told", func(m *aiClient) bool { return m.left[id] == w3gs.LeftLost })
		ticks := look(all[0], func(m *aiClient) int { return m.ticks })
		all[0].until("the game goes on", func(m *aiClient) bool { return m.ticks > ticks+3 })
		if n := len(h.Status().Games[0].Players); n != 11 {
			t.Errorf("%d players are left", n)
		}
		// The owner ends the game.
		if err := h.End(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		for i, c := range all {
			if i != 5 {
				c.until("the game is over", func(m *aiClient) bool { return m.over })
				c.expectEnd()
			}
		}
	})
}

func TestDownloadOverSockets(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		o := hostOptions(network, 2)
		o.Games[0].Map, o.Games[0].Download, o.DownloadRate = fileMap(700_000), true, 64<<20
		h := startHost(t, o)
		c := h.connect("Grunt")
		c.mind.mapSize = 0
		c.send(c.mind.joining(1, h.Status().Games[0].EntryKey))
		c.until("it has the map", func(m *aiClient) bool { return len(m.file) == 700_000 })
		c.until("its slot says so", func(m *aiClient) bool { return m.slot().Download == 100 })
		if !bytes.Equal(c.mind.file, o.Games[0].Map.Data) {
			t.Error("the map has changed on its way")
		}
	})
}

// Protocol w3gs 12, check 9: however the stream is cut, the answers are the same.
func TestCutStreams(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 2))
		key := h.Status().Games[0].EntryKey
		var script []byte
		ends := []int{0} // of its messages
		for _, m := range []w3gs.Message{newMind("Grunt").joining(1, key),
			&w3gs.MapState{Kind: w3gs.MapHave, Size: testMap().Size},
			&w3gs.Request{Receivers: []w3gs.PlayerID{2}, Sender: 2, Kind: w3gs.LobbyChat, Text: "to myself"},
			&w3gs.Leave{Reason: w3gs.LeftLobby}} {
			script, _ = w3gs.Append(script, m)
			ends = append(ends, len(script))
		}
		play := func(parts ...[]byte) (got []string) {
			c := h.connect("Grunt")
			c.paused = true // the script is all it says
			before, sent := h.Counters()["bytes_in"], 0
			for _, p := range parts {
				if _, err := c.conn.Write(p); err != nil {
					t.Fatal(err)
				}
				sent += len(p)
				next, _ := slices.BinarySearch(ends, sent+1)
				h.until("the whole messages so far are read", func() bool {
					return h.Counters()["bytes_in"]-before >= uint64(ends[next-1])
				})
			}
			c.expectEnd()
			for _, m := range c.log {
				switch m := m.(type) {
				case *w3gs.Ping, *w3gs.SlotUpdate: // which depend on time
				case *w3gs.Welcome:
					got = append(got, fmt.Sprint(m.Player, m.SlotTable.Slots))
				default:
					packet, _ := w3gs.Append(nil, m)
					got = append(got, fmt.Sprintf("%x", packet))
				}
			}
			h.until("the slot is free", func() bool { return len(h.Status().Games[0].Players) == 0 })
			return got
		}
		want := play(script)
		if len(want) != 5 || !strings.HasPrefix(want[4], "f71b") {
			t.Fatalf("in one piece: %q", want)
		}
		for i := 1; i < len(script); i++ {
			if got := play(script[:i], script[i:]); !slices.Equal(got, want) {
				t.Fatalf("cut at %d: %q, expected %q", i, got, want)
			}
		}
		if got := play(slices.Collect(slices.Chunk(script, 1))...); !slices.Equal(got, want) {
			t.Errorf("byte by byte: %q, expected %q", got, want)
		}
	})
}

// Protocol w3gs 12, check 10: bytes that are no packet end their connection, and nobody else notices.
func TestGarbage(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 2))
		a := h.join("Grunt")
		random := rand.New(rand.NewPCG(1, 2))
		join, _ := w3gs.Append(nil, newMind("Peon").joining(1, h.Status().Games[0].EntryKey))
		length := func(n int) []byte { return binary.LittleEndian.AppendUint16([]byte{0xF7, 0x46}, uint16(n)) }
		inputs := [][]byte{{0xFF}, {0x00}, []byte("GET / HTTP/1.1\r\n\r\n"), length(0), length(1), length(2), length(3),
			length(65535), length(129)}
		for _, n := range []int{0, 1, 2, 3, 65535, 2049} {
			inputs = append(inputs, append(bytes.Clone(join), length(n)...))
		}
		for range 10 {
			b := make([]byte, 1000)
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			b[0], b[1], b[2], b[3] = 0xF7, 0x26, 100, 0
			inputs = append(inputs, append(bytes.Clone(join), b...))
		}
		for i, in := range inputs {
			c := h.connect("Peon")
			if _, err := c.conn.Write(in); err != nil {
				t.Fatal(err)
			}
			c.expectEnd()
			h.expectReason(c, NotTheProtocol)
			if t.Failed() {
				t.Fatalf("input %d", i)
			}
			h.until("it has left", func() bool { return len(h.Status().Games[0].Players) == 1 })
		}
		select {
		case <-a.closed:
			t.Error("somebody else was closed")
		default:
		}
		a.send(look(a, func(m *aiClient) *w3gs.Request { return m.change(w3gs.ChangeHandicap, 70) }))
		a.until("it goes on", func(m *aiClient) bool { return m.slot().Handicap == 70 })
		if p := h.Counters()["panics"]; p != 0 {
			t.Errorf("%d panics", p)
		}
	})
}

func TestRefusalsOverSockets(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 1))
		key := h.Status().Games[0].EntryKey
		refused := func(want w3gs.Refusal, m *w3gs.Join) {
			t.Helper()
			c := h.connect("Late")
			c.send(m)
			c.expectEnd()
			if c.mind.refused != want {
				t.Errorf("refused with %d, expected %d", c.mind.refused, want)
			}
			h.expectReason(c, Refused)
		}
		refused(w3gs.RefusedInvalid, newMind("Late").joining(9, key))
		refused(w3gs.RefusedInvalid, newMind("Late").joining(1, key+1))
		a := h.join("Grunt")
		refused(w3gs.RefusedFull, newMind("Late").joining(1, key))
		h.start(1)
		a.until("the game runs", func(m *aiClient) bool { return m.ticks > 0 })
		refused(w3gs.RefusedStarted, newMind("Late").joining(1, key))
	})
}

// A client that does not read is cut off when it owes too much, and the others play on.
func TestSlowReader(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		o := hostOptions(network, 3)
		o.Limits.Pending, o.Limits.Packets, o.Limits.Actions, o.Limits.ActionBytes = 256<<10, 1e6, 1e6, 1e9
		h := startHost(t, o)
		a, b := h.join("Grunt"), h.join("Peon")
		raw, err := net.Dial("tcp", h.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		if err := raw.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		slow := newMind("Slow")
		var out []byte
		for _, m := range []w3gs.Message{slow.joining(1, a.info.EntryKey),
			&w3gs.MapState{Kind: w3gs.MapHave, Size: testMap().Size}} {
			out, _ = w3gs.Append(out, m)
		}
		if _, err := raw.Write(out); err != nil {
			t.Fatal(err)
		}
		// It answers one ping, so that the game can start, and reads no more.
		stream := make([]byte, 0, 4096)
		for ponged := false; !ponged; {
			n, err := raw.Read(stream[len(stream):cap(stream)])
			if err != nil {
				t.Fatal(err)
			}
			stream = stream[:len(stream)+n]
			for rest := stream; ; {
				packet, _ := w3gs.Cut(rest, w3gs.MaxPacket)
				if packet == nil {
					break
				}
				rest = rest[len(packet):]
				if m, _ := w3gs.Decode(packet); w3gs.OpcodeOf(m) == 0x01 {
					pong, _ := w3gs.Append(nil, &w3gs.Pong{Clock: m.(*w3gs.Ping).Clock})
					_, _ = raw.Write(pong)
					ponged = true
				}
			}
		}
		h.start(1)
		loaded, _ := w3gs.Append(nil, &w3gs.Loaded{})
		if _, err := raw.Write(loaded); err != nil {
			t.Fatal(err)
		}
		a.until("the game runs", func(m *aiClient) bool { return m.ticks > 0 })
		sent := 0
		h.until("the slow one is cut off", func() bool {
			if look(a, func(m *aiClient) int { return len(m.actions) }) == sent {
				for range 100 {
					a.send(act("much", 1024))
					sent += 1025
				}
			}
			return h.Status().Ends["slow reader"] == 1
		})
		b.until("it sees that", func(m *aiClient) bool { return m.left[4] == w3gs.LeftDisconnected })
		ticks := look(b, func(m *aiClient) int { return m.ticks })
		b.until("it plays on", func(m *aiClient) bool { return m.ticks > ticks+2 })
	})
}

// Protocol w3gs 8: connections that have not joined are few, and for a short time.
func TestStrangers(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		o := hostOptions(network, 4)
		o.Limits.StrangersPerAddress = 3
		h := startHost(t, o)
		var all []*client
		for range 3 {
			all = append(all, h.connect("Stranger"))
		}
		h.until("all are counted", func() bool { return h.Status().Sessions == 3 })
		fourth := h.connect("Stranger")
		fourth.expectEnd()
		h.expectReason(fourth, AddressFull)
		// A player that has joined is no stranger.
		all[0].send(all[0].mind.joining(1, h.Status().Games[0].EntryKey))
		all[0].until("it is let in", func(m *aiClient) bool { return m.id != 0 })
		fifth := h.connect("Stranger")
		h.until("it is counted", func() bool { return h.Status().Sessions == 4 })
		// A connection that does not join in ten seconds is closed. The sessions' time is moved on.
		h.sessionsMu.Lock()
		for s := range h.sessions {
			_ = s.conn.Loop().Execute(func() {
				for i := range 6 {
					s.turn(s.real.Add(time.Duration(i) * 2 * time.Second))
				}
			})
		}
		h.sessionsMu.Unlock()
		for _, c := range []*client{all[1], all[2], fifth} {
			c.expectEnd()
			h.expectReason(c, NeverJoined)
		}
		if n := len(h.Status().Games[0].Players); n != 1 {
			t.Errorf("%d players", n)
		}
		// Messages of a stranger before it joins are skipped, but not for ever.
		chatty := h.connect("Stranger")
		for range 50 {
			chatty.send(&w3gs.Pong{})
		}
		chatty.send(&w3gs.Pong{})
		chatty.expectEnd()
		h.expectReason(chatty, StrangePackets)
	})
}

func TestPacketFlood(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 2))
		a := h.join("Grunt")
		b := h.join("Peon")
		flood := bytes.Repeat([]byte{0xF7, 0x3B, 6, 0, 1, 0}, 3000) // of no use, and not counted as strange
		_, _ = a.conn.Write(flood)
		a.expectEnd()
		h.expectReason(a, TooManyPackets)
		b.until("it sees that", func(m *aiClient) bool { return m.left[2] == w3gs.LeftLobby })
	})
}

// Several games on one port: the host counter leads to each of them.
func TestSeveralGames(t *testing.T) {
	o := hostOptions("", 2)
	o.Once = true
	for _, name := range []string{"second", "third"} {
		g := o.Games[0]
		g.Name = name
		o.Games = append(o.Games, g)
	}
	h := startHost(t, o)
	infos := h.search(3, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26})
	slices.SortFunc(infos, func(a, b *w3gs.GameInfo) int { return int(a.Game) - int(b.Game) })
	var players []*client
	for i, info := range infos {
		if info.Game != uint32(i+1) || info.Name != o.Games[i].Name {
			t.Errorf("game %d is %+v", i+1, info)
		}
		players = append(players, h.joinGame("Grunt", info))
	}
	if got := h.search(1, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26, Game: 2}); got[0].Name != "second" ||
		got[0].Players != 2 {
		t.Errorf("a search for game 2 gives %+v", got)
	}
	h.start(2)
	players[1].until("its game runs", func(m *aiClient) bool { return m.ticks > 0 })
	if n := look(players[0], func(m *aiClient) int { return m.ticks }); n != 0 {
		t.Error("another game runs")
	}
	for i, c := range players {
		if err := h.Kick(t.Context(), uint32(i+1), "grunt"); err != nil {
			t.Error(err)
		}
		c.expectEnd()
		h.expectReason(c, Kicked)
	}
	if err := h.End(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if err := h.End(t.Context(), 3); err != nil {
		t.Error(err)
	}
	select {
	case <-h.over:
	case <-time.After(patience):
		t.Errorf("with Once the host does not end: %+v", h.Status())
	}
	if err := h.Start(t.Context(), 1); !errors.Is(err, ErrNoGame) {
		t.Errorf("a game that is gone: %v", err)
	}
}

func TestOperatorsMistakes(t *testing.T) {
	h := startHost(t, hostOptions("", 2))
	ctx := t.Context()
	for text, err := range map[string]error{
		"found 0 of 0": h.Start(ctx, 1), "game 7: no such game": h.End(ctx, 7), `found "Nobody"`: h.Kick(ctx, 1, "Nobody"),
		"expected 1 to 254 bytes, found 0": h.Say(ctx, 1, ""), "nobody is in the lobby": h.Say(ctx, 1, "hello"),
	} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("expected %q, found %v", text, err)
		}
	}
}

// A defect in one game ends that one, and nothing else.
func TestAGameThatPanics(t *testing.T) {
	o := hostOptions("", 2)
	g := o.Games[0]
	g.Name = "other"
	o.Games = append(o.Games, g)
	h := startHost(t, o)
	infos := h.search(2, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26})
	a, b := h.joinGame("A", infos[0]), h.joinGame("B", infos[1])
	ctx, cancel := context.WithCancel(t.Context())
	var asked sync.WaitGroup
	asked.Go(func() { _ = h.ask(ctx, infos[0].Game, func(*game) error { panic("a defect of ours, for this test") }) })
	a.expectEnd()
	cancel()
	asked.Wait()
	h.expectReason(a, GamePanicked)
	b.send(look(b, func(m *aiClient) *w3gs.Request { return m.change(w3gs.ChangeHandicap, 50) }))
	b.until("it goes on", func(m *aiClient) bool { return m.slot().Handicap == 50 })
	if n := h.Counters()["panics"]; n != 1 {
		t.Errorf("%d panics", n)
	}
}

func TestStopTellsPlayers(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		h := startHost(t, hostOptions(network, 2))
		a := h.join("Grunt")
		if err := h.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.expectEnd()
		if a.mind.kicked != w3gs.LeftLobby {
			t.Errorf("kicked with %d", a.mind.kicked)
		}
		if _, err := net.Dial("tcp", h.Addr().String()); err == nil {
			t.Error("still listens")
		}
	})
}

func TestHostsThatCannotBe(t *testing.T) {
	h := startHost(t, hostOptions("", 1))
	o := hostOptions("", 1)
	o.Listen = h.Addr().String()
	if _, err := New(o); err == nil || !strings.Contains(err.Error(), "another program listens") {
		t.Errorf("the same port: %v", err)
	}
	udp, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	o.Listen = udp.LocalAddr().String()
	if other, err := New(o); err == nil {
		t.Error("the same UDP port")
		_ = other.Stop(t.Context())
	}
	o.Games = nil
	if _, err := New(o); err == nil {
		t.Error("no games")
	}
	var _ transport.Handler = h.Host
}
