package w3host

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sphereserver/packets/w3gs"
)

// After any acts of players, the operator and time, in any order, every player in the game is told a consistent story
// (the mind of each client sees to that), all that stay have the same game, and the host's books agree with
// themselves.
func TestSoak(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newStage(t, rapid.IntRange(1, 12).Draw(r, "slots"), func(o *Options, g *GameOptions) {
			o.Countdown = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(r, "countdown")
			g.Layout = w3gs.Layout(rapid.IntRange(0, 3).Draw(r, "layout"))
			g.Map, g.Download = fileMap(20_000), rapid.Bool().Draw(r, "download")
			if rapid.Bool().Draw(r, "observers") {
				g.Settings |= w3gs.ObserversFull
			}
		})
		one := func() *guest {
			var inside []*guest
			for _, u := range s.guests {
				if !u.closed {
					inside = append(inside, u)
				}
			}
			if len(inside) == 0 {
				return nil
			}
			return rapid.SampledFrom(inside).Draw(r, "who")
		}
		join := func(name string) {
			u := s.connect(name)
			u.mapSize = rapid.SampledFrom([]uint32{20_000, 20_000, 20_000, 0}).Draw(r, "map")
			u.say(u.joining(1, testKey))
		}
		for i := range rapid.IntRange(1, 12).Draw(r, "first players") {
			join(fmt.Sprint("first ", i))
		}
		for i := range rapid.IntRange(10, 100).Draw(r, "steps") {
			act := rapid.SampledFrom([]string{"join", "join", "change", "change", "chat", "action", "action", "action", "pass",
				"pass", "pass", "wait", "wait",
				"rare", "stall", "catch up", "start", "start", "message"}).Draw(r, "what")
			if act == "rare" {
				act = rapid.SampledFrom([]string{"pass", "pass", "pass", "leave", "hang up", "garbage", "differ", "vote", "vote",
					"end"}).Draw(r, "what rare")
			}
			u := one()
			switch {
			case act == "join":
				join(fmt.Sprint("P", i))
			case act == "pass":
				s.pass(time.Duration(rapid.IntRange(1, 300).Draw(r, "ms")) * time.Millisecond)
			case act == "wait":
				s.pass(time.Duration(rapid.IntRange(1, 20).Draw(r, "s")) * time.Second)
			case act == "start":
				s.pass(500 * time.Millisecond)
				_ = s.g.start()
				s.settle()
			case act == "end":
				if rapid.IntRange(0, 5).Draw(r, "really") == 0 {
					s.g.finish(HostStopping)
					s.settle()
				}
			case u == nil:
			case act == "change":
				u.say(u.change(w3gs.RequestKind(rapid.IntRange(0x11, 0x14).Draw(r, "kind")), rapid.Uint8Max(110).Draw(r, "value")))
			case act == "chat":
				kind := rapid.SampledFrom([]w3gs.RequestKind{w3gs.LobbyChat, w3gs.GameChat}).Draw(r, "kind")
				u.say(u.line(kind, "hello"))
			case act == "action":
				if s.g.state >= Loading {
					u.say(actOf(rapid.IntRange(1, 1024).Draw(r, "bytes")))
				}
			case act == "leave":
				u.say(&w3gs.Leave{Reason: w3gs.LeftLost})
			case act == "hang up":
				u.hangUp()
			case act == "garbage":
				b := append([]byte{0xF7, rapid.Byte().Draw(r, "opcode"), 0, 0},
					rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(r, "body")...)
				b[2] = byte(len(b))
				if u.p.inside {
					u.raw(b)
				}
			case act == "differ":
				u.wrongCheck++
			case act == "vote":
				s.pass(46 * time.Second)
				for _, u := range s.guests {
					u.say(&w3gs.DropVote{})
				}
			case act == "stall":
				u.noTickDone = true
			case act == "catch up":
				u.noTickDone = false
			case act == "message":
				u.say(examples[rapid.SampledFrom([]message{pongMessage, loadedMessage, dropVoteMessage, mapStateMessage,
					mapTakenMessage,
					mapRefusedMessage, uselessMessage, strangeMessage}).Draw(r, "kind")])
			}
			checkBooks(r, s)
			if s.g.done {
				break
			}
		}
	})
}

func actOf(n int) *w3gs.Action { return act("a", n) }

// checkBooks fails when the values of the game do not fit together.
func checkBooks(t *rapid.T, s *stage) {
	g := s.g
	ids := map[w3gs.PlayerID]bool{0: true, g.hostID: true}
	playing := 0
	for i, slot := range g.slots {
		owns := func(p *player) bool { return p.slot == i && p.id == slot.Player }
		if g.state <= Countdown && slot.Player != 0 && !slices.ContainsFunc(g.players, owns) {
			t.Fatalf("slot %d has player %d, who is not there", i, slot.Player)
		}
	}
	var most, least *guest
	for _, p := range g.players {
		if ids[p.id] && p.id != 0 || int(p.id) > s.host.Version.MaxSlots() || p.id == 0 {
			t.Fatalf("player ID %d twice, or out of bounds", p.id)
		}
		ids[p.id] = true
		if !p.inside || p.ended {
			t.Fatalf("player %d is in the list and not in the game", p.id)
		}
		if slot := g.slots[p.slot]; g.state <= Countdown && (slot.Player != p.id || slot.State != w3gs.SlotTaken) {
			t.Fatalf("slot %d is %+v, of player %d", p.slot, slot, p.id)
		}
	}
	for _, u := range s.guests {
		if u.closed || !u.p.inside || g.state != Playing || u.ticks != g.ticks {
			continue
		}
		if most == nil {
			most, least = u, u
		}
		least = u
		if most.state != least.state {
			t.Fatalf("%s and %s have different games after %d ticks", most.name, least.name, g.ticks)
		}
	}
	for _, slot := range g.slots {
		if slot.State == w3gs.SlotTaken && slot.Team != s.host.Version.ObserverTeam() {
			playing++
		}
	}
	if playing > g.options.Starts && g.options.Layout&w3gs.FixedForces == 0 {
		t.Fatalf("%d play with %d start positions", playing, g.options.Starts)
	}
	if len(g.players) == 0 && g.state > Lobby && !g.done {
		t.Fatalf("nobody is left and the game goes on in %s", g.state)
	}
	if n := len(g.blocks); n > s.host.Limits.Queued {
		t.Fatalf("%d bytes of actions wait", n)
	}
}

// FuzzReceive gives any bytes to a game as packets of a player, in the lobby and in the game.
func FuzzReceive(f *testing.F) {
	for _, m := range examples {
		packet, err := w3gs.Append(nil, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packet, false)
		f.Add(packet, true)
	}
	f.Fuzz(func(t *testing.T, stream []byte, playing bool) {
		s := newStage(t, 3, nil)
		a, b := s.join("A"), s.join("B")
		if playing {
			s.in(Playing)
		}
		for !a.closed && len(stream) > 0 {
			packet, err := w3gs.Cut(stream, w3gs.MaxFromClient)
			if err != nil || packet == nil {
				break
			}
			stream = stream[len(packet):]
			a.raw(packet)
		}
		s.pass(300 * time.Millisecond)
		if b.closed {
			t.Fatalf("what A sent closed B for %s: %s", b.p.reason, b.p.detail)
		}
		if playing && !a.closed && a.ticks != b.ticks {
			t.Fatalf("A had %d ticks, B %d", a.ticks, b.ticks)
		}
	})
}

// BenchmarkTick is a tick of a game with twelve players that all act, and their answers, without sockets.
func BenchmarkTick(b *testing.B) {
	o := testOptions(12)
	o.Limits.Actions, o.Limits.ActionBytes = 1e9, 1e12
	g := newGame(&o, &o.Games[0], 1, testKey, testSeed, &stage{})
	join := newMind("x")
	var players []*player
	for i := range 12 {
		p := &player{}
		join.name = fmt.Sprint("P", i)
		packet, _ := w3gs.Append(nil, join.joining(1, testKey))
		g.receive(p, packet)
		p.hasMap, p.ponged = true, true
		players = append(players, p)
	}
	if err := g.start(); err != nil {
		b.Fatal(err)
	}
	g.load()
	for _, p := range players {
		g.loaded(p, nil)
	}
	action, _ := w3gs.Append(nil, act("x", 20))
	done, _ := w3gs.Append(nil, &w3gs.TickDone{})
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range players {
			g.receive(p, action)
		}
		g.pass(g.host.Tick)
		g.run()
		for _, p := range players {
			g.receive(p, done)
			p.heard = g.now
			p.pongs = p.pings
			p.out, p.marked = p.out[:0], false
		}
		g.touched = g.touched[:0]
	}
	if g.state != Playing || len(g.players) != 12 {
		b.Fatalf("%s with %d players", g.state, len(g.players))
	}
}
