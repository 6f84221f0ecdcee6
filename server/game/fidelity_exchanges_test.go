package game

import (
	"bufio"
	"encoding/hex"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/packetstest/captures"
)

// Recorded requests of the original game about items are asked of our server, in a world that is made to be as it was
// then as far as the recorded answer tells; and our answers are compared with the recorded ones. docs/fidelity.md has
// the outcome.

// A recordedFrame is one of the original game.
type recordedFrame struct {
	row  int
	dir  packets.Direction
	at   time.Time
	body *packets.Body
	used bool
}

var recordedPurchase = regexp.MustCompile(`20[0-9A-F]{62}`)

// originals are the recorded frames of which it is known when they came.
func originals(t *testing.T) (out []*recordedFrame) {
	t.Helper()
	return slices.DeleteFunc(recordedFrames(t), func(f *recordedFrame) bool { return f.at.IsZero() })
}

// undated are those of which it is not known when they came.
func undated(t *testing.T) []*recordedFrame {
	t.Helper()
	return slices.DeleteFunc(recordedFrames(t), func(f *recordedFrame) bool { return !f.at.IsZero() })
}

func recordedFrames(t *testing.T) (out []*recordedFrame) {
	t.Helper()
	lines := bufio.NewScanner(captures.Open(t))
	lines.Buffer(nil, 1<<20)
	add := func(row int, dir packets.Direction, at string, frame []byte) {
		f, err := packets.DecodeFrame(frame, dir, packets.Dialect2022)
		if err != nil || f.Body == nil {
			return
		}
		when, _ := time.Parse(time.DateTime, at) // not known for all
		out = append(out, &recordedFrame{row: row, dir: dir, at: when, body: f.Body})
	}
	for row := 1; lines.Scan(); row++ {
		c := strings.Split(lines.Text(), "\t")
		if row == 1 || c[4] != "yes" {
			continue
		}
		frame, err := hex.DecodeString(c[6])
		if err != nil {
			t.Fatalf("row %d: %v", row, err)
		}
		dir := packets.FromServer
		if c[1] == "C2S" {
			dir = packets.FromClient
		}
		if len(frame) == 0 {
			frame, _ = hex.DecodeString(c[5])
			if dir == packets.FromClient {
				packets.Deobfuscate(frame)
			}
		}
		// the note has the request
		if request := recordedPurchase.FindString(c[7]); request != "" && dir == packets.FromServer {
			frame, _ := hex.DecodeString(request)
			add(row, packets.FromClient, c[2], frame)
		}
		add(row, dir, c[2], frame)
	}
	return out
}

// An exchange is a request and its answer.
type exchange struct {
	topic   string
	row     int
	who     packets.ObjectID
	request *packets.Body
	about   *packets.Section // of the request
	command packets.Command
	answer  []packets.Section
}

// topics are the exchanges to compare with recordings, by the command of the request, and which recorded frames
// answer it.
var topics = []struct {
	name    string
	request reflect.Type
	within  time.Duration
	answers func(x *exchange, s *packets.Section, c packets.Command) bool
}{
	{"move", reflect.TypeFor[*packets.MoveSlot](), 2 * time.Second,
		func(x *exchange, s *packets.Section, c packets.Command) bool {
			f, ok := c.(*packets.FillSlot)
			return ok && s.Object == x.who && f.Item != 0 && f.Slot == x.command.(*packets.MoveSlot).To
		}},
	{"pick up to a slot", reflect.TypeFor[*packets.PutIntoSlot](), time.Second,
		func(x *exchange, _ *packets.Section, c packets.Command) bool {
			f, ok := c.(*packets.FillSlot)
			asked := x.command.(*packets.PutIntoSlot)
			return ok && f.Item == asked.Item && f.Slot == asked.Slot
		}},
	{"pick up", reflect.TypeFor[*packets.PickUp](), time.Second,
		func(x *exchange, s *packets.Section, c packets.Command) bool {
			f, ok := c.(*packets.FillSlot)
			return ok && s.Object == x.who && f.Item == packets.ObjectID(x.command.(*packets.PickUp).Item)
		}},
	{"drop", reflect.TypeFor[*packets.Drop](), time.Second, func(x *exchange, s *packets.Section, c packets.Command) bool {
		_, ok := c.(*packets.LeaveContainer)
		return ok && s.Object == x.command.(*packets.Drop).Item
	}},
	{"open a bag", reflect.TypeFor[*packets.BecomeUser](), 5 * time.Second,
		func(x *exchange, s *packets.Section, c packets.Command) bool {
			return x.about.Class == packets.ClassLootBag && shows(x.about.Object, s, c)
		}},
	{"open a trade", reflect.TypeFor[*packets.TradeWindow](), 5 * time.Second,
		func(x *exchange, s *packets.Section, c packets.Command) bool {
			return shows(x.command.(*packets.TradeWindow).Trader, s, c)
		}},
	{"buy", reflect.TypeFor[*packets.Buy](), time.Second, func(x *exchange, s *packets.Section, c packets.Command) bool {
		if b, ok := c.(*packets.Bought); ok {
			return b.Count == x.command.(*packets.Buy).Count
		}
		p, ok := c.(*packets.PutInto)
		return ok && p.Parent == x.who
	}},
	{"sell", reflect.TypeFor[*packets.AcceptPrice](), 3 * time.Second,
		func(x *exchange, _ *packets.Section, c packets.Command) bool {
			sold, ok := c.(*packets.Sold)
			return ok && sold.Price == x.command.(*packets.AcceptPrice).Price
		}},
	{"use a token", reflect.TypeFor[*packets.UseOn](), time.Second,
		func(x *exchange, s *packets.Section, c packets.Command) bool {
			_, ok := c.(*packets.Used)
			return ok && s.Object == x.about.Object
		}},
}

// shows reports whether a command shows the contents of a container.
func shows(container packets.ObjectID, s *packets.Section, c packets.Command) bool {
	if p, ok := c.(*packets.PutInto); ok {
		return p.Parent == container
	}
	_, ok := c.(*packets.ResetSlots)
	return ok && s.Object == container
}

func commandsIn(b *packets.Body, do func(s *packets.Section, c packets.Command)) {
	for i := range b.Sections {
		for _, r := range b.Sections[i].Regions {
			if c, ok := packets.CommandOf(r); ok {
				do(&b.Sections[i], c)
			}
		}
	}
}

// exchanges pairs requests with their answers.
func exchanges(all []*recordedFrame) (out []*exchange) {
	inTime := slices.Clone(all)
	slices.SortStableFunc(inTime, func(a, b *recordedFrame) int { return a.at.Compare(b.at) })
	for _, topic := range topics {
		for _, q := range all {
			if q.dir != packets.FromClient || q.body.Sections[0].Class == packets.ClassBank {
				continue
			}
			var x *exchange
			commandsIn(q.body, func(s *packets.Section, c packets.Command) {
				if reflect.TypeOf(c) == topic.request && x == nil {
					x = &exchange{topic: topic.name, row: q.row, request: q.body, about: s, command: c, who: asker(q.body)}
				}
			})
			if x == nil {
				continue
			}
			for _, a := range inTime {
				if a.dir != packets.FromServer || a.used || a.at.Before(q.at) || a.at.Sub(q.at) > topic.within {
					continue
				}
				answers := false
				commandsIn(a.body, func(s *packets.Section, c packets.Command) { answers = answers || topic.answers(x, s, c) })
				if answers {
					a.used = true
					x.answer = append(x.answer, a.body.Sections...)
				}
			}
			if x.begins() {
				out = append(out, x)
			}
		}
	}
	return out
}

// begins reports whether the beginning of the answer was recorded.
func (x *exchange) begins() (ok bool) {
	x.each(func(_ *packets.Section, c packets.Command) {
		switch c.(type) {
		case *packets.ResetSlots, *packets.FillSlot, *packets.ClearSlot, *packets.Bought, *packets.Used:
			ok = true
		}
	})
	return ok
}

// asker is the player that has sent a body.
func asker(b *packets.Body) (who packets.ObjectID) {
	commandsIn(b, func(s *packets.Section, c packets.Command) {
		switch c := c.(type) {
		case *packets.Use:
			who = c.Player
		case *packets.UseOn:
			who = c.Player
		}
		if s.Class == packets.ClassPlayer {
			who = s.Object
		}
	})
	return who
}
