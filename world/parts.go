package world

import "sphereserver/world/rules"

// parts are the parts of a world, each above those that it asks: a part has a field for each of them and for no
// other. Questions of a part to one above it are an interface of their own. So the fields of the parts are the arrows
// between them.
type parts struct {
	places      *places      // places of entities, and their viewers
	ledger      *ledger      // requests, and changes that have to be durable first
	groundItems *groundItems // items that lie in the world
	vitals      *vitals      // HP and MP, effects, equipment; death
	minds       *minds       // decisions of monsters
	spawners    *spawners    // births of monsters
	instances   *instances   // dungeons of one player or party
	missions    *missions    // missions, and the rewards of them and of kills
	combat      *combat      // blows, kills, duels
	spells      *spells      // mantras, powders, potions
	social      *social      // parties and talk
	belongings  *belongings  // inventories, traders, vaults
	travel      *travel      // tokens, portals, doors
}

func newParts(w *World) (p parts) {
	c := w.core
	p.places = newPlaces(c, w)
	p.ledger = &ledger{core: c, world: w, pendingTxs: map[uint64]*pendingTx{}}
	p.groundItems = &groundItems{core: c, places: p.places, ledger: p.ledger, litter: map[string][]*object{}}
	p.vitals = &vitals{core: c, places: p.places, ledger: p.ledger, groundItems: p.groundItems,
		warned: quotes[resetQuestion, resetWarning]{}}
	p.minds = &minds{core: c, places: p.places, vitals: p.vitals}
	p.spawners = &spawners{core: c, places: p.places, minds: p.minds}
	p.instances = &instances{core: c, places: p.places, groundItems: p.groundItems, spawners: p.spawners}
	p.missions = &missions{core: c, places: p.places, ledger: p.ledger, vitals: p.vitals, spawners: p.spawners,
		instances: p.instances}
	p.combat = &combat{core: c, places: p.places, ledger: p.ledger, groundItems: p.groundItems, vitals: p.vitals,
		minds: p.minds, missions: p.missions, absent: map[int64]absence{}}
	p.spells = &spells{core: c, ledger: p.ledger, vitals: p.vitals, minds: p.minds, missions: p.missions, combat: p.combat}
	p.social = &social{core: c, places: p.places, invited: map[PlayerID][]*invitation{}}
	p.belongings = &belongings{core: c, places: p.places, ledger: p.ledger, vitals: p.vitals, minds: p.minds,
		spawners: p.spawners, missions: p.missions, stocks: map[EntityID]stock{},
		quoted: quotes[rules.ItemID, int64]{}}
	p.travel = &travel{core: c, places: p.places, ledger: p.ledger, vitals: p.vitals, missions: p.missions,
		belongings: p.belongings, spells: p.spells}
	p.vitals.fights, p.minds.blows = p.combat, p.combat
	return p
}

// Questions of space to those above it: see [observer].

func (w *World) watched(e, viewer *entity) { w.minds.wakeFor(e, viewer) }

func (w *World) removing(o *object) {
	if o.monster != nil {
		w.spawners.endOfMonster(o.monster)
	}
	delete(w.belongings.stocks, o.ID)
	if o.rare != nil && o.character != 0 {
		w.groundItems.forgetLitter(o)
	}
}

func (w *World) uprooted(p *player) {
	w.combat.endDuel(p.duel, p)
	w.ledger.closeAll(p)
}

func (w *World) emptied(in *instance) { w.instances.beginEnd(in) }
