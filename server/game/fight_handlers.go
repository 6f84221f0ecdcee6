package game

import (
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file turns blows and casts into commands of the world. A client cannot strike an entity that it was not shown;
// no answer may name one.
//
// Source: protocol fight 1.1, 7.6.

// noTarget is the id that clients send for no target, beside [packets.NoObject] and [packets.EmptyHand].
const noTarget packets.ObjectID = 0xFFFF

// foe is the entity that the client means by an id: itself, a player, or an object that it was shown. The world says
// whether the player is in sight.
func (s *player) foe(id packets.ObjectID) (world.EntityID, bool) {
	switch id {
	case packets.NoObject, noTarget, packets.EmptyHand:
		return 0, false
	}
	if k, ok := s.client.IDs.Lookup(id); ok {
		return k.Object, k.Object != 0
	}
	if index := packets.PlayerIndexOf(id); id == index.ID() && index >= packets.FirstPlayerIndex {
		return world.EntityID(index), true
	}
	return 0, false
}

// fistBlow strikes with bare hands.
func (s *player) fistBlow(_ *packets.Section, c *packets.FistBlow) {
	s.strike(0, c.Target)
}

// strike strikes at an object with an item, 0 for fists. A blow at nothing that the client knows is counted, and told
// to nobody.
func (s *player) strike(with rules.ItemID, target packets.ObjectID) {
	at, ok := s.foe(target)
	if !ok {
		s.server.count.refuse(rules.NotInSight)
		return
	}
	if blow := (world.Strike{ID: s.id(), With: with, Target: at}); s.blow != world.Command(blow) {
		s.blow = blow
	}
	s.want(s.blow)
}

// useOn strikes with a weapon, casts a spell, or uses a token. Targets that the client does not know are neither
// struck nor cast at. A token that is used on its bearer is used on no teleport in particular.
func (s *player) useOn(about *packets.Section, c *packets.UseOn) {
	k, ok := s.client.IDs.Lookup(about.Object)
	if !ok {
		s.server.count.refuse(rules.NotYours)
		return
	}
	class := rules.ClassOf(int(k.Class))
	at, found := s.foe(c.Target)
	switch {
	case k.Kind != view.ItemEntry:
		on, _ := s.targetOf(c.Target)
		s.use(about.Object, on)
	case class.Use == rules.Token:
		on, known := s.targetOf(c.Target)
		switch {
		case c.Target == s.ID() || c.Target == packets.NoObject:
		case found:
			on = world.Target{Object: at}
		case !known:
			s.unknown(rules.NotInSight)
			return
		}
		s.use(about.Object, on)
	case class.Use == rules.Return || class.Use == rules.Permit || class.Use == rules.Renewal ||
		class.Use == rules.Atonement:
		s.use(about.Object, world.Target{})
	case class.Held != 0:
		s.strike(k.Item, c.Target)
	case found:
		s.want(world.UseItem{ID: s.id(), Item: k.Item, Target: world.Target{Object: at}})
	default:
		switch on, ok := s.targetOf(c.Target); {
		case ok: // an item
			s.want(world.UseItem{ID: s.id(), Item: k.Item, Target: on})
		case class.Use == rules.Key:
			s.unknown(rules.NeedsKey) // which says that a key is used on its door
		default:
			s.server.count.refuse(rules.NotInSight)
		}
	}
}
