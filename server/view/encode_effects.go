package view

import (
	"time"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of the effects on them. An effect is an object in a slot of its player.
//
// Source: protocol fight 11.1.

// effectSlots is how many effects a player can have.
const effectSlots = rules.EndOfEffects - rules.SlotEffects

// effectAt is the client's id of the effect in a slot, nil for no such slot.
func (c *Client) effectAt(slot int) *packets.ObjectID {
	if slot < rules.SlotEffects || slot >= rules.EndOfEffects {
		return nil
	}
	if c.effects == nil {
		c.effects = new([effectSlots]packets.ObjectID)
	}
	return &c.effects[slot-rules.SlotEffects]
}

// EffectBegan gives a player's client an effect: slot, object, bonus, length. One that the client has in that slot
// ends before.
//
// Source: protocol fight 11.1.
func (v *View) EffectBegan(e world.EffectBegan) {
	c := v.tells(e.ID)
	if c == nil {
		return
	}
	v.endEffect(c, e.Effect.Slot)
	slot := c.effectAt(e.Effect.Slot)
	if slot == nil {
		return
	}
	id, ok := c.IDs.add(IDEntry{Kind: EffectEntry, Class: packets.ClassVirus})
	if !ok {
		return
	}
	*slot = id
	seconds := int((e.Effect.Left + time.Second - 1) / time.Second)
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	f.mine(containerRegion(&packets.FillSlot{Slot: uint8(e.Effect.Slot), Item: id, Weight: 1}))
	f.about(id, packets.ClassVirus,
		&packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained, A: 100, B: 100},
		containerRegion(&packets.PutInto{Parent: f.me}), mutator(&e.Effect),
		containerRegion(&packets.MutatorTimer{Mutator: short(e.Effect.ID), Length: uint8(e.Effect.Length),
			Seconds: short(seconds), Caster: uint16(c.idOf(world.EntityID(e.Caster)))}))
	v.sendBody(c, f.sections)
}

// mutator is the bonus of an effect, with its icon.
func mutator(e *rules.Effect) *packets.Mutator {
	b := &e.Bonus
	m := &packets.Mutator{Kind: uint8(e.Kind), Icon: e.Key, Group: packets.MutatorGroup + int32(e.Kind),
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
		v.endEffect(c, e.Effect.Slot)
	}
}

func (v *View) endEffect(c *Client, slot int) {
	held := c.effectAt(slot)
	if held == nil || *held == packets.NoObject {
		return
	}
	id := *held
	*held = packets.NoObject
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	f.about(id, packets.ClassVirus, released(v.whereabouts(c.id), 0)...)
	f.mine(containerRegion(&packets.ClearSlot{Slot: uint8(slot)}))
	f.ids.remove(id)
	f.sections = append(f.sections, packets.Removal(id))
	v.sendBody(c, f.sections)
}

// Healed tells a player that it was healed at once, by an effect that passes through a free slot.
func (v *View) Healed(e world.Healed) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		by := v.tells(e.ID).idOf(world.EntityID(e.By))
		f.mine(&packets.ReceiveHit{Source: uint16(by), HP: int32(e.HP), MP: int32(e.MP)})
		if e.Slot == 0 {
			return
		}
		id, ok := f.ids.add(IDEntry{Kind: EffectEntry, Class: packets.ClassVirus})
		if !ok {
			return
		}
		f.ids.remove(id)
		f.mine(containerRegion(&packets.FillSlot{Slot: uint8(e.Slot), Item: id, Weight: 1}),
			containerRegion(&packets.ClearSlot{Slot: uint8(e.Slot)}))
	})
}
