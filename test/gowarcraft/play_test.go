package gowarcraft

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nielsAD/gowarcraft3/network"
	"github.com/nielsAD/gowarcraft3/network/dummy"
	"github.com/nielsAD/gowarcraft3/network/lan"
	"github.com/nielsAD/gowarcraft3/protocol/w3gs"
)

// playFor is how long the two players play: 5 s, or what SPHERE_PLAY says, 60 s for the whole test.
func playFor(t *testing.T) time.Duration {
	text := os.Getenv("SPHERE_PLAY")
	if text == "" {
		return 5 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var (
	version  = w3gs.GameVersion{Product: w3gs.ProductTFT, Version: 26}
	encoding = w3gs.Encoding{GameVersion: 26}
)

// A player is a player of the library, and what it has seen.
type player struct {
	*dummy.Player
	t    *testing.T
	name string
	done chan struct{}

	mu       sync.Mutex
	slots    w3gs.SlotInfo
	check    w3gs.MapCheck
	others   map[uint8]string
	left     map[uint8]w3gs.LeaveReason
	chat     []string
	loaded   map[uint8]bool
	started  bool
	accepted bool
	ticks    []time.Time
	parts    int
	periods  map[uint16]int
	actions  []byte // of all ticks: player and data
	state    uint32 // CRC of these
}

// join joins a game and notes all that comes.
func join(t *testing.T, addr, name string, game, key uint32) *player {
	t.Helper()
	p := &player{t: t, name: name, done: make(chan struct{}), others: map[uint8]string{}, left: map[uint8]w3gs.LeaveReason{}, loaded: map[uint8]bool{},
		periods: map[uint16]int{}}
	var err error
	if p.Player, err = dummy.Join(addr, name, game, key, -1, encoding); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p.On(&network.AsyncError{}, func(e *network.Event) { t.Errorf("%s: %v", name, e.Arg) })
	note := func(what w3gs.Packet, f func(w3gs.Packet)) {
		p.On(what, func(e *network.Event) {
			p.mu.Lock()
			defer p.mu.Unlock()
			f(e.Arg.(w3gs.Packet))
		})
	}
	note(&w3gs.SlotInfo{}, func(m w3gs.Packet) {
		p.slots = *m.(*w3gs.SlotInfo)
		p.slots.Slots = slices.Clone(p.slots.Slots) // the library uses its packets again
	})
	note(&w3gs.MapCheck{}, func(m w3gs.Packet) { p.check = *m.(*w3gs.MapCheck) })
	note(&w3gs.PlayerInfo{}, func(m w3gs.Packet) {
		i := m.(*w3gs.PlayerInfo)
		p.others[i.PlayerID] = i.PlayerName
		if i.ExternalAddr.IP != nil || i.InternalAddr.IP != nil {
			t.Errorf("%s learns the address of %s", name, i.PlayerName)
		}
	})
	note(&w3gs.PlayerLeft{}, func(m w3gs.Packet) { p.left[m.(*w3gs.PlayerLeft).PlayerID] = m.(*w3gs.PlayerLeft).Reason })
	note(&w3gs.MessageRelay{}, func(m w3gs.Packet) {
		p.chat = append(p.chat, fmt.Sprintf("%s: %s", p.others[m.(*w3gs.MessageRelay).SenderID], m.(*w3gs.MessageRelay).Content))
	})
	note(&w3gs.CountDownEnd{}, func(w3gs.Packet) { p.started = true })
	note(&w3gs.PlayerLoaded{}, func(m w3gs.Packet) { p.loaded[m.(*w3gs.PlayerLoaded).PlayerID] = true })
	note(&w3gs.LeaveAck{}, func(w3gs.Packet) { p.accepted = true })
	note(&w3gs.TimeSlot{}, func(m w3gs.Packet) { p.tick(m.(*w3gs.TimeSlot)) })
	go func() {
		defer close(p.done)
		if err := p.Run(); err != nil && !network.IsCloseError(err) {
			t.Errorf("%s: %v", name, err)
		}
	}()
	t.Cleanup(func() {
		p.Close()
		<-p.done
	})
	return p
}

// tick plays the game, which is a CRC, and answers the tick.
func (p *player) tick(m *w3gs.TimeSlot) {
	for _, a := range m.Actions {
		p.actions = append(append(p.actions, a.PlayerID), a.Data...)
		p.state = crc32.Update(p.state, crc32.IEEETable, append([]byte{a.PlayerID}, a.Data...))
	}
	if m.Fragment {
		p.parts++
		return
	}
	p.ticks = append(p.ticks, time.Now())
	p.periods[m.TimeIncrementMS]++
	if _, err := p.SendOrClose(&w3gs.TimeSlotAck{Checksum: p.state}); err != nil {
		p.t.Errorf("%s: %v", p.name, err)
	}
}

// look reads what a player has seen.
func look[T any](p *player, f func(*player) T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f(p)
}

func (p *player) until(h *host, what string, so func(*player) bool) {
	p.t.Helper()
	h.until(p.name+": "+what, func() bool { return look(p, so) })
}

// discover finds the host's game as the library's list of games does. Its broadcast goes to the host instead of everybody.
func discover(t *testing.T, h *host) (addr string, info w3gs.GameInfo) {
	t.Helper()
	to, err := net.ResolveUDPAddr("udp4", h.udp)
	if err != nil {
		t.Fatal(err)
	}
	network.W3GSBroadcastAddr = *to
	list, err := lan.NewUDPGameList(version, 0)
	if err != nil {
		t.Fatal(err)
	}
	list.On(&network.AsyncError{}, func(e *network.Event) { t.Errorf("list of games: %v", e.Arg) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = list.Run() // ends with the socket
	}()
	defer func() {
		list.Close()
		<-done
	}()
	h.until("the game is found", func() bool {
		for a, i := range list.Games() {
			addr, info = a, i
			return true
		}
		return false
	})
	return addr, info
}

// Protocol w3gs 12, checks 3 to 5.
func TestTwoPlayersPlay(t *testing.T) {
	h := startHost(t, "--name", "Игра", "--host-name", "Sphere", "--slots", "3", "--start-when", "-1", "--countdown", "100ms")
	addr, info := discover(t, h)
	known := h.status().Games[0]
	if addr != h.tcp || info.HostCounter != known.Game || info.EntryKey != known.EntryKey || info.GameName != "Игра" || info.SlotsTotal != 4 ||
		info.SlotsUsed != 1 || info.SlotsAvailable != 4 || info.GameVersion != version || info.GameFlags != w3gs.GameFlagCustomGame {
		t.Errorf("at %s it found %+v, the host has %+v", addr, info, known)
	}
	want := w3gs.GameSettings{GameSettingFlags: 0x802, MapWidth: 64, MapHeight: 96, MapXoro: 0xDEADBEEF, MapPath: `Maps\Test\(2)Tiny.w3x`, HostName: "Sphere",
		MapSha1: [20]byte(bytes.Repeat([]byte{0xAB}, 20))}
	if info.GameSettings != want {
		t.Errorf("the stat string says %+v", info.GameSettings)
	}

	a := join(t, addr, "Grunt", info.HostCounter, info.EntryKey)
	b := join(t, addr, "Peon", info.HostCounter, info.EntryKey)
	both := []*player{a, b}
	a.until(h, "it sees both", func(p *player) bool { return p.others[1] == "Sphere" && p.others[3] == "Peon" })
	b.until(h, "it sees both", func(p *player) bool { return p.others[1] == "Sphere" && p.others[2] == "Grunt" })
	if c := look(b, func(p *player) w3gs.MapCheck { return p.check }); c.FilePath != want.MapPath || c.FileSize != 4096 || c.FileCRC != 0xCAFEBABE ||
		c.MapXoro != want.MapXoro || c.MapSha1 != want.MapSha1 {
		t.Errorf("the map check says %+v", c)
	}
	if a.PlayerInfo.PlayerID != 2 || b.PlayerInfo.PlayerID != 3 {
		t.Errorf("they are players %d and %d", a.PlayerInfo.PlayerID, b.PlayerInfo.PlayerID)
	}

	for _, p := range both {
		if err := p.Say("hello from " + p.name); err != nil {
			t.Error(err)
		}
	}
	b.until(h, "it reads the other", func(p *player) bool { return slices.Contains(p.chat, "Grunt: hello from Grunt") })
	a.until(h, "it reads the other", func(p *player) bool { return slices.Contains(p.chat, "Peon: hello from Peon") })
	if answer := h.tell("say welcome"); answer != "done" {
		t.Errorf("the host cannot speak: %s", answer)
	}
	a.until(h, "it reads the host", func(p *player) bool { return slices.Contains(p.chat, "Sphere: welcome") })

	for _, err := range []error{a.ChangeRace(w3gs.RaceOrc), a.ChangeTeam(2), a.ChangeColor(7), a.ChangeHandicap(80), b.ChangeRace(w3gs.RaceUndead)} {
		if err != nil {
			t.Error(err)
		}
	}
	b.until(h, "it sees all changes", func(p *player) bool {
		s := p.slots.Slots
		return len(s) == 3 && s[0].Race == w3gs.RaceOrc|w3gs.RaceSelectable && s[0].Team == 2 && s[0].Color == 7 && s[0].Handicap == 80 &&
			s[1].Race == w3gs.RaceUndead|w3gs.RaceSelectable && s[0].DownloadStatus == 100
	})
	known = h.status().Games[0]
	for i, s := range look(b, func(p *player) []w3gs.SlotData { return p.slots.Slots }) {
		k := known.Slots[i]
		if s.PlayerID != k.Player || s.DownloadStatus != k.Download || uint8(s.SlotStatus) != k.State || s.Team != k.Team || s.Color != k.Colour ||
			uint8(s.Race) != k.Race || uint8(s.ComputerType) != k.Level || s.Handicap != k.Handicap || s.Computer {
			t.Errorf("slot %d is %+v to the client and %+v to the host", i, s, k)
		}
	}

	h.until("the game starts", func() bool { return h.tell("start") == "done" })
	for _, p := range both {
		p.until(h, "both have loaded", func(p *player) bool { return p.started && p.loaded[2] && p.loaded[3] && p.left[1] == w3gs.LeaveLobby })
	}
	sent := play(t, h, both)
	for _, p := range both {
		p.until(h, "all actions have come", func(p *player) bool { return len(p.actions) == sent })
	}
	if !bytes.Equal(look(a, func(p *player) []byte { return p.actions }), look(b, func(p *player) []byte { return p.actions })) {
		t.Error("the two saw different actions")
	}
	checkTicks(t, h, both)

	if _, err := a.Send(&w3gs.Leave{Reason: w3gs.LeaveLost}); err != nil {
		t.Error(err)
	}
	a.until(h, "its leave is accepted", func(p *player) bool { return p.accepted })
	b.until(h, "it sees the other leave", func(p *player) bool { return p.left[2] == w3gs.LeaveLost })
	if _, err := b.Send(&w3gs.Leave{Reason: w3gs.LeaveWon}); err != nil {
		t.Error(err)
	}
	b.until(h, "its leave is accepted", func(p *player) bool { return p.accepted })
	h.until("the host sees both leave", func() bool { return h.status().Ends["left"] == 2 })
	if s := h.status(); len(s.Ends) != 1 {
		t.Errorf("connections ended for %v", s.Ends)
	}
}

// play sends actions of both for a while: small ones, and now and then so many at once that a tick has to be split. It
// returns how many bytes of actions there are to be seen.
func play(t *testing.T, h *host, both []*player) (sent int) {
	t.Helper()
	end := time.Now().Add(playFor(t))
	for i := 0; time.Now().Before(end); i++ {
		for _, p := range both {
			n, size := 1, 20
			if i%20 == 5 {
				n, size = 3, 900
			}
			for range n {
				data := bytes.Repeat([]byte{byte(i)}, size)
				if _, err := p.Send(&w3gs.GameAction{Data: data}); err != nil {
					t.Fatal(err)
				}
				sent += 1 + size
			}
		}
		time.Sleep(70 * time.Millisecond)
	}
	return sent
}

// checkTicks compares the ticks that came with those that the host has sent.
func checkTicks(t *testing.T, h *host, both []*player) {
	t.Helper()
	for i, p := range both {
		var known, got int
		h.until("its ticks are answered", func() bool {
			k := h.status().Games[0]
			known, got = k.Ticks, k.Players[i].Ticks
			return got > 0 && known-got <= 2
		})
		times := look(p, func(p *player) []time.Time { return slices.Clone(p.ticks) })
		near, sum := 0, time.Duration(0)
		for j := range len(times) - 1 {
			d := times[j+1].Sub(times[j])
			sum += d
			if d >= 90*time.Millisecond && d <= 110*time.Millisecond {
				near++
			}
		}
		t.Logf("%s: %d ticks, %v apart on average, %d of them 90 to 110 ms, %d parts of ticks; the host has sent %d", p.name, len(times),
			(sum / time.Duration(len(times)-1)).Round(10*time.Microsecond), near, look(p, func(p *player) int { return p.parts }), known)
		if near < 25 || len(times) < known-3 || len(times) > known+3 {
			t.Errorf("%s: %d ticks, %d of them as far apart as they should be, the host has sent %d", p.name, len(times), near, known)
		}
		if periods := look(p, func(p *player) map[uint16]int { return p.periods }); len(periods) != 1 || periods[100] == 0 {
			t.Errorf("%s: ticks of %v ms", p.name, periods)
		}
		if look(p, func(p *player) int { return p.parts }) == 0 {
			t.Errorf("%s has seen no tick that was split", p.name)
		}
	}
}

func TestRefusedJoins(t *testing.T) {
	h := startHost(t, "--slots", "1", "--start-when", "-1", "--countdown", "0s")
	addr, info := discover(t, h)
	if _, err := dummy.Join(addr, "Grunt", info.HostCounter, info.EntryKey+1, -1, encoding); !errors.Is(err, dummy.ErrJoinRejected) {
		t.Errorf("wrong key: %v", err)
	}
	a := join(t, addr, "Grunt", info.HostCounter, info.EntryKey)
	if _, err := dummy.Join(addr, "Peon", info.HostCounter, info.EntryKey, -1, encoding); !errors.Is(err, dummy.ErrGameFull) {
		t.Errorf("full: %v", err)
	}
	if _, err := dummy.Join(addr, "grunt", info.HostCounter, info.EntryKey, -1, encoding); !errors.Is(err, dummy.ErrJoinRejected) {
		t.Errorf("taken name: %v", err)
	}
	h.until("the game starts", func() bool { return h.tell("start") == "done" })
	a.until(h, "the game runs", func(p *player) bool { return len(p.ticks) > 0 })
	if _, err := dummy.Join(addr, "Peon", info.HostCounter, info.EntryKey, -1, encoding); !errors.Is(err, dummy.ErrGameStarted) {
		t.Errorf("started: %v", err)
	}
	h.until("the host has noted them", func() bool { return h.status().Ends["join refused"] == 4 })
}

// Protocol w3gs 12, check 8, with three of the library's players.
func TestOutOfStep(t *testing.T) {
	h := startHost(t, "--slots", "3", "--start-when", "0", "--countdown", "0s")
	addr, info := discover(t, h)
	var all []*player
	for _, name := range []string{"Grunt", "Peon", "Raider"} {
		all = append(all, join(t, addr, name, info.HostCounter, info.EntryKey))
	}
	for _, p := range all {
		p.until(h, "the game runs", func(p *player) bool { return len(p.ticks) > 3 })
	}
	all[1].mu.Lock()
	all[1].state ^= 1
	all[1].mu.Unlock()
	all[0].until(h, "the one out of step is gone", func(p *player) bool { return p.left[3] == w3gs.LeaveLost })
	ticks := look(all[2], func(p *player) int { return len(p.ticks) })
	all[2].until(h, "the others play on", func(p *player) bool { return len(p.ticks) > ticks+3 })
	if n := len(h.status().Games[0].Players); n != 2 {
		t.Errorf("%d players are left", n)
	}
	// In the library's own way of leaving, which waits for no answer.
	if err := all[0].Leave(w3gs.LeaveWon); err != nil {
		t.Error(err)
	}
	all[2].until(h, "it sees the other leave", func(p *player) bool { return p.left[2] == w3gs.LeaveWon })
}
