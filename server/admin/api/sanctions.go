package api

import (
	"math"
	"net/http"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// Requests about players in the world, who are named by the number that they have there, and about accounts.

// Bounds of what bodies ask for.
const (
	maxMinutes = 10 * 365 * 24 * 60
	maxShown   = 1000
)

var notInWorldText = text{"Этого игрока нет в мире.", "This player is not in the world."}

// player finds the player of the path.
func (s *Server) player(r *request) (world.PlayerView, error) {
	id, err := r.number("id")
	if err != nil {
		return world.PlayerView{}, err
	}
	for _, v := range s.o.Game.World().Players {
		if int64(v.ID) == id {
			return v, nil
		}
	}
	return world.PlayerView{}, refuse(http.StatusNotFound, "not-in-world", notInWorldText)
}

// inWorld is a character as it is in the world, nil for one that is not there.
func (s *Server) inWorld(id data.CharacterID) *world.PlayerView {
	players := s.o.Game.World().Players
	for i := range players {
		if players[i].Character == int64(id) {
			return &players[i]
		}
	}
	return nil
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

var (
	oneGoalText = text{"Укажите одно из трёх: place, x с y и z, toPlayer.",
		"Give one of the three: place, x with y and z, toPlayer."}
	outOfWorldText = text{"Этой точки в мире нет.", "There is no such point in the world."}
)

func (b *teleportBody) check(f *fieldErrors) {
	f.line("place", b.Place, 100, false)
	goals := 0
	for _, given := range []bool{b.Place != "", b.X != nil || b.Y != nil || b.Z != nil, b.ToPlayer != 0} {
		if given {
			goals++
		}
	}
	if goals != 1 {
		f.add("place", oneGoalText)
		return
	}
	if b.Place == "" && b.ToPlayer == 0 {
		for name, v := range map[string]*float32{"x": b.X, "y": b.Y, "z": b.Z} {
			if v == nil {
				f.add(name, missingText)
			} else if math.IsNaN(float64(*v)) || math.IsInf(float64(*v), 0) {
				f.add(name, outOfWorldText)
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
		for _, v := range s.o.Game.World().Players {
			if int64(v.ID) == b.ToPlayer {
				m.Beside = v.Name
				return m, nil
			}
		}
		var f fieldErrors
		f.add("toPlayer", notInWorldText)
		err = f.err()
	default:
		m.Position = coords.Position{X: *b.X, Y: *b.Y, Z: *b.Z}
		if b.Yaw != nil {
			m.Position.Yaw = *b.Yaw
		}
	}
	return m, err
}

// movedAnswer is where a teleport leads.
type movedAnswer struct {
	at
	Place text `json:"place"`
}

func describeMove(_ *Server, _ *request, c ops.Character) (any, error) {
	to := c.Position
	return movedAnswer{pointAt(to), whereabouts(to)}, nil
}

type gaveAnswer struct {
	Name  text `json:"name"`
	Count int  `json:"count"`
}

func describeGift(_ *Server, _ *request, g ops.Gave) (any, error) {
	return gaveAnswer{text(g.Name), g.Count}, nil
}

// everybodysAccount is that of nobody.
func everybodysAccount(*Server, *request) (ops.AccountName, error) { return ops.AccountName{}, nil }

// accountOfPath is the account of the path.
func accountOfPath(_ *Server, r *request) (ops.AccountName, error) {
	id, err := r.number("id")
	return ops.AccountName{ID: data.AccountID(id)}, err
}

// penaltyBody is how long a ban or a mute lasts, and why; without an end it lasts for ever.
type penaltyBody struct {
	Until   string `json:"until"` // RFC 3339
	Minutes *int   `json:"minutes"`
	Reason  string `json:"reason"`
}

var (
	eitherText = text{"Укажите либо until, либо minutes.", "Give either until or minutes."}
	momentText = text{"Нужен момент в будущем, например 2030-01-31T12:00:00Z.",
		"Expected a moment in the future, like 2030-01-31T12:00:00Z."}
)

func (b *penaltyBody) check(f *fieldErrors) {
	switch {
	case b.Until != "" && b.Minutes != nil:
		f.add("minutes", eitherText)
	case b.Minutes != nil:
		f.within("minutes", *b.Minutes, 1, maxMinutes)
	case b.Until != "":
		if _, err := time.Parse(time.RFC3339, b.Until); err != nil {
			f.add("until", momentText)
		}
	}
}

// penalty is what the body asks for; it was checked.
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
