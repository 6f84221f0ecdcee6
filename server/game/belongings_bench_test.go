package game

import (
	"testing"

	"sphereserver/packets"
	"sphereserver/server/session"
)

// BenchmarkMove is an item that is moved to another slot: the request, a tick, a transaction that is on the disk,
// another tick, the answer. Without the time that goes by between ticks.
func BenchmarkMove(b *testing.B) {
	g := newStage(b, func(o *Options) { crowded(o); o.Limits.FramesPerSecond, o.Limits.FramesBurst = 1e9, 1e9 })
	p := g.possessing(0, sword(26))
	from, to := uint8(26), uint8(27)
	for b.Loop() {
		p.say(p.own(contMan(&packets.MoveSlot{Player: p.s().ID(), From: from, To: to})))
		g.pass(2 * session.WheelPeriod)
		from, to = to, from
		p.got = p.got[:0]
	}
	if n := g.server.count.changes.Load(); n < uint64(b.N) {
		b.Fatalf("%d changes of %d", n, b.N)
	}
}
