package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// owners makes two characters, each with a bag in slot 26, a sword in slot 27 and a loaf in the bag.
func owners(t *testing.T, s *Store) []Character {
	t.Helper()
	var out []Character
	for i, name := range []string{"Сова", "Филин"} {
		a := must(s.CreateAccount(t.Context(), fmt.Sprint("user", i), must(HashPassword("password", cheap))(t), Player))(t)
		c, _, err := s.CreateCharacter(t.Context(), NewCharacter{Character: Character{Account: a.ID, Name: name, Money: 100}})
		if err != nil {
			t.Fatal(err)
		}
		must(s.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{
			{Is: &rules.StoredItem{Item: rules.Item{Slot: 26, Class: 400, Suffix: -1, Count: 1}, Owner: int64(c.ID)}},
			{Is: &rules.StoredItem{Item: rules.Item{Slot: 27, Class: 506, GameID: 1, Suffix: -1, Count: 1, Weight: 5000},
				Owner: int64(c.ID)}},
			{Is: &rules.StoredItem{Item: rules.Item{In: -1, Class: 650, Suffix: -1, Count: 10, Weight: 8}, Owner: int64(c.ID)}},
		}}))(t)
		out = append(out, c)
	}
	return out
}

// stored reads items with where they are.
func stored(t *testing.T, s *Store, where string, whose int64) []rules.StoredItem {
	t.Helper()
	return must(readAll(t.Context(), s.reads, scanItem, selectItem+where, whose))(t)
}

func carried(t *testing.T, s *Store, id CharacterID) []rules.StoredItem {
	t.Helper()
	return stored(t, s, "WHERE owner = ? "+bySlot, int64(id))
}

// A change reads the rows that it is about, however many items are stored.
func TestAChangeReadsNoWholeTable(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	for _, query := range []string{selectItem + "WHERE id = ?", selectHeld, selectApart, selectInItself} {
		plan := must(readAll(t.Context(), s.reads, func(row *sql.Rows) (step string, err error) {
			var id, parent, unused int
			return step, row.Scan(&id, &parent, &unused, &step)
		}, "EXPLAIN QUERY PLAN "+query, slices.Repeat([]any{1}, strings.Count(query, "?"))...))(t)
		for _, step := range plan {
			if strings.HasPrefix(step, "SCAN ") && step != "SCAN up" { // which are the bags around one item
				t.Errorf("%s: %s", query, step)
			}
		}
	}
}

func TestThingsChangePlaceTogetherWithMoney(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	mine := carried(t, s, who[0].ID)
	bag, sword, loaf := mine[0], mine[1], mine[2]
	if loaf.In != bag.ID {
		t.Fatalf("the loaf is in %d, expected %d", loaf.In, bag.ID)
	}
	// The sword goes for 30 coins, the bag with the loaf is put down.
	soldSword, lyingBag, lyingLoaf := sword, bag, loaf
	soldSword.Owner, soldSword.Slot = int64(who[1].ID), 30
	where := &rules.OnGround{At: coords.Position{X: 1.5, Y: 2, Z: -3, Yaw: 0.5}, Expires: time.UnixMilli(5000).UTC(),
		Promised: int64(who[0].ID), PromisedUntil: time.UnixMilli(3000).UTC()}
	for _, i := range []*rules.StoredItem{&lyingBag, &lyingLoaf} {
		i.Owner, i.OnGround = 0, where
	}
	must(s.Apply(t.Context(), rules.Change{
		Items: []rules.ItemChange{{Was: &sword, Is: &soldSword}, {Was: &bag, Is: &lyingBag}, {Was: &loaf, Is: &lyingLoaf}},
		Money: []rules.MoneyChange{{Character: int64(who[0].ID), Was: 100, Is: 130}, {Character: int64(who[1].ID), Was: 100,
			Is: 70}},
	}))(t)

	if left := carried(t, s, who[0].ID); len(left) != 0 {
		t.Errorf("still carried: %+v", left)
	}
	if d := cmp.Diff([]rules.StoredItem{lyingBag, lyingLoaf}, must(s.Lying(t.Context()))(t)); d != "" {
		t.Error(d)
	}
	if !slices.ContainsFunc(carried(t, s, who[1].ID), func(i rules.StoredItem) bool { return cmp.Equal(i, soldSword) }) {
		t.Error("the sword has not arrived")
	}
	for i, want := range []int64{130, 70} {
		if c := must(s.CharacterByID(t.Context(), who[i].ID))(t); c.Money != want {
			t.Errorf("%s has %d coins, expected %d", c.Name, c.Money, want)
		}
	}
	if problems := must(s.Check(t.Context()))(t); len(problems) != 0 {
		t.Error(problems)
	}
}

func TestTwoThingsTradePlaces(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	was := carried(t, s, who[0].ID)
	bag, sword := was[0], was[1]
	bag.Slot, sword.Slot = sword.Slot, bag.Slot
	must(s.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Was: &was[0], Is: &bag},
		{Was: &was[1], Is: &sword}}}))(t)
	now := carried(t, s, who[0].ID)
	if now[0].ID != sword.ID || now[1].ID != bag.ID {
		t.Errorf("not traded: %+v", now)
	}
}

func TestChangesOfWhatIsNotSoAreRefusedWhole(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	was := carried(t, s, who[0].ID)
	theirs := carried(t, s, who[1].ID)
	bag, sword, loaf := was[0], was[1], was[2]
	change := func(i rules.StoredItem, do func(*rules.StoredItem)) rules.ItemChange {
		is := i
		do(&is)
		return rules.ItemChange{Was: &i, Is: &is}
	}
	stale := sword
	stale.Count = 2
	foreign := theirs[1]
	foreign.Owner = int64(who[0].ID)
	unknown := sword
	unknown.ID = 999
	spare := rules.StoredItem{Item: rules.Item{Slot: 40, Class: 1, Suffix: -1, Count: 1}, Owner: int64(who[0].ID)}
	for name, c := range map[string]rules.Change{
		"stack of another size":        {Items: []rules.ItemChange{{Was: &stale}}},
		"somebody else's":              {Items: []rules.ItemChange{{Was: &foreign}}},
		"unknown":                      {Items: []rules.ItemChange{{Was: &unknown}}},
		"place that is taken":          {Items: []rules.ItemChange{change(sword, func(i *rules.StoredItem) { i.Slot = 26 })}},
		"bag that still holds a thing": {Items: []rules.ItemChange{{Was: &bag}}},
		"bag without what is in it": {Items: []rules.ItemChange{change(bag,
			func(i *rules.StoredItem) { i.Owner = int64(who[1].ID); i.Slot = 30 })}},
		"thing in another's bag": {Items: []rules.ItemChange{change(loaf,
			func(i *rules.StoredItem) { i.In = theirs[0].ID; i.Slot = 5 })}},
		"bag in itself": {Items: []rules.ItemChange{change(bag,
			func(i *rules.StoredItem) { i.In = bag.ID; i.Slot = 3 })}},
		"money that is not there": {Items: []rules.ItemChange{{Is: &spare}},
			Money: []rules.MoneyChange{{Character: int64(who[0].ID), Was: 99, Is: 0}}},
		"money below nothing": {Items: []rules.ItemChange{{Is: &spare}},
			Money: []rules.MoneyChange{{Character: int64(who[0].ID), Was: 100, Is: -1}}},
		"in two places": {Items: []rules.ItemChange{change(sword,
			func(i *rules.StoredItem) { i.Vault = int64(who[0].Account) })}},
		"in no place": {Items: []rules.ItemChange{change(sword, func(i *rules.StoredItem) { i.Owner = 0 })}},
		"nobody's sheet": {Items: []rules.ItemChange{{Is: &spare}},
			Progress: []rules.ProgressChange{{Character: 77}}},
	} {
		if ids, err := s.Apply(t.Context(), c); err == nil {
			t.Errorf("%s: expected a refusal, found %v", name, ids)
		}
		if d := cmp.Diff(was, carried(t, s, who[0].ID)) + cmp.Diff(theirs, carried(t, s, who[1].ID)); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
	}
	if _, err := s.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Was: &stale}}}); !errors.Is(err,
		ErrConflict) {
		t.Errorf("expected ErrConflict, found %v", err)
	}
}

func TestSheetsAreStoredWithoutMoneyAndPlace(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	c := owners(t, s)[0]
	must(s.Apply(t.Context(), rules.Change{Progress: []rules.ProgressChange{{Character: int64(c.ID), Title: 4,
		Progress: rules.Progress{TitlePoints: 2, DegreePoints: 1, Karma: -7,
			Base: rules.Stats{7}}, Pools: rules.Pools{HP: 3}}}}))(t)
	is := must(s.CharacterByID(t.Context(), c.ID))(t)
	if is.Base[0] != 7 || is.TitleLevel != 4 || is.HP != 3 || is.Karma != -7 ||
		is.Money != 100 || is.Position.X != 0 {
		t.Errorf("found %+v", is)
	}
	points := "SELECT stat_points FROM characters WHERE id = ?"
	if n := must(readOne(t.Context(), s.reads, single[int], points, c.ID))(t); n != 3 {
		t.Errorf("%d points are stored for programs before this one, expected the sum 3", n)
	}
}

// Random changes, many of them wrong, never make or lose an item or a coin.
func TestNothingIsDoubledOrLostByRandomChanges(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	r := rand.New(rand.NewPCG(1, 2))
	everything := func() []rules.StoredItem {
		out := must(s.Lying(t.Context()))(t)
		for _, c := range who {
			out = append(out, carried(t, s, c.ID)...)
			out = append(out, stored(t, s, "WHERE vault = ?", int64(c.Account))...)
		}
		return out
	}
	applied, rounds := 0, 600
	if testing.Short() {
		rounds = 120
	}
	for range rounds {
		have := everything()
		var c rules.Change
		for range 1 + r.IntN(3) {
			was := have[r.IntN(len(have))]
			is := was
			is.Owner, is.Vault, is.OnGround, is.In, is.Slot = 0, 0, nil, 0, r.IntN(4)
			switch r.IntN(4) {
			case 0:
				is.Owner = int64(who[r.IntN(2)].ID)
			case 1:
				is.Vault = int64(who[r.IntN(2)].Account)
			case 2:
				is.OnGround = &rules.OnGround{At: coords.Position{X: r.Float32()}}
			case 3:
				in := have[r.IntN(len(have))]
				is.Owner, is.Vault, is.OnGround, is.In = in.Owner, in.Vault, in.OnGround, in.ID
			}
			c.Items = append(c.Items, rules.ItemChange{Was: &was, Is: &is})
		}
		if _, err := s.Apply(t.Context(), c); err == nil {
			applied++
		}
		if n := len(everything()); n != 6 {
			t.Fatalf("%d things, expected 6, after %+v", n, c)
		}
	}
	if applied < rounds/6 {
		t.Errorf("only %d changes were possible", applied)
	}
	if problems := must(s.Check(t.Context()))(t); len(problems) != 0 {
		t.Error(problems)
	}
}

func TestBelongingsOfTheFirstSchemaAreKept(t *testing.T) {
	dir := t.TempDir()
	db := must(openWrites(filepath.Join(dir, DatabaseFile), busyTimeout))(t)
	defer db.Close()
	m := loadMigrations(nil)
	if err := m.up(context.Background(), db, 1); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"INSERT INTO accounts (id, login, login_key, password_hash, created) VALUES (1, 'a', 'a', 'h', 0)",
		insertFirstCharacter,
		"INSERT INTO items VALUES (3, 1, NULL, 26, 400, 0, -1, 1, 100, 100, 0, 0, 5, NULL)",
		"INSERT INTO items VALUES (4, 1, 3, 0, 650, 0, -1, 10, 100, 100, 0, 1, 8, X'0102')",
		"INSERT INTO items VALUES (9, 1, NULL, 27, 1, 0, -1, 1, 100, 100, 0, 0, 5, NULL)",
		"DELETE FROM items WHERE id = 9",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, Options{})
	want := []rules.Item{
		{ID: 3, Slot: 26, Class: 400, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 5},
		{ID: 4, In: 3, Class: 650, Suffix: -1, Count: 10, Durability: 100, MaxDurability: 100, Bound: true, Weight: 8,
			Extra: []byte{1, 2}},
	}
	if d := cmp.Diff(want, must(s.Items(t.Context(), 1))(t)); d != "" {
		t.Error(d)
	}
	ids := must(s.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Is: &rules.StoredItem{Item: rules.Item{Slot: 30, Class: 1, Suffix: -1, Count: 1}, Owner: 1}}}}))(t)
	if ids[0] != 10 {
		t.Errorf("the next thing has number %d, expected 10: 9 was used before", ids[0])
	}
}

// insertFirstCharacter is a character as the first schema had it.
const insertFirstCharacter = `INSERT INTO characters VALUES (1, 1, 0, 'Сова', 'coba', 0, 48, 48, 48, 48, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 100, 50, 100, 0, '', 0, 0, 0, 10, 1, 2, 3, 0, 0, 0, 0)`

func BenchmarkMoveWithItsTransaction(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	a, err := s.CreateAccount(b.Context(), "user", "hash", Player)
	if err != nil {
		b.Fatal(err)
	}
	c, items, err := s.CreateCharacter(b.Context(), NewCharacter{Character: Character{Account: a.ID, Name: "Сова"},
		Items: []rules.Item{{Slot: 26, Class: 506, Suffix: -1, Count: 1}}})
	if err != nil {
		b.Fatal(err)
	}
	was := rules.StoredItem{Item: items[0], Owner: int64(c.ID)}
	for b.Loop() {
		is := was
		is.Slot = 26 + (was.Slot-25)%10
		if _, err := s.Apply(b.Context(), rules.Change{Items: []rules.ItemChange{{Was: &was, Is: &is}}}); err != nil {
			b.Fatal(err)
		}
		was = is
	}
}
