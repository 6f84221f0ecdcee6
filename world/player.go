package world

import (
	"errors"
	"fmt"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A player is a [Player] that is in the world.
type player struct {
	entity
	Player
	partyState
	inventoryState
	afflictions
	fightState
	task        *task           // nil: none yet
	hunger      float64         // since the last point of satiety, in points
	stood       coords.Position // in the last period of regeneration
	stride      rules.Stride
	tread       rules.Tread
	startled    instant         // when a monster has last appeared in its view
	settleBy    instant         // a teleport is under way until then
	settlesFrom coords.Position // where that began
	hurtAt      instant         // when it has lost HP last
	journey     instant         // when its last one by a token or a stone was
	began       instant         // to trade with another player, when it has done so last
	owesArrows  uint16          // that it has shot and the store has not taken yet
	paysArrows  bool            // when it is free, or in a moment
	fists       bool            // its hand is empty to strike with them
	leaving     bool            // it makes no more requests
	heard       bool            // from its client, since it entered
	lingers     bool            // it has left in a fight, and stays for a while
	unsaved     bool            // in core.unsaved
}

func (w *World) enter(p Player, inside *instance) (*player, error) {
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
	p.Entered = w.now
	in := &player{Player: p, settlesFrom: p.Position, stride: w.places.pace().Spent(w.now, settleDistance)}
	in.entity = entity{player: in}
	in.Number, in.Sort, in.At = EntityID(p.ID), players, in.Position
	w.places.goInside(&in.entity, inside)
	w.vitals.equip(in)
	w.places.add(&in.entity)
	w.characters[p.Character] = p.ID
	if name := rules.FoldName(p.Name); name != "" && w.names[name] == nil {
		w.names[name] = in
	}
	if isDead(in) {
		w.vitals.awaitRevival(in)
	}
	in.stood = in.At
	w.every(rules.RegenerationPeriod, &in.entity, w.vitals.regenerate)
	return in, nil
}

func (w *World) leave(p *player) {
	if !p.gone() {
		w.disappear(p)
	}
	w.putDown(p)
	p.due = queue[change]{}
	w.combat.absents(p)
	delete(w.characters, p.Character)
	delete(w.ignores, p.ID)
	w.belongings.quoted.spend(p.ID)
	w.vitals.warned.spend(p.ID)
	delete(w.failed, p.ID)
}

// disappear takes a player out of its party, out of sight, and out of the names that others can use.
func (w *World) disappear(p *player) {
	w.social.leaveParty(p)
	w.combat.endDuel(p.duel, p)
	if p.trade.deal != nil {
		w.ledger.closeTrade(p, false)
	}
	w.places.drop(&p.entity)
	if name := rules.FoldName(p.Name); w.names[name] == p {
		delete(w.names, name)
	}
}

// Enter brings a player into the world. [Entered] or [EnterRefused] follows.
type Enter struct{ Player Player }

func (c Enter) who() PlayerID { return c.Player.ID }

func (c Enter) do(w *World) { w.admit(c.Player, nil) }

// admit brings a player into an instance, or with nil into the open world, and reports whether it is inside now.
func (w *World) admit(player Player, in *instance) bool {
	p, err := w.enter(player, in)
	if err != nil {
		w.tell(EnterRefused{player.ID, err})
		return false
	}
	w.tell(Entered{p.ID, p.Position, len(w.all[players])})
	if isDead(p) { // its client is to know
		w.tell(PlayerHit{ID: p.ID, Died: true, Pools: p.Pools})
	}
	w.vitals.showEffects(p)
	w.places.space.Look(&p.Body)
	w.missions.resumeMission(p)
	w.combat.returns(p)
	return true
}

// Leave takes a player out. [Left] follows, also when it is not inside, but not before the transaction that is under
// way for the player is settled.
type Leave struct {
	ID PlayerID
	// Lingers keeps a player that fights in the world for a while: leaving is no escape from a fight.
	Lingers bool
}

func (c Leave) who() PlayerID { return c.ID }

func (c Leave) do(w *World) {
	p := w.player(c.ID)
	if p == nil {
		p = w.failed[c.ID]
	}
	if p == nil {
		w.tell(Left{Player: Player{ID: c.ID}})
		return
	}
	if stay := w.balance.Blow.Linger; c.Lingers && stay > 0 && !p.gone() && w.places.fought(p, stay) {
		p.lingers = true
		w.ledger.dropWaiting(p)
		w.ledger.closeAll(p)
		w.after(stay, &p.entity, func(e *entity) { w.letGo(e.player) })
		return
	}
	w.letGo(p)
}

// letGo begins to take a player out.
func (w *World) letGo(p *player) {
	if !p.leaving {
		p.leaving = true
		w.ledger.dropWaiting(p)
		w.ledger.whenFree(p, w.finishLeave)
	}
}

// EndLingering takes out at once all players that have left and linger, since the world ends.
type EndLingering struct{}

func (EndLingering) who() PlayerID { return 0 }

func (EndLingering) do(w *World) {
	for i := len(w.all[players]) - 1; i >= 0; i-- {
		if p := w.all[players][i].player; p.lingers {
			w.letGo(p)
		}
	}
}

// finishLeave takes out a player that is free to leave.
func (w *World) finishLeave(p *player) {
	p.Position = w.instances.stays(p)
	w.leave(p)
	w.tell(Left{p.Player, true, w.now.Sub(p.Entered)})
}

// putDown turns a player that leaves back into the data with which it entered.
func (w *World) putDown(p *player) {
	p.stopLooking()
	w.missions.dismiss(p)
	p.trade = &noTrade
	p.Items, p.VaultItems = p.carried.Items, p.kept.Items
	p.Effects, p.effects = w.vitals.lasting(p), nil
}

// ChangeRole changes a player's role. Nothing is told of it.
type ChangeRole struct {
	ID   PlayerID
	Role Role
}

func (c ChangeRole) who() PlayerID { return c.ID }

func (c ChangeRole) act(_ *World, p *player) { p.Role = c.Role }

// ChangeClan changes the clan over a player's head; an empty name is none. *[AppearanceChanged] follows, unless it
// looks the same.
type ChangeClan struct {
	ID   PlayerID
	Clan string
	Rank int // 0 senior to 4 candidate
}

func (c ChangeClan) who() PlayerID { return c.ID }

func (c ChangeClan) act(w *World, p *player) {
	look := p.Appearance
	look.Clan, look.ClanRank = c.Clan, c.Rank
	if c.Clan == "" {
		look.ClanRank = -1
	}
	w.places.changeAppearance(p, look)
}
