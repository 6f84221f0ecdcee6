package rules

import (
	"math/rand/v2"
	"testing"
)

// Each rank has its level, of the careers that the guild asks for. Source: life check 7.1.
func TestLifeCheck7_1NextRank(t *testing.T) {
	none, member := Progress{}, func(guild, rank int) Progress { return Progress{Guild: guild, GuildRank: rank} }
	for name, v := range map[string]struct {
		guild, title, degree int // levels from 1
		is                   Progress
		rank                 int
		why                  RejectReason
	}{
		"a title of 16":                  {2, 16, 1, none, 0, 0},
		"a title of 15":                  {2, 15, 60, none, 0, TitleTooLow},
		"a degree of 16":                 {3, 1, 16, none, 0, 0},
		"a degree of 15":                 {3, 60, 15, none, 0, DegreeTooLow},
		"both":                           {1, 16, 16, none, 0, 0},
		"one of both":                    {1, 16, 15, none, 0, DegreeTooLow},
		"the other of both":              {1, 15, 16, none, 0, TitleTooLow},
		"the second rank":                {2, 21, 1, member(2, 0), 1, 0},
		"the second rank, too early":     {2, 20, 1, member(2, 0), 1, TitleTooLow},
		"the last rank":                  {2, 60, 1, member(2, 4), 5, 0},
		"beyond the last rank":           {2, 60, 1, member(2, 5), 6, GuildTop},
		"of another guild":               {2, 60, 60, member(3, 5), 0, OtherGuild},
		"a title of 16 in a later cycle": {2, 60 + 16, 1, none, 0, 0},
		"a title of 15 in a later cycle": {2, 60 + 15, 1, none, 0, TitleTooLow},
	} {
		if rank, why := NextRank(v.guild, v.title-1, v.degree-1, &v.is); why != v.why || why != OtherGuild && rank != v.rank {
			t.Errorf("%s: rank %d, %v", name, rank, why)
		}
	}
	for rank, level := range []int{16, 21, 31, 41, 51, 60} {
		if title, degree := GuildNeeds(6, rank); title != level || degree != level {
			t.Errorf("rank %d of the barbarians needs %d and %d", rank, title, degree)
		}
	}
	for n := -1; n <= Guilds+1; n++ {
		_, why := NextRank(n, 59, 59, &Progress{})
		if is := n >= 1 && n <= 14; IsGuild(n) != is || (GuildName(n, "ru") != "") != is || is && why != 0 {
			t.Errorf("guild %d: %t, %v", n, IsGuild(n), why)
		}
	}
	for _, rank := range []int{-1, GuildRanks} {
		if title, degree := GuildNeeds(6, rank); title != 0 || degree != 0 {
			t.Errorf("rank %d needs %d and %d", rank, title, degree)
		}
	}
	if title, degree := GuildNeeds(0, 0); title != 0 || degree != 0 || GuildName(0, "en") != "" || GuildName(15, "en") != "" {
		t.Error("there is a guild without a number")
	}
}

// A theft takes at most a twentieth of a purse, or one thing that lies free in the inventory. Source: protocol life 5.4,
// check 7.9.
func TestLifeCheck7_9WhatMayBeStolen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, money := range []int64{0, 19, 20, 39, 40, 1000, MaxMoney} {
		most := int64(0)
		for range 2000 {
			coins := StolenCoins(r, money)
			if coins < 0 || coins > money/20 || coins == 0 && money >= 20 {
				t.Fatalf("%d of %d coins", coins, money)
			}
			most = max(most, coins)
		}
		if money == 1000 && most != 50 {
			t.Errorf("never more than %d of 1000", most)
		}
	}
	for rank := range GuildRanks {
		if got := StealsThings(6210 + rank); got != (rank >= 3) {
			t.Errorf("rank %d: %t", rank, got)
		}
	}
	free := Item{ID: 1, Class: 500, Slot: SlotInventory}
	for name, v := range map[string]struct {
		spoil func(*Item)
		may   bool
	}{
		"free":           {func(*Item) {}, true},
		"the last slot":  {func(i *Item) { i.Slot = EndOfInventory - 1 }, true},
		"worn":           {func(i *Item) { i.Slot = SlotHelmet }, false},
		"bound":          {func(i *Item) { i.Bound = true }, false},
		"a mission":      {func(i *Item) { i.Class = ClassMission }, false},
		"an ability":     {func(i *Item) { i.Slot = SlotAbilities }, false},
		"in a bag":       {func(i *Item) { i.In, i.Slot = 9, 0 }, false},
		"holds":          {func(i *Item) { i.ID = 9 }, false},
		"never goes":     {func(i *Item) { i.Class = ClassLootBag }, false},
		"the money slot": {func(i *Item) { i.Slot = SlotMoney }, false},
	} {
		i := free
		v.spoil(&i)
		h := carries(i, Item{ID: 10, In: 9, Class: 500})
		if h.MayBeStolen(&h.Items[0]) != v.may {
			t.Errorf("%s: %t", name, !v.may)
		}
	}
}

// A rank brings its emblem and abilities in place of those of the rank before, and leaves all else. Source: protocol
// life 5.2, 5.3.
func TestLifeCheck7_2TheEmblemOfARank(t *testing.T) {
	for slot := range EndOfSlots {
		if got := IsGuildSlot(slot); got != (slot == SlotGuild || slot >= SlotAbilities && slot < EndOfAbilities) {
			t.Errorf("slot %d: %t", slot, got)
		}
	}
	var kinds []Kind
	for n := range 1 + guildAbilities {
		for rank := range GuildRanks {
			k := Kind{ID: 5700 + 10*n + rank, Class: 2001, GameID: 5700 + 10*n + rank}
			if n == 0 {
				k.Class, k.Slots = ClassGuildEmblem, []int{SlotGuild}
			}
			kinds = append(kinds, k)
		}
	}
	tables, err := NewTables(append(kinds, Kind{ID: 1, Class: 500, GameID: 601}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	has := carries(Item{ID: 1, Class: 500, GameID: 601, Slot: SlotInventory, Count: 1})
	next := ItemID(100)
	enrol := func(guild, rank int) map[int]int {
		var x InventoryTx
		tables.Enrol(&x, x.Side(has), guild, rank)
		ids := make([]ItemID, len(x.Changes()))
		for i := range ids {
			next++
			ids[i] = next
		}
		x.Apply(ids)
		slots := map[int]int{}
		for _, i := range has.Items {
			slots[i.Slot] = i.GameID
		}
		return slots
	}
	for _, rank := range []int{0, 1, 5} {
		got := enrol(3, rank)
		if len(got) != 5 || got[SlotGuild] != 5700+rank || got[SlotAbilities] != 5710+rank ||
			got[SlotAbilities+1] != 5720+rank || got[SlotAbilities+2] != 5730+rank {
			t.Errorf("rank %d: %v", rank, got)
		}
	}
	if got := enrol(0, 0); len(got) != 1 {
		t.Errorf("after leaving: %v", got)
	}
	if got := enrol(4, 0); len(got) != 1 { // the tables do not have it
		t.Errorf("of a guild without kinds: %v", got)
	}
}
