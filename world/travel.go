package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// travel moves players over long ways: tokens, stones, portals, doors.
type travel struct {
	*core
	places     *places
	ledger     *ledger
	vitals     *vitals
	missions   *missions
	belongings *belongings
	spells     *spells
}

// journeyPause is how long after a journey no token and no stone works: so that a request that a client sends twice
// takes one charge and not two. It is ours.
const journeyPause = 2 * time.Second

// mayDepart says why a player cannot go on a journey now; 0 if it can.
func (tr *travel) mayDepart(p *player) rules.RejectReason {
	switch {
	case p.stunned():
		return rules.Stunned
	case tr.instant().Sub(p.journey) < journeyPause, tr.atTrader(p):
		return rules.UnderWay
	}
	return 0
}

// useToken brings a player that uses a token on a teleport to the token's destination, and takes one charge of it.
// Without a target the token works on a teleport nearby.
//
// Source: protocol life 3.1, 3.3.
func (tr *travel) useToken(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	to, ok := tr.tables.Token(t)
	if rules.IsSinners(t.Class) && tr.options.Revival != nil {
		to = rules.Destination{Kind: rules.CityDestination, To: tr.options.Revival(p.Position, rules.KarmaNeutral)}
		ok = to.To.Check() == nil
	}
	if !ok {
		return rules.LeadsNowhere
	}
	if why := tr.atTeleport(p, c.Target, t.ID); why != 0 {
		return why
	}
	from, there := tr.options.Continent(p.Position), tr.options.Continent(to.To)
	if why := rules.MayTravel(t.Class, to.Kind, from, there, p.Progress.Karma); why != 0 {
		return why
	}
	return tr.depart(p, c, t, to.To)
}

// atTeleport says why a token does not work on a target; with is the token, which as a target means nothing.
func (tr *travel) atTeleport(p *player, on Target, with rules.ItemID) rules.RejectReason {
	switch {
	case on == Target{}, on == Target{Item: with}, on.Object == p.Number && on.Item == 0:
		if tr.teleportBeside(p) == nil {
			return rules.NoTeleport
		}
		return 0
	case on.Item != 0:
		return rules.NoTeleport
	}
	_, portal, why := reach[Portal](tr.core, p, on.Object, rules.NoTeleport)
	switch {
	case why == rules.TooFar && !rules.TakesTokens(tr.object(on.Object).Kind.(Portal).Class):
		return rules.NoTeleport
	case why != 0:
		return why
	case !rules.TakesTokens(portal.Class):
		return rules.NoTeleport
	}
	return 0
}

// teleportBeside is the nearest teleport that a player sees on which a token works; nil for none.
func (tr *travel) teleportBeside(p *player) (near *object) {
	least := tr.balance.Travel.Reach
	for e := range p.InSight(others) {
		o := e.object
		portal, ok := o.Kind.(Portal)
		if !ok || !rules.TakesTokens(portal.Class) {
			continue
		}
		if d := p.Position.Distance(o.Position); d <= least {
			near, least = o, d
		}
	}
	return near
}

// depart takes one charge of an item, and brings the player to a place when that is durable, along with others.
func (tr *travel) depart(p *player, c UseItem, t *rules.Item, to coords.Position) rules.RejectReason {
	if why := tr.mayDepart(p); why != 0 {
		return why
	}
	d := tr.ledger.tx(p, c)
	was, left := *t, d.UseUp(d.Side(&p.carried), t.ID)
	d.to, d.leads = to, true
	tr.ledger.commit(d, nil, func() {
		p.journey = tr.instant()
		used := Used{ID: p.ID, Item: was, Left: left, Slots: d.slots(all)}
		tr.vitals.updateEquipment(p, d)
		if p.gone() || p.leaving || isDead(p) { // a dead one's thing lies where it has died, and so does it
			tr.tell(used)
		}
		switch {
		case p.gone():
			p.Position = to // where it will be next time
			return
		case isDead(p):
			return
		case p.leaving:
			tr.places.goInside(&p.entity, nil)
			tr.places.place(p, to)
			return
		}
		used.To = &to
		along := tr.companions(p, was.Class)
		tr.places.transfer(p, to, used)
		for _, q := range along {
			tr.places.teleport(q, to)
		}
	})
	return 0
}

// companions are those that a thing for journeys takes along with a player: with a great stone the members of its
// party that are near, alive and not recently hurt, in the moment of the departure.
func (tr *travel) companions(p *player, class int) (along []*player) {
	if !rules.TakesParty(class) || p.party == nil {
		return nil
	}
	near2 := tr.balance.Travel.Party * tr.balance.Travel.Party
	for _, q := range p.party.members {
		if q != p && !q.leaving && !isDead(q) && tr.unhurt(q) && near(&p.entity, &q.entity, near2) {
			along = append(along, q)
		}
	}
	return along
}

// useStone brings a player to the nearest city, and with a great stone also those of its party that are near, alive
// and not recently hurt.
//
// Source: protocol life 3.1; the conditions for the party are ours.
func (tr *travel) useStone(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	switch {
	case tr.options.Revival == nil:
		return rules.LeadsNowhere
	case !tr.unhurt(p):
		return rules.NotCalm
	}
	return tr.depart(p, c, t, tr.options.Revival(p.Position, rules.KarmaNeutral))
}

// unhurt reports whether nothing has recently hurt a player.
func (c *core) unhurt(p *player) bool { return c.instant().Sub(p.hurtAt) >= rules.Calm }

// useLicence uses up a licence, which the player then has for good.
func (tr *travel) useLicence(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	licence := rules.LicenceOf(t.Class)
	if p.Progress.Licences.Has(licence) {
		return rules.HasLicence
	}
	d := tr.ledger.tx(p, c)
	was, left := *t, d.UseUp(d.Side(&p.carried), t.ID)
	d.become = func(p *Player) { p.Progress.Licences = p.Progress.Licences.With(licence) }
	tr.ledger.commit(d, nil, func() {
		tr.tell(Used{ID: p.ID, Item: was, Left: left, Slots: d.slots(all)})
	})
	return 0
}

// UsePortal brings a player through a portal that it sees within [Options].Reach. [Teleported] or [PortalRefused]
// follows, or [Opened] at the door of a room if the player carries the key.
type UsePortal struct {
	By     PlayerID
	Object EntityID
}

func (c UsePortal) who() PlayerID { return c.By }

func (c UsePortal) act(w *World, p *player) {
	if why := w.travel.enterPortal(p, c.Object); why != 0 {
		w.tell(PortalRefused{c.By, c.Object, why})
	}
}

func (tr *travel) enterPortal(p *player, id EntityID) rules.RejectReason {
	switch {
	case isDead(p):
		return rules.Dead
	case p.stunned():
		return rules.Stunned
	}
	o, portal, why := reach[Portal](tr.core, p, id, rules.NoPortal)
	if why != 0 {
		return why
	}
	key, leads := uint16(portal.Number), portal.Place != "" && portal.To.Check() == nil
	switch in := p.inside; {
	case portal.Class == rules.ClassMissionEntrance:
		return tr.missions.enterDungeon(p, int(portal.Number))
	case portal.Class == rules.ClassDoorOut && in != nil && in.layout.Leave != (coords.Position{}):
		portal.To, leads = in.layout.Leave, true
	case portal.Class == rules.ClassDoor && portal.Number != 0:
		if why := rules.Unlocks(&p.carried, key); why != 0 {
			return why
		}
		if !leads {
			return tr.belongings.openVault(p, o.ID)
		}
	case portal.Class == rules.ClassTeleportBroken:
		return rules.Broken
	case portal.Class == rules.ClassTeleportGreat && !p.Progress.Licences.Has(rules.LicenceFor(key)):
		return rules.NeedsLicence
	case !leads && rules.TakesTokens(portal.Class):
		return rules.NeedsToken
	case !leads:
		return rules.LeadsNowhere
	}
	if tr.atTrader(p) {
		return rules.UnderWay
	}
	tr.places.teleport(p, portal.To)
	return 0
}

// unlock uses a key on a door, or on the keeper of a tavern with the key's room: there the player finds its vault.
//
// Source: protocol life 3.2; the contents of a room are ours (3.3).
func (tr *travel) unlock(p *player, target Target, key *rules.Item) rules.RejectReason {
	number, ok := rules.KeyNumber(key)
	on := target.Object
	o := tr.object(on)
	switch {
	case target.Item != 0:
		return rules.NeedsKey // which says that a key is used on its door
	case o == nil:
		return rules.NotInSight
	}
	if npc, isNPC := o.Kind.(NPC); isNPC {
		if _, why := tr.belongings.npc(p, on); why != 0 {
			return why
		}
		if npc.Rooms == (Rooms{}) {
			return rules.NoUse
		}
		if !ok || number < npc.Rooms.First || number > npc.Rooms.Last {
			return rules.WrongKey
		}
	} else {
		_, portal, why := reach[Portal](tr.core, p, on, rules.NoUse)
		switch {
		case why != 0:
			return why
		case portal.Class != rules.ClassDoor || portal.Number == 0:
			return rules.NoUse
		case !ok || uint32(number) != portal.Number:
			return rules.WrongKey
		}
	}
	if key.In != 0 {
		return rules.InBag
	}
	if _, isNPC := o.Kind.(NPC); isNPC {
		return tr.belongings.openVault(p, on)
	}
	return tr.enterPortal(p, on)
}

// Travel uses the first token to a destination that a player carries, on a teleport nearby, as [UseItem] does. With
// number 0 it asks for the player's tokens: [TravelTold] follows.
type Travel struct {
	ID     PlayerID
	Number uint16 // of the tokens
}

func (c Travel) who() PlayerID { return c.ID }

func (c Travel) ask(w *World, p *player) rules.RejectReason {
	why := rules.NoToken
	told := TravelTold{ID: p.ID, Licences: p.Progress.Licences, Teleport: w.travel.teleportBeside(p) != nil}
	for i := range p.carried.Items {
		t := &p.carried.Items[i]
		number, ok := rules.TokenNumber(t)
		switch {
		case !ok:
		case c.Number == 0:
			told.Tokens = append(told.Tokens, CarriedToken{number, t.Count})
		case number == c.Number && p.offers(t.ID):
			why = rules.OnOffer
		case number == c.Number:
			return w.travel.useToken(p, UseItem{ID: p.ID, Item: t.ID}, t)
		}
	}
	if c.Number != 0 {
		return why
	}
	w.tell(told)
	return 0
}

// A CarriedToken is a token that a player carries.
type CarriedToken struct {
	Number  uint16
	Charges int
}

// TravelTold tells a player its tokens and licences.
type TravelTold struct {
	ID       PlayerID
	Tokens   []CarriedToken
	Licences rules.Licences
	Teleport bool // one on which tokens work is beside it
}

func (TravelTold) event() {}
