package data

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// people makes characters, each of an account of its own.
func people(t testing.TB, s *Store, names ...string) []Character {
	t.Helper()
	var out []Character
	for _, name := range names {
		a := must(s.CreateAccount(t.Context(), "of "+name, "hash", Player))(t)
		c, _, err := s.CreateCharacter(t.Context(), newcomer(a.ID, 0, name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// ranks are the members of a clan as "Name rank", in their order.
func ranks(members []ClanMember) (out []string) {
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s %v", m.Name, m.Rank))
	}
	return out
}

func wantRanks(t testing.TB, members []ClanMember, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, ranks(members)); diff != "" {
		t.Errorf("members: %s", diff)
	}
}

func TestClanIsFoundedJoinedAndLeft(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	p := people(t, s, "Anna", "Berta", "Clara")
	founded := must(s.CreateClan(ctx, p[0].ID, "Red Star 1"))(t)
	wantRanks(t, founded.Members, "Anna senior")
	if diff := cmp.Diff(founded.Clan, must(s.ClanOf(ctx, p[0].ID))(t)); diff != "" || founded.Clan.Founder != p[0].ID ||
		founded.Clan.Created.IsZero() {
		t.Errorf("the clan is %+v: %s", founded.Clan, diff)
	}
	_, err := s.ClanOf(ctx, p[1].ID)
	wantError(t, err, ErrNoClan)

	joined := must(s.JoinClan(ctx, p[0].ID, p[1].ID))(t)
	if joined.Who.Name != "Berta" || joined.Who.Rank != Neophyte {
		t.Errorf("joined: %+v", joined.Who)
	}
	wantRanks(t, joined.Before, "Anna senior")
	wantRanks(t, joined.Members, "Anna senior", "Berta neophyte")
	for _, c := range must(s.FindCharacters(ctx, ""))(t) {
		want := map[string]string{"Anna": "Red Star 1 senior", "Berta": "Red Star 1 neophyte", "Clara": " senior"}[c.Name]
		if have := fmt.Sprintf("%s %v", c.ClanName, c.ClanRank); have != want {
			t.Errorf("%s: expected clan %q, found %q", c.Name, want, have)
		}
	}

	left := must(s.LeaveClan(ctx, p[1].ID))(t)
	wantRanks(t, left.Members, "Anna senior")
	if left.Who.Name != "Berta" || left.Who.Rank != Neophyte {
		t.Errorf("left: %+v", left.Who)
	}
	gone := must(s.LeaveClan(ctx, p[0].ID))(t)
	if len(gone.Members) != 0 {
		t.Errorf("expected a dissolved clan, found %v", ranks(gone.Members))
	}
	must(s.CreateClan(ctx, p[2].ID, "red star 1"))(t) // the name is free again
}

func TestClanRefusals(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	p := people(t, s, "Senior", "Seneschal", "Vassal", "Neophyte", "Stranger", "Other")
	senior, seneschal, vassal, neophyte, stranger, other := p[0].ID, p[1].ID, p[2].ID, p[3].ID, p[4].ID, p[5].ID
	must(s.CreateClan(ctx, senior, "Ours"))(t)
	must(s.CreateClan(ctx, other, "Theirs"))(t)
	for i, rank := range []ClanRank{Seneschal, Vassal, Neophyte} {
		must(s.JoinClan(ctx, senior, p[i+1].ID))(t)
		if rank != Neophyte {
			must(s.SetClanRank(ctx, senior, p[i+1].ID, rank))(t)
		}
	}
	create := func(who CharacterID, name string) error { _, err := s.CreateClan(ctx, who, name); return err }
	join := func(by, who CharacterID) error { _, err := s.JoinClan(ctx, by, who); return err }
	expel := func(by, who CharacterID) error { _, err := s.ExpelFromClan(ctx, by, who); return err }
	rank := func(by, who CharacterID, r ClanRank) error { _, err := s.SetClanRank(ctx, by, who, r); return err }
	leave := func(who CharacterID) error { _, err := s.LeaveClan(ctx, who); return err }
	for name, c := range map[string]struct{ err, want error }{
		"create within a clan":        {create(senior, "Second"), ErrInClan},
		"create a look-alike name":    {create(stranger, "THEIRS"), ErrNameTaken},
		"create by nobody":            {create(999, "Nobody"), ErrNotFound},
		"join by somebody of no clan": {join(stranger, other), ErrNoClan},
		"join by a vassal":            {join(vassal, stranger), ErrRankTooLow},
		"join by a neophyte":          {join(neophyte, stranger), ErrRankTooLow},
		"join of another's member":    {join(senior, other), ErrInClan},
		"join of a member":            {join(seneschal, vassal), ErrInClan},
		"join of nobody":              {join(senior, 999), ErrNotFound},
		"expel by a vassal":           {expel(vassal, neophyte), ErrRankTooLow},
		"expel of the senior":         {expel(seneschal, senior), ErrRankTooLow},
		"expel of oneself":            {expel(seneschal, seneschal), ErrRankTooLow},
		"expel of a stranger":         {expel(senior, stranger), ErrNotFound},
		"expel from another clan":     {expel(senior, other), ErrNotFound},
		"expel by a stranger":         {expel(stranger, neophyte), ErrNoClan},
		"rank by a vassal":            {rank(vassal, neophyte, Vassal), ErrRankTooLow},
		"rank equal to one's own":     {rank(seneschal, neophyte, Seneschal), ErrRankTooLow},
		"rank above one's own":        {rank(seneschal, neophyte, Senior), ErrRankTooLow},
		"rank of oneself":             {rank(seneschal, seneschal, Vassal), ErrRankTooLow},
		"rank of somebody above":      {rank(seneschal, senior, Vassal), ErrRankTooLow},
		"rank of a stranger":          {rank(senior, stranger, Vassal), ErrNotFound},
		"rank by somebody of no clan": {rank(stranger, neophyte, Vassal), ErrNoClan},
		"leave without a clan":        {leave(stranger), ErrNoClan},
		"leave of nobody":             {leave(999), ErrNoClan},
	} {
		if !strings.Contains(fmt.Sprint(c.err), c.want.Error()) {
			t.Errorf("%s: expected %q, found %v", name, c.want, c.err)
		}
	}
	if err := rank(senior, neophyte, 4); err == nil || !strings.Contains(err.Error(), "expected 0 to 3, found 4") {
		t.Errorf("a rank that does not last: %v", err)
	}
	clan := must(s.ClanOf(ctx, senior))(t)
	wantRanks(t, must(s.ClanMembers(ctx, clan.ID))(t), "Senior senior", "Seneschal seneschal", "Vassal vassal",
		"Neophyte neophyte")

	must(s.ExpelFromClan(ctx, seneschal, vassal))(t)
	must(s.SetClanRank(ctx, seneschal, neophyte, Vassal))(t)
	over := must(s.SetClanRank(ctx, senior, neophyte, Senior))(t)
	wantRanks(t, over.Members, "Neophyte senior", "Senior seneschal", "Seneschal seneschal")
	wantRanks(t, over.Before, "Senior senior", "Seneschal seneschal", "Neophyte vassal")
}

func TestClanHasALimit(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	var names []string
	for i := range MaxClanMembers + 1 {
		names = append(names, fmt.Sprintf("N%d", i))
	}
	p := people(t, s, names...)
	must(s.CreateClan(t.Context(), p[0].ID, "Crowd"))(t)
	for i, c := range p[1:] {
		_, err := s.JoinClan(t.Context(), p[0].ID, c.ID)
		if i+1 < MaxClanMembers {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		wantError(t, err, ErrClanFull)
	}
}

func TestLeadPassesHoweverTheSeniorGoes(t *testing.T) {
	for name, leaveIt := range map[string]func(*testing.T, *Store, Character) error{
		"leaves": func(t *testing.T, s *Store, c Character) error { _, err := s.LeaveClan(t.Context(), c.ID); return err },
		"character deleted": func(t *testing.T, s *Store, c Character) error {
			_, err := s.DeleteCharacter(t.Context(), c.ID)
			return err
		},
		"account is deleted": func(t *testing.T, s *Store, c Character) error {
			return s.DeleteAccount(t.Context(),
				c.Account)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), Options{})
			p := people(t, s, "Anna", "Berta", "Clara", "Dora")
			clan := must(s.CreateClan(t.Context(), p[0].ID, "Heirs"))(t).Clan
			for _, c := range p[1:] {
				must(s.JoinClan(t.Context(), p[0].ID, c.ID))(t)
			}
			must(s.SetClanRank(t.Context(), p[0].ID, p[2].ID, Vassal))(t) // above Berta, a member for longer
			for i, want := range [][]string{
				{"Clara senior", "Berta neophyte", "Dora neophyte"},
				{"Berta senior", "Dora neophyte"},
				{"Dora senior"},
				nil,
			} {
				if err := leaveIt(t, s, p[[]int{0, 2, 1, 3}[i]]); err != nil {
					t.Fatal(err)
				}
				wantRanks(t, must(s.ClanMembers(t.Context(), clan.ID))(t), want...)
			}
			var left int
			if err := s.reads.QueryRow("SELECT count(*) FROM clans").Scan(&left); err != nil || left != 0 {
				t.Errorf("expected no clan, found %d (%v)", left, err)
			}
		})
	}
}

// A save of a session's older state must not undo a change.
func TestSavingAnOlderStateKeepsTheClan(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	p := people(t, s, "Anna")
	must(s.CreateClan(t.Context(), p[0].ID, "Lasting"))(t)
	if err := s.SaveCharacters(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if c := must(s.CharacterByID(t.Context(), p[0].ID))(t); c.ClanName != "Lasting" {
		t.Errorf("expected the clan Lasting, found %q", c.ClanName)
	}
}

func TestEveryClanHasOneSeniorWhateverHappens(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	p := people(t, s, "Anna", "Berta", "Clara", "Dora", "Emma")
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			by := p[rapid.IntRange(0, len(p)-1).Draw(r, "by")].ID
			who := p[rapid.IntRange(0, len(p)-1).Draw(r, "who")].ID
			switch rapid.IntRange(0, 4).Draw(r, "what") {
			case 0:
				s.CreateClan(t.Context(), by, fmt.Sprintf("Clan %d", by))
			case 1:
				s.JoinClan(t.Context(), by, who)
			case 2:
				s.LeaveClan(t.Context(), by)
			case 3:
				s.ExpelFromClan(t.Context(), by, who)
			case 4:
				s.SetClanRank(t.Context(), by, who, ClanRank(rapid.IntRange(0, 3).Draw(r, "rank")))
			}
			var wrong int
			err := s.reads.QueryRow(`SELECT count(*) FROM clans k WHERE 1 <> (SELECT count(*) FROM clan_members WHERE clan = k.id AND rank = 0)`).Scan(&wrong)
			if err != nil || wrong != 0 {
				r.Fatalf("%d clans have not one senior (%v)", wrong, err)
			}
		}
	})
	for _, problem := range must(s.Check(t.Context()))(t) {
		if !strings.Contains(problem, "password hash") {
			t.Error(problem)
		}
	}
}

func TestClanNames(t *testing.T) {
	for name, want := range map[string]string{
		"Новый клан":       "",
		"Разный шмот":      "",
		"Я":                "",
		"A-1_b":            "",
		"123456789012345":  "letter first",
		"Abcdefghijklmno":  "",
		"Abcdefghijklmnop": "1 to 15 characters",
		"":                 "found none",
		" Star":            "single spaces",
		"Star ":            "single spaces",
		"Red  Star":        "single spaces",
		"Red\tStar":        "control character",
		"Red Звезда":       "one alphabet",
		"<Red>":            "letter first",
		"Red[br]":          "expected letters",
		"Ред☆":             "not in Windows-1251",
	} {
		err := CheckClanName(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, found %v", name, want, err)
		}
	}
}

func TestMuteLastsAndEnds(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := people(t, s, "Anna")[0].Account
	wantError(t, s.Unmute(ctx, a), ErrNotFound)
	wantError(t, s.Mute(ctx, 999, Mute{}), ErrNotFound)

	until := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	if err := s.Mute(ctx, a, Mute{Until: until, Reason: "шум", By: "gm"}); err != nil {
		t.Fatal(err)
	}
	m := must(s.AccountByID(ctx, a))(t).Mute
	if m == nil || m.Until != until || m.Reason != "шум" || m.By != "gm" || m.At.IsZero() || !m.Holds(time.Now()) ||
		m.Holds(until) {
		t.Errorf("muted: %+v", m)
	}
	if account := must(s.AccountByID(ctx, a))(t); account.Ban != nil {
		t.Errorf("the account is %+v", account)
	}
	s.now = func() time.Time { return until }
	if m := must(s.AccountByID(ctx, a))(t).Mute; m != nil {
		t.Errorf("still muted when it has ended: %+v", m)
	}
	wantError(t, s.Unmute(ctx, a), ErrNotFound)

	if err := s.Mute(ctx, a, Mute{}); err != nil { // for ever
		t.Fatal(err)
	}
	if err := s.Unmute(ctx, a); err != nil {
		t.Fatal(err)
	}
	if m := must(s.AccountByID(ctx, a))(t).Mute; m != nil {
		t.Errorf("still muted after unmuting: %+v", m)
	}
}

func TestLanguageIsOneOfTheKnown(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := people(t, s, "Anna")[0].Account
	if found := must(s.AccountByID(t.Context(), a))(t); found.Language != "" {
		t.Errorf("expected none, found %q", found.Language)
	}
	if err := s.SetLanguage(t.Context(), a, "en"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetLanguage(t.Context(), a, "de"); err == nil {
		t.Error("a language that nobody wrote was taken")
	}
	wantError(t, s.SetLanguage(t.Context(), 999, "ru"), ErrNotFound)
	if found := must(s.AccountByID(t.Context(), a))(t); found.Language != "en" {
		t.Errorf("expected en, found %q", found.Language)
	}
}

// first are the migrations of the first version alone.
func first(t *testing.T) fs.FS {
	t.Helper()
	const name = "00001_accounts_characters_items.sql"
	return fstest.MapFS{name: {Data: must(embeddedMigrations.ReadFile("migrations/" + name))(t)}}
}

func TestDatabaseOfTheFirstVersionIsBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	old := open(t, dir, Options{migrations: first(t)})
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	execFile(t, dir,
		`INSERT INTO accounts (id, login, login_key, password_hash, role, created) VALUES (7, 'Вася', 'вася', 'hash', 2, 1000)`,
		`INSERT INTO account_bans (account, until, reason, banned_by, at) VALUES (7, 0, 'шум', 'gm', 1000)`,
		`INSERT INTO characters VALUES (3, 7, 1, 'Сова', 'coba', 1, 48, 49, 50, 51, 1000, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
			90, 80, 50, 100, -7, '', 0, 2, 3, 12345, 1.5, 2.5, 3.5, 0.5, 2000, 60000, 1)`,
		`INSERT INTO items (owner, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight) VALUES (3, 26, 506, 1, -1, 1, 100, 100, 0, 0, 5000)`)

	s := open(t, dir, Options{})
	a := must(s.AccountByLogin(t.Context(), "вася"))(t)
	if a.ID != 7 || a.Role != GameMaster || a.Language != "" || a.Mute != nil || a.Ban == nil || a.Ban.Reason != "шум" {
		t.Errorf("the account is %+v", a)
	}
	want := Character{ID: 3, Account: 7, Slot: 1, Name: "Сова", Female: true, Face: 48, Hair: 49, HairColour: 50,
		Tattoo:     51,
		TitleLevel: 4, DegreeLevel: 5, HP: 90, MP: 80, Progress: rules.Progress{TitleXP: 6, DegreeXP: 7,
			TitlePoints: 8, DegreePoints: 9, Base: rules.Stats{11, 12, 13, 14, 15, 16, 17, 18}, Karma: -7,
			Guild: 2, GuildRank: 3},
		Satiety: 50, MaxSatiety: 100, Money: 12345, Position: coords.Position{X: 1.5, Y: 2.5, Z: 3.5, Yaw: 0.5},
		Created: time.UnixMilli(1000).UTC(), LastSeen: time.UnixMilli(2000).UTC(), Played: time.Minute, Tutorial: true,
		FirstHelp: 1<<HelpPages - 1}
	if diff := cmp.Diff(want, must(s.CharacterByName(t.Context(), "сова"))(t)); diff != "" {
		t.Error(diff)
	}
	if items := must(s.Items(t.Context(), 3))(t); len(items) != 1 || items[0].Class != 506 {
		t.Errorf("the items are %+v", items)
	}
	if _, err := s.CreateClan(t.Context(), 3, "Ночь"); err != nil {
		t.Error(err)
	}
	for _, p := range must(s.Check(t.Context()))(t) {
		if !strings.Contains(p, "password hash") {
			t.Error(p)
		}
	}
}
