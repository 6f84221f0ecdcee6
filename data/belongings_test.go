package data

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		must(s.Apply(t.Context(), Change{Items: []ItemChange{
			{Is: &Item{Owner: c.ID, Slot: 26, Class: 400, Suffix: -1, Count: 1}},
			{Is: &Item{Owner: c.ID, Slot: 27, Class: 506, GameID: 1, Suffix: -1, Count: 1, Weight: 5000}},
			{Is: &Item{Owner: c.ID, Container: -1, Class: 650, Suffix: -1, Count: 10, Weight: 8}},
		}}))(t)
		out = append(out, c)
	}
	return out
}

func carried(t *testing.T, s *Store, id CharacterID) []Item {
	t.Helper()
	return must(s.Items(t.Context(), id))(t)
}

func TestThingsChangePlaceTogetherWithMoney(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	mine := carried(t, s, who[0].ID)
	bag, sword, loaf := mine[0], mine[1], mine[2]
	if loaf.Container != bag.ID {
		t.Fatalf("the loaf is in %d, expected %d", loaf.Container, bag.ID)
	}
	// The sword goes for 30 coins, the bag with the loaf is put down.
	soldSword, lyingBag, lyingLoaf := sword, bag, loaf
	soldSword.Owner, soldSword.Slot = who[1].ID, 30
	where := Lying{There: true, At: Position{X: 1.5, Y: 2, Z: -3, Yaw: 0.5}, Expires: time.UnixMilli(5000).UTC(), Promised: who[0].ID, PromisedUntil: time.UnixMilli(3000).UTC()}
	for _, i := range []*Item{&lyingBag, &lyingLoaf} {
		i.Owner, i.World = 0, where
	}
	must(s.Apply(t.Context(), Change{
		Items: []ItemChange{{&sword, &soldSword}, {&bag, &lyingBag}, {&loaf, &lyingLoaf}},
		Money: []MoneyChange{{who[0].ID, 100, 130}, {who[1].ID, 100, 70}},
	}))(t)

	if left := carried(t, s, who[0].ID); len(left) != 0 {
		t.Errorf("still carried: %+v", left)
	}
	if d := cmp.Diff([]Item{lyingBag, lyingLoaf}, must(s.Lying(t.Context()))(t)); d != "" {
		t.Error(d)
	}
	if !slices.ContainsFunc(carried(t, s, who[1].ID), func(i Item) bool { return cmp.Equal(i, soldSword) }) {
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
	must(s.Apply(t.Context(), Change{Items: []ItemChange{{&was[0], &bag}, {&was[1], &sword}}}))(t)
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
	change := func(i Item, do func(*Item)) ItemChange {
		is := i
		do(&is)
		return ItemChange{&i, &is}
	}
	stale := sword
	stale.Count = 2
	foreign := theirs[1]
	foreign.Owner = who[0].ID
	unknown := sword
	unknown.ID = 999
	spare := Item{Owner: who[0].ID, Slot: 40, Class: 1, Suffix: -1, Count: 1}
	for name, c := range map[string]Change{
		"stack of another size":        {Items: []ItemChange{{&stale, nil}}},
		"somebody else's":              {Items: []ItemChange{{&foreign, nil}}},
		"unknown":                      {Items: []ItemChange{{&unknown, nil}}},
		"place that is taken":          {Items: []ItemChange{change(sword, func(i *Item) { i.Slot = 26 })}},
		"bag that still holds a thing": {Items: []ItemChange{{&bag, nil}}},
		"bag without what is in it":    {Items: []ItemChange{change(bag, func(i *Item) { i.Owner = who[1].ID; i.Slot = 30 })}},
		"thing in another's bag":       {Items: []ItemChange{change(loaf, func(i *Item) { i.Container = theirs[0].ID; i.Slot = 5 })}},
		"bag in itself":                {Items: []ItemChange{change(bag, func(i *Item) { i.Container = bag.ID; i.Slot = 3 })}},
		"money that is not there":      {Items: []ItemChange{{nil, &spare}}, Money: []MoneyChange{{who[0].ID, 99, 0}}},
		"money below nothing":          {Items: []ItemChange{{nil, &spare}}, Money: []MoneyChange{{who[0].ID, 100, -1}}},
		"in two places":                {Items: []ItemChange{change(sword, func(i *Item) { i.Vault = who[0].Account })}},
		"in no place":                  {Items: []ItemChange{change(sword, func(i *Item) { i.Owner = 0 })}},
		"nobody's sheet":               {Items: []ItemChange{{nil, &spare}}, Sheets: []Character{{ID: 77, Name: "Никто"}}},
	} {
		if ids, err := s.Apply(t.Context(), c); err == nil {
			t.Errorf("%s: expected a refusal, found %v", name, ids)
		}
		if d := cmp.Diff(was, carried(t, s, who[0].ID)) + cmp.Diff(theirs, carried(t, s, who[1].ID)); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
	}
	if _, err := s.Apply(t.Context(), Change{Items: []ItemChange{{&stale, nil}}}); !errors.Is(err, ErrConflict) {
		t.Errorf("expected ErrConflict, found %v", err)
	}
}

func TestSheetsAreStoredWithoutMoneyAndPlace(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	c := owners(t, s)[0]
	c.Strength, c.StatPoints, c.Money, c.Position.X = 7, 3, 5, 99
	must(s.Apply(t.Context(), Change{Sheets: []Character{c}}))(t)
	is := must(s.CharacterByID(t.Context(), c.ID))(t)
	if is.Strength != 7 || is.StatPoints != 3 || is.Money != 100 || is.Position.X != 0 {
		t.Errorf("found %+v", is)
	}
}

// Random changes, many of them wrong, never make or lose a thing or a coin.
func TestNothingIsDoubledOrLostByRandomChanges(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	who := owners(t, s)
	r := rand.New(rand.NewPCG(1, 2))
	all := func() []Item {
		out := must(s.Lying(t.Context()))(t)
		for _, c := range who {
			out = append(out, carried(t, s, c.ID)...)
			out = append(out, must(s.Vault(t.Context(), c.Account))(t)...)
		}
		return out
	}
	applied := 0
	for range 600 {
		have := all()
		var c Change
		for range 1 + r.IntN(3) {
			was := have[r.IntN(len(have))]
			is := was
			is.Owner, is.Vault, is.World, is.Container, is.Slot = 0, 0, Lying{}, 0, r.IntN(4)
			switch r.IntN(4) {
			case 0:
				is.Owner = who[r.IntN(2)].ID
			case 1:
				is.Vault = who[r.IntN(2)].Account
			case 2:
				is.World = Lying{There: true, At: Position{X: r.Float32()}}
			case 3:
				in := have[r.IntN(len(have))]
				is.Owner, is.Vault, is.World, is.Container = in.Owner, in.Vault, in.World, in.ID
			}
			c.Items = append(c.Items, ItemChange{&was, &is})
		}
		if _, err := s.Apply(t.Context(), c); err == nil {
			applied++
		}
		if n := len(all()); n != 6 {
			t.Fatalf("%d things, expected 6, after %+v", n, c)
		}
	}
	if applied < 100 {
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
	m := must(loadMigrations(nil))(t)
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
	want := []Item{
		{ID: 3, Owner: 1, Slot: 26, Class: 400, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 5},
		{ID: 4, Owner: 1, Container: 3, Class: 650, Suffix: -1, Count: 10, Durability: 100, MaxDurability: 100, Bound: true, Weight: 8, Extra: []byte{1, 2}},
	}
	if d := cmp.Diff(want, carried(t, s, 1)); d != "" {
		t.Error(d)
	}
	ids := must(s.Apply(t.Context(), Change{Items: []ItemChange{{Is: &Item{Owner: 1, Slot: 30, Class: 1, Suffix: -1, Count: 1}}}}))(t)
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
	_, items, err := s.CreateCharacter(b.Context(), NewCharacter{Character: Character{Account: a.ID, Name: "Сова"},
		Items: []Item{{Slot: 26, Class: 506, Suffix: -1, Count: 1}}})
	if err != nil {
		b.Fatal(err)
	}
	was := items[0]
	for b.Loop() {
		is := was
		is.Slot = 26 + (was.Slot-25)%10
		if _, err := s.Apply(b.Context(), Change{Items: []ItemChange{{&was, &is}}}); err != nil {
			b.Fatal(err)
		}
		was = is
	}
}
