package view

import (
	"slices"
	"time"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of the effects on them. An effect is an object in a slot of its player.
//
// Source: protocol fight 11.1.

// A shownEffect is an effect in a slot of a client.
type shownEffect struct {
	effect int // its id; 0: the slot is free
	object packets.ObjectID
}

// effectSlot returns the slot in which a client has the effect of an id, for 0 the first free one; false if there is
// none.
func (c *Client) effectSlot(effect int) (slot int, ok bool) {
	if c.effects == nil {
		return 0, effect == 0
	}
	slot = slices.IndexFunc(c.effects[:], func(e shownEffect) bool { return e.effect == effect })
	return slot, slot >= 0
}

// EffectBegan gives a player's client an effect: slot, object, bonus, length. One of its id ends before. That of a
// satiety potion is ours, and no client knows it.
//
// Source: protocol fight 11.1.
func (v *View) EffectBegan(e world.EffectBegan) {
	c := v.tells(e.ID)
	if c == nil || e.Effect.Sates() {
		return
	}
	v.endEffect(c, e.Effect.ID)
	slot, ok := c.effectSlot(0)
	if !ok {
		return
	}
	id, ok := c.IDs.add(IDEntry{Kind: EffectEntry, Class: packets.ClassVirus})
	if !ok {
		return
	}
	if c.effects == nil {
		c.effects = new([rules.MaxEffects]shownEffect)
	}
	c.effects[slot] = shownEffect{e.Effect.ID, id}
	seconds := int((e.Effect.Left + time.Second - 1) / time.Second)
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	f.mine(containerRegion(&packets.FillSlot{Slot: wireSlot(slot), Item: id, Weight: 1}))
	f.about(id, packets.ClassVirus,
		&packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained, A: 100, B: 100},
		containerRegion(&packets.PutInto{Parent: f.me}), mutator(&e.Effect),
		containerRegion(&packets.MutatorTimer{Mutator: short(e.Effect.ID), Length: uint8(e.Effect.Length),
			Seconds: short(seconds), Caster: uint16(c.idOf(world.EntityID(e.Caster)))}))
	v.sendBody(c, f.sections)
}

// wireSlot is the number of a slot of effects.
func wireSlot(slot int) uint8 { return uint8(rules.SlotMutators + slot) }

// effectKinds are the numbers of kinds of effects.
var effectKinds = [...]uint8{rules.GoodEffect: 0, rules.BadEffect: 1, rules.SpecialEffect: 2}

// mutator is the bonus of an effect, with its icon.
func mutator(e *rules.Effect) *packets.Mutator {
	b := &e.Bonus
	kind := effectKinds[e.Kind]
	m := &packets.Mutator{Kind: kind, Icon: e.Key, Group: packets.MutatorGroup + int32(kind),
		Tier: uint8(min(max(e.Tier, 0), packets.MaxMutatorTier))}
	for i, n := range [...]int{b.HP, b.MP, b.Attack, b.PhysicalDefence, b.MagicalDefence} {
		m.Modifiers[i] = int32(n)
	}
	for i, n := range b.Stats {
		m.Modifiers[5+i] = int32(n)
	}
	m.Modifiers[13] = int32(b.Magic)
	return m
}

// EffectEnded takes an effect from a player's client.
func (v *View) EffectEnded(e world.EffectEnded) {
	if c := v.tells(e.ID); c != nil {
		v.endEffect(c, e.Effect.ID)
	}
}

func (v *View) endEffect(c *Client, effect int) {
	slot, ok := c.effectSlot(effect)
	if effect == 0 || !ok {
		return
	}
	id := c.effects[slot].object
	c.effects[slot] = shownEffect{}
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	f.about(id, packets.ClassVirus, released(v.whereabouts(c.id), 0)...)
	f.mine(containerRegion(&packets.ClearSlot{Slot: wireSlot(slot)}))
	f.ids.remove(id)
	f.sections = append(f.sections, packets.Removal(id))
	v.sendBody(c, f.sections)
}

// Healed tells a player that it was healed at once, by an effect that passes through a free slot.
func (v *View) Healed(e world.Healed) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		c := v.tells(e.ID)
		f.mine(&packets.ReceiveHit{Source: uint16(c.idOf(world.EntityID(e.By))), HP: int32(e.HP), MP: int32(e.MP)})
		slot, ok := c.effectSlot(0)
		if !ok {
			return
		}
		id, ok := f.ids.add(IDEntry{Kind: EffectEntry, Class: packets.ClassVirus})
		if !ok {
			return
		}
		f.ids.remove(id)
		f.mine(containerRegion(&packets.FillSlot{Slot: wireSlot(slot), Item: id, Weight: 1}),
			containerRegion(&packets.ClearSlot{Slot: wireSlot(slot)}))
	})
}
