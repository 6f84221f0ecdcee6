package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"sphereserver/coords"
	_ "sphereserver/data/datatest/inmemory"
	"sphereserver/world/rules"
)

func TestMain(m *testing.M) {
	if job := os.Getenv("SPHERE_DATA_TEST_CHILD"); job != "" {
		runChild(job)
		return
	}
	goleak.VerifyTestMain(m)
}

// empty is the file of a new database.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sphere-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, DatabaseFile))
})

// open opens a store in a folder and closes it with the test. A new one is a copy of one: migrations of each would
// take longer than most tests.
func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	if left, err := os.ReadDir(dir); err == nil && len(left) == 0 && o.migrations == nil && !o.ReadOnly {
		if err := os.WriteFile(filepath.Join(dir, DatabaseFile), must(empty())(t), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A query is prepared once, however often it is asked, also after a context that has ended before, and sees each write.
func TestQueriesArePreparedOnce(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := s.Accounts(ended, "")
	wantError(t, err, context.Canceled)
	kept := func() (n int) {
		s.reads.statements.Range(func(_, _ any) bool { n++; return true })
		return n
	}
	must(s.Accounts(t.Context(), ""))(t)
	first := kept()
	for n := range 20 {
		if got := len(must(s.Accounts(t.Context(), ""))(t)); got != n {
			t.Fatalf("%d accounts, expected %d", got, n)
		}
		must(s.CreateAccount(t.Context(), fmt.Sprint("login", n), "hash", Player))(t)
	}
	if first == 0 || kept() != first {
		t.Errorf("%d statements were kept, and later %d", first, kept())
	}
}

// must returns the value of a call, and ends the test on an error.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func wantError(t testing.TB, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("expected an error of the kind %q, found %v", target, err)
	}
}

func newcomer(account AccountID, slot int, name string) NewCharacter {
	return NewCharacter{
		Character: Character{
			Account: account, Slot: slot, Name: name, Female: true, Face: 48, Hair: 49, HairColour: 50, Tattoo: 51,
			Progress: rules.Progress{TitlePoints: 4, DegreePoints: 4}, HP: 100, MP: 100, Satiety: 50, MaxSatiety: 100,
			Position: coords.Position{X: 2614, Y: 157.8, Z: 1293, Yaw: 0.75}, Tutorial: true,
		},
		Items: []rules.Item{
			{Slot: 20, Class: 704, Suffix: -1, Count: 100, Durability: 100, MaxDurability: 100, Weight: 1},
			{Slot: 26, Class: 506, GameID: 3310, Suffix: 3, Count: 1, Durability: 70, MaxDurability: 90, Premium: 1, Bound: true,
				Weight: 5000, Extra: []byte{0x0B, 0x07, 0, 1}},
		},
	}
}

func TestAccountIsFoundWithoutRegardToCase(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	made := must(s.CreateAccount(ctx, "Вася_Пупкин", "hash", Helper))(t)
	for _, login := range []string{"Вася_Пупкин", "вася_пупкин", "ВАСЯ_ПУПКИН"} {
		if diff := cmp.Diff(made, must(s.AccountByLogin(ctx, login))(t)); diff != "" {
			t.Errorf("%s: %s", login, diff)
		}
	}
	_, err := s.CreateAccount(ctx, "ВАСЯ_пупкин", "hash", Player)
	wantError(t, err, ErrLoginTaken)
	_, err = s.AccountByLogin(ctx, "петя")
	wantError(t, err, ErrNotFound)
	if all := must(s.Accounts(ctx, "ПУПК"))(t); len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("accounts like ПУПК: %+v", all)
	}
	if none := must(s.Accounts(ctx, "%"))(t); len(none) != 0 {
		t.Errorf("accounts like %%: %+v", none)
	}
}

func TestAccountChanges(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	for _, err := range []error{
		s.TouchLogin(ctx, a.ID, at, "203.0.113.7"), s.SetPassword(ctx, a.ID, "other"), s.SetRole(ctx, a.ID, GameMaster),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	other := must(s.CreateAccount(ctx, "other", "hash", Player))(t)
	must(s.CreateAccount(ctx, "never", "hash", Player))(t)
	if err := s.TouchLogin(ctx, other.ID, at.Add(time.Hour), "[2001:db8::1]:5000"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"[2001:db8::1]:5000", "203.0.113.7"}, must(s.LastAddresses(ctx, 9))(t)); diff != "" {
		t.Error(diff)
	}
	for _, id := range []AccountID{other.ID, a.ID, a.ID} { // twice: it is counted where it was used last
		if err := s.SetDialect(ctx, id, "2022"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]int{"2022": 2}, must(s.Dialects(ctx))(t)); diff != "" {
		t.Error(diff)
	}
	want := a
	want.Dialect = "2022"
	want.LastLogin, want.LastAddress, want.PasswordHash, want.Role = at, "203.0.113.7", "other", GameMaster
	if diff := cmp.Diff(want, must(s.AccountByID(ctx, a.ID))(t)); diff != "" {
		t.Error(diff)
	}
	wantError(t, s.SetRole(ctx, 99, Player), ErrNotFound)
	if err := s.DeleteAccount(ctx, a.ID); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.DeleteAccount(ctx, a.ID), ErrNotFound)
	if again := must(s.CreateAccount(ctx, "user", "hash", Player))(t); again.ID == a.ID {
		t.Errorf("the number %d of a deleted account was given out again", a.ID)
	}
}

func TestBanEndsByItself(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return now }
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)

	ban := Ban{Until: now.Add(time.Hour), Reason: "ругань", By: "operator"}
	if err := s.Ban(ctx, a.ID, ban); err != nil {
		t.Fatal(err)
	}
	ban.At = now
	if diff := cmp.Diff(&ban, must(s.AccountByLogin(ctx, "user"))(t).Ban); diff != "" {
		t.Error(diff)
	}
	now = now.Add(time.Hour)
	if found := must(s.AccountByLogin(ctx, "user"))(t).Ban; found != nil {
		t.Errorf("expected the ban to have ended, found %+v", found)
	}
	if err := s.Ban(ctx, a.ID, Ban{Reason: "for ever"}); err != nil {
		t.Fatal(err)
	}
	now = now.Add(1e6 * time.Hour)
	if must(s.AccountByLogin(ctx, "user"))(t).Ban == nil {
		t.Error("expected a ban for ever to hold")
	}
	if err := s.Unban(ctx, a.ID); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.Unban(ctx, a.ID), ErrNotFound)
	wantError(t, s.Ban(ctx, 99, Ban{}), ErrNotFound)
}

func TestAddressBans(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	ctx := t.Context()
	for _, text := range []string{"203.0.113.0/24", "198.51.100.7", "2001:db8::/32", "::ffff:192.0.2.1"} {
		if err := s.BanAddress(ctx, AddressBan{Prefix: must(ParsePrefix(text))(t), Ban: Ban{Reason: text}}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(s *Store) {
		t.Helper()
		for text, banned := range map[string]bool{
			"203.0.113.200": true, "::ffff:203.0.113.1": true, "203.0.114.1": false, "198.51.100.7": true, "198.51.100.8": false,
			"2001:db8:1::5": true, "fe80::1%eth0": false, "192.0.2.1": true,
		} {
			if _, found := s.AddressBanned(netip.MustParseAddr(text)); found != banned {
				t.Errorf("%s: expected banned = %v", text, banned)
			}
		}
		if n := len(s.AddressBans()); n != 4 {
			t.Errorf("expected 4 bans, found %d", n)
		}
	}
	check(s)
	check(open(t, dir, Options{ReadOnly: true}))
	if err := s.UnbanAddress(ctx, netip.MustParsePrefix("203.0.113.99/24")); err != nil {
		t.Fatal(err)
	}
	if _, found := s.AddressBanned(netip.MustParseAddr("203.0.113.200")); found {
		t.Error("expected the ban to be lifted")
	}
	wantError(t, s.UnbanAddress(ctx, netip.MustParsePrefix("203.0.113.0/24")), ErrNotFound)
	for _, text := range []string{"", "nonsense", "203.0.113.0/33", "::ffff:1.2.3.4/80"} {
		if p, err := ParsePrefix(text); err == nil {
			t.Errorf("%q: expected an error, found %v", text, p)
		}
	}
}

// A request that ends when its ban is on the disk ends too late to keep the ban from holding.
func TestABanThatIsStoredHolds(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	s := open(t, t.TempDir(), Options{Wrote: func(time.Duration) { end() }})
	if err := s.BanAddress(ctx, AddressBan{Prefix: netip.MustParsePrefix("203.0.113.0/24")}); err != nil {
		t.Fatal(err)
	}
	if _, found := s.AddressBanned(netip.MustParseAddr("203.0.113.9")); !found {
		t.Error("the ban is stored and does not hold")
	}
}

func TestCharacterIsStoredAsItWas(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	n := newcomer(a.ID, 1, "Алёна")
	c, items, err := s.CreateCharacter(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	n.Character.ID, n.Character.Created = c.ID, c.Created
	if diff := cmp.Diff(n.Character, c); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Character{c}, must(s.Characters(ctx, a.ID))(t)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(items, must(s.Items(ctx, c.ID))(t)); diff != "" {
		t.Error(diff)
	}
	if len(items) != 2 || items[0].ID == 0 || n.Items[0].ID != 0 {
		t.Errorf("items: %+v", items)
	}
	if diff := cmp.Diff(c, must(s.CharacterByName(ctx, "АЛЁНА"))(t)); diff != "" {
		t.Error(diff)
	}
}

func TestSaveCharacterChangesWhatPlayChanges(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	born, _, err := s.CreateCharacter(t.Context(), newcomer(a.ID, 0, "Алёна"))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		stat := rapid.IntRange(-1024, 65535)
		coordinate := rapid.Float32Range(-1e5, 1e5)
		c := Character{
			ID: born.ID, Account: 77, Slot: 2, Name: "ignored", TitleLevel: rapid.IntRange(0, rules.MaxLevel).Draw(r, "title"),
			DegreeLevel: rapid.IntRange(0, rules.MaxLevel).Draw(r, "degree"),
			Progress: rules.Progress{TitleXP: rapid.Uint32().Draw(r, "title XP"), DegreeXP: rapid.Uint32().Draw(r, "degree XP"),
				TitlePoints: 1, DegreePoints: 2, Karma: rapid.IntRange(-rules.MaxKarma, rules.MaxKarma).Draw(r, "karma"),
				Guild: 14, GuildRank: 15},
			HP: 4, MP: 5, Satiety: 6, MaxSatiety: 7,
			Position: coords.Position{X: coordinate.Draw(r, "x"), Y: coordinate.Draw(r, "y"), Z: coordinate.Draw(r, "z"),
				Yaw: coordinate.Draw(r, "yaw")},
			LastSeen: time.UnixMilli(rapid.Int64Range(1, 1e13).Draw(r, "seen")).UTC(), Played: time.Duration(rapid.IntRange(0,
				1e9).Draw(r, "played")) * time.Millisecond,
			Tutorial: rapid.Bool().Draw(r, "tutorial"),
		}
		for i, name := range rules.StatNames {
			c.Base[i] = stat.Draw(r, name)
		}
		if err := s.SaveCharacters(context.Background(), []Character{c}); err != nil {
			r.Fatal(err)
		}
		want := c
		want.Account, want.Slot, want.Name, want.Female, want.Created = born.Account, born.Slot, born.Name, born.Female, born.Created
		want.Face, want.Hair, want.HairColour, want.Tattoo = born.Face, born.Hair, born.HairColour, born.Tattoo
		found, err := s.CharacterByID(context.Background(), c.ID)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(want, found); diff != "" {
			r.Fatal(diff)
		}
	})
}

func TestSaveRefusesWhatNoCharacterCanHave(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	one, _, _ := s.CreateCharacter(ctx, newcomer(a.ID, 0, "One"))
	two, _, _ := s.CreateCharacter(ctx, newcomer(a.ID, 1, "Two"))
	nan := float32(0)
	nan /= nan
	for what, spoil := range map[string]func(*Character){
		"money": func(c *Character) { c.Money = -1 }, "level": func(c *Character) { c.TitleLevel = 240 },
		"karma": func(c *Character) { c.Karma = rules.MaxKarma + 1 }, "position": func(c *Character) { c.Position.Y = nan },
	} {
		c := one
		spoil(&c)
		if err := s.SaveCharacters(ctx, []Character{c}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: expected an error that names it, found %v", what, err)
		}
		two.TitleXP++
		gone := one
		gone.ID = 99
		err := s.SaveCharacters(ctx, []Character{c, two, gone})
		wantError(t, err, ErrNotFound)
		if !strings.Contains(err.Error(), what) {
			t.Errorf("%s: expected an error that names it, found %v", what, err)
		}
		if found := must(s.CharacterByID(ctx, two.ID))(t); found.TitleXP != two.TitleXP {
			t.Errorf("expected the others to be saved, found %d points, not %d", found.TitleXP, two.TitleXP)
		}
	}
	live := rules.LiveState{Character: int64(one.ID), Position: coords.Position{X: 1, Y: 2, Z: 3, Yaw: 4},
		Pools: rules.Pools{HP: 5, MP: 6, Satiety: 7}, TitleXP: 8, DegreeXP: 9, Karma: -10,
		Tally: rules.Tally{Kills: 11, Deaths: 12}}
	if err := s.SaveLive(ctx, []rules.LiveState{live, {Character: 99}}); err != nil {
		t.Fatal(err)
	}
	found := must(s.CharacterByID(ctx, one.ID))(t)
	if found.Position != live.Position || found.HP != 5 || found.MP != 6 || found.Satiety != 7 || found.TitleXP != 8 ||
		found.DegreeXP != 9 || found.Karma != -10 || found.Tally != live.Tally {
		t.Errorf("found %+v", found)
	}
	for _, bad := range []rules.LiveState{{Position: coords.Position{X: nan}}, {Pools: rules.Pools{HP: -1}},
		{Pools: rules.Pools{MP: rules.MaxPool + 1}}, {Karma: rules.MaxKarma + 1}} {
		bad.Character = int64(one.ID)
		if err := s.SaveLive(ctx, []rules.LiveState{bad}); err == nil {
			t.Errorf("expected %+v to be refused", bad)
		}
	}
}

// Volatile values have a revision: older values are not stored after a change of progress or place.
func TestOldLiveStatesAreNotStored(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "one", "hash", Player))(t)
	c, _, err := s.CreateCharacter(ctx, NewCharacter{Character: Character{Account: a.ID, Name: "Один", HP: 10}})
	if err != nil {
		t.Fatal(err)
	}
	old := rules.LiveState{Character: int64(c.ID), Pools: rules.Pools{HP: 5}, TitleXP: 49}
	level, place := c.NextProgress(), coords.Position{X: 7}
	level.Title = 1
	for i, change := range []rules.Change{{Progress: []rules.ProgressChange{level}},
		{Places: []rules.PlaceChange{{Character: old.Character, Revision: 2, Is: place}}}} {
		must(s.Apply(ctx, change))(t)
		old.Revision = int64(i)
		if err := s.SaveLive(ctx, []rules.LiveState{old}); err != nil {
			t.Fatal(err)
		}
		is := must(s.CharacterByID(ctx, c.ID))(t)
		if is.Revision != int64(i+1) || is.TitleLevel != 1 || is.TitleXP != 0 || is.HP != 10 ||
			i == 1 && is.Position != place {
			t.Errorf("after change %d it is %+v", i+1, is)
		}
	}
	old.Revision = 2
	if err := s.SaveLive(ctx, []rules.LiveState{old}); err != nil {
		t.Fatal(err)
	}
	if is := must(s.CharacterByID(ctx, c.ID))(t); is.TitleXP != 49 || is.HP != 5 {
		t.Errorf("of the newest revision it becomes %+v", is)
	}
}

func TestNamesAndSlotsAreUnique(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	b := must(s.CreateAccount(ctx, "other", "hash", Player))(t)
	create := func(account AccountID, slot int, name string) error {
		_, _, err := s.CreateCharacter(ctx, newcomer(account, slot, name))
		return err
	}
	if err := create(a.ID, 0, "Сова"); err != nil {
		t.Fatal(err)
	}
	wantError(t, create(b.ID, 0, "сОВА"), ErrNameTaken)
	wantError(t, create(b.ID, 0, "Coba"), ErrNameTaken) // Latin, and looks like СОВА in capitals
	wantError(t, create(a.ID, 0, "Другая"), ErrSlotTaken)
	wantError(t, create(99, 0, "Другая"), ErrNotFound)
	if err := create(a.ID, 3, "Другая"); err == nil {
		t.Error("expected slot 3 to be refused")
	}
	wantError(t, create(b.ID, 0, "COBA"), ErrNameTaken)
	_, err := s.CharacterByName(ctx, "Coba")
	wantError(t, err, ErrNotFound)

	c := must(s.CharacterByName(ctx, "сова"))(t)
	if err := create(b.ID, 0, "Вторая"); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.RenameCharacter(ctx, c.ID, "вторая"), ErrNameTaken)
	if err := s.RenameCharacter(ctx, c.ID, "COBA"); err != nil {
		t.Errorf("a character's own name: %v", err)
	}
	if err := s.RenameCharacter(ctx, c.ID, "Бeda"); err == nil {
		t.Error("expected mixed alphabets to be refused")
	}
	wantError(t, s.RenameCharacter(ctx, 99, "Никто"), ErrNotFound)
	if found := must(s.FindCharacters(ctx, "ob"))(t); len(found) != 1 || found[0].Name != "COBA" {
		t.Errorf("characters like ob: %+v", found)
	}
	if found := must(s.FindCharacters(ctx, ""))(t); len(found) != 2 {
		t.Errorf("expected both characters, found %+v", found)
	}
	deleted := must(s.DeleteCharacter(ctx, c.ID))(t)
	if deleted.Name != "COBA" {
		t.Errorf("deleted %+v", deleted)
	}
	_, err = s.DeleteCharacter(ctx, c.ID)
	wantError(t, err, ErrNotFound)
	wantError(t, create(b.ID, 1, "Сова"), ErrNameTaken) // it is kept for a while
	if err := create(a.ID, 1, "Сова"); err != nil {
		t.Errorf("the name of a deleted character of one's own: %v", err)
	}
}

func TestOneOfManyParallelCreationsWins(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	won, loginWon := 0, 0
	for i := range 100 {
		wg.Go(func() {
			name := []string{"Сова", "COBA", "сова"}[i%3]
			_, _, err := s.CreateCharacter(t.Context(), newcomer(a.ID, i%Slots, name))
			if err != nil && !errors.Is(err, ErrNameTaken) && !errors.Is(err, ErrSlotTaken) {
				t.Error(err)
			}
			_, err2 := s.CreateAccount(t.Context(), []string{"Login", "LOGIN"}[i%2], "hash", Player)
			if err2 != nil && !errors.Is(err2, ErrLoginTaken) {
				t.Error(err2)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			}
			if err2 == nil {
				loginWon++
			}
		})
	}
	wg.Wait()
	if won != 1 || loginWon != 1 {
		t.Errorf("expected one character and one account, found %d and %d", won, loginWon)
	}
}

func TestDeletingAnAccountDeletesWhatItHas(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	b := must(s.CreateAccount(ctx, "other", "hash", Player))(t)
	for i, name := range []string{"Один", "Два", "Три"} {
		if _, _, err := s.CreateCharacter(ctx, newcomer(a.ID, i, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.CreateCharacter(ctx, newcomer(b.ID, 0, "Четыре")); err != nil {
		t.Fatal(err)
	}
	if err := s.Ban(ctx, a.ID, Ban{}); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(ctx, a.ID); err != nil {
		t.Fatal(err)
	}
	want := Counts{Accounts: 1, Characters: 1, Items: 2}
	if diff := cmp.Diff(want, must(s.Counts(ctx))(t)); diff != "" {
		t.Error(diff)
	}
}

func TestAuditEntryStandsAndFallsWithItsWrite(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ctx := t.Context()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return now }
	a := must(s.CreateAccount(ctx, "user", "hash", Player))(t)
	audited := Audited(ctx, AuditEntry{Who: "operator", Action: "account role", Target: "user", Detail: "helper"})
	if err := s.SetRole(audited, a.ID, Helper); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.SetRole(audited, 99, Helper), ErrNotFound)
	if err := s.AppendAudit(audited, AuditEntry{Who: "operator", Action: "db backup", Target: "file"}); err != nil {
		t.Fatal(err)
	}
	want := []AuditEntry{
		{ID: 2, At: now, Who: "operator", Action: "db backup", Target: "file"},
		{ID: 1, At: now, Who: "operator", Action: "account role", Target: "user", Detail: "helper"},
	}
	if diff := cmp.Diff(want, must(s.AuditTrail(ctx, AuditFilter{}, 10))(t)); diff != "" {
		t.Error(diff)
	}
	for _, f := range []AuditFilter{{Target: "user"}, {Before: 2}} {
		if diff := cmp.Diff(want[1:], must(s.AuditTrail(ctx, f, 10))(t)); diff != "" {
			t.Errorf("%+v: %s", f, diff)
		}
	}
}

func TestStoreForReadingOnlyWritesNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(t.Context(), dir, Options{ReadOnly: true})
	wantError(t, err, ErrNotFound)
	if entries := must(os.ReadDir(dir))(t); len(entries) != 0 {
		t.Errorf("expected an empty folder, found %v", entries)
	}
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	ro := open(t, dir, Options{ReadOnly: true})
	must(ro.AccountByLogin(t.Context(), "user"))(t)
	_, err = ro.CreateAccount(t.Context(), "other", "hash", Player)
	wantError(t, err, ErrReadOnly)
}

func TestDatabaseIsForItsOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "with space, #, ? and %20")
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "user", "hash", Player))(t)
	for _, name := range []string{DatabaseFile, DatabaseFile + "-wal"} {
		if mode := must(os.Stat(filepath.Join(dir, name)))(t).Mode(); mode.Perm() != 0o600 {
			t.Errorf("%s: expected mode 0600, found %o", name, mode.Perm())
		}
	}
}

// fill stores n characters, three for each account, the fast way.
func fill(t testing.TB, s *Store, n int) []Character {
	t.Helper()
	var out []Character
	err := s.do(t.Context(), func(tx *tx) error {
		out = out[:0]
		for i := range n {
			if i%Slots == 0 {
				if err := tx.command("INSERT INTO accounts (login, login_key, password_hash, created) VALUES (?1, ?1, '', 1)",
					fmt.Sprintf("user%d", i/Slots)); err != nil {
					return err
				}
			}
			c := newcomer(AccountID(i/Slots+1), i%Slots, fmt.Sprintf("name%d", i)).Character
			c.Money = rand.Int64N(1e6)
			id, err := tx.insert(insertCharacter, append(append([]any{rules.NameKey(c.Name)}, c.bornFields()...),
				c.playFields()...)...)
			if err != nil {
				return err
			}
			c.ID = CharacterID(id)
			for slot := range 10 {
				item := rules.StoredItem{Item: rules.Item{Slot: 26 + slot, Class: 500, Count: 1, Suffix: -1}, Owner: int64(c.ID)}
				if _, err := tx.insertItem(&item); err != nil {
					return err
				}
			}
			out = append(out, c)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSpawnersStayOff(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	ctx := t.Context()
	for _, v := range []struct {
		keys []string
		off  bool
		want string
	}{{[]string{"h:2:3", "h:1:2"}, true, "[h:1:2 h:2:3]"}, {[]string{"h:1:2", "a:5:6"}, true, "[a:5:6 h:1:2 h:2:3]"},
		{[]string{"h:1:2", "r:9:9"}, false, "[a:5:6 h:2:3]"}, {nil, true, "[a:5:6 h:2:3]"}} {
		if err := s.TurnSpawners(ctx, v.keys, v.off); err != nil {
			t.Fatal(err)
		}
		if keys := must(s.SpawnersOff(ctx))(t); fmt.Sprint(keys) != v.want {
			t.Errorf("after turning %v off %v: %v, want %s", v.keys, v.off, keys, v.want)
		}
	}
	if err := s.TurnSpawners(ctx, []string{"h:7:7", ""}, true); err == nil {
		t.Error("a spawner without a key was taken")
	}
	s.Close()
	if keys := must(open(t, dir, Options{}).SpawnersOff(ctx))(t); fmt.Sprint(keys) != "[a:5:6 h:2:3]" {
		t.Errorf("after a restart: %v", keys)
	}
}

// A number of milliseconds that no length of time has is the nearest one, whichever way it came into the file.
func TestLengthsOfTimeDoNotOverflow(t *testing.T) {
	for ms, want := range map[int64]time.Duration{-1: 0, 1500: 1500 * time.Millisecond,
		math.MaxInt64: math.MaxInt64 / time.Millisecond * time.Millisecond} {
		var d time.Duration
		if err := (span{&d}).Scan(ms); err != nil || d != want {
			t.Errorf("%d ms is %v, %v; expected %v", ms, d, err, want)
		}
	}
}
