package rules

import "math/rand/v2"

// Guilds is how many guilds there are, GuildRanks how many ranks each has. A guild teaches guildAbilities abilities,
// which grow with the rank.
//
// Source: protocol life 5.
const (
	Guilds         = 14
	GuildRanks     = 6
	guildAbilities = 3
)

// guildLevels are the levels from which the ranks can be had. Source: protocol life 5.
var guildLevels = [GuildRanks]int{16, 21, 31, 41, 51, 60}

// A guild is its name and the careers that it asks for.
type guild struct {
	names         Names
	title, degree bool
}

// guilds are by number. Source: protocol life 5.1.
var guilds = [Guilds + 1]guild{
	1:  {Names{"en": "assassins", "ru": "ассасины"}, true, true},
	2:  {Names{"en": "crusaders", "ru": "крестоносцы"}, true, false},
	3:  {Names{"en": "inquisitors", "ru": "инквизиторы"}, false, true},
	4:  {Names{"en": "hunters", "ru": "охотники"}, true, false},
	5:  {Names{"en": "archmages", "ru": "архимаги"}, false, true},
	6:  {Names{"en": "barbarians", "ru": "варвары"}, true, true},
	7:  {Names{"en": "druids", "ru": "друиды"}, false, true},
	8:  {Names{"en": "thieves", "ru": "воры"}, true, true},
	9:  {Names{"en": "masters of steel", "ru": "мастера стали"}, true, false},
	10: {Names{"en": "armourers", "ru": "оружейники"}, true, false},
	11: {Names{"en": "blacksmiths", "ru": "кузнецы"}, true, true},
	12: {Names{"en": "warlocks", "ru": "чернокнижники"}, false, true},
	13: {Names{"en": "necromancers", "ru": "некроманты"}, false, true},
	14: {Names{"en": "standard-bearers", "ru": "знаменосцы"}, true, false},
}

// IsGuild reports whether a guild has a number.
func IsGuild(n int) bool { return n >= 1 && n <= Guilds }

// GuildName is the name of a guild in a language, "" for none.
func GuildName(n int, language string) string {
	if !IsGuild(n) {
		return ""
	}
	return guilds[n].names.In(language)
}

// GuildNeeds is the title and the degree, from 1, from which a rank of a guild, from 0, can be had; 0: any.
func GuildNeeds(n, rank int) (title, degree int) {
	if !IsGuild(n) || rank < 0 || rank >= GuildRanks {
		return 0, 0
	}
	if guilds[n].title {
		title = guildLevels[rank]
	}
	if guilds[n].degree {
		degree = guildLevels[rank]
	}
	return title, degree
}

// NextRank is the rank, from 0, that a character of these levels, absolute and less one, can have next in a guild, or
// the reason why it cannot.
//
// Source: protocol life 5, 5.4.
func NextRank(n, title, degree int, p *Progress) (rank int, why RejectReason) {
	switch {
	case p.Guild == n:
		rank = p.GuildRank + 1
	case p.Guild != 0:
		return 0, OtherGuild
	}
	needTitle, needDegree := GuildNeeds(n, rank)
	switch {
	case rank >= GuildRanks:
		return rank, GuildTop
	case inCycle(title)+1 < needTitle:
		return rank, TitleTooLow
	case inCycle(degree)+1 < needDegree:
		return rank, DegreeTooLow
	}
	return rank, 0
}

// FirstEmblem is the number of the lowest emblem of the first guild; those of the next guild are 100 higher. Source:
// protocol gamerules 12.
const FirstEmblem = 5500

// GuildOf is the guild (1 to 14) and rank (0 to 5) of the emblem with a game id; false for ids that are no emblem (12).
func GuildOf(gameID int) (guild, rank int, ok bool) {
	n := gameID - FirstEmblem
	if n < 0 || n/100 >= Guilds || n%100 >= GuildRanks {
		return 0, 0, false
	}
	return n/100 + 1, n % 100, true
}

// IsGuildSlot reports whether a slot of a character is the emblem's or one of the abilities'.
func IsGuildSlot(slot int) bool {
	return slot == SlotGuild || slot >= SlotAbilities && slot < EndOfAbilities
}

// Enrol gives a character the emblem and the abilities of a rank, from 0, of a guild in place of those that it has; of
// guild 0 none. Those of which there is no kind are left out.
//
// Source: protocol life 5.2, 5.3.
func (t *Tables) Enrol(x *InventoryTx, s *Side, guild, rank int) {
	for i := len(s.Items) - 1; i >= 0; i-- {
		if it := &s.Items[i]; it.In == 0 && IsGuildSlot(it.Slot) {
			x.Take(s, it.ID)
		}
	}
	if !IsGuild(guild) {
		return
	}
	for n := range 1 + guildAbilities {
		k := t.Kind(FirstEmblem + 100*(guild-1) + 10*n + rank)
		if k == nil {
			continue
		}
		it := t.NewItem(k, NoSuffix, 1, nil)
		if it.Slot = SlotGuild; n > 0 {
			it.Slot = SlotAbilities + n - 1
		}
		x.Add(s, it)
	}
}

// Of theft: of so many coins it takes one at most, and from this rank on, from 0, it takes things, too; the rank is
// ours. Source: protocol life 5.2, 5.4.
const (
	theftPart   = 20
	theftThings = 3
)

// StolenCoins draws how many coins a theft takes of a purse; 0 if there are too few.
func StolenCoins(r *rand.Rand, money int64) int64 {
	if money < theftPart {
		return 0
	}
	return 1 + r.Int64N(money/theftPart)
}

// StealsThings reports whether a theft by the ability of a game id may take a thing.
func StealsThings(gameID int) bool { return gameID%10 >= theftThings }

// MayBeStolen reports whether a theft may take an item: one that lies in the inventory itself, is not bound, and holds
// nothing. Source: protocol life, check 7.9.
func (h *Inventory) MayBeStolen(t *Item) bool {
	return t.In == 0 && InInventory(t.Slot) && !t.Bound && t.Class != ClassMission && !ClassOf(t.Class).Stays &&
		!h.Holds(t.ID)
}
