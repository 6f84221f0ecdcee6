// Package game is the game server: it listens, leads each client from its greeting through login and character screen
// into the world, answers urgent requests at once, and brings events of the world to the players that they concern.
//
// A [session.Session] belongs to one event loop of package transport and is touched there only. The world (package
// world) has its own goroutine; the store (package data) is called from goroutines that may wait. ARCHITECTURE.md has
// the picture.
package game

import (
	"fmt"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A Server is one game server.
type Server struct {
	*session.Manager // of sessions; its exported methods are the server's, too

	options   Options
	store     Store
	transport *transport.Server
	world     *world.World

	saver      *autosaver
	commits    commitQueue // of belongings
	pendingOps pendingOps  // of operators
	ops        *ops.Service
	clans      clans
	chat       *chat.Service
	view       *view.View
	metrics    measure.Registry
	count      *counters

	settling sync.Mutex
	settled  rules.SpawnBalance // by which spawners are where they are; with settling

	rates rateKeeper

	doubts doubts

	words        atomic.Pointer[Words] // that count
	orders       orderKeeper
	wordsChanged chan struct{}

	planTurn    sync.Mutex                      // of a change of the plan, and of the look whether it is due
	plan        atomic.Pointer[ops.PlannedStop] // nil: none
	planChanged chan struct{}
	restartAt   atomic.Int64  // of each day, ns after midnight; negative for never
	stopDue     chan struct{} // closed when the plan's time has come

	newcomers *world.Layout   // nil: new characters begin in towns
	entry     coords.Position // the place that clients are told to load before they know their dungeon
	hall      coords.Position // origin of the newcomers' dungeon that lies in the open world

	running  sync.WaitGroup // the server's own goroutines
	starting sync.Mutex     // Stop may come while Serve starts
	worldEnd chan struct{}  // closed to stop the world
	failed   chan struct{}  // closed when the world, or another essential part, has failed, with failure
	failing  sync.Once
	failure  error
}

// Addr is the address that the server listens on.
func (s *Server) Addr() netip.AddrPort { return s.transport.Addr() }

// placeOf is where the latest snapshot of the world has a player.
func (s *Server) placeOf(id world.PlayerID) coords.Position {
	v, _ := s.viewOf(id)
	return v.Position
}

// viewOf is a player in the latest snapshot of the world.
func (s *Server) viewOf(id world.PlayerID) (v world.PlayerView, ok bool) {
	players := s.world.Snapshot().Players
	i, ok := slices.BinarySearchFunc(players, id,
		func(v world.PlayerView, id world.PlayerID) int { return int(v.ID) - int(id) })
	if ok {
		v = players[i]
	}
	return v, ok
}

// essential runs a part that the server cannot do without. A panic there is a failure of the server: everybody is
// saved, and the process ends.
func (s *Server) essential(what string, run func()) {
	defer func() {
		if v := recover(); v != nil {
			s.fail(fmt.Errorf("game: %s panicked: %v\n%s", what, v, debug.Stack()))
		}
	}()
	run()
}

// fail ends Serve with an error; the first one counts.
func (s *Server) fail(err error) {
	s.failing.Do(func() {
		s.failure = err
		close(s.failed)
	})
}

// Online reports whether an account has a session, and which character is in the world with it, 0 for none.
func (s *Server) Online(account data.AccountID) (bool, data.CharacterID) {
	if p := s.playing(account); p != nil {
		return true, p.character.ID
	}
	return s.Presence(account) != nil, 0
}

// playing is the player of an account that is in the world, nil for none.
func (s *Server) playing(account data.AccountID) *player {
	of := s.Presence(account)
	if of == nil || of.Session.Gone() {
		return nil
	}
	if p := s.playerOf(world.PlayerID(of.Session.Index())); p != nil && p.entered.Load() {
		return p
	}
	return nil
}

// Present is a character that is in the world, as the latest snapshot has it, or as it has entered since then.
func (s *Server) Present(account data.AccountID, id data.CharacterID) (world.PlayerView, bool) {
	p := s.playing(account)
	if p == nil || p.character.ID != id {
		return world.PlayerView{}, false
	}
	if v, ok := s.viewOf(p.id()); ok && v.Character == int64(id) {
		return v, true
	}
	return world.PlayerView{ID: p.id(), Character: int64(id), Name: p.character.Name, Account: p.client.Login(),
		Position: p.Here()}, true
}

// World returns the latest snapshot of the world.
func (s *Server) World() *world.Snapshot { return s.world.Snapshot() }

// A Resident is a character that is in the world.
type Resident struct {
	Name     string
	Account  string // login
	Position coords.Position
}

// InWorld lists the characters that are in the world, as of the latest snapshot, without players that have left since.
func (s *Server) InWorld() []Resident {
	players := s.world.Snapshot().Players
	out := make([]Resident, 0, len(players))
	for _, p := range players {
		if of := s.playerOf(p.ID); of == nil || of.Session.Gone() || int64(of.character.ID) != p.Character {
			continue
		}
		out = append(out, Resident{p.Name, p.Account, p.Position})
	}
	return out
}
