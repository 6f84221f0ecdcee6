package rules

import "testing"

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
	if title, degree := GuildNeeds(0, 0); title != 0 || degree != 0 || GuildName(0, "en") != "" || GuildName(15, "en") != "" {
		t.Error("there is a guild without a number")
	}
}
