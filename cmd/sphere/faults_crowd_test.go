//go:build system && unix

package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/bot"
)

// A botCrowd is players that walk about on one square, in sight of each other, talk, form groups, handle things, and
// compare their sights with the true places of the others.
type botCrowd struct {
	t     *testing.T
	swarm *bot.Swarm
	stop  context.CancelFunc
	done  chan struct{}
}

// botCrowd lets players in and waits until all of them are there.
func (p *process) botCrowd(n int, change func(*bot.SwarmOptions)) *botCrowd {
	p.t.Helper()
	o := bot.SwarmOptions{Addr: p.game, Count: n, Password: password,
		Client: bot.Options{Walk: bot.Square, PingEvery: 500 * time.Millisecond, ChatEvery: 30 * time.Second,
			GroupEvery: 10 * time.Second, ItemsEvery: 10 * time.Second, Patience: timesPatient()}}
	if change != nil {
		change(&o)
	}
	swarm, err := bot.NewSwarm(o)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	h := &botCrowd{p.t, swarm, cancel, make(chan struct{})}
	go func() {
		defer close(h.done)
		swarm.Run(ctx)
	}()
	p.t.Cleanup(func() {
		cancel()
		<-h.done
	})
	const login = 200 * time.Millisecond // on a machine that has other things to do, too
	within(p.t, patience+time.Duration(n)*login, "the square is full", func() bool {
		f := swarm.Figures()
		return f.Entries >= n && (n == 1 || f.Compared > 0)
	})
	return h
}

// within waits for so long until something is so.
func within(t *testing.T, limit time.Duration, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// leaves ends the crowd. No client may have been lost, and none may have had a wrong sight.
func (h *botCrowd) leaves() *bot.Figures {
	h.t.Helper()
	h.stop()
	<-h.done
	f := h.swarm.Figures()
	if len(f.Disconnects) > 0 || len(f.Violations) > 0 {
		h.t.Errorf("of the crowd were lost %v; found %+v", f.Disconnects, f.Violations)
	}
	return f
}

// witnesses lets players in that step to and fro among the crowd; their latencies are returned when their watch ends.
func (p *process) witnesses(prefix string, n int) (ends func() latencies) {
	p.t.Helper()
	all := make([]*bystander, n)
	for i := range all {
		all[i] = p.watchAs(bot.SwarmName(prefix, i), func(at coords.Position, i int) coords.Position {
			at.X += []float32{0.5, 0.5, -0.5, -0.5}[i%4]
			return at
		})
	}
	return func() latencies {
		var times []time.Duration
		for _, b := range all {
			b.ends()
			times = append(times, b.latencies...)
		}
		return summary(times)
	}
}

// Fault case 30: a crowd of players in sight of each other talk, group, and come and go, for a long time. The
// server's memory does not grow with time, and when everybody has left, it has freed all.
func TestFaultSoakOfACrowdIsFlat(t *testing.T) {
	besideOthers(t)
	n, span, stay := size(12, 1000), time.Duration(size(6, 20*60))*time.Second, time.Duration(size(5, 300))*time.Second
	// Thousands of monsters come while the server begins: its memory when empty would be measured before or after that.
	p := serveIn(t, t.TempDir(), "--hash-workers", "2", "--monsters=false")
	empty := p.rest()
	h := p.botCrowd(n, func(o *bot.SwarmOptions) {
		o.Stay, o.Client.PingEvery = stay, time.Duration(size(200, 2000))*time.Millisecond
	})
	const samples = 20
	var held []rest // each connection's goroutines and files taken off
	begin := time.Now()
	sample := func() {
		r := p.rest()
		r.files -= r.sessions
		held = append(held, r)
	}
	for i := range samples {
		time.Sleep(time.Until(begin.Add(span * time.Duration(i+1) / samples)))
		sample()
	}
	early, heap, heapSlack := held[samples/4:samples/2], func(r rest) int { return r.heap }, 4<<20+n*(8<<10)
	if !full { // on a busy machine two passwords are being checked nearly always, with 19 MiB each
		heapSlack += 2 * 20 << 20
	}
	f, late := h.leaves(), held[samples*3/4:]
	for _, v := range []struct {
		what  string
		of    func(rest) int
		slack int
	}{
		{"bytes of heap", heap, heapSlack},
		{"goroutines", func(r rest) int { return r.goroutines }, 20},
		{"descriptors besides connections", func(r rest) int { return r.files }, 20 + n/10}, // some come or go meanwhile
	} {
		if a, b := least(early, v.of), least(late, v.of); b > a+v.slack {
			t.Errorf("%s grow from %d to %d", v.what, a, b)
		}
	}
	// kept of the sessions that have ended: the end of the log, tables and buffers that were large once
	after := p.settled(empty, 12<<20+n*(8<<10))
	counters := p.status().Counters
	if counters["panics"]+counters["belongings_conflicts"]+counters["belongings_failed"] > 0 {
		t.Errorf("counted %v", counters)
	}
	figure(t, "30", "%d moving players who see each other for %v, %d sessions: heap %d KiB after a third, %d KiB at the "+
		"end, %+d KiB when all have left; goroutines %d and %d, %+d; descriptors besides connections %d and %d, %+d; "+
		"answers p50 %v, p99 %v; %d sightings compared, none wrong",
		n, span, f.Entries, least(early, heap)>>10, least(late, heap)>>10, (after.heap-empty.heap)>>10,
		least(early, func(r rest) int { return r.goroutines }), least(late, func(r rest) int { return r.goroutines }),
		after.goroutines-empty.goroutines,
		least(early, func(r rest) int { return r.files }), least(late, func(r rest) int { return r.files }),
		after.files-empty.files,
		f.Answers.Quantile(0.5).Round(10*time.Microsecond), f.Answers.Quantile(0.99).Round(10*time.Microsecond), f.Compared)
}

// least is the least of a value of the measured rests: a password that is being checked is many megabytes, for a
// moment.
func least(held []rest, of func(rest) int) int {
	n := of(held[0])
	for _, r := range held {
		n = min(n, of(r))
	}
	return n
}

// Fault case 23: another program holds the database while a crowd plays. Nobody is lost, nobody new comes in meanwhile,
// and everything is saved afterwards.
func TestFaultLockedDatabaseHoldsUpNobody(t *testing.T) {
	besideOthers(t)
	n, held := size(8, 200), time.Duration(size(1500, 30_000))*time.Millisecond
	p := serveIn(t, t.TempDir(), "--save-every", "500ms", "--hash-workers", "2")
	h := p.botCrowd(n, func(o *bot.SwarmOptions) { o.Client.ItemsEvery = 0 }) // their requests would wait, as they should
	ws, over := p.walkers(size(3, 50), 50*time.Millisecond)
	watched := p.witnesses("Witness", 1)
	ticks := p.status().Counters["ticks"]
	release := lockDatabase(t, p.dir)
	begin := time.Now()
	time.Sleep(held)
	s := p.status()
	lived, took := s.Counters["ticks"]-ticks, time.Since(begin)
	if s.Players != n+len(ws)+1 {
		t.Errorf("%d players are left of %d: %v", s.Players, n+len(ws)+1, s.Counters)
	}
	release()
	freed := time.Now()
	p.player("Новичок", 0, "Новичок")
	back := time.Since(freed)
	felt, f := watched(), h.leaves()
	stop := time.Now()
	p.stop()
	over()
	p.saved(ws, stop, 0)
	p.check()
	figure(t, "23", "the database held by another program for %v under %d players: nobody lost, %d ticks in %v; a new "+
		"player is in %v after it was let go; a player meanwhile: %v; %d sightings compared, none wrong",
		held, n+len(ws), lived, took.Round(100*time.Millisecond), back.Round(10*time.Millisecond), felt, f.Compared)
}

// lockDatabase keeps everybody else from writing the database of a folder.
func lockDatabase(t *testing.T, dir string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, data.DatabaseFile)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err == nil {
		_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
		db.Close()
	})
	t.Cleanup(release)
	return release
}
