package session

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// A listed character is one of the character screen, with its record there.
type listed struct {
	data.Character
	record *packets.CharacterRecord
}

// list reads the characters of an account.
func (srv *Manager) list(ctx context.Context, account data.AccountID) ([]listed, error) {
	characters, err := srv.options.Store.Characters(ctx, account)
	if err != nil {
		return nil, err
	}
	all := make([]listed, len(characters))
	for i := range characters {
		items, err := srv.options.Store.Items(ctx, characters[i].ID)
		if err != nil {
			return nil, err
		}
		all[i] = listed{characters[i], record(&characters[i], srv.options.Screen(&characters[i], items))}
	}
	return all, nil
}

// loggedIn shows the character screen, unless the client has chosen before it has seen that: what follows the choice
// is not to be mixed with it. Next state: CharacterScreen.
func (s *Session) loggedIn(characters []listed) {
	var records [data.Slots]*packets.CharacterRecord
	for i := range records {
		records[i] = packets.EmptyRecord()
	}
	for i := range characters {
		c := &characters[i]
		s.characters[c.Slot], records[c.Slot] = &c.Character, c.record
	}
	s.server.options.Log.Info("logged in", "address", s.addr.String(), "player", s.index.String(), "login", s.user,
		"characters", len(characters))
	s.takeFor(s.record.Dialect)
	s.setState(CharacterScreen)
	delays := s.server.options.Delays
	onScreen := func(d time.Duration, do func(*Session)) {
		s.loop.after(d, s, func(s *Session) {
			if s.state == CharacterScreen {
				do(s)
			}
		})
	}
	onScreen(delays.Screen, func(s *Session) {
		s.Send(packets.OwnerMessage(s.index, &packets.CharacterScreen{}))
		onScreen(delays.Records, func(s *Session) {
			for _, r := range records {
				s.Send(packets.OwnerMessage(s.index, r))
			}
		})
	})
}

// record is how the character screen shows a character: as it will be when it enters. Of a robe and an armour the one
// that is not worn has no code when the other one has.
//
// Source: protocol session 6.2.
func record(c *data.Character, is Shown) *packets.CharacterRecord {
	d, p, w := &is.Sheet.Derived, &is.Sheet.Pools, is.Worn
	stat := func(i int) int16 { return int16(min(max(d.Stats[i], math.MinInt16), math.MaxInt16)) }
	points := func(n int) uint16 { return uint16(min(max(n, 0), math.MaxUint16)) }
	code := func(worn byte) uint8 { return cmp.Or(worn, packets.NothingWorn) }
	r := &packets.CharacterRecord{
		MaxHP: points(p.MaxHP), MaxMP: points(p.MaxMP),
		Strength: stat(0), Agility: stat(1), Accuracy: stat(2), Endurance: stat(3),
		Earth: stat(4), Air: stat(5), Water: stat(6), Fire: stat(7),
		PhysicalDefence: points(d.PhysicalDefence), MagicalDefence: points(d.MagicalDefence),
		Karma: uint8(rules.KarmaType(c.Karma)), MaxSatiety: int16(c.MaxSatiety), Satiety: int16(c.Satiety),
		Title: uint16(c.TitleLevel), Degree: uint16(c.DegreeLevel), TitleXP: c.TitleXP, DegreeXP: c.DegreeXP,
		HP: points(p.HP), MP: points(p.MP), TitlePoints: uint16(c.TitlePoints), DegreePoints: uint16(c.DegreePoints),
		Look: int32(look(c)), Name: c.Name, Face: c.Face, Hair: c.Hair, HairColour: c.HairColour, Tattoo: c.Tattoo,
		Boots: code(w.Boots), Pants: code(w.Pants), Chest: code(w.Armour), Robe: code(w.Robe), Gloves: code(w.Gloves),
		Shield: w.Shield, Helmet: w.Helmet, Unknown1: packets.NothingWorn, Unknown2: packets.NothingWorn,
		Deletion: packets.NotQueued,
	}
	switch {
	case w.Armour != 0 && w.Robe == 0:
		r.Robe = 0
	case w.Robe != 0 && w.Armour == 0:
		r.Chest = 0
	}
	if c.Female {
		r.Gender = 1
	}
	return r
}

// look is the look word: a byte each of face, hair, hair colour and tattoo.
func look(c *data.Character) uint32 {
	return uint32(c.Face) | uint32(c.Hair)<<8 | uint32(c.HairColour)<<16 | uint32(c.Tattoo)<<24
}

// Looks that the client offers are counted from the digit 0.
//
// Source: protocol session 6.6.
const (
	minLook = '0'
	maxLook = 127
)

// chosen is the character of a request. It is nil while another request is served, and ends the session if there is
// none.
func (s *Session) chosen(in *incoming) *data.Character {
	slot := in.request.slot
	switch {
	case s.busy:
		return nil
	case slot < 0 || slot >= len(s.characters) || s.characters[slot] == nil:
		s.End(EmptySlot, "")
		return nil
	}
	return s.characters[slot]
}

// storing runs work elsewhere while the character screen waits; requests that come meanwhile are not listened to. The
// account stays the session's until the work is done, so that the next session sees its outcome.
func (s *Session) storing(work func(ctx context.Context) (done func(*Session), err error)) {
	s.busy = true
	account := s.account
	s.server.online.keep(account, s)
	s.Go(func(ctx context.Context) {
		defer s.server.online.release(account, s)
		done, err := work(ctx)
		s.Post(func(s *Session) {
			s.busy = false
			if err != nil {
				s.Log().Error("store failed", "error", err)
				s.End(StoreFailed, err.Error())
				return
			}
			done(s)
		})
	})
}

// selectCharacter loads the belongings of the character. Next state: Entering.
func (s *Session) selectCharacter(in *incoming) {
	c := s.chosen(in)
	if c == nil {
		return
	}
	id, account := c.ID, s.account
	s.storing(func(ctx context.Context) (func(*Session), error) {
		s.loading.mu.Lock()
		defer s.loading.mu.Unlock()
		c, err := s.server.options.Store.CharacterByID(ctx, id) // as it is now
		if err != nil {
			return nil, err
		}
		items, err := s.server.options.Store.Items(ctx, id)
		if err != nil {
			return nil, err
		}
		kept, err := s.server.options.Store.Vault(ctx, account)
		s.loading.chosen = id
		return func(s *Session) { s.enter(&c, items, kept) }, err
	})
}

// createCharacter makes a character and enters with it. Next state: Entering, or CharacterScreen again if the
// character is refused.
func (s *Session) createCharacter(in *incoming) {
	if s.busy {
		return
	}
	r := in.request
	if why := s.creationFault(&r); why != "" {
		s.refuseCharacter(r.name, why)
		return
	}
	n := s.server.options.NewCharacter(s.account, Creation{Slot: r.slot, Name: r.name, Look: r.look, Female: r.female})
	for _, b := range []byte{n.Face, n.Hair, n.HairColour, n.Tattoo} {
		if b < minLook || b > maxLook {
			s.refuseCharacter(r.name, "look is not one that the client offers")
			return
		}
	}
	now := s.Real()
	s.storing(func(ctx context.Context) (func(*Session), error) { return s.makeCharacter(ctx, n, now), nil })
}

// creationFault says why a character is refused before the store is asked, "" if it is not.
func (s *Session) creationFault(r *request) string {
	switch err := rules.CheckName(r.name); {
	case r.slot < 0 || r.slot >= len(s.characters) || s.characters[r.slot] != nil:
		return "no free slot of that number"
	case err != nil:
		return err.Error()
	case s.Role() == data.Player && rules.ClaimsAuthority(r.name):
		return "the name is kept for operators"
	case !s.server.makers.mayMake(s.account, s.Real()):
		return "the account has made too many characters within an hour"
	}
	return ""
}

// refuseCharacter tells the client that its character is refused: it may try again.
func (s *Session) refuseCharacter(name, why string) {
	level := slog.LevelDebug // a client may try thirty times a second
	if s.first(noteRefused) {
		level = slog.LevelInfo
	}
	s.Log().Log(context.Background(), level, "character refused", "login", s.user, "name", name, "why", why)
	s.Send(packets.OwnerMessage(s.index, &packets.NameRejected{}))
}

// makeCharacter makes a character away from the loop. The creation is the last step that can fail, and is counted at
// once, since the client may be gone when it is done.
func (s *Session) makeCharacter(ctx context.Context, n data.NewCharacter, now time.Time) (done func(*Session)) {
	s.loading.mu.Lock()
	defer s.loading.mu.Unlock()
	var c data.Character
	var items []rules.Item
	kept, err := s.server.options.Store.Vault(ctx, n.Account)
	if err == nil {
		c, items, err = s.server.options.Store.CreateCharacter(ctx, n)
	}
	switch {
	case errors.Is(err, data.ErrNameTaken), errors.Is(err, data.ErrSlotTaken):
		return func(s *Session) { s.refuseCharacter(n.Name, err.Error()) }
	case err != nil:
		s.Log().Error("cannot create character", "error", err)
		return func(s *Session) { s.refuseCharacter(n.Name, "the store failed") }
	}
	s.loading.chosen = c.ID
	s.server.count.charactersNew.Add(1)
	s.server.makers.made(n.Account, now)
	s.Log().Info("character created", "login", s.user, "name", c.Name, "slot", c.Slot)
	return func(s *Session) {
		s.Send(packets.OwnerMessage(s.index, &packets.NameAccepted{}))
		s.enter(&c, items, kept)
	}
}

// deleteCharacter deletes and closes: that is the protocol's answer.
//
// Source: protocol session 6.4.
func (s *Session) deleteCharacter(in *incoming) {
	c := s.chosen(in)
	if c == nil {
		return
	}
	id := c.ID
	s.storing(func(ctx context.Context) (func(*Session), error) {
		c, err := s.server.options.Store.DeleteCharacter(ctx, id)
		return func(s *Session) {
			s.server.count.charactersDeleted.Add(1)
			s.Log().Info("character deleted", "login", s.user, "name", c.Name, "slot", c.Slot)
			s.End(CharacterDeleted, "")
		}, err
	})
}
