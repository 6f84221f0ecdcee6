package api

import (
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// Requests about players in the world, named by their numbers there, and about accounts.

// maxMinutes bounds the lengths in bodies.
const maxMinutes = 10 * 365 * 24 * 60

// find is the first player in the world that a rule fits, nil for none.
func (s *Server) find(fits func(*world.PlayerView) bool) *world.PlayerView {
	players := s.o.Game.World().Players
	for i := range players {
		if fits(&players[i]) {
			return &players[i]
		}
	}
	return nil
}

func (s *Server) player(r *request) (*world.PlayerView, error) {
	id, err := r.id()
	v := s.find(func(v *world.PlayerView) bool { return int64(v.ID) == id })
	switch {
	case err != nil:
		return new(world.PlayerView), err
	case v == nil:
		return new(world.PlayerView), errNotInWorld
	}
	return v, nil
}

// playersAccount is the account of the player of the path, playersCharacter the character.
func playersAccount(s *Server, r *request) (ops.AccountName, error) {
	v, err := s.player(r)
	return ops.AccountName{Login: v.Account}, err
}

func playersCharacter(s *Server, r *request) (ops.CharacterName, error) {
	v, err := s.player(r)
	return ops.CharacterName{ID: data.CharacterID(v.Character)}, err
}

type teleportBody struct {
	Place    string   `json:"place"` // key or name
	X        *float32 `json:"x"`
	Y        *float32 `json:"y"`
	Z        *float32 `json:"z"`
	Yaw      *float32 `json:"yaw"`
	ToPlayer int64    `json:"toPlayer"` // id in the world
}

func (b *teleportBody) check(f *fieldErrors) {
	f.line("place", b.Place, 100, false)
	point := b.X != nil || b.Y != nil || b.Z != nil
	goals := 0
	for _, given := range []bool{b.Place != "", point, b.ToPlayer != 0} {
		if given {
			goals++
		}
	}
	switch {
	case goals != 1:
		f.Add("place", oneGoalText)
	case point:
		for i, v := range []*float32{b.X, b.Y, b.Z} {
			if v == nil { // JSON has no number that is none
				f.Add([]string{"x", "y", "z"}[i], missingText)
			}
		}
	}
}

func moveRequest(s *Server, r *request, b *teleportBody) (ops.Move, error) {
	who, err := playersCharacter(s, r)
	m := ops.Move{CharacterName: who, Place: b.Place, KeepYaw: b.Yaw == nil}
	switch {
	case err != nil || b.Place != "":
	case b.ToPlayer != 0:
		to := s.find(func(v *world.PlayerView) bool { return int64(v.ID) == b.ToPlayer })
		if to == nil {
			return m, fault("toPlayer", notInWorldText)
		}
		m.Beside = to.Name
	default:
		m.Position = coords.Position{X: *b.X, Y: *b.Y, Z: *b.Z}
		if b.Yaw != nil {
			m.Position.Yaw = *b.Yaw
		}
	}
	return m, err
}

type movedAnswer struct {
	geography.Point
	Place text `json:"place"`
}

func describeMove(c ops.Character, err error) (any, error) {
	return movedAnswer{geography.At(c.Position), ops.Where(c.Position)}, err
}

type gaveAnswer struct {
	Name  text `json:"name"`
	Count int  `json:"count"`
}

func describeGift(g ops.Gave, err error) (any, error) { return gaveAnswer{g.Name, g.Count}, err }

// A saidAnswer is a text as players got it: in the characters that they have.
type saidAnswer struct {
	Text string `json:"text"`
}

func describeSaid(b ops.Broadcast, err error) (any, error) { return saidAnswer{b.Text}, err }

// everybodysAccount is the account of a verb on all: none.
func everybodysAccount(*Server, *request) (ops.AccountName, error) { return ops.AccountName{}, nil }

func accountOfPath(_ *Server, r *request) (ops.AccountName, error) {
	id, err := r.id()
	return ops.AccountName{ID: data.AccountID(id)}, err
}

// penaltyBody is how long a ban or a mute lasts, and why; without an end it lasts for ever.
type penaltyBody struct {
	Until   string `json:"until"` // RFC 3339
	Minutes *int   `json:"minutes"`
	Reason  string `json:"reason"`
}

func (b *penaltyBody) check(f *fieldErrors) {
	switch {
	case b.Until != "" && b.Minutes != nil:
		f.Add("minutes", eitherText)
	case b.Minutes != nil:
		f.within("minutes", *b.Minutes, 1, maxMinutes)
	case b.Until != "":
		if _, err := time.Parse(time.RFC3339, b.Until); err != nil {
			f.Add("until", momentText)
		}
	}
}

// penalty is the penalty in the body; it was checked.
func (b *penaltyBody) penalty() ops.Penalty {
	p := ops.Penalty{Reason: b.Reason}
	if b.Minutes != nil {
		p.Until = time.Now().Add(time.Duration(*b.Minutes) * time.Minute)
	} else if b.Until != "" {
		p.Until, _ = time.Parse(time.RFC3339, b.Until)
	}
	return p
}

type muteBody struct{ penaltyBody }

func muteRequest(s *Server, r *request, b *muteBody) (ops.AccountMute, error) {
	who, err := accountOfPath(s, r)
	return ops.AccountMute{AccountName: who, Penalty: b.penalty()}, err
}

type banBody struct {
	penaltyBody
	Confirm string `json:"confirm"`
}

func banRequest(s *Server, r *request, b *banBody) (ops.AccountBan, error) {
	who, err := accountOfPath(s, r)
	return ops.AccountBan{AccountName: who, Penalty: b.penalty(), Confirm: &b.Confirm}, err
}
