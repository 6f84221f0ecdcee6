package world

import (
	"slices"

	"sphereserver/world/rules"
)

// Guild shows a player what the nearest guild master asks for the next rank, or asks the master for it: the master
// gives a task, or the rank at once where there are no tasks. [GuildShown], [MissionGiven] or [GuildChanged] follows.
//
// Source: protocol life 5.4; the tasks are ours.
type Guild struct {
	ID   PlayerID
	Rise bool
}

func (c Guild) who() PlayerID { return c.ID }

func (c Guild) ask(w *World, p *player) rules.RejectReason {
	master, g, why := w.missions.guildMaster(p)
	switch {
	case why == 0 && c.Rise:
		return w.missions.rise(p, c, master)
	case why == 0:
		w.tell(GuildShown{p.ID, g.Guild, p.Title, p.Degree, p.Progress})
	case !c.Rise && p.Progress.Guild != 0:
		w.tell(GuildShown{p.ID, 0, p.Title, p.Degree, p.Progress})
	default:
		return why
	}
	return 0
}

// limit is the level that a refusal names, 0 for none.
func (c Guild) limit(w *World, p *player, why rules.RejectReason) int {
	if _, g, wrong := w.missions.guildMaster(p); wrong == 0 {
		return guildLimit(p, g, why)
	}
	return 0
}

// guildLimit is the level that a guild's refusal names, from 1; 0 for none.
func guildLimit(p *player, g *rules.MissionGiver, why rules.RejectReason) int {
	rank, _ := rules.NextRank(g.Guild, p.Title, p.Degree, &p.Progress)
	title, degree := rules.GuildNeeds(g.Guild, rank)
	switch why {
	case rules.TitleTooLow:
		return title
	case rules.DegreeTooLow:
		return degree
	}
	return 0
}

// guildMaster returns the nearest guild master that a player sees, if it is within reach.
func (ms *missions) guildMaster(p *player) (*object, *rules.MissionGiver, rules.RejectReason) {
	return ms.nearestGiver(p, rules.NoGuildMaster, func(g *rules.MissionGiver) bool { return g.Guild != 0 })
}

// rise gives a player the next rank of a master's guild, or the task for it.
func (ms *missions) rise(p *player, c Command, master *object) rules.RejectReason {
	g := master.Kind.(NPC).Giver
	rank, why := rules.NextRank(g.Guild, p.Title, p.Degree, &p.Progress)
	switch {
	case why != 0:
		return why
	case ms.balance.Mission.GuildTasks:
		return ms.giveTask(p, c, master, rank)
	}
	d := ms.ledger.tx(p, c)
	ms.tables.Enrol(&d.InventoryTx, d.Side(&p.carried), g.Guild, rank)
	d.become = func(p *Player) { p.Progress.Guild, p.Progress.GuildRank = g.Guild, rank }
	ms.ledger.commit(d, nil, func() {
		tellGuild(ms.core, p, d)
		was, is := ms.vitals.grow(p)
		ms.tell(StatsChanged{p.ID, was, is})
	})
	return 0
}

// giveTask gives a player the task for a rank of a guild: a mission that is not about persons and parcels.
func (ms *missions) giveTask(p *player, c Command, master *object, rank int) rules.RejectReason {
	switch {
	case p.carried.At(0, rules.SlotMission) != nil:
		return rules.HasMission
	case ms.now.Before(ms.nextMission[p.Character]):
		return rules.MissionTooSoon
	}
	goal := rules.TitleGoal
	if title, _ := rules.GuildNeeds(master.Kind.(NPC).Giver.Guild, rank); title == 0 {
		goal = rules.DegreeGoal
	}
	return ms.makeMission(p, c, master, goal, rules.NearbyPlace, rank)
}

// tellGuild tells a player of its guild after a transaction that has changed it, and of its emblem.
func tellGuild(c *core, p *player, d *tx) {
	e := GuildChanged{ID: p.ID, Guild: p.Progress.Guild, Rank: p.Progress.GuildRank}
	for _, m := range d.Moves {
		if m.From != nil && m.To == nil && guildMove(&m) {
			e.Gone = append(e.Gone, m.Was)
		} else if m.From == nil && guildMove(&m) {
			e.Came = append(e.Came, m.Is)
		}
	}
	e.Slots = slices.DeleteFunc(d.slots(notGround), func(s SlotNow) bool { return !guildSlot(s) })
	c.tell(e)
}

// guildMove reports whether a move is about the emblem or an ability of a character.
func guildMove(m *rules.Move) bool {
	t, s := &m.Is, m.To
	if s == nil {
		t, s = &m.Was, m.From
	}
	return s.Owner != 0 && t.In == 0 && rules.IsGuildSlot(t.Slot)
}

func guildSlot(s SlotNow) bool { return s.In == Container{} && rules.IsGuildSlot(s.Slot) }

type (
	// GuildShown tells a player of its guild, and of the price that the guild of a master asks for the next rank.
	GuildShown struct {
		ID            PlayerID
		Guild         int // of the master, 0: none is near
		Title, Degree int // absolute, less one
		Progress      rules.Progress
	}

	// GuildChanged tells a player that it has another guild, or another rank of it, and the emblem and the abilities that
	// go with that. [StatsChanged] or [Gained] follows.
	GuildChanged struct {
		ID          PlayerID
		Guild, Rank int          // 0: none; from 0
		Came        []rules.Item // new
		Gone        []rules.Item // no more
		Slots       []SlotNow
	}
)

func (GuildShown) event()   {}
func (GuildChanged) event() {}
