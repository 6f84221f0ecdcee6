package game

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// What operators do to the belongings and levels of characters. Of who is in the world the world changes them, of all others the
// store; never both, so that nothing is done twice or undone by an older state.

// errands are requests of operators that the world works on.
type errands struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan outcome
}

// An outcome is what has come of an operator's request.
type outcome struct {
	money int64 // of the character now
	why   rules.RejectReason
}

// begin numbers a request.
func (o *errands) begin() (tag uint64, answer chan outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = map[uint64]chan outcome{}
	}
	o.last++
	answer = make(chan outcome, 1)
	o.waiting[o.last] = answer
	return o.last, answer
}

// done answers a request of an operator; false if the command is none.
func (o *errands) done(c world.Command, money int64, why rules.RejectReason) bool {
	var tag uint64
	switch c := c.(type) {
	case world.Give:
		tag = c.Tag
	case world.Clear:
		tag = c.Tag
	case world.GiveMoney:
		tag = c.Tag
	case world.SetLevels:
		tag = c.Tag
	default:
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if answer := o.waiting[tag]; answer != nil {
		answer <- outcome{money, why}
		delete(o.waiting, tag)
	}
	return true
}

// forget is for a request that nobody waits for any more.
func (o *errands) forget(tag uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.waiting, tag)
}

// An errand is something to be done to a character, in the way that its being in the world or not asks for.
type errand struct {
	inWorld func(id world.PlayerID, tag uint64) world.Command
	stored  func(ctx context.Context, c *data.Character) (rules.Change, error)
}

// A refusedError is an errand that the world has refused.
type refusedError struct{ why rules.RejectReason }

func (e *refusedError) Error() string { return "game: " + e.why.String() }

// RefusedBy returns why the world has refused what an operator wanted; 0 if it is another error.
func RefusedBy(err error) rules.RejectReason {
	var refused *refusedError
	if errors.As(err, &refused) {
		return refused.why
	}
	return 0
}

// errandRetry is how long an errand waits for a character that is on its way into the world or out of it.
const errandRetry = 20 * time.Millisecond

var errAgain = errors.New("to be tried again")

// run does an errand, and returns when it is durable.
func (s *Server) run(ctx context.Context, id data.CharacterID, e errand) (outcome, error) {
	for {
		c, err := s.store.CharacterByID(ctx, id)
		if err != nil {
			return outcome{}, err
		}
		var out outcome
		p := s.online.of(c.Account)
		switch {
		case p == nil:
			out, err = s.runAlone(ctx, c.Account, id, e)
		case p.session.gone.Load() || p.session.loop == nil:
			err = errAgain
		default:
			out, err = s.runPlaying(ctx, p, id, e)
		}
		if !errors.Is(err, errAgain) {
			return out, err
		}
		select {
		case <-time.After(errandRetry):
		case <-ctx.Done():
			return outcome{}, fmt.Errorf("game: character %q is being saved or loaded: %w", c.Name, ctx.Err())
		}
	}
}

// runAlone does an errand in the store while nobody uses the account, and keeps everybody from logging in meanwhile.
func (s *Server) runAlone(ctx context.Context, account data.AccountID, id data.CharacterID, e errand) (outcome, error) {
	hold := new(Session) // a login waits for it as for a session that is ending
	hold.gone.Store(true)
	if err := s.online.claim(ctx, account, hold, false); err != nil {
		if ctx.Err() == nil {
			return outcome{}, errAgain
		}
		return outcome{}, err
	}
	defer s.online.release(account, hold)
	return s.runStored(ctx, id, e)
}

func (s *Server) runStored(ctx context.Context, id data.CharacterID, e errand) (outcome, error) {
	c, err := s.store.CharacterByID(ctx, id)
	if err != nil {
		return outcome{}, err
	}
	change, err := e.stored(ctx, &c)
	if err == nil {
		_, err = s.store.Apply(ctx, change)
	}
	if errors.Is(err, data.ErrConflict) {
		err = errAgain
	}
	out := outcome{money: c.Money}
	for _, m := range change.Money {
		out.money = m.Is
	}
	return out, err
}

// runPlaying does an errand while the account has a session: in the world if the character is there, in the store if it is not going to
// be there in a moment.
func (s *Server) runPlaying(ctx context.Context, p *presence, id data.CharacterID, e errand) (outcome, error) {
	type place struct {
		inWorld, elsewhere bool
	}
	found := make(chan place, 1)
	p.session.later(func(session *Session) {
		inWorld := session.playing != nil && session.playing.ID == id
		found <- place{inWorld && session.state == InWorld, !inWorld && session.state >= CharacterScreen}
	})
	var at place
	select {
	case at = <-found:
	case <-p.gone:
		return outcome{}, errAgain
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	}
	switch {
	case at.inWorld:
		return s.runInWorld(ctx, p, e)
	case !at.elsewhere:
		return outcome{}, errAgain
	}
	books := &p.session.books
	books.mu.Lock()
	defer books.mu.Unlock()
	if books.chosen == id || p.session.gone.Load() {
		return outcome{}, errAgain
	}
	return s.runStored(ctx, id, e)
}

func (s *Server) runInWorld(ctx context.Context, p *presence, e errand) (outcome, error) {
	tag, answer := s.errands.begin()
	defer s.errands.forget(tag)
	s.world.Do(e.inWorld(p.session.player(), tag))
	select {
	case out := <-answer:
		switch out.why {
		case 0:
			return out, nil
		case rules.NobodyThere: // it has just left
			return out, errAgain
		}
		return out, &refusedError{out.why}
	case <-ctx.Done():
		return outcome{}, fmt.Errorf("game: the world has not answered yet: %w", ctx.Err())
	}
}

// books are what keeps an operator from changing in the store what a session is reading to enter with.
type books struct {
	mu     sync.Mutex
	chosen data.CharacterID // whose belongings have been read
}

// Give puts a thing into the inventory of a character. suffix is [catalogue.NoSuffix] for none, count 1 to the stack of the kind.
func (s *Server) Give(ctx context.Context, to data.CharacterID, kind *catalogue.Kind, suffix, count int) error {
	if most := max(1, kind.Stack); count < 1 || count > most {
		return fmt.Errorf("game: expected a count from 1 to %d, found %d", most, count)
	}
	_, err := s.run(ctx, to, errand{
		inWorld: func(id world.PlayerID, tag uint64) world.Command {
			return world.Give{To: id, Kind: kind.ID, Suffix: suffix, Count: count, Tag: tag}
		},
		stored: func(ctx context.Context, c *data.Character) (rules.Change, error) {
			item, err := s.newItem(ctx, c.ID, kind, suffix, count)
			return rules.Change{Items: []rules.ItemChange{{Is: item}}}, err
		}})
	return err
}

// The inventory.
//
// Source: protocol ingame 10.1.
const firstInventory, lastInventory = 26, 35

// newItem is a new thing in the first free place of a character's inventory.
func (s *Server) newItem(ctx context.Context, to data.CharacterID, kind *catalogue.Kind, suffix, count int) (*rules.StoredItem, error) {
	items, err := s.store.Items(ctx, to)
	if err != nil {
		return nil, err
	}
	taken := map[int]bool{}
	for i := range items {
		if items[i].In == 0 {
			taken[items[i].Slot] = true
		}
	}
	for slot := firstInventory; slot <= lastInventory; slot++ {
		if taken[slot] {
			continue
		}
		columns := kind.With(s.Kinds().Suffix(kind, suffix))
		durability := columns.Durability
		if durability <= 0 {
			durability = 100
		}
		return &rules.StoredItem{Owner: int64(to), Item: rules.Item{Slot: slot, Class: kind.Class, GameID: kind.GameID, Suffix: suffix,
			Count: count, Durability: durability, MaxDurability: durability, Weight: columns.Weight, Extra: newExtra(kind)}}, nil
	}
	return nil, &refusedError{rules.NoRoom}
}

// Clear takes what a character carries out of existence: what is in its inventory, or all.
func (s *Server) Clear(ctx context.Context, id data.CharacterID, all bool) error {
	_, err := s.run(ctx, id, errand{
		inWorld: func(id world.PlayerID, tag uint64) world.Command { return world.Clear{ID: id, All: all, Tag: tag} },
		stored: func(ctx context.Context, c *data.Character) (change rules.Change, err error) {
			items, err := s.store.Items(ctx, c.ID)
			gone := map[rules.ItemID]bool{}
			for i := range items { // bags come before what is in them
				it := &items[i]
				if it.In == 0 && (all || it.Slot >= firstInventory && it.Slot <= lastInventory) || gone[it.In] {
					gone[it.ID] = true
					was := &rules.StoredItem{Item: *it, Owner: int64(c.ID)}
					change.Items = append([]rules.ItemChange{{Was: was}}, change.Items...)
				}
			}
			return change, err
		}})
	return err
}

// SetMoney gives a character an amount of money, or as much more or less; it returns what it has then.
func (s *Server) SetMoney(ctx context.Context, id data.CharacterID, amount int64, relative bool) (int64, error) {
	for {
		var was int64
		change := func(has int64) int64 {
			was = has
			if relative {
				return amount
			}
			return amount - has
		}
		c, err := s.store.CharacterByID(ctx, id) // who is in the world has as much, but for what is being made durable
		if err != nil {
			return 0, err
		}
		by := change(c.Money)
		out, err := s.run(ctx, id, errand{
			inWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.GiveMoney{To: id, Amount: by, Tag: tag}
			},
			stored: func(_ context.Context, c *data.Character) (rules.Change, error) {
				is := c.Money + change(c.Money)
				switch {
				case is < 0:
					return rules.Change{}, &refusedError{rules.TooPoor}
				case is > rules.MaxMoney:
					return rules.Change{}, &refusedError{rules.TooRich}
				}
				return rules.Change{Money: []rules.MoneyChange{{Character: int64(c.ID), Was: c.Money, Is: is}}}, nil
			}})
		switch why := RefusedBy(err); {
		case err == nil && (relative || out.money == amount):
			return out.money, nil
		case err == nil, !relative && (why == rules.TooPoor || why == rules.TooRich) && amount >= 0 && amount <= rules.MaxMoney:
			continue // it has got or spent something meanwhile
		}
		return was, err
	}
}

// SetLevels gives a character levels, absolute and less one, without experience towards the next. A negative one stays. What it has
// spent of its points stays spent; it is not asked back.
func (s *Server) SetLevels(ctx context.Context, id data.CharacterID, title, degree int) error {
	c, err := s.store.CharacterByID(ctx, id)
	if err != nil {
		return err
	}
	if title < 0 {
		title = c.TitleLevel
	}
	if degree < 0 {
		degree = c.DegreeLevel
	}
	_, err = s.run(ctx, id, errand{
		inWorld: func(id world.PlayerID, tag uint64) world.Command {
			return world.SetLevels{ID: id, Title: title, Degree: degree, Tag: tag}
		},
		stored: func(_ context.Context, c *data.Character) (rules.Change, error) {
			setLevels(c, title, degree)
			return rules.Change{Progress: []rules.ProgressChange{{Character: int64(c.ID), Title: title, Degree: degree,
				Progress: c.Progress(), Pools: rules.Pools{HP: c.HP, MP: c.MP, Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}}}}, nil
		}})
	return err
}

// setLevels gives a character levels, less one.
func setLevels(c *data.Character, title, degree int) {
	wasTitle, wasDegree := data.TotalPoints(c.TitleLevel, c.DegreeLevel)
	isTitle, isDegree := data.TotalPoints(title, degree)
	c.TitlePoints = max(0, c.TitlePoints+isTitle-wasTitle)
	c.DegreePoints = max(0, c.DegreePoints+isDegree-wasDegree)
	c.StatPoints = c.TitlePoints + c.DegreePoints
	c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP = title, degree, 0, 0
	c.HP = min(c.HP, data.MaxHP(title, degree))
	c.MP = min(c.MP, data.MaxMP(title, degree))
}
