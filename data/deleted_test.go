package data

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/world/rules"
)

// bagged are the items of a character, with a thing in its bag.
func bagged(t *testing.T, s *Store, c *Character) []rules.Item {
	t.Helper()
	put := func(i rules.Item) rules.ItemID {
		is := rules.StoredItem{Item: i, Owner: int64(c.ID)}
		return must(s.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Is: &is}}}))(t)[0]
	}
	bag := put(rules.Item{Slot: 30, Class: 770, GameID: 1, Suffix: -1, Count: 1})
	put(rules.Item{In: bag, Slot: 2, Class: 704, Suffix: 4, Count: 7, Extra: []byte{1, 2}})
	return must(s.Items(t.Context(), c.ID))(t)
}

func TestDeletedCharactersComeBackAsTheyWere(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	hero := people(t, s, "Hero")[0]
	hero.TitleLevel, hero.TitleXP, hero.Karma, hero.Played = 12, 345, -67, time.Hour
	hero.Effects = []rules.Effect{}
	if err := s.SaveCharacters(ctx, []Character{hero}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(ctx, rules.Change{Money: []rules.MoneyChange{{Character: int64(hero.ID), Is: 77}}}); err != nil {
		t.Fatal(err)
	}
	things := bagged(t, s, &hero)
	was := must(s.CharacterByID(ctx, hero.ID))(t)
	must(s.CreateClan(ctx, hero.ID, "Owls"))(t)
	must(s.DeleteCharacter(ctx, hero.ID))(t)

	// It is nowhere.
	if counts := must(s.Counts(ctx))(t); counts.Characters != 0 || counts.Items != 0 {
		t.Errorf("counts: %+v", counts)
	}
	if all := must(s.FindCharacters(ctx, ""))(t); len(all) != 0 {
		t.Errorf("found %v", all)
	}
	if all := must(s.Characters(ctx, hero.Account))(t); len(all) != 0 {
		t.Errorf("the account has %v", all)
	}
	if leaders := must(s.Leaders(ctx, ByTitle, 10))(t); len(leaders) != 0 {
		t.Errorf("leaders: %v", leaders)
	}
	if items := must(s.Items(ctx, hero.ID))(t); len(items) != 0 {
		t.Errorf("items: %v", items)
	}
	_, err := s.CharacterByName(ctx, "Hero")
	wantError(t, err, ErrNotFound)
	_, err = s.CharacterByID(ctx, hero.ID)
	wantError(t, err, ErrNotFound)
	wantError(t, s.RenameCharacter(ctx, hero.ID, "Other"), ErrNotFound)
	wantError(t, s.SaveCharacters(ctx, []Character{hero}), ErrNotFound)

	kept := must(s.DeletedCharacters(ctx, hero.Account, "HER"))(t)
	if len(kept) != 1 || kept[0].Items != len(things) || kept[0].KeptUntil.Sub(kept[0].Deleted) != DefaultKeepDeleted {
		t.Fatalf("kept: %+v", kept)
	}
	if other := must(s.DeletedCharacters(ctx, hero.Account+1, ""))(t); len(other) != 0 {
		t.Errorf("of another account: %v", other)
	}
	back := must(s.UndeleteCharacter(ctx, hero.ID, -1))(t)
	if diff := cmp.Diff(was, back); diff != "" { // in no clan
		t.Error(diff)
	}
	if diff := cmp.Diff(things, must(s.Items(ctx, hero.ID))(t)); diff != "" {
		t.Error(diff)
	}
	if kept := must(s.DeletedCharacters(ctx, 0, ""))(t); len(kept) != 0 {
		t.Errorf("still kept: %v", kept)
	}
	for _, problem := range must(s.Check(ctx))(t) {
		if !strings.Contains(problem, "password hash") { // tests have none
			t.Error(problem)
		}
	}
	_, err = s.UndeleteCharacter(ctx, hero.ID, -1)
	wantError(t, err, ErrNotFound)
}

// A column that a migration gives to characters or items has to be given to the tables of deleted ones, too.
func TestDeletedCharactersHaveAllColumns(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	tables := must(tableColumns(t.Context(), s.reads))(t)
	columns := map[string][]string{}
	for _, tb := range tables {
		columns[tb.name] = tb.columns
	}
	world := strings.Split("vault, x, y, z, yaw, expires, promised, promised_until", ", ") // no carried item has these
	for of, more := range map[string][]string{"characters": {"deleted", "kept_until"}, "items": world} {
		kept := map[string]int{}
		for _, c := range columns[of] {
			kept[c]++
		}
		for _, c := range columns["deleted_"+of] {
			kept[c]--
		}
		for _, c := range more {
			delete(kept, c)
		}
		for c, n := range kept {
			if n != 0 {
				t.Errorf("column %s: %s and deleted_%s differ", c, of, of)
			}
		}
		list := map[string]string{"characters": keptColumns, "items": keptItemColumns}[of]
		if n := len(strings.Split(list, ", ")); n != len(columns["deleted_"+of])-map[string]int{"characters": 2}[of] {
			t.Errorf("%d columns of deleted_%s are copied, of %d", n, of, len(columns["deleted_"+of]))
		}
	}
}

func TestUndeleteRefusesWhatCannotBe(t *testing.T) {
	now := time.Now()
	s := open(t, t.TempDir(), Options{})
	s.now = func() time.Time { return now }
	ctx := t.Context()
	hero := people(t, s, "Hero")[0]
	make := func(slot int, name string) Character {
		t.Helper()
		c, _, err := s.CreateCharacter(ctx, newcomer(hero.Account, slot, name))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	undelete := func(slot int, want error) {
		t.Helper()
		_, err := s.UndeleteCharacter(ctx, hero.ID, slot)
		wantError(t, err, want)
	}
	must(s.DeleteCharacter(ctx, hero.ID))(t)

	// The name is kept from others, in all its forms, and free for the account itself.
	stranger := people(t, s, "Stranger")[0]
	_, _, err := s.CreateCharacter(ctx, newcomer(stranger.Account, 1, "HERO"))
	wantError(t, err, ErrNameTaken)
	wantError(t, s.RenameCharacter(ctx, stranger.ID, "hero"), ErrNameTaken)
	again := make(0, "Hero")
	undelete(-1, ErrNameTaken)
	if err := s.RenameCharacter(ctx, again.ID, "Second"); err != nil {
		t.Fatal(err)
	}

	undelete(0, ErrSlotTaken)
	undelete(Slots, ErrSlotTaken)
	one, two := make(1, "One"), make(2, "Two")
	undelete(-1, ErrAccountFull)
	undelete(1, ErrAccountFull)
	must(s.DeleteCharacter(ctx, one.ID))(t)
	must(s.DeleteCharacter(ctx, two.ID))(t)
	if kept := must(s.DeletedByName(ctx, "two"))(t); kept.ID != two.ID {
		t.Errorf("found %+v", kept)
	}
	now = now.Add(DefaultKeepDeleted)
	undelete(-1, ErrTooLate)
	if kept := must(s.DeletedCharacters(ctx, 0, ""))(t); len(kept) != 0 {
		t.Errorf("listed: %v", kept)
	}
	if err := s.RenameCharacter(ctx, stranger.ID, "Hero"); err != nil {
		t.Errorf("the name is not free again: %v", err)
	}
	now = now.Add(-time.Second)
	undelete(-1, ErrNameTaken)
	if err := s.RenameCharacter(ctx, stranger.ID, "Stranger"); err != nil {
		t.Fatal(err)
	}
	if back := must(s.UndeleteCharacter(ctx, hero.ID, -1))(t); back.Slot != 1 {
		t.Errorf("its slot is taken, but it came into slot %d", back.Slot)
	}
}

func TestDeletedCharactersGoWhenTheirTimeIsOver(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	all := people(t, s, "Anna", "Berta", "Clara", "Dora")
	at := time.Now()
	s.now = func() time.Time { return at }
	bagged(t, s, &all[0])
	must(s.DeleteCharacter(ctx, all[0].ID))(t)
	s.KeepDeleted(time.Hour)
	must(s.DeleteCharacter(ctx, all[1].ID))(t)
	s.KeepDeleted(0)
	must(s.DeleteCharacter(ctx, all[2].ID))(t)
	_, err := s.DeletedByID(ctx, all[2].ID)
	wantError(t, err, ErrNotFound)
	if err := s.DeleteAccount(ctx, all[1].Account); err != nil { // with all that is kept of it
		t.Fatal(err)
	}
	_, err = s.DeletedByID(ctx, all[1].ID)
	wantError(t, err, ErrNotFound)
	if gone := must(s.SweepDeleted(ctx, at.Add(DefaultKeepDeleted-time.Millisecond)))(t); len(gone) != 0 {
		t.Errorf("too soon: %v", gone)
	}
	if gone := must(s.SweepDeleted(ctx, at.Add(DefaultKeepDeleted)))(t); !cmp.Equal(gone, []string{"Anna"}) {
		t.Errorf("in the end: %v", gone)
	}
	if n := must(readOne(ctx, s.reads, single[int], "SELECT count(*) FROM deleted_items"))(t); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

func TestSweepOnTimeFollowsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, t.TempDir(), Options{lookEvery: time.Hour}) // else it looks half a million times meanwhile
		hero := people(t, s, "Hero")[0]
		must(s.DeleteCharacter(t.Context(), hero.ID))(t)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { s.SweepOnTime(ctx); close(ended) }()
		time.Sleep(DefaultKeepDeleted - time.Second)
		must(s.DeletedByID(t.Context(), hero.ID))(t)
		time.Sleep(sweepEvery)
		_, err := s.DeletedByID(t.Context(), hero.ID)
		wantError(t, err, ErrNotFound)
		stop()
		<-ended
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
