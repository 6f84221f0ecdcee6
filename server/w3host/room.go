package w3host

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/transport"
)

func newRoom(h *Host, o *GameOptions, counter, key, seed uint32) *room {
	r := &room{host: h, counter: counter, created: time.Now(), mail: newMailbox(), ended: make(chan struct{}),
		batches: map[transport.Loop][]delivery{}}
	r.game = newGame(&h.options, o, counter, key, seed, h)
	r.publish()
	return r
}

// run owns the game until it is done.
func (r *room) run() {
	defer close(r.ended)
	r.game.create()
	stop := r.host.stop
	timer := time.NewTimer(0)
	defer timer.Stop()
	var mails []mail
	var packets []byte
	for last := time.Now(); !r.game.done; {
		select {
		case <-r.mail.wake:
		case <-timer.C:
		case <-stop:
			stop = nil
			_ = r.mail.put(mail{do: func(g *game) { g.finish(HostStopping) }}, nil)
		}
		mails, packets = r.mail.take(mails, packets)
		now := time.Now()
		ok := r.turn(now.Sub(last), mails, packets)
		last = now
		r.publish() // before the first client is told of it, since that may ask at once
		r.flush()
		if !ok {
			break
		}
		timer.Reset(r.game.wait())
	}
	// Nobody new comes any more: players that have come meanwhile are sent away.
	r.mail.close()
	mails, _ = r.mail.take(nil, nil)
	for _, m := range mails {
		if m.do != nil {
			m.do(r.game)
		} else if !m.from.inside {
			r.game.refuse(m.from, w3gs.RefusedInvalid, errMailboxClosed.Error())
		}
	}
	r.flush()
}

// turn lets time go by and handles new mails. It reports false when the game has broken down: then everybody is sent
// away.
func (r *room) turn(step time.Duration, mails []mail, packets []byte) (ok bool) {
	g := r.game
	defer func() {
		if v := recover(); v != nil {
			r.host.count.panics.Add(1)
			g.log.Error("game panicked", "panic", v, "stack", string(debug.Stack()))
			for _, p := range g.players {
				g.end(p, GamePanicked, fmt.Sprint(v))
			}
			g.state, g.done = Over, true
			r.host.announce(&w3gs.GameCancelled{Game: r.counter})
		}
	}()
	g.pass(step)
	for i := range mails {
		m := &mails[i]
		if m.do != nil {
			m.do(g)
			continue
		}
		packet := packets[:m.packet:m.packet]
		packets = packets[m.packet:]
		g.receive(m.from, packet)
	}
	g.run()
	return true
}

// flush hands the gathered packets for the players to their loops: one piece of work for each loop.
func (r *room) flush() {
	for i, p := range r.game.touched {
		r.game.touched[i] = nil
		p.marked = false
		d := delivery{to: p.session, out: p.out, end: p.ended, reason: p.reason, detail: p.detail}
		p.out = nil
		if p.id != 0 {
			p.session.joined.Store(true)
		}
		loop := p.session.conn.Loop()
		r.batches[loop] = append(r.batches[loop], d)
	}
	r.game.touched = r.game.touched[:0]
	for loop, batch := range r.batches {
		delete(r.batches, loop)
		_ = loop.Execute(func() { // a loop that has stopped has no connections
			for _, d := range batch {
				d.to.deliver(d)
			}
		})
	}
}

// showEvery is how often the status is refreshed while only latencies and counts have changed.
const showEvery = 100 * time.Millisecond

// publish shows the game to others as it is now.
func (r *room) publish() {
	g := r.game
	if old := r.status.Load(); old == nil || g.now-r.shown >= showEvery || old.State != g.state.String() ||
		len(old.Players) != len(g.players) || !slices.Equal(g.slots, old.Slots) {
		s := g.status()
		s.Created = r.created
		r.status.Store(&s)
		r.shown = g.now
	}
	if g.state != Lobby || g.done {
		r.open.Store(nil)
		return
	}
	i := g.info()
	i.Port = r.host.port
	packet, err := w3gs.Append(g.scratch[:0], &i)
	if err != nil {
		g.log.Error("cannot encode", "error", err)
		return
	}
	g.scratch = packet
	if old := r.open.Load(); old == nil || !bytes.Equal(*old, packet) {
		fresh := slices.Clone(packet)
		r.open.Store(&fresh)
	}
}
