package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/measure"
)

// A wire keeps the bytes that a client sends, and never answers.
type wire struct {
	net.Conn
	sent [][]byte
}

func (w *wire) Write(p []byte) (int, error) {
	w.sent = append(w.sent, append([]byte(nil), p...))
	return len(p), nil
}

func (w *wire) Read([]byte) (int, error)           { return 0, os.ErrDeadlineExceeded }
func (w *wire) Close() error                       { return nil }
func (w *wire) SetDeadline(time.Time) error        { return nil }
func (w *wire) SetReadDeadline(t time.Time) error  { return nil }
func (w *wire) SetWriteDeadline(t time.Time) error { return nil }

// said are the gameplay messages that were sent since the last time, in words: the object, and the command.
func (w *wire) said(t *testing.T) string {
	t.Helper()
	var out []string
	for _, frame := range w.sent {
		if packets.FrameChannel(frame, packets.FromClient) != packets.ChannelGameplay {
			continue
		}
		f, err := packets.DecodeFrame(frame, packets.FromClient, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Body.Sections {
			s := &f.Body.Sections[i]
			for _, r := range s.Regions {
				var said any = r
				if command, ok := packets.CommandOf(r); ok {
					said = command
				}
				out = append(out, fmt.Sprintf("%s of %s: %+v", packets.Name(said), s.Object, said))
			}
		}
	}
	w.sent = nil
	return strings.Join(out, "; ")
}

const (
	otherID  packets.ObjectID = 0x3333
	bagID    packets.ObjectID = 0x4444
	swordID  packets.ObjectID = 0x5555
	breadID  packets.ObjectID = 0x6666
	traderID packets.ObjectID = 0x7777
)

// acting returns a client in the world that has a sword, a bag and some bread, beside a trader and another player.
func acting(t *testing.T) (*Client, *wire) {
	t.Helper()
	w := &wire{}
	c := New(w, Options{Plain: true, Manual: true})
	c.Index, c.state, c.Position = 0x2211, stateInWorld, coords.Position{X: 2614, Y: 157.8, Z: 1293}
	c.Snapshot.Name = "Hero"
	for id, class := range map[packets.ObjectID]packets.Class{bagID: 408, swordID: packets.ClassStartSword,
		breadID:  packets.ClassBread,
		traderID: 905} {
		c.Objects[id] = &Object{ID: id, Class: class, Parent: c.ID(), Spawn: &packets.SpawnSnapshot{}, Position: c.Position}
	}
	c.Objects[otherID] = &Object{ID: otherID, Class: packets.ClassPlayer, Player: &packets.PlayerSpawn{Name: "Other"},
		Gear: &packets.SetWornGear{}}
	c.people = 1
	c.Objects[bagID].Slots = map[uint8]Slot{}
	c.Objects[traderID].Goods = map[uint8]Article{3: {Item: breadID, Price: 5}}
	c.Slots[26], c.Slots[27], c.Slots[28] = Slot{swordID, 5000}, Slot{breadID, 80}, Slot{bagID, 500}
	return c, w
}

// Every action sends the message of the original client, about its target.
func TestActionsSayWhatTheyAsk(t *testing.T) {
	for _, v := range []struct {
		name string
		do   func(*Client) error
		want []string // in the sent bytes, in this order
	}{
		{"move", func(c *Client) error { return c.Move(c.ID(), 26, 30) }, []string{"MoveSlot of", "To:30", "From:26"}},
		{"move in a bag", func(c *Client) error { return c.Move(bagID, 0, 3) },
			[]string{"MoveSlot of 0x4444", "To:3", "From:0"}},
		{"swap", func(c *Client) error { return c.Swap(26, 27) }, []string{"SwapItems", "Item1:21845", "Item2:26214",
			"Slot1:26", "Slot2:27"}},
		{"pick up", func(c *Client) error { return c.PickUp(breadID) }, []string{"PickUp", "Item:26214"}},
		{"pick up to", func(c *Client) error { return c.PutInto(breadID, c.ID(), 31) },
			[]string{"PutIntoSlot", "Item:0x6666", "Slot:31"}},
		{"put into", func(c *Client) error { return c.PutInto(breadID, bagID, 2) },
			[]string{"PutIntoSlot of 0x4444", "Slot:2"}},
		{"drop", func(c *Client) error { return c.Drop(swordID) }, []string{"Drop", "Item:0x5555", "X:2614"}},
		{"drag", func(c *Client) error { return c.Drag(breadID, coords.Position{X: 1, Y: 2, Z: 3}) },
			[]string{"Drag", "Item:0x6666", "X:1 Y:2 Z:3"}},
		{"take", func(c *Client) error { return c.Take(swordID) }, []string{"Animation", "Number:8", "TakeInHand",
			"Item:0x5555"}},
		{"use", func(c *Client) error { return c.Use(breadID) }, []string{"Use of 0x6666"}},
		{"open", func(c *Client) error { return c.OpenBag(bagID) }, []string{"Use of 0x4444", "BecomeUser of 0x4444"}},
		{"trade", func(c *Client) error { return c.OpenTrade(traderID) },
			[]string{"Help", "Use of 0x7777", "BecomeUser of 0x7777", "TradeWindow",
				"Trader:0x7777"}},
		{"buy", func(c *Client) error { c.Trader = traderID; return c.Buy(3, 2) },
			[]string{"Buy", "Trader:0x7777", "Slot:3", "Price:5", "Count:2"}},
		{"offer", func(c *Client) error { return c.OfferForSale(1, swordID) },
			[]string{"OfferItem", "Slot:1", "Item:0x5555"}},
		{"accept", func(c *Client) error {
			c.Offer = packets.PriceOffer{Trader: traderID, Slot: 1, Price: 9}
			return c.AcceptOffer()
		},
			[]string{"AcceptPrice", "Slot:1", "Price:9", "AcceptOffer", "Slot:1"}},
		{"close the trade", func(c *Client) error { c.Trader = traderID; return c.CloseTrade() },
			[]string{"CloseContainer of 0x7777", "TradeWindow"}},
		{"spend", func(c *Client) error { return c.SpendPoints([8]int32{0, 0, 3}) },
			[]string{"SpendPoints", "[0 0 3 0 0 0 0 0]"}},
		{"say", func(c *Client) error { return c.Say(3, "да") }, []string{"ChatHeader", "Channel:3", "ChatPart", "да"}},
		{"speak", func(c *Client) error { return c.Speak(2, "да") },
			[]string{"ChatPart", `player://Hero`, "Hero</l>: да"}},
		{"create a group", (*Client).CreateGroup, []string{"GroupOperation", "Operation:0"}},
		{"apply", func(c *Client) error { return c.ApplyToGroup("Other") },
			[]string{"GroupName", "Operation:1", "Name:Other"}},
		{"accept into the group", func(c *Client) error { return c.AcceptIntoGroup("Other") },
			[]string{"Operation:2", "Name:Other"}},
		{"expel", func(c *Client) error { return c.ExpelFromGroup("Other") }, []string{"Operation:3", "Name:Other"}},
		{"leave the group", (*Client).LeaveGroup, []string{"GroupOperation", "Operation:4"}},
		{"found a clan", func(c *Client) error { return c.FoundClan("Night") }, []string{"CreateClan", "Clan:Night"}},
		{"ask for a clan", func(c *Client) error { return c.ApplyToClan(otherID) }, []string{"RecruitToClan of 0x3333"}},
		{"take into the clan", func(c *Client) error { return c.AcceptIntoClan(otherID) },
			[]string{"AcceptApplicant of 0x3333"}},
		{"leave the clan", func(c *Client) error { return c.LeaveClan("Hero") }, []string{"LeaveClan", "Name:Hero"}},
		{"stop", func(c *Client) error { return c.Stop() }, []string{"PositionStream"}},
	} {
		c, w := acting(t)
		err := v.do(c)
		said := w.said(t)
		rest := said
		for _, word := range v.want {
			_, behind, found := strings.Cut(rest, word)
			if !found {
				t.Errorf("%s: %q, expected %q; %v", v.name, said, v.want, err)
				break
			}
			rest = behind
		}
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

// An impossible request is not sent.
func TestActionsThatCannotBeAreRefused(t *testing.T) {
	nowhere := coords.Position{X: 1e6}
	for _, v := range []struct {
		name string
		do   func(*Client) error
		want string
	}{
		{"move from no slot", func(c *Client) error { return c.Move(c.ID(), -1, 3) }, "slot -1: expected 0 to 255"},
		{"move to no slot", func(c *Client) error { return c.Move(c.ID(), 1, 256) }, "slot 256: expected 0 to 255"},
		{"move in no bag", func(c *Client) error { return c.Move(0x999, 1, 2) }, "0x0999: the client does not hold it"},
		{"swap nothing", func(c *Client) error { return c.Swap(26, 40) }, "expected things in slots 26 and 40"},
		{"swap far slots", func(c *Client) error { return c.Swap(26, 200) }, "expected things in slots 26 and 200"},
		{"put into no bag", func(c *Client) error { return c.PutInto(breadID, 0x999, 2) }, "does not hold it"},
		{"put into no slot", func(c *Client) error { return c.PutInto(breadID, bagID, 300) }, "slot 300"},
		{"use nothing", func(c *Client) error { return c.Use(0x999) }, "does not hold it"},
		{"open nothing", func(c *Client) error { return c.OpenBag(0x999) }, "does not hold it"},
		{"trade with nobody", func(c *Client) error { return c.OpenTrade(0x999) }, "does not hold it"},
		{"buy of nobody", func(c *Client) error { return c.Buy(3, 1) }, "does not hold it"},
		{"buy nothing", func(c *Client) error { c.Trader = traderID; return c.Buy(3, 0) }, "no such goods"},
		{"buy what is not sold", func(c *Client) error { c.Trader = traderID; return c.Buy(4, 1) }, "no such goods"},
		{"sell without a price", (*Client).AcceptOffer, "has named no price"},
		{"close no trade", (*Client).CloseTrade, "does not hold it"},
		{"say what clients cannot write", func(c *Client) error { return c.Say(2, "ура 😀") }, "number 5"},
		{"walk out of the world", func(c *Client) error { return c.Walk(context.Background(), nowhere) }, "x is"},
		{"set out of the world", func(c *Client) error { return c.SetOut(nowhere) }, "x is"},
		{"ping out of the world", func(c *Client) error { _, err := c.Ping(context.Background(), nowhere); return err },
			"x is"},
		{"no speed", func(c *Client) error { return c.SetSpeed(0) }, "speed 0: expected more than 0"},
		{"log in again", func(c *Client) error { _, err := c.Login(context.Background(), "a", "b"); return err },
			"not at this point"},
		{"create in the world", func(c *Client) error {
			_, err := c.Create(context.Background(), 0,
				NewCharacter{})
			return err
		}, "not at this point"},
		{"select in the world", func(c *Client) error { _, err := c.Select(context.Background(), 0); return err },
			"not at this point"},
		{"delete in the world", func(c *Client) error { return c.Delete(context.Background(), 0) }, "not at this point"},
		{"enter again", func(c *Client) error { return c.Enter(context.Background()) }, "not at this point"},
	} {
		c, w := acting(t)
		if err := v.do(c); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, expected %q", v.name, err, v.want)
		}
		if said := w.said(t); said != "" {
			t.Errorf("%s: sent %s", v.name, said)
		}
	}
	gone, w := acting(t)
	gone.Abort()
	for name, do := range map[string]func() error{"say": func() error { return gone.Say(1, "a") },
		"use":  func() error { return gone.Use(breadID) },
		"stop": gone.Stop, "raw": func() error {
			return gone.SendRaw([]byte{4, 0, 0xF4,
				1})
		}, "take": func() error { return gone.Take(swordID) }} {
		if err := do(); !errors.Is(err, net.ErrClosed) || len(w.sent) > 0 {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
}

// A client that lives in groups founds, seeks, accepts, throws out and leaves.
func TestWhatClientsDoAboutGroups(t *testing.T) {
	member := func(name string, leads bool) GroupMember { return GroupMember{name, leads} }
	for _, v := range []struct {
		name  string
		group Group
		want  map[string]bool // messages that may be sent
	}{
		{"none", Group{}, map[string]bool{"Operation:0": true, "Operation:1 Name:Other": true}},
		{"alone", Group{Members: []GroupMember{member("Hero", true)}}, map[string]bool{"": true}},
		{"asked", Group{Members: []GroupMember{member("Hero", true)}, Applicants: []string{"Other"}},
			map[string]bool{"Operation:2 Name:Other": true}},
		{"leads", Group{Members: []GroupMember{member("Hero", true), member("Other", false)}},
			map[string]bool{"": true, "Operation:3 Name:Other": true, "Operation:4": true}},
		{"follows", Group{Members: []GroupMember{member("Other", true), member("Hero", false)}},
			map[string]bool{"": true, "Operation:4": true}},
	} {
		seen := map[string]bool{}
		for seed := range uint64(60) {
			c, w := acting(t)
			c.rand, c.Group = rand.New(rand.NewPCG(seed, 1)), v.group
			c.Group.Applicants = append([]string(nil), v.group.Applicants...)
			if err := c.groupStep(time.Now()); err != nil {
				t.Fatal(err)
			}
			said := w.said(t)
			if _, fields, ok := strings.Cut(said, "{"); ok {
				said = strings.TrimSuffix(strings.TrimSuffix(fields, "}"), " Data:[]")
			}
			if !v.want[said] {
				t.Errorf("%s: sent %q, expected one of %v", v.name, said, v.want)
			}
			seen[said] = true
		}
		if len(seen) != len(v.want) {
			t.Errorf("%s: sent %v, expected all of %v", v.name, seen, v.want)
		}
	}
}

// In a swarm the leaders of groups are known to all.
func TestClientsOfASwarmFindWhoLeads(t *testing.T) {
	now := time.Now()
	s := newScene()
	a := enterScene(t, s, 1, "Hero", ownPlace, now)
	b := enterScene(t, s, 2, "Anna", shownPlace, now)
	if name := a.someLeader(now); name != "" {
		t.Errorf("%q leads", name)
	}
	b.trackedBot.leads.Store(true)
	found := false
	for range 50 {
		name := a.someLeader(now.Add(2 * indexEvery))
		found = found || name == "Anna"
		if name != "" && name != "Anna" {
			t.Errorf("%q leads", name)
		}
	}
	if !found {
		t.Error("nobody finds who leads")
	}
	b.trackedBot.leave(now)
	if name := a.someLeader(now.Add(4 * indexEvery)); name != "" {
		t.Errorf("%q leads, who has left", name)
	}
}

func TestWalksHaveNames(t *testing.T) {
	for _, w := range []Walk{Wander, Square, Places} {
		if got, err := ParseWalk(string(w)); err != nil || got != w {
			t.Errorf("%s: %v, %v", w, got, err)
		}
	}
	if _, err := ParseWalk("fly"); err == nil || !strings.Contains(err.Error(),
		`expected wander, square or places, found "fly"`) {
		t.Error(err)
	}
}

// From place to place a walker goes to one of the near ones, and not back to where it comes from.
func TestWalkersGoFromPlaceToPlace(t *testing.T) {
	w := walker{rand: rand.New(rand.NewPCG(1, 2)), walk: Places}
	at := ownPlace
	w.settle(at, time.Now())
	seen := map[string]bool{}
	for range 40 {
		to := w.anotherPlace(at)
		if d := at.Distance(to); d < 2*roamRadius || d > 5000 {
			t.Errorf("from %s to %s", placeText(at), placeText(to))
		}
		if w.from == "" {
			t.Fatal("it knows of no place")
		}
		seen[w.from] = true
		at = to
	}
	if len(seen) < 5 {
		t.Errorf("it only goes to %v", seen)
	}
	inside := coords.Position{X: -1099, Y: 4501, Z: 1945} // a dungeon
	if to := w.anotherPlace(inside); to != w.home && to.Distance(inside) > 5000 {
		t.Errorf("out of a dungeon to %s", placeText(to))
	}
}

// A client walks as fast as it is told, and knows how long that takes.
func TestSetOutAndStop(t *testing.T) {
	c, w := acting(t)
	if err := errors.Join(c.SetSpeed(10), c.SetOut(coords.Position{X: 2714, Y: 157.8, Z: 1293})); err != nil {
		t.Fatal(err)
	}
	if d := c.TimeTo(coords.Position{X: 2714, Y: 157.8, Z: 1293}); d.Round(time.Millisecond) != 10*time.Second {
		t.Errorf("it takes %v", d)
	}
	c.walker.moved = time.Now().Add(-3 * time.Second)
	if err := c.Stop(); err != nil || c.walker.following() {
		t.Error(err)
	}
	if gone := c.Position.X - 2614; gone < 30 || gone > 100 {
		t.Errorf("walked %v m in 3 s", gone)
	}
	if said := w.said(t); !strings.Contains(said, "PositionStream") {
		t.Errorf("sent %q", said)
	}
}

// A status tells people where the client is, how it is, and the objects near it.
func TestStatus(t *testing.T) {
	c, _ := acting(t)
	c.Stats[packets.StatHP] = 7
	c.Stats[packets.StatMaxHP] = 9
	c.Players = 3
	c.tally.Answers.Record(2 * time.Millisecond)
	c.Objects[traderID].Parent = packets.NoObject
	if got, want := c.Status(), "at (2614.0, 157.8, 1293.0), HP 7/9, MP 0/0, 1 positions answered, p50 2.00 ms, max 2.00 ms, 00:00, 3 players, "+
		"near: 1 players, 1 objects"; !strings.HasPrefix(got, want[:60]) || !strings.HasSuffix(got, want[len(want)-35:]) {
		t.Errorf("%q\nexpected %q", got, want)
	}
	f := c.Figures()
	if f.Wanted != 1 || f.Entries != 0 || f.Clean() || f.Answers.Count != 1 {
		t.Errorf("%+v", f)
	}
	c.wasInWorld = true
	if f := c.Figures(); f.Entries != 1 || f.Peak != 1 || !f.Clean() {
		t.Errorf("%+v", f)
	}
}

// Lost connections are counted by their cause.
func TestReasonsOfLostConnections(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for want, err := range map[string]error{
		"login refused here":      fmt.Errorf("bot: %w", ErrRefused),
		"account expired here":    ErrExpired,
		"connection refused here": ErrFull,
		"connection refused here: full (limits.x)": fmt.Errorf("bot: %w",
			withReason(ErrFull, "full (limits.x)")),
		"login refused here: too many":    withReason(ErrRefused, "too many: locked for 59s"),
		"name rejected here":              ErrNameRejected,
		"no link here":                    ErrNoLink,
		"broken stream here":              fmt.Errorf("%w: %w", ErrStream, io.ErrUnexpectedEOF),
		"closed by the server here":       fmt.Errorf("%w: %w", ErrClosed, net.ErrClosed),
		"timed out here":                  fmt.Errorf("bot: %w", context.DeadlineExceeded),
		"cannot dial: connection refused": fmt.Errorf("bot: %w", refused),
		"something else":                  errors.New("something else"),
	} {
		if got := reasonOf(err, "here"); got != want {
			t.Errorf("%v: %q, expected %q", err, got, want)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	late, stop := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer stop()
	for _, v := range []struct {
		ctx  context.Context
		err  error
		want bool
	}{{ended, nil, true}, {ended, context.Canceled, true}, {context.Background(), context.Canceled, false},
		{late, context.DeadlineExceeded, true},
		{context.Background(), context.DeadlineExceeded, false}, {late, ErrClosed, false}} {
		if got := IsContextEnd(v.ctx, v.err); got != v.want {
			t.Errorf("%v with %v: %t", v.err, v.ctx, got)
		}
	}
	s := &Swarm{disconnects: map[string]int{}}
	s.lost(context.Background(), "in the world", ErrNoLink)
	s.lost(context.Background(), "in the world", ErrNoLink)
	s.lost(ended, "in the world", context.Canceled)
	if len(s.disconnects) != 1 || s.disconnects["no link in the world"] != 2 {
		t.Errorf("%v", s.disconnects)
	}
}

// The table of a swarm is shown until the context ends.
func TestTableFollows(t *testing.T) {
	s, err := NewSwarm(SwarmOptions{Addr: "127.0.0.1:1", Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4500*time.Millisecond)
		defer cancel()
		var shown strings.Builder
		NewTable(&shown, true, nil).Follow(ctx, s)
		if shown.Len() == 0 {
			t.Error("nothing is shown")
		}
	})
	f := s.Figures()
	if f.Wanted != 1 || f.Answers.Count != 0 || f.Clean() {
		t.Errorf("%+v", f)
	}
	f.Compared, f.Said, f.Heard, f.Requests, f.Answers = 1, 2, 3, 4, new(measure.Distribution)
	for _, want := range []string{"compared  1 sightings", "chat      2 lines said, 3 heard", "things    4 requests",
		"nobody came into the world"} {
		if !strings.Contains(Summary(f, nil), want) {
			t.Errorf("the summary does not say %q: %s", want, Summary(f, nil))
		}
	}
}
