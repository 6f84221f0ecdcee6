package view

import (
	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of missions.
//
// Source: protocol life 1.1, 4.2.

// giverLists are the offers of an NPC that gives missions.
func giverLists(g *rules.MissionGiver) []packets.Region {
	sign := func(offered bool) uint8 {
		if offered {
			return packets.Offered
		}
		return packets.NotOffered
	}
	goals, places := &g.Goals, &g.Places
	return []packets.Region{
		containerRegion(&packets.MissionGoals{Title: sign(goals[rules.TitleGoal]), Degree: sign(goals[rules.DegreeGoal]),
			Money: sign(goals[rules.MoneyGoal]), Karma: sign(goals[rules.KarmaGoal])}),
		containerRegion(&packets.MissionPlaces{Nearby: sign(places[rules.NearbyPlace]),
			Hyperion: sign(places[rules.HyperionPlace]), Helios: sign(places[rules.HeliosPlace]),
			Rodos: sign(places[rules.RodosPlace]), Phoebe: sign(places[rules.PhoebePlace]),
			Leon: sign(places[rules.LeonPlace]), Haron: sign(places[rules.HaronPlace])}),
		containerRegion(&packets.MissionLimits{TitleMin: uint16(g.TitleMin), TitleMax: uint16(g.TitleMax),
			DegreeMin: uint16(g.DegreeMin), DegreeMax: uint16(g.DegreeMax), KarmaMin: uint8(g.KarmaMin),
			KarmaMax: uint8(g.KarmaMax)}),
	}
}

// missionKey is the record of the key of a mission. One that says nothing has no target.
func missionKey(t *rules.Item, id, parent packets.ObjectID) packets.Section {
	m, ok := rules.MissionOf(t)
	regions := []packets.Region{snapshotOf(t), containerRegion(&packets.PutInto{Parent: parent}),
		containerRegion(&packets.ResetSlots{Flag: 1}), containerRegion(&packets.Property{Value: packets.Unbound})}
	if ok {
		target := &packets.MissionTarget{Lead: [3]byte{0, 0, 2}, Name: m.Target, Seal: m.Seal}
		copy(target.Template[:], m.Template)
		regions = append(regions, containerRegion(&packets.Subtype{Number: uint16(m.Entrance)}), containerRegion(target),
			containerRegion(&packets.Model{}), containerRegion(&packets.MissionRest{}))
	}
	return packets.Section{Object: id, Class: packets.ClassMission, Regions: regions}
}

// MissionGiven tells a player of its mission: the slot in one body, then the key, which was where the giver stands.
func (v *View) MissionGiven(e world.MissionGiven) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.record(f.learn([]rules.Item{e.Key}, 0), f.me)
		if e.Parcel != nil {
			f.learn([]rules.Item{*e.Parcel}, 0)
		}
		f.filled(e.Slots)
		f.mine(OwnText(TextMission, 0))
		if m, _ := rules.MissionOf(&e.Key); m.Guild != 0 && m.Rank == 0 {
			f.mine(OwnText(TextGuildJoin, 0))
		} else if m.Guild != 0 {
			f.mine(OwnText(TextGuildRank, 0))
		}
		for i := range f.records {
			if spawn, ok := f.records[i].Regions[0].(*packets.SpawnSnapshot); ok {
				spawn.X, spawn.Y, spawn.Z = e.At.X, e.At.Y, e.At.Z
			}
		}
		if e.Parcel != nil {
			f.record([]rules.Item{*e.Parcel}, f.me)
		}
	})
}

// MissionThing gives a player the thing of its mission.
func (v *View) MissionThing(e world.MissionThing) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		f.record(f.learn([]rules.Item{e.Item}, 0), f.me)
		f.filled(e.Slots)
	})
}

// MissionLacks tells a player why its mission does not go on.
func (v *View) MissionLacks(e world.MissionLacks) {
	text := TextNotFulfilled
	if e.Why == rules.NoRoom {
		text = TextNoRoomForThing
	}
	v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(OwnText(text, 0)) })
}

// endMission takes the key of a mission from the client. at is where its player stands.
func (f *itemEncoder) endMission(e *world.MissionEnded, at coords.Position) {
	k, ok := f.ids.Item(e.Key.ID)
	if ok {
		f.aboutItem(k, containerRegion(&packets.ResetSlots{}))
	}
	switch e.News {
	case world.MissionFulfilled:
		f.mine(OwnText(TextFulfilled, 0))
	case world.MissionOver:
		f.mine(OwnText(TextMissionOver, 0))
	}
	if ok {
		f.aboutItem(k, released(at, at.Yaw)...)
	}
	f.cleared(e.Slots)
	f.filled(e.Slots)
	for i := range e.Left {
		f.count(&e.Left[i], e.Left[i].Count)
	}
	f.removeItems(e.Gone...)
	if ok {
		f.remove(k)
	}
}

// MissionEnded tells a player that its mission has ended without a reward.
func (v *View) MissionEnded(e world.MissionEnded) {
	v.encodeFor(e.ID, func(f *itemEncoder) { f.endMission(&e, v.whereabouts(e.ID)) })
}

// PlaceMarked marks a place on a player's map.
//
// Source: protocol life 1.3, 4.4, 13; it was never recorded.
func (v *View) PlaceMarked(e world.PlaceMarked) {
	v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(managerRegion(&packets.MapMark{X: e.At.X, Z: e.At.Z})) })
}

// MissionRefused tells a player why it gets no mission, if its client has texts for that.
func (v *View) MissionRefused(id world.PlayerID, why rules.RejectReason, level int) bool {
	text := refusalTexts[why]
	switch why {
	case rules.TitleTooLow, rules.TitleTooHigh, rules.DegreeTooLow, rules.DegreeTooHigh, rules.KarmaTooLow:
	case rules.KarmaTooGood:
		text = TextKarmaTooGood
	case rules.NoRoom:
		text = TextNoRoomForThing
	default:
		return false
	}
	v.encodeFor(id, func(f *itemEncoder) { f.mine(OwnText(TextNoMission, 0), OwnText(text, int16(level))) })
	return true
}

// GuildRefused tells a player that its title or degree is too low for the next rank of a guild.
func (v *View) GuildRefused(id world.PlayerID, why rules.RejectReason, level int) bool {
	if why != rules.TitleTooLow && why != rules.DegreeTooLow {
		return false
	}
	v.encodeFor(id, func(f *itemEncoder) {
		f.mine(OwnText(TextGuildClosed, 0), OwnText(refusalTexts[why], int16(level)))
	})
	return true
}

// GuildChanged gives a player the emblem and the abilities of its rank, and takes those that it had.
//
// Source: protocol ingame 10.9.
func (v *View) GuildChanged(e world.GuildChanged) {
	v.encodeFor(e.ID, func(f *itemEncoder) { f.exchange(e.Came, e.Gone, e.Slots) })
}
