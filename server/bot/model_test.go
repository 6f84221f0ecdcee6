package bot_test

import (
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

func manager(c packets.Command) packets.Region { return &packets.Manager{Command: c} }

func nameplate(s packets.Stat, value uint16) packets.Region {
	return &packets.TradeMan{Command: &packets.NameplateStat{Stat: s, Value: value}}
}

func groupOperation(n uint8) packets.Region { return manager(&packets.GroupOperation{Operation: n}) }

func groupMember(name string, state uint32) packets.Region {
	return manager(&packets.GroupMember{State: state, Online: 1, Name: name})
}

// meet shows the client another player, and tells something about it.
func (f *fake) meet(regions ...packets.Region) {
	f.about(stranger, packets.ClassPlayer, strangerSpawn())
	f.about(stranger, packets.ClassPlayer, gear())
	f.about(stranger, packets.ClassPlayer, regions...)
}

// sayToGroup sends a line as lines of groups come: header and parts of 250 bytes.
func (f *fake) sayToGroup(name, message string) {
	const partBytes = 250
	text := packets.Append1251(nil, `<l="player://`+name+`">`+name+`</l>: `+message)
	parts := slices.Collect(slices.Chunk(text, partBytes))
	f.own(manager(&packets.ChatHeader{Channel: 5, Length: uint32(len(text)), Parts: uint16(len(parts))}))
	for i, p := range parts {
		f.own(manager(&packets.ChatPart{Channel: 5, Index: uint16(i), Text: packets.Decode1251(p) + "\x00"}))
	}
}

// after runs a client with a fake that sends it something right after it has entered, and shows the result.
func after(t *testing.T, tell func(*fake), look func(*testing.T, *bot.Client)) {
	t.Helper()
	play(t, func(f *fake) { f.entered = func() { tell(f) } }, bot.Options{Idle: true}, func(t *testing.T, s story) {
		if s.err != nil {
			t.Error(s.err)
		}
		for _, f := range s.client.Violations() {
			t.Error(f)
		}
		look(t, s.client)
	})
}

func TestOtherPlayersAreWhatTheServerTellsOfThem(t *testing.T) {
	to := coords.Position{X: 2620.5, Y: 158, Z: 1290.25, Yaw: 1.5}
	after(t, func(f *fake) {
		f.meet(nameplate(packets.StatHP, 3), nameplate(packets.StatMaxHP, 12), nameplate(packets.StatTitle, 7),
			nameplate(packets.StatTitleRebirths, 1),
			nameplate(packets.StatDegree, 8), nameplate(packets.StatDegreeRebirths, 2), nameplate(packets.StatKarma,
				5), nameplate(packets.StatGuild, 66),
			nameplate(packets.StatGuildRank, 2), &packets.TradeMan{Command: &packets.ClanTag{Rank: 1, Clan: "Night"}})
		f.about(stranger, packets.ClassPlayer, &packets.TradeMan{Command: &packets.NameplateStat32{Stat: packets.StatHP,
			Value: 70000}})
		f.send(movement(to, map[packets.ObjectID]packets.Class{stranger: packets.ClassPlayer}))
	}, func(t *testing.T, c *bot.Client) {
		o := c.Objects[stranger]
		if o == nil || o.Player == nil || o.Gear == nil {
			t.Fatalf("holds %+v", o)
		}
		p := *o.Player
		want := *strangerSpawn()
		want.HP, want.MaxHP, want.Title, want.TitleRebirths, want.Degree, want.DegreeRebirths = 70000, 12, 7, 1, 8, 2
		want.Karma, want.Guild, want.GuildRank, want.Clan, want.ClanRank = 5, 66, 2, "Night", 1
		if p != want {
			t.Errorf("shows %+v, expected %+v", p, want)
		}
		if d := o.Position.Distance(to); d > 0.03 {
			t.Errorf("stands at %v, %.3f m from %v", o.Position, d, to)
		}
	})
}

func TestTownsfolkAndDoorsAreWhatTheServerTellsOfThem(t *testing.T) {
	const trader, door packets.ObjectID = 0x2001, 0x2002
	after(t, func(f *fake) {
		f.about(trader, packets.ClassTrader, &packets.SpawnSnapshot{X: 1, Y: 2, Z: 3},
			&packets.TradeMan{Command: &packets.DisplayName{Code: 4000085}},
			contMan(&packets.Model{Name: "man_1"}), manager(&packets.Title{Key: "npc_smith"}),
			manager(&packets.Occupation{Number: 50003}))
		f.about(door, packets.ClassDoorIn, &packets.SpawnSnapshot{X: 4, Y: 5, Z: 6},
			contMan(&packets.DoorYaw{Number: packets.Unbound, Yaw: 1}),
			contMan(&packets.DoorTarget{X: 7, Y: 8, Z: 9}))
	}, func(t *testing.T, c *bot.Client) {
		if s, d := c.Objects[trader], c.Objects[door]; s == nil || s.Occupation != 50003 || s.Position.X != 1 || d == nil ||
			d.Position.X != 4 {
			t.Errorf("trader %+v, door %+v", s, d)
		}
	})
}

func TestLinesArriveInBothForms(t *testing.T) {
	long := ""
	for range 60 {
		long += "очень длинная "
	}
	after(t, func(f *fake) {
		f.sayToGroup("Петя", long)
		// Two lines come at once, under two ids; the second chunk of the first is empty.
		const text = `<l="player://Вася\[br\]\[cl=EEEEEE\]Вася \"бас\"\[br\]">Вася</l>: привет`
		f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: uint32(packets.Len1251(text)), Chunks: 2,
			Sender: "Вася", Channel: 2})
		f.about(0xC101, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: 2, Chunks: 1, Sender: "Аня", Channel: 3})
		f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: text})
		f.about(0xC101, packets.ClassChat, &packets.ChatChunk{Text: "да"})
		f.about(0xC100, packets.ClassChat, &packets.ChatChunk{})
		f.own(manager(&packets.SystemMessage{Mode: 7, Text: "soon"}))
	}, func(t *testing.T, c *bot.Client) {
		want := []bot.Line{{Number: 1, Channel: 5, Sender: "Петя", Message: long, Parts: true},
			{Number: 2, Channel: 3, Sender: "Аня", Message: "да"},
			{Number: 3, Channel: 2, Sender: "Вася", Message: "привет"}, {Number: 4, Message: "soon"}}
		for i := range c.Lines {
			c.Lines[i].Text = ""
		}
		if !slices.Equal(c.Lines, want) {
			t.Errorf("heard %+v, expected %+v", c.Lines, want)
		}
		if n := c.Tally().Heard.Load(); n != 3 {
			t.Errorf("%d lines of chat are counted", n)
		}
	})
}

func TestGroupsAreWhatTheServerTellsOfThem(t *testing.T) {
	after(t, func(f *fake) {
		f.own(groupOperation(5), groupOperation(9))
		f.own(manager(&packets.GroupCandidate{State: 0, Name: "Аня"}))
		f.own(manager(&packets.GroupCandidate{State: 0, Name: "Петя"}))
		f.own(manager(&packets.GroupCandidate{State: 1, Name: "Петя"}))
	}, func(t *testing.T, c *bot.Client) {
		if !slices.Equal(c.Group.Members, []bot.GroupMember{{Name: "Hero", Leader: true}, {Name: "Петя"}}) ||
			!slices.Equal(c.Group.Applicants, []string{"Аня"}) ||
			!c.Group.Leads("Hero") || c.Group.Leads("Петя") || !c.Group.Has("Петя") || c.Group.Has("Аня") {
			t.Errorf("%+v", c.Group)
		}
	})
	after(t, func(f *fake) {
		f.own(groupOperation(5), groupMember("Петя", 2), groupMember("Hero", 1),
			manager(&packets.GroupCandidate{State: 1, Name: "Hero"}))
		f.own(groupMember("Аня", 1))
		f.own(manager(&packets.GroupName{Operation: 10, Name: "Петя"}))
		f.own(groupOperation(5), groupMember("Hero", 2), groupMember("Аня", 1)) // the new leader
	}, func(t *testing.T, c *bot.Client) {
		if !slices.Equal(c.Group.Members, []bot.GroupMember{{Name: "Hero", Leader: true}, {Name: "Аня"}}) {
			t.Errorf("%+v", c.Group)
		}
	})
	for _, end := range []uint8{11, 13} {
		after(t, func(f *fake) {
			f.own(groupOperation(5), groupMember("Петя", 2), groupMember("Hero", 1))
			f.own(groupOperation(end))
		}, func(t *testing.T, c *bot.Client) {
			if len(c.Group.Members) > 0 {
				t.Errorf("after operation %d: %+v", end, c.Group)
			}
		})
	}
}

func TestClansAreWhatTheServerTellsOfThem(t *testing.T) {
	const other packets.ObjectID = 0x6E6F
	member := func(id packets.ObjectID, name string, rank uint8) packets.Region {
		return manager(&packets.ClanMember{Rank: rank, Player: id, Name: name})
	}
	after(t, func(f *fake) {
		f.own(member(stranger, "Петя", 0), member(other, "Аня", 2), member(f.index.ID(), "Hero", 3),
			manager(&packets.AllianceList{Allies: []byte{0, 0, 0}}),
			manager(&packets.ClanMembership{Rank: 6, Clan: "Ночь"}))
		f.own(manager(&packets.ClanMemberRank{Rank: 1, Player: stranger}))
		f.own(manager(&packets.ClanMemberRemoved{Player: other}))
		f.own(manager(&packets.ClanApplicant{Player: other}))
	}, func(t *testing.T, c *bot.Client) {
		if c.Clan.Name != "Ночь" || c.Clan.Rank != 3 || !slices.Equal(c.Clan.Applicants, []packets.ObjectID{other}) ||
			!slices.Equal(c.Clan.Members, []bot.ClanMember{{ID: stranger, Name: "Петя", Rank: 1},
				{ID: c.ID(), Name: "Hero", Rank: 3}}) {
			t.Errorf("%+v", c.Clan)
		}
	})
	after(t, func(f *fake) {
		f.own(manager(&packets.ClanMembership{Rank: 2, Clan: "Ночь"}))
		f.own(manager(&packets.ClanMembership{Rank: 5, Clan: "Ночь"}))
	}, func(t *testing.T, c *bot.Client) {
		if c.Clan.Name != "" || c.Clan.Rank != -1 || c.Clan.Members != nil {
			t.Errorf("%+v", c.Clan)
		}
	})
}

// Clients that live by themselves say something now and then.
func TestClientsChatAsOftenAsTheyAreTold(t *testing.T) {
	var said string
	play(t, func(f *fake) {
		f.entered = func() { time.AfterFunc(played, func() { said = f.said() }) }
	}, bot.Options{ChatEvery: 5 * time.Second, Idle: true}, func(t *testing.T, s story) {
		if n := s.client.Tally().Said.Load(); n < 7 || n > 15 {
			t.Errorf("%d lines in %v, one is due every 5 s", n, played)
		}
	})
	if said == "" {
		t.Error("nothing has arrived")
	}
}
