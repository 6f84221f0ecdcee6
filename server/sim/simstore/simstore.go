// Package simstore makes the requests to a store take simulated time, so that simulations have one order of events.
package simstore

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

// A Store is the server's store, which takes as much simulated time as a test wants, and fails when it is told to.
//
// SQLite itself takes none: of two requests in one moment the scheduler would choose the first. So each write, and each
// read on the way of a login, takes a time that follows from its contents, and is done in a moment that no other
// request has, nor any tick, nor anything that comes over the network. Other reads, which operators and documents ask
// for, take no time and never fail.
type Store struct {
	*data.Store
	// Applied, if not nil, is called with each change of belongings that is durable, before the server knows it.
	Applied func(*rules.Change)

	delay  atomic.Int64
	broken atomic.Pointer[error]

	mu    sync.Mutex
	asked []*request         // of one moment, without moments of their own yet
	taken map[time.Time]bool // moments in which requests will be done
}

// A request waits for its turn.
type request struct {
	asked    time.Time
	contents []byte
	done     time.Time // its moment, zero as long as it has none
}

// Fail makes these requests fail with an error, until it is nil again. A request that has begun to write writes all.
func (s *Store) Fail(err error) {
	if err == nil {
		s.broken.Store(nil)
		return
	}
	s.broken.Store(&err)
}

// Delay has each of them take so long, besides less than a millisecond of its own.
func (s *Store) Delay(d time.Duration) { s.delay.Store(int64(d)) }

// turn waits for the time that a request takes, and reports whether it may be done.
func (s *Store) turn(ctx context.Context, about ...any) error {
	contents, err := json.Marshal(about)
	if err != nil {
		return err
	}
	r := &request{asked: time.Now(), contents: contents}
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	time.Sleep(time.Nanosecond) // all that ask in this moment have done so by then
	own := s.moment(r)
	select {
	case <-time.After(time.Until(own)):
	case <-ctx.Done():
		time.Sleep(own.Sub(r.asked) % time.Millisecond) // a deadline that a tick has set comes with one
		return ctx.Err()
	}
	if broken := s.broken.Load(); broken != nil {
		return *broken
	}
	return nil
}

// Moments are two nanoseconds after a multiple of step: those of the network are odd, and ticks come at its multiples.
const step = 4

// moment returns the moment in which a request is done. Of those that were asked for in one moment the first to come
// here gives all theirs, in the order of their contents.
func (s *Store) moment(of *request) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !of.done.IsZero() {
		return of.done
	}
	same := slices.DeleteFunc(slices.Clone(s.asked), func(r *request) bool { return !r.asked.Equal(of.asked) })
	s.asked = slices.DeleteFunc(s.asked, func(r *request) bool { return r.asked.Equal(of.asked) })
	slices.SortFunc(same, func(a, b *request) int { return bytes.Compare(a.contents, b.contents) })
	now := time.Now()
	maps.DeleteFunc(s.taken, func(at time.Time, _ bool) bool { return at.Before(now) })
	if s.taken == nil {
		s.taken = map[time.Time]bool{}
	}
	for _, r := range same {
		sum := fnv.New64a()
		sum.Write(r.contents)
		own := time.Duration(sum.Sum64() % uint64(time.Millisecond-2*step))
		at := r.asked.Add(time.Duration(s.delay.Load()) + own).Truncate(step).Add(step + step/2)
		for s.taken[at] {
			at = at.Add(step)
		}
		s.taken[at], r.done = true, at
	}
	return of.done
}

// asked has a request wait for its turn, and then done.
func asked[T any](ctx context.Context, s *Store, do func() (T, error), about ...any) (T, error) {
	if err := s.turn(ctx, about...); err != nil {
		var none T
		return none, err
	}
	return do()
}

func (s *Store) told(ctx context.Context, do func() error, about ...any) error {
	if err := s.turn(ctx, about...); err != nil {
		return err
	}
	return do()
}

func (s *Store) AccountByLogin(ctx context.Context, login string) (data.Account, error) {
	return asked(ctx, s, func() (data.Account, error) { return s.Store.AccountByLogin(ctx, login) }, "account", login)
}

func (s *Store) CreateAccount(ctx context.Context, login, hash string, role data.Role) (data.Account, error) {
	return asked(ctx, s, func() (data.Account, error) {
		return s.Store.CreateAccount(ctx, login, hash, role)
	}, "create", login)
}

func (s *Store) TouchLogin(ctx context.Context, id data.AccountID, at time.Time, from string) error {
	return s.told(ctx, func() error { return s.Store.TouchLogin(ctx, id, at, from) }, "touch", id)
}

func (s *Store) SetPassword(ctx context.Context, id data.AccountID, hash string) error {
	return s.told(ctx, func() error { return s.Store.SetPassword(ctx, id, hash) }, "password", id)
}

func (s *Store) SetRole(ctx context.Context, id data.AccountID, role data.Role) error {
	return s.told(ctx, func() error { return s.Store.SetRole(ctx, id, role) }, "role", id, role)
}

func (s *Store) SetLanguage(ctx context.Context, id data.AccountID, language string) error {
	return s.told(ctx, func() error { return s.Store.SetLanguage(ctx, id, language) }, "language", id, language)
}

func (s *Store) SetDialect(ctx context.Context, id data.AccountID, dialect string) error {
	return s.told(ctx, func() error { return s.Store.SetDialect(ctx, id, dialect) }, "dialect", id, dialect)
}

func (s *Store) DeleteAccount(ctx context.Context, id data.AccountID) error {
	return s.told(ctx, func() error { return s.Store.DeleteAccount(ctx, id) }, "delete account", id)
}

func (s *Store) Ban(ctx context.Context, id data.AccountID, b data.Ban) error {
	return s.told(ctx, func() error { return s.Store.Ban(ctx, id, b) }, "ban", id, b)
}

func (s *Store) Unban(ctx context.Context, id data.AccountID) error {
	return s.told(ctx, func() error { return s.Store.Unban(ctx, id) }, "unban", id)
}

func (s *Store) Mute(ctx context.Context, id data.AccountID, m data.Mute) error {
	return s.told(ctx, func() error { return s.Store.Mute(ctx, id, m) }, "mute", id, m)
}

func (s *Store) Unmute(ctx context.Context, id data.AccountID) error {
	return s.told(ctx, func() error { return s.Store.Unmute(ctx, id) }, "unmute", id)
}

func (s *Store) BanAddress(ctx context.Context, b data.AddressBan) error {
	return s.told(ctx, func() error { return s.Store.BanAddress(ctx, b) }, "ban address", b)
}

func (s *Store) UnbanAddress(ctx context.Context, p netip.Prefix) error {
	return s.told(ctx, func() error { return s.Store.UnbanAddress(ctx, p) }, "unban address", p)
}

func (s *Store) AddNote(ctx context.Context, id data.AccountID, by, text string) (data.Note, error) {
	return asked(ctx, s, func() (data.Note, error) { return s.Store.AddNote(ctx, id, by, text) }, "note", id, text)
}

func (s *Store) DeleteNote(ctx context.Context, id data.NoteID) error {
	return s.told(ctx, func() error { return s.Store.DeleteNote(ctx, id) }, "delete note", id)
}

func (s *Store) Characters(ctx context.Context, id data.AccountID) ([]data.Character, error) {
	return asked(ctx, s, func() ([]data.Character, error) { return s.Store.Characters(ctx, id) }, "characters", id)
}

func (s *Store) Vault(ctx context.Context, account data.AccountID) ([]rules.Item, error) {
	return asked(ctx, s, func() ([]rules.Item, error) { return s.Store.Vault(ctx, account) }, "vault", account)
}

func (s *Store) Items(ctx context.Context, id data.CharacterID) ([]rules.Item, error) {
	return asked(ctx, s, func() ([]rules.Item, error) { return s.Store.Items(ctx, id) }, "items", id)
}

func (s *Store) CreateCharacter(ctx context.Context, n data.NewCharacter) (
	c data.Character, items []rules.Item, err error) {
	err = s.told(ctx, func() error {
		c, items, err = s.Store.CreateCharacter(ctx, n)
		return err
	}, "new", n.Account, n.Name)
	return c, items, err
}

func (s *Store) DeleteCharacter(ctx context.Context, id data.CharacterID) (data.Character, error) {
	return asked(ctx, s, func() (data.Character, error) { return s.Store.DeleteCharacter(ctx, id) }, "delete", id)
}

func (s *Store) UndeleteCharacter(ctx context.Context, id data.CharacterID, slot int) (data.Character, error) {
	return asked(ctx, s, func() (data.Character, error) { return s.Store.UndeleteCharacter(ctx, id, slot) }, "undelete", id)
}

func (s *Store) MoveCharacter(ctx context.Context, id data.CharacterID, p coords.Position) error {
	return s.told(ctx, func() error { return s.Store.MoveCharacter(ctx, id, p) }, "move", id, p)
}

func (s *Store) RenameCharacter(ctx context.Context, id data.CharacterID, name string) error {
	return s.told(ctx, func() error { return s.Store.RenameCharacter(ctx, id, name) }, "rename", id, name)
}

func (s *Store) CreateClan(ctx context.Context, by data.CharacterID, name string) (data.ClanChange, error) {
	return asked(ctx, s, func() (data.ClanChange, error) { return s.Store.CreateClan(ctx, by, name) }, "clan", by, name)
}

func (s *Store) JoinClan(ctx context.Context, by, who data.CharacterID) (data.ClanChange, error) {
	return asked(ctx, s, func() (data.ClanChange, error) { return s.Store.JoinClan(ctx, by, who) }, "join", by, who)
}

func (s *Store) LeaveClan(ctx context.Context, who data.CharacterID) (data.ClanChange, error) {
	return asked(ctx, s, func() (data.ClanChange, error) { return s.Store.LeaveClan(ctx, who) }, "leave", who)
}

func (s *Store) ExpelFromClan(ctx context.Context, by, who data.CharacterID) (data.ClanChange, error) {
	return asked(ctx, s, func() (data.ClanChange, error) { return s.Store.ExpelFromClan(ctx, by, who) }, "expel", by, who)
}

func (s *Store) SetClanRank(ctx context.Context, by, who data.CharacterID, rank data.ClanRank) (
	data.ClanChange, error) {
	return asked(ctx, s, func() (data.ClanChange, error) { return s.Store.SetClanRank(ctx, by, who, rank) }, "rank", by,
		who, rank)
}

func (s *Store) ClanOf(ctx context.Context, id data.CharacterID) (data.Clan, error) {
	return asked(ctx, s, func() (data.Clan, error) { return s.Store.ClanOf(ctx, id) }, "clan of", id)
}

func (s *Store) ClanMembers(ctx context.Context, id data.ClanID) ([]data.ClanMember, error) {
	return asked(ctx, s, func() ([]data.ClanMember, error) { return s.Store.ClanMembers(ctx, id) }, "members", id)
}

func (s *Store) TurnSpawners(ctx context.Context, keys []string, off bool) error {
	return s.told(ctx, func() error { return s.Store.TurnSpawners(ctx, keys, off) }, "spawners", keys, off)
}

func (s *Store) Ignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error) {
	return asked(ctx, s, func() (rules.Ignored, error) { return s.Store.Ignore(ctx, who, other) }, "ignore", who, other)
}

func (s *Store) Unignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error) {
	return asked(ctx, s, func() (rules.Ignored, error) { return s.Store.Unignore(ctx, who, other) }, "unignore", who,
		other)
}

func (s *Store) SaveLive(ctx context.Context, states []rules.LiveState) error {
	return s.told(ctx, func() error { return s.Store.SaveLive(ctx, states) }, "live")
}

func (s *Store) SaveGround(ctx context.Context, cells []rules.GroundCell) error {
	return s.told(ctx, func() error { return s.Store.SaveGround(ctx, cells) }, "ground")
}

func (s *Store) SaveCharacters(ctx context.Context, cs []data.Character) error {
	return s.told(ctx, func() error { return s.Store.SaveCharacters(ctx, cs) }, "save")
}

func (s *Store) Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error) {
	ids, err := asked(ctx, s, func() ([]rules.ItemID, error) { return s.Store.Apply(ctx, c) }, "apply", c)
	if err == nil && s.Applied != nil {
		s.Applied(&c)
	}
	return ids, err
}

func (s *Store) Rates(ctx context.Context) ([]data.Rate, error) {
	return asked(ctx, s, func() ([]data.Rate, error) { return s.Store.Rates(ctx) }, "rates")
}

func (s *Store) SetRate(ctx context.Context, r data.Rate) error {
	return s.told(ctx, func() error { return s.Store.SetRate(ctx, r) }, "set rate", r.Kind)
}

func (s *Store) EndRates(ctx context.Context, k rules.RateKind) error {
	return s.told(ctx, func() error { return s.Store.EndRates(ctx, k) }, "end rates", k)
}

func (s *Store) Orders(ctx context.Context) (map[data.OrderKey]data.Order, error) {
	return asked(ctx, s, func() (map[data.OrderKey]data.Order, error) { return s.Store.Orders(ctx) }, "orders")
}

func (s *Store) SetOrder(ctx context.Context, key data.OrderKey, o data.Order) error {
	return s.told(ctx, func() error { return s.Store.SetOrder(ctx, key, o) }, "set order", key)
}

func (s *Store) EndOrder(ctx context.Context, key data.OrderKey) error {
	return s.told(ctx, func() error { return s.Store.EndOrder(ctx, key) }, "end order", key)
}

func (s *Store) AppendAudit(ctx context.Context, e data.AuditEntry) error {
	return s.told(ctx, func() error { return s.Store.AppendAudit(ctx, e) }, "audit", e)
}
