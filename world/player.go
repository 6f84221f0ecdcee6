package world

import (
	"errors"
	"fmt"
	"time"

	"sphereserver/coords"
)

// A PlayerID names a player while it is in the world. Who lets a player enter chooses it, unique among those inside.
type PlayerID uint32

// A Player is what enters and leaves the world.
type Player struct {
	ID         PlayerID
	Character  int64 // the same character may not enter twice
	Name       string
	Account    string // who plays it
	Role       Role
	Title      int // level less one
	Degree     int
	Position   coords.Position
	Pools      Pools
	Appearance Appearance
	Entered    time.Time

	// Belongings. In the world they are kept elsewhere: Things and Kept are those with which it enters and leaves, and nil in other events.
	Items      []Item // carried, in any order
	VaultItems []Item // in the vault of the account
	Vault      int64  // number of the account whose vault that is, 0: none
	Money      int64  // 0 to MaxMoney
	Progress   Progress
}

// A player is one who is inside.
type player struct {
	sight
	cell *cell
	slot int // in cell.players

	Player
	walk
	membership
	belongings
	heard      bool // from its client, since it entered
	acceptedAt time.Time
	settleBy   time.Time // a teleport is under way until then
	unsaved    bool      // in World.moved
	gone       bool
	bucket     int // of World.vitals
	index      int // in World.order
}

// enter lets a player in.
func (w *World) enter(p Player, now time.Time) (*player, error) {
	if p.ID == 0 {
		return nil, errors.New("player id 0 means the server")
	}
	if _, ok := w.players[p.ID]; ok {
		return nil, fmt.Errorf("a player with id %d is in the world already", p.ID)
	}
	if other, ok := w.characters[p.Character]; ok {
		return nil, fmt.Errorf("character %d is in the world already, as player %d", p.Character, other)
	}
	if err := p.Position.Check(); err != nil {
		return nil, err
	}
	p.Entered = now
	in := &player{Player: p, acceptedAt: now, bucket: int(w.tick % uint64(vitalBuckets)), index: len(w.order), walk: walk{told: p.Position}}
	w.equip(in)
	w.players[p.ID] = in
	w.order = append(w.order, in)
	w.characters[p.Character] = p.ID
	if name := foldName(p.Name); name != "" && w.names[name] == nil {
		w.names[name] = in
	}
	w.vitals[in.bucket] = append(w.vitals[in.bucket], in)
	w.grid.addPlayer(in)
	return in, nil
}

// leave takes a player out: first out of its group and out of everybody's sight.
func (w *World) leave(p *player) {
	w.leaveGroups(p)
	w.putDown(p)
	w.vanishForAll(p)
	w.grid.removePlayer(p)
	p.gone = true
	delete(w.players, p.ID)
	delete(w.characters, p.Character)
	if name := foldName(p.Name); w.names[name] == p {
		delete(w.names, name)
	}
	last := len(w.order) - 1
	w.order[p.index] = w.order[last]
	w.order[p.index].index = p.index
	w.order[last] = nil
	w.order = w.order[:last]
	bucket := w.vitals[p.bucket]
	for i, other := range bucket {
		if other == p {
			last := len(bucket) - 1
			bucket[i], bucket[last] = bucket[last], nil
			w.vitals[p.bucket] = bucket[:last]
			break
		}
	}
}

// place puts a player somewhere and remembers that this is to be saved.
func (w *World) place(p *player, at coords.Position, now time.Time) {
	p.Position, p.acceptedAt = at, now
	w.grid.movePlayer(p)
	if !p.unsaved {
		p.unsaved = true
		w.moved = append(w.moved, p)
	}
}

// teleport puts a player somewhere, shows it what is there, and shows it to those who are there.
func (w *World) teleport(p *player, to coords.Position, now time.Time) {
	w.place(p, to, now)
	p.settleBy = now.Add(settleTime)
	w.tell(Teleported{p.ID, to})
	w.look(p, now)
	p.told = to
	if still := w.witnesses(p); len(still) > 0 {
		w.tell(w.jumped.put(TeleportSeen{p.ID, to, still}))
	}
}
