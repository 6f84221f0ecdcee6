package api

import (
	"fmt"
	"math"
	"net/http"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/catalogue"
	"sphereserver/server/admin"
	"sphereserver/world"
)

// What is done to players who are in the world. They are named by the number that they have there.

// player finds the player of the path, and the account that plays him.
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

// below finds a player whom the caller may take a measure against; himself is allowed.
func (s *Server) below(r *request) (world.PlayerView, error) {
	v, err := s.player(r)
	if err == nil && data.Role(v.Role) > r.who.role {
		err = s.denied(r, r.who, r.Method+" "+r.URL.Path, refuse(http.StatusForbidden, "role", aboveText, v.Name, data.Role(v.Role)))
	}
	return v, err
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

type kickBody struct {
	Reason string `json:"reason"`
}

func (b *kickBody) check(f *faults) { f.line("reason", b.Reason, maxReason, false) }

func kickPlayer(s *Server, r *request, b *kickBody) (any, error) {
	v, err := s.player(r)
	if err != nil {
		return nil, err
	}
	if _, err := s.target(r, v.Account); err != nil {
		return nil, err
	}
	_, err = s.o.Ops.KickAccount(r.Context(), admin.Kick{Login: v.Account, Reason: b.Reason})
	return nothing{}, err
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
	notInWorldText = text{"Этого игрока нет в мире.", "This player is not in the world."}
	oneGoalText    = text{"Укажите одно из трёх: place, x с y и z, toPlayer.", "Give one of the three: place, x with y and z, toPlayer."}
	noPlaceText    = text{"Такого места нет. Ближайшее название: %s.", "There is no such place. The nearest name is %s."}
	unknownText    = text{"Такого места нет.", "There is no such place."}
	outOfWorldText = text{"Этой точки в мире нет.", "There is no such point in the world."}
)

func (b *teleportBody) check(f *faults) {
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

// goal finds where a teleport leads; turn says that the way to look is known, too.
func (b *teleportBody) goal(s *Server) (to coords.Position, turn bool, err error) {
	var f faults
	switch {
	case b.Place != "":
		place, ok := data.FindPlace(b.Place)
		if ok {
			return place.Position, place.YawKnown, nil
		}
		if _, written, near := data.NearestPlace(b.Place); near {
			f.add("place", noPlaceText, written)
		} else {
			f.add("place", unknownText)
		}
	case b.ToPlayer != 0:
		for _, v := range s.o.Game.World().Players {
			if int64(v.ID) == b.ToPlayer {
				return v.Position, false, nil
			}
		}
		f.add("toPlayer", notInWorldText)
	default:
		to = coords.Position{X: *b.X, Y: *b.Y, Z: *b.Z}
		if b.Yaw != nil {
			to.Yaw, turn = *b.Yaw, true
		}
		if to.Check() != nil {
			f.add("x", outOfWorldText)
		}
	}
	return to, turn, f.problem()
}

func teleportPlayer(s *Server, r *request, b *teleportBody) (any, error) {
	v, err := s.below(r)
	if err != nil {
		return nil, err
	}
	to, turn, err := b.goal(s)
	if err != nil {
		return nil, err
	}
	return s.move(r, v, to, turn)
}

// move teleports a player, as commands do.
func (s *Server) move(r *request, v world.PlayerView, to coords.Position, turn bool) (any, error) {
	m := admin.Move{Name: v.Name, Position: to, KeepYaw: !turn}
	if _, err := s.o.Ops.MoveCharacter(r.Context(), m); err != nil {
		return nil, err
	}
	return movedAnswer{pointAt(to), whereabouts(to)}, nil
}

// movedAnswer is where a teleport leads.
type movedAnswer struct {
	at
	Place both `json:"place"`
}

// unstuckPlayer brings a player to the nearest city, or to where new characters begin.
func unstuckPlayer(s *Server, r *request, _ *nothing) (any, error) {
	v, err := s.below(r)
	if err != nil {
		return nil, err
	}
	to := s.o.Config.Settings().Game.Start
	if city, _, ok := data.NearestCity(v.Position); ok {
		to = city.Position
	}
	return s.move(r, v, to, false)
}

type messageBody struct {
	Text string `json:"text"`
}

func (b *messageBody) check(f *faults) { f.line("text", b.Text, maxReason, true) }

func messagePlayer(s *Server, r *request, b *messageBody) (any, error) {
	v, err := s.player(r)
	if err != nil {
		return nil, err
	}
	_, err = s.o.Ops.Say(r.Context(), admin.Saying{Login: v.Account, Text: b.Text})
	return nothing{}, err
}

func say(s *Server, r *request, b *messageBody) (any, error) {
	_, err := s.o.Ops.Say(r.Context(), admin.Saying{Text: b.Text})
	return nothing{}, err
}

type giveBody struct {
	Item   string `json:"item"` // name, or number in the catalogue
	Count  *int   `json:"count"`
	Suffix *int   `json:"suffix"`
}

func (b *giveBody) check(f *faults) {
	f.line("item", b.Item, 100, true)
	if b.Count != nil {
		f.within("count", *b.Count, 1, 10000)
	}
}

var (
	noItemText   = text{"Такого предмета нет.", "There is no such thing."}
	nearItemText = text{"Такого предмета нет. Ближайшее название: %s.", "There is no such thing. The nearest name is %s."}
	noSuffixText = text{"У этого предмета нет такого суффикса.", "This thing has no such suffix."}
	countText    = text{"Количество — от 1 до %d.", "The count is from 1 to %d."}
)

// thing finds what is to be given.
func (b *giveBody) thing(kinds *catalogue.Catalogue) (kind *catalogue.Kind, suffix, count int, err error) {
	var f faults
	suffix, count = catalogue.NoSuffix, 1
	found := kinds.Find(b.Item, 1)
	switch {
	case len(found) == 0:
		f.add("item", noItemText)
		return nil, 0, 0, f.problem()
	case found[0].Distance > 0:
		f.add("item", nearItemText, found[0].Kind.Name("ru"))
		return nil, 0, 0, f.problem()
	}
	kind, suffix = found[0].Kind, found[0].Suffix
	if b.Suffix != nil {
		suffix = *b.Suffix
	}
	if suffix != catalogue.NoSuffix && kinds.Suffix(kind, suffix) == nil {
		f.add("suffix", noSuffixText)
	}
	if b.Count != nil {
		count = *b.Count
	}
	if most := max(1, kind.Stack); count > most {
		f.add("count", countText, most)
	}
	return kind, suffix, count, f.problem()
}

type gaveAnswer struct {
	Name  both `json:"name"`
	Count int  `json:"count"`
}

func giveThing(s *Server, r *request, b *giveBody) (any, error) {
	v, err := s.below(r)
	if err != nil {
		return nil, err
	}
	kinds := s.o.Game.Kinds()
	kind, suffix, count, err := b.thing(kinds)
	if err != nil {
		return nil, err
	}
	with := kinds.Suffix(kind, suffix)
	if err := s.o.Game.Give(r.Context(), data.CharacterID(v.Character), kind, suffix, count); err != nil {
		return nil, err
	}
	entry := data.AuditEntry{Who: r.who.name(), Action: "character give", Target: v.Name,
		Detail: fmt.Sprintf("%d × %s (%d, suffix %d)", count, kind.FullName(with, "en"), kind.ID, suffix)}
	return gaveAnswer{both{kind.FullName(with, "ru"), kind.FullName(with, "en")}, count}, s.o.Ops.Store.AppendAudit(r.Context(), entry)
}
