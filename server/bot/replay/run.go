package replay

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

const (
	defaultPatience = 10 * time.Second
	// leastPatience is the least patience, for a session that misses one message after the other.
	leastPatience = 500 * time.Millisecond
	// astray is how many messages in a row are missed until it makes no sense to play on.
	astray = 5
	// secondThoughts is how long a message that fits, but differs, waits for one that fits exactly.
	secondThoughts = 300 * time.Millisecond
	// longestQuiet is how long the end of a session waits at most where the recording was silent.
	longestQuiet = 500 * time.Millisecond
	// oneTick is more than a tick of the world: a session that leaves within it may leave together with the one before.
	oneTick = 60 * time.Millisecond
)

// Replay plays the recording and reports the differences. The error says why it could not be played.
func (t *Recording) Replay(ctx context.Context, o Options) (*Report, error) {
	if err := t.Playable(); err != nil {
		return nil, err
	}
	o.Patience = cmp.Or(o.Patience, defaultPatience)
	r := &play{rec: t, options: o, begun: time.Now(), people: newIDMap(), playing: map[string]bool{},
		players: map[*Session]*player{}, taken: map[string]bool{}, report: newReport(t), acted: -1}
	r.random = rand.New(rand.NewPCG(cmp.Or(o.Seed, rand.Uint64()), 0))
	r.choose()
	defer func() {
		for _, s := range t.Sessions {
			if p := r.players[s]; p != nil {
				p.conn.Close()
			}
		}
	}()
	for _, e := range t.events {
		if !e.session.About.Whole {
			continue
		}
		r.keepPace(ctx, e)
		if err := r.step(ctx, e); err != nil {
			return nil, err
		}
	}
	for _, s := range t.Sessions { // that went on when the recording ended
		if p := r.players[s]; p != nil && !p.over {
			r.heard = r.since()
			p.leave()
		}
	}
	r.report.Took = r.since()
	r.report.Seconds = r.report.Took.Seconds()
	return r.report, ctx.Err()
}

// keepPace waits before an event as long as the recording did, at the speed of the options.
func (r *play) keepPace(ctx context.Context, e event) {
	leaves := e.kind == recording.Closed && e.session.End.Client
	if leaves || e.kind == recording.Client {
		var quiet time.Duration
		switch {
		case r.options.Speed > 0 && r.acted >= 0:
			quiet = time.Duration(float64(e.at-r.acted) / r.options.Speed)
		case leaves:
			quiet = min(e.at-r.before, longestQuiet)
		}
		if leaves && (!r.parting || quiet > oneTick) {
			r.heard = r.since() + quiet/2
		}
		pause(ctx, quiet)
		r.acted, r.parting = e.at, leaves
	}
	r.before = e.at
}

// choose chooses logins and names.
func (r *play) choose() {
	names := &r.options.names
	logins := map[string]string{} // that stand for the recorded ones
	for i, s := range r.rec.Sessions {
		login := s.Who.Login
		if _, known := logins[login]; !known && r.options.Rename && s.startsAnew() {
			logins[login] = r.newLogin(login)
		} else if !known {
			logins[login] = login
		}
		if r.report.Sessions[i].Login = logins[login]; i < len(r.options.Logins) && r.options.Logins[i] != "" && login != "" {
			r.report.Sessions[i].Login = r.options.Logins[i]
		}
		if s.Character == "" {
			continue
		}
		name := s.Character
		if r.options.Rename {
			names.Set(name, r.newName(name, names.Text(name)))
			name = names.Text(name)
		}
		r.playing[name] = true
		r.report.Sessions[i].Character = name
	}
}

// startsAnew reports whether the session could be one of an account that there was not before: without a character and
// without a role.
func (s *Session) startsAnew() bool {
	return s.About.Whole && s.slots > 0 && !s.used && s.Who.Role == "player"
}

// newLogin is a free login that shows the recorded one that it stands for.
func (r *play) newLogin(login string) string {
	const kept, added = 20, 8 // letters
	begins := []rune(login)
	return string(begins[:min(len(begins), kept)]) + "-" + string(r.letters(added))
}

// newName is a name of as many letters; the same for the same character.
func (r *play) newName(name, chosen string) string {
	if chosen != name {
		return chosen
	}
	letters := r.letters(packets.Len1251(name))
	letters[0] -= 'a' - 'A'
	return string(letters)
}

func (r *play) letters(n int) []byte {
	letters := make([]byte, n)
	for i := range letters {
		letters[i] = 'a' + byte(r.random.IntN(26))
	}
	return letters
}

func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (r *play) step(ctx context.Context, e event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := r.players[e.session]
	if p == nil {
		var err error
		at := r.report.session(e.session)
		if r.taken[at.Login] {
			at.Skipped = "its account has other characters than it had"
		}
		if at.Skipped != "" {
			return nil
		}
		if p, err = r.dial(ctx, e.session, at.Login); err != nil {
			return err
		}
		r.players[e.session] = p
		r.tell("session %d connects", e.session.Number)
	}
	if p.over {
		return nil
	}
	switch e.kind {
	case recording.Server:
		for _, m := range messages(e.frame, r.rec.Dialect, e.at) {
			p.expect(ctx, m)
			if p.over {
				break
			}
		}
	case recording.Client:
		p.hold(ctx, e.frame)
		r.report.Sent++
		if err := p.send(e.frame); err != nil {
			p.lose(e.at)
		}
	case recording.Closed:
		if e.session.End.Client {
			p.leave()
		} else {
			p.awaitEnd(ctx, e)
		}
	case recording.Lost:
		p.over = true
		p.conn.Close()
	}
	return nil
}

// hold keeps a client from sending faster than it may: positions that come within one tick of the world are one, and
// the server minds too many frames and too fast walks.
func (p *player) hold(ctx context.Context, frame []byte) {
	if p.play.options.Speed > 0 && p.play.options.Speed <= 1 {
		return
	}
	plain, _ := p.deobfuscator.Plain(frame)
	if ping, ok := packets.ReadPing(plain); ok {
		pause(ctx, p.paced.walk(p.play.since(), ping.Position))
	}
	pause(ctx, p.paced.frame(p.play.since()))
}

const (
	burst          = 30   // frames
	framesPerSec   = 20.0 // after that
	stride         = 25.0 // metres at once
	metresPerSec   = 10.0 // after that
	betweenPlaces  = oneTick
	teleportMetres = 500.0 // a longer one was no walk
)

func (c *pace) frame(now time.Duration) time.Duration {
	c.frames.Refill(now, framesPerSec)
	c.frames.Spend(1)
	return c.frames.Debt(framesPerSec, burst)
}

func (c *pace) walk(now time.Duration, to coords.Position) time.Duration {
	wait := time.Duration(0)
	if c.stood {
		wait = max(0, c.pinged+betweenPlaces-now)
		if far := c.stands.Distance(to); far < teleportMetres {
			c.metres.Refill(now, metresPerSec)
			c.metres.Spend(far)
			wait = max(wait, c.metres.Debt(metresPerSec, stride))
		}
	}
	c.stood, c.stands, c.pinged = true, to, now+wait
	return wait
}

// expect waits for a message that was recorded, and compares.
func (p *player) expect(ctx context.Context, m *message) {
	if again := p.was.stands(m); again || m.isIgnored() || p.wildThen.has(m) || p.unknownThen(m) {
		return
	}
	p.play.report.Compared++
	if m.kind == removal {
		defer p.objects.free(m.object)
	}
	deadline := time.Now().Add(p.patience)
	var settle time.Time // when a message that differs is good enough
	for {
		open := p.gather()
		best, how := p.best(m)
		now := time.Now()
		switch {
		case best >= 0 && (len(how.changes) == 0 || !open || !settle.IsZero() && now.After(settle) || now.After(deadline)):
			p.accept(best, m, how)
			return
		case best >= 0 && settle.IsZero():
			settle = now.Add(secondThoughts)
		case best < 0 && (now.After(deadline) || ctx.Err() != nil):
			p.differ(Difference{Kind: Missing, Message: describe(m, p.recordedName(m.object)), Detail: m.words()}, m.at)
			p.patience = max(p.patience/2, leastPatience)
			if p.missed++; p.missed == astray {
				p.abandon(m.at)
			}
			return
		case best < 0 && !open:
			p.lose(m.at)
			return
		}
		wait := time.Until(deadline)
		if !settle.IsZero() {
			wait = min(wait, time.Until(settle))
		}
		p.wait(ctx, wait)
	}
}

// unknownThen reports whether a recorded message is about a player of no session, or about an object without a recorded
// spawn, or without one now: that is told once.
func (p *player) unknownThen(m *message) bool {
	if line, ok := m.body.(*packets.ChatLine); ok {
		return !p.play.playing[p.play.options.names.Text(line.Sender)]
	}
	if m.ctl != nil || m.creates() && m.class != packets.ClassPlayer || m.region == nil && m.kind != removal {
		return false
	}
	if _, credentials := m.body.(*packets.LoginTime); credentials {
		return false
	}
	_, known := p.toNow(m.object)
	return !known
}

// best returns the message that fits best: the first that is the same, else the first with the fewest differences; -1
// for none.
func (p *player) best(m *message) (at int, how *matcher) {
	at = -1
	for i, candidate := range p.pending {
		switch c := p.match(m, candidate); {
		case c.other:
		case len(c.changes) == 0:
			return i, c
		case at < 0 || len(c.changes) < len(how.changes):
			at, how = i, c
		}
	}
	return at, how
}

// accept takes a message for a recorded one.
func (p *player) accept(at int, m *message, how *matcher) {
	got := p.pending[at]
	p.pending = slices.Delete(p.pending, at, at+1)
	p.matched, p.recorded, p.missed = max(p.matched, got.at), m.at, 0
	for _, b := range how.bound {
		p.objects.bind(b[0], b[1])
	}
	if p.otherCharacters(m, got) {
		return
	}
	for _, c := range how.changes {
		p.differ(Difference{Kind: Changed, Message: describe(m, p.recordedName(m.object)), Field: c.Field,
			Recorded: c.Was, Now: c.Now}, m.at)
	}
}

// otherCharacters ends a session with a character in a slot that was empty: all that the recording does there comes
// out otherwise.
func (p *player) otherCharacters(was, now *message) bool {
	empty, ok := was.body.(*packets.CharacterRecord)
	if !ok || empty.Name != "" || now.body.(*packets.CharacterRecord).Name == "" {
		return false
	}
	p.play.taken[p.login] = true
	p.pending, p.over = nil, true
	p.conn.Close()
	p.differ(Difference{Kind: Abandoned, Message: fmt.Sprintf("the account %s has the character %s in a slot that "+
		"was empty, so its sessions are not played: name another account, or have a new one made", p.login,
		now.body.(*packets.CharacterRecord).Name)}, was.at)
	return true
}

// end ends a session. Messages that have come up to a time and were not recorded are told, unless they are about
// objects that are told elsewhere.
func (p *player) end(until time.Duration) {
	p.gather()
	for _, m := range p.pending {
		if m.at <= until && !p.unknownNow(m) {
			p.differ(Difference{Kind: Additional, Message: describe(m, p.presentName(m.object)), Detail: m.words()}, p.recorded)
		}
	}
	p.pending, p.over = nil, true
	p.conn.Close()
}

// abandon ends a session that has gone another way than the recorded one.
func (p *player) abandon(at time.Duration) {
	p.end(p.play.since())
	p.differ(Difference{Kind: Abandoned,
		Message: fmt.Sprintf("%d messages in a row are missing: the rest of the session is not played", astray)}, at)
}

// lose tells that the server has closed where it had not.
func (p *player) lose(at time.Duration) {
	p.gather()
	why := "the server has closed the connection"
	if slices.ContainsFunc(p.pending, func(m *message) bool {
		_, refused := m.body.(*packets.CannotConnect)
		return refused
	}) {
		why = "the server has refused the login: the password is another, the account is banned or in the world"
	}
	p.end(p.play.since())
	p.differ(Difference{Kind: Closed, Message: why}, at)
}

// leave ends a session as its client did. Messages after half of the silence before are not looked at: in the
// recording they may have been on their way.
func (p *player) leave() {
	p.end(p.play.heard)
	p.play.tell("session %d leaves", p.s.Number)
}

// awaitEnd waits until the server closes, as it did.
func (p *player) awaitEnd(ctx context.Context, e event) {
	deadline := time.Now().Add(p.patience)
	for p.gather() {
		if time.Now().After(deadline) || ctx.Err() != nil {
			p.differ(Difference{Kind: Open, Message: "the server does not close the connection",
				Recorded: e.session.End.Reason}, e.at)
			break
		}
		p.wait(ctx, time.Until(deadline))
	}
	p.end(p.play.since())
	p.play.tell("session %d is closed by the server", p.s.Number)
}

// unknownNow reports whether a message is about an object that is told elsewhere: its making is a difference itself.
func (p *player) unknownNow(m *message) bool {
	if m.creates() || m.ctl != nil || m.class == packets.ClassPlayer {
		return false
	}
	return !p.taken(m.object)
}
