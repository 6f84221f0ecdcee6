package game

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/session"
	"sphereserver/world/rules"
)

func (c *conn) group(operation uint8) {
	c.say(c.own(&packets.Manager{Command: &packets.GroupOperation{Operation: operation}}))
}

func (c *conn) groupName(operation uint8, name string) {
	c.say(c.own(&packets.Manager{Command: &packets.GroupName{Operation: operation, Name: name}}))
}

// groupWords puts the messages of groups to a client into words: one word for each operation, bodies apart by |.
func groupWords(c *conn) string {
	c.g.t.Helper()
	var bodies []string
	for _, f := range c.frames() {
		var words []string
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				m, ok := r.(*packets.Manager)
				if !ok || s.Class != packets.ClassPlayer {
					continue
				}
				switch k := m.Command.(type) {
				case *packets.GroupOperation:
					words = append(words, fmt.Sprintf("%02X", k.Operation))
				case *packets.GroupName:
					words = append(words, fmt.Sprintf("%02X %s", k.Operation, k.Name))
				case *packets.GroupMember:
					words = append(words, fmt.Sprintf("06 %d %d %s", k.State, k.Online, k.Name))
				case *packets.GroupCandidate:
					words = append(words, fmt.Sprintf("0C %d %s", k.State, k.Name))
				case *packets.Invitation:
					words = append(words, fmt.Sprintf("%d %s?", k.Token, k.Name))
				case *packets.MapMark:
					words = append(words, fmt.Sprint("mark ", k.X, " ", k.Z))
				case *packets.SystemMessage:
					words = append(words, "«"+k.Text+"»")
				case *packets.SystemText:
					words = append(words, fmt.Sprintf("«#%d»", k.Text))
				default:
					continue
				}
				if s.Object != c.s().ID() {
					c.g.t.Errorf("player %v is told about %v", c.s().ID(), s.Object)
				}
			}
		}
		if len(words) > 0 {
			bodies = append(bodies, strings.Join(words, ", "))
		}
	}
	return strings.Join(bodies, " | ")
}

// The life of a group, as each of its members is told of it.
func TestGroupLife(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	all := g.players(3)
	a, b, c := all[0], all[1], all[2]
	say := func(r rules.RejectReason) string {
		return "«" + map[rules.RejectReason]string{
			rules.NobodyThere:     "Такого игрока сейчас нет в мире.",
			rules.NoParty:         "#991",
			rules.AlreadyInParty:  "Вы уже состоите в группе.",
			rules.TheyHaveNoParty: "Этот игрок не состоит в группе.",
			rules.NotLeader:       "Это может только лидер группы."}[r] + "»"
	}
	step := func(what string, do func(), wants ...string) {
		t.Helper()
		do()
		g.pass(2 * session.WheelPeriod)
		for i, want := range wants {
			want = strings.NewReplacer("$A", a.name(), "$B", b.name(), "$C", c.name()).Replace(want)
			if all[i].closed {
				continue
			}
			if got := groupWords(all[i]); got != want {
				t.Errorf("%s: player %c is told %s\nwant %s", what, 'A'+i, got, want)
			}
		}
	}
	step("B applies to nobody's group", func() { b.groupName(groupApply, a.name()) }, "", say(rules.TheyHaveNoParty), "")
	step("B applies to nobody", func() { b.groupName(groupApply, "Nobody") }, "", say(rules.NobodyThere), "")
	step("A creates", func() { a.group(groupCreate) }, "05, 09", "", "")
	step("A creates again", func() { a.group(groupCreate) }, say(rules.AlreadyInParty), "", "")
	step("B applies", func() { b.groupName(groupApply, a.name()) }, "0C 0 $B", "", "")
	step("C accepts", func() { c.groupName(groupAccept, b.name()) }, "", "", say(rules.NoParty))
	step("A accepts", func() { a.groupName(groupAccept, b.name()) }, "0C 1 $B", "05, 06 2 1 $A, 06 1 1 $B, 0C 1 $B", "")
	step("C joins", func() {
		c.groupName(groupApply, a.name())
		a.groupName(groupAccept, c.name())
	}, "0C 0 $C | 0C 1 $C", "06 1 1 $C", "05, 06 2 1 $A, 06 1 1 $B, 06 1 1 $C, 0C 1 $C")
	step("B kicks C", func() { b.groupName(groupExpel, c.name()) }, "", say(rules.NotLeader), "")
	step("A kicks B", func() { a.groupName(groupExpel, b.name()) }, "0A $B", "0B", "0A $B")
	step("B leaves", func() { b.group(groupLeave) }, "", say(rules.NoParty), "")
	step("C leaves", func() { c.group(groupLeave) }, "0A $C", "", "0D")
	step("both come back", func() {
		b.groupName(groupApply, a.name())
		a.groupName(groupAccept, b.name())
		c.groupName(groupApply, b.name())
		a.groupName(groupAccept, c.name())
	}, "0C 0 $B | 0C 1 $B | 0C 0 $C | 0C 1 $C", "05, 06 2 1 $A, 06 1 1 $B, 0C 1 $B | 06 1 1 $C",
		"05, 06 2 1 $A, 06 1 1 $B, 06 1 1 $C, 0C 1 $C")
	mark := func(of *conn, x, z float32) func() {
		return func() { of.say(of.own(manager(&packets.OwnMark{X: x, Z: z}))) }
	}
	step("A marks a place", mark(a, 1500, -400.5), "", "mark 1500 -400.5", "mark 1500 -400.5")
	step("B marks one for itself", mark(b, 1500, -400), "", "", "")
	step("A marks what is none", mark(a, float32(math.NaN()), float32(math.Inf(1))), "", "", "")
	name := a.name()
	step("A is disconnected", func() { a.hangUp() },
		"", "0A "+name+" | 05, 06 2 1 $B, 06 1 1 $C", "0A "+name+" | 05, 06 2 1 $B, 06 1 1 $C")
	step("operations nobody knows", func() {
		b.group(7)
		b.group(200)
		b.say(b.own(&packets.Manager{Command: &packets.GroupOperation{Operation: 0, Data: []byte{1}}}))
	}, "", say(rules.AlreadyInParty), "")
	step("B ends it", func() { b.group(groupLeave) }, "", "0D", "0D")
	if b.closed || c.closed {
		t.Error("somebody was thrown out")
	}
}

// Requests are passed on at a rate: each of them sends a message to another player.
func TestGroupRequestsAreHeldBack(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	all := g.players(2)
	for range 3 * groupsBurst {
		all[0].group(groupCreate)
		all[0].group(groupLeave)
	}
	g.pass(2 * session.WheelPeriod)
	if got := groupWords(all[0]); strings.Count(got, "09")+strings.Count(got, "0D") != groupsBurst ||
		!strings.Contains(got, hasteText.Russian) {
		t.Errorf("is told %s", got)
	}
}

// A name of any form in a request is only looked up.
func TestGroupNamesAreHarmless(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	p := g.players(1)[0]
	p.p().Russian = false
	for _, name := range []string{"", strings.Repeat("ж", 250), "a\x01b\nc", `<l="x">`} {
		for _, operation := range []uint8{groupApply, groupAccept, groupExpel} {
			p.groupName(operation, name)
			g.pass(time.Second)
			if system := p.system(); len(system) != 1 || p.closed {
				t.Errorf("operation %d on %q: is told %q", operation, name, system)
			}
		}
	}
}

// A player that points at another invites it: about itself with the other's id in 24 or 32 bits at the end, or about
// the other. The answers have the token.
//
// Source: protocol life 13, checks 5.1 and 5.2.
func TestInvitationByPointing(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	all := g.players(3)
	a, b, c := all[0], all[1], all[2]
	id := func(of *conn) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(of.s().ID())) }
	step := func(what string, do func(), wants ...string) {
		t.Helper()
		do()
		g.pass(2 * session.WheelPeriod)
		for i, want := range wants {
			want = strings.NewReplacer("$A", a.name(), "$B", b.name(), "$C", c.name()).Replace(want)
			if got := groupWords(all[i]); got != want {
				t.Errorf("%s: player %c is told %s\nwant %s", what, 'A'+i, got, want)
			}
		}
	}
	invite := func(by *conn, data ...byte) func() {
		return func() { by.say(by.own(manager(&packets.InviteToGroup{Data: data}))) }
	}
	sent := "«Вы пригласили игрока $B в группу.»"
	step("nobody", invite(a), "«Такого игрока сейчас нет в мире.»", "", "")
	step("an unknown id", invite(a, 1, 2, 3, 4), "«Такого игрока сейчас нет в мире.»", "", "")
	step("32 bits", invite(a, id(b)...), sent, "1 $A?", "")
	step("no", func() { b.say(b.own(manager(&packets.DeclineInvitation{Token: 1}))) },
		"«$B отклоняет приглашение.»", "", "")
	step("at once again", invite(a, id(b)...), "«"+chat.DeclinedText.Russian+"»", "", "")
	g.pass(rules.DeclineCooldown)
	step("24 bits behind a byte", invite(a, append([]byte{7}, id(b)[:3]...)...), sent, "2 $A?", "")
	step("another's answer", func() { c.say(c.own(manager(&packets.AcceptInvitation{Token: 2}))) },
		"", "", "«Этого приглашения больше нет.»")
	step("again", invite(a, id(b)...), "«Вы уже пригласили этого игрока: он ещё не ответил.»", "", "")
	step("by another", invite(c, id(b)[:3]...), "", "3 $C?", sent)
	step("yes", func() { b.say(b.own(manager(&packets.AcceptInvitation{Token: 2}))) },
		"«$B принимает приглашение.» | 05, 09 | 0C 1 $B", "05, 06 2 1 $A, 06 1 1 $B, 0C 1 $B", "")
	step("about the other", func() {
		a.say(packets.Message(0, c.s().ID(), packets.ClassPlayer,
			manager(&packets.InviteToGroup{Data: id(a)[:3]})))
	}, strings.ReplaceAll(sent, "$B", "$C"), "", "4 $A?")
	step("oneself", invite(a, id(a)...), "«Это вы сами.»", "", "")
	step("a member", invite(a, id(b)...), "«Этот игрок уже состоит в группе.»", "", "")
	step("by a member", invite(b, id(c)...), "", "«Это может только лидер группы.»", "")
	step("C joins", func() { c.say(c.own(manager(&packets.AcceptInvitation{Token: 4}))) },
		"«$C принимает приглашение.» | 0C 1 $C", "06 1 1 $C", "05, 06 2 1 $A, 06 1 1 $B, 06 1 1 $C, 0C 1 $C")
}
