package world

import (
	"errors"
	"fmt"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
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
	Pools      rules.Pools
	Appearance Appearance
	Entered    time.Time

	// Belongings. In the world they are kept elsewhere: Things and Kept are those with which it enters and leaves, and nil in other events.
	Items      []rules.Item // carried, in any order
	VaultItems []rules.Item // in the vault of the account
	Vault      int64        // number of the account whose vault that is, 0: none
	Money      int64        // 0 to MaxMoney
	Progress   rules.Progress
}

// A player is one who is inside.
type player struct {
	entity
	Player
	membership
	belongings
	heard      bool // from its client, since it entered
	acceptedAt time.Time
	settleBy   time.Time // a teleport is under way until then
	unsaved    bool      // in World.unsaved
}

// enter lets a player in.
func (w *World) enter(p Player, now time.Time) (*player, error) {
	if p.ID == 0 {
		return nil, errors.New("player id 0 means the server")
	}
	if p.ID > MaxPlayerID {
		return nil, fmt.Errorf("player id %d is above %d", p.ID, MaxPlayerID)
	}
	if w.player(p.ID) != nil || w.failed[p.ID] != nil {
		return nil, fmt.Errorf("a player with id %d is in the world already", p.ID)
	}
	if other, ok := w.characters[p.Character]; ok {
		return nil, fmt.Errorf("character %d is in the world already, as player %d", p.Character, other)
	}
	if err := p.Position.Check(); err != nil {
		return nil, err
	}
	p.Entered = now
	in := &player{Player: p, acceptedAt: now}
	in.entity = entity{id: EntityID(p.ID), sort: players, shown: &in.Position, player: in}
	w.equip(in)
	w.add(&in.entity)
	w.characters[p.Character] = p.ID
	if name := foldName(p.Name); name != "" && w.names[name] == nil {
		w.names[name] = in
	}
	w.every(rules.RegenerationPeriod, &in.entity, (*World).regenerate)
	return in, nil
}

// leave takes a player out: first out of its group and out of everybody's sight.
func (w *World) leave(p *player) {
	if !p.gone {
		w.disappear(p)
	}
	w.putDown(p)
	p.due = nil
	delete(w.characters, p.Character)
	delete(w.failed, p.ID)
}

// disappear takes a player out of its group, out of everybody's sight, and out of what others can name.
func (w *World) disappear(p *player) {
	w.leaveGroups(p)
	w.drop(&p.entity)
	if name := foldName(p.Name); w.names[name] == p {
		delete(w.names, name)
	}
}

// place puts a player somewhere and remembers that this is to be saved.
func (w *World) place(p *player, at coords.Position, now time.Time) {
	p.acceptedAt = now
	w.moveTo(&p.entity, at)
	if !p.unsaved {
		p.unsaved = true
		w.unsaved = append(w.unsaved, p)
	}
}

// teleport puts a player somewhere, shows it what is there, and shows it to those who are there.
func (w *World) teleport(p *player, to coords.Position, now time.Time) {
	w.place(p, to, now)
	p.settleBy = now.Add(settleTime)
	w.tell(Teleported{p.ID, to})
	w.updateInterest(&p.entity, now)
	p.lastSent = to
	if still := w.viewersBefore(&p.entity); len(still) > 0 {
		w.tell(w.teleported.put(TeleportSeen{p.ID, to, still}))
	}
}
