package sim_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
)

// A clanLife has the clients of a swarm found clans, apply to them, take in applicants, and leave.
type clanLife struct {
	ledger *sim.Ledger
	plans  []clanPlan
}

type clanPlan struct {
	random *rand.Rand
	next   time.Time
}

func newClanLife(ledger *sim.Ledger, seed uint64, n int) clanLife {
	l := clanLife{ledger, make([]clanPlan, n)}
	for i := range l.plans {
		l.plans[i].random = rand.New(rand.NewPCG(seed, uint64(i)))
	}
	return l
}

// act does something about clans now and then. It is called after each frame of the i-th client; a request that cannot
// be sent shows as the end of the connection.
func (l clanLife) act(i int, c *bot.Client) {
	p, now := &l.plans[i], time.Now()
	if !c.InWorld() || now.Before(p.next) {
		return
	}
	p.next = now.Add(10*time.Second + time.Duration(p.random.IntN(20_000))*time.Millisecond)
	switch {
	case c.Clan.Rank < 0 && p.random.IntN(3) == 0:
		name := []byte("Clan")
		for range 6 {
			name = append(name, 'a'+byte(p.random.IntN(26)))
		}
		l.ledger.Asks(i, sim.AboutClan)
		_ = c.FoundClan(string(name))
	case c.Clan.Rank < 0:
		if o := p.someone(c); o != 0 {
			l.ledger.Asks(i, sim.AboutClan)
			_ = c.ApplyToClan(o)
		}
	case len(c.Clan.Applicants) > 0 && p.random.IntN(4) > 0:
		_ = c.AcceptIntoClan(c.Clan.Applicants[0])
		c.Clan.Applicants = c.Clan.Applicants[1:]
	case p.random.IntN(4) == 0:
		l.ledger.Asks(i, sim.AboutClan)
		_ = c.LeaveClan(bot.SwarmName("Guest", i))
	}
}

// someone is another player in sight, 0 for none.
func (p *clanPlan) someone(c *bot.Client) packets.ObjectID {
	ids := slices.Sorted(maps.Keys(c.Objects))
	ids = slices.DeleteFunc(ids, func(id packets.ObjectID) bool {
		return id == c.ID() || c.Objects[id].Class != packets.ClassPlayer
	})
	if len(ids) == 0 {
		return 0
	}
	return ids[p.random.IntN(len(ids))]
}

// A warden is an operator that changes the role of an account, bans it and admits it, mutes it and takes that back,
// one after the other. What it is told to be done is stored, and nothing else.
type warden struct {
	random *rand.Rand

	mu   sync.Mutex
	life int  // of the server: what a killed one says counts for nothing
	acts bool // waits for an act
	busy bool // an act is on its way, or has failed: it may be done or not
	told sentence
	next sentence // that the act on its way makes of it
}

// A sentence is how an account stands with the operators.
type sentence struct {
	role          data.Role
	banned, muted bool
}

// act begins an act, unless one is on its way.
func (w *warden) act(h *sim.House) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.acts || w.busy {
		return
	}
	w.acts, w.busy, w.next = true, true, w.told
	life, told, next := w.life, w.told, &w.next
	by, service, on := ops.Owner("warden"), h.Server.Operators(), ops.AccountName{Login: "master"}
	ctx := context.Background()
	var do func() error
	switch w.random.IntN(3) {
	case 0:
		next.role = data.GameMaster + data.Player - told.role
		role := next.role
		do = func() error {
			_, err := ops.SetRole.Do(ctx, service, by, ops.RoleChange{AccountName: on, Role: &role})
			return err
		}
	case 1:
		next.banned = !told.banned
		do = func() error {
			if told.banned {
				_, err := ops.UnbanAccount.Do(ctx, service, by, on)
				return err
			}
			_, err := ops.BanAccount.Do(ctx, service, by, ops.AccountBan{AccountName: on})
			return err
		}
	default:
		next.muted = !told.muted
		do = func() error {
			if told.muted {
				_, err := ops.UnmuteAccount.Do(ctx, service, by, on)
				return err
			}
			_, err := ops.MuteAccount.Do(ctx, service, by, ops.AccountMute{AccountName: on})
			return err
		}
	}
	go func() {
		err := do()
		w.mu.Lock()
		defer w.mu.Unlock()
		if err == nil && w.life == life {
			w.told, w.busy = w.next, false
		}
		w.acts = false
	}()
}

// audit compares what a crash has left with what the warden was told, while everything stands still.
func (w *warden) audit(t testing.TB, s *data.Store) {
	t.Helper()
	a, err := s.AccountByLogin(context.Background(), "master")
	if err != nil {
		t.Fatal(err)
	}
	is := sentence{a.Role, a.Ban != nil, a.Mute != nil}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.acts && w.busy && (is == w.told || is == w.next) {
		w.told, w.busy = is, false
	}
	if is != w.told && !(w.busy && is == w.next) {
		t.Errorf("the warden was told %+v, and a crash leaves %+v", w.told, is)
	}
}
