package ops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// offline returns the Service of a stored owl when no server is running.
func offline(t *testing.T) *Service {
	s, _ := made(t)
	s.Runtime = nil
	return s
}

// A watchedStore notes the order of writes, and may fail to write a character's belongings.
type watchedStore struct {
	Store
	order []string
	fail  error
}

func (w *watchedStore) AppendAudit(ctx context.Context, e data.AuditEntry) error {
	w.order = append(w.order, "trail")
	return w.Store.AppendAudit(ctx, e)
}

func (w *watchedStore) Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error) {
	w.order = append(w.order, "change")
	if w.fail != nil {
		return nil, w.fail
	}
	return w.Store.Apply(ctx, c)
}

// belongings are the verbs that the world does to characters in it, and the store to all others.
var belongings = []struct {
	verb    Any
	request any
}{
	{GiveItem, &Gift{CharacterName: owl, Item: "1"}}, {SetMoney, &Money{owl, 7, false}}, {SetMoney, &Money{owl, 7, true}},
	{SetLevels, &Levels{owl, new(Ordinal(5)), new(Ordinal(6))}}, {ClearItems, &Clearing{CharacterName: owl, All: true}},
	{SetPoints, &Points{owl, new(5), new(6)}},
}

// The entry in the trail comes first; a failure of the store then leaves nothing half done, and is noted, too.
func TestOfflineDeedsAreWholeOrNothing(t *testing.T) {
	for _, fail := range []error{nil, data.ErrUnavailable} {
		s := offline(t)
		w := &watchedStore{Store: s.Store, fail: fail}
		s.Store = w
		for _, d := range belongings {
			was, skip := state(t, s), len(entries(t, s, 0))
			w.order = nil
			_, err := d.verb.DoAny(t.Context(), s, tester, d.request)
			if !errors.Is(err, fail) {
				t.Fatalf("%s: %v, expected %v", d.verb.Name(), err, fail)
			}
			trail, want := entries(t, s, skip), []string{"trail", "change"}
			if fail != nil {
				want = append(want, "trail")
			}
			if !slices.Equal(w.order, want) {
				t.Errorf("%s: written in the order %v, expected %v", d.verb.Name(), w.order, want)
			}
			if same := state(t, s) == was; same != (fail != nil) {
				t.Errorf("%s with %v: the store is the same: %v", d.verb.Name(), fail, same)
			}
			if fail != nil && (len(trail) != 2 || !strings.Contains(trail[1], "Сова: not done: ")) {
				t.Errorf("%s: the trail has %q, expected that it was not done", d.verb.Name(), trail)
			}
		}
	}
}

// No verb does anything with a store that is closed.
func TestNothingIsDoneWithAClosedStore(t *testing.T) {
	s, live := made(t)
	s.Recorder = &fakeRecorder{}
	s.Reload = func(bool) ([]SettingChange, error) { return nil, nil }
	s.ReadBalance = func() (BalanceFile, error) { return BalanceFile{Text: "a"}, nil }
	s.WriteBalance = func(BalanceOrder) ([]SettingChange, error) { return nil, nil }
	s.Store.(*data.Store).Close()
	live.online = nil // sessions are ended before their account is changed
	for _, v := range Verbs() {
		switch v.Name() {
		case "address list", "capture state", "capture stop", "npc remove", "address ban", "address unban",
			"backup restore", "backup keep", "backup delete", "monster summon", "monster remove", "spawner list", "spawner set",
			"instance list", "rate set", "rate end", "motd set", "account doubts", "balance show":
			continue // they read memory, or refuse before they come to the store
		}
		if _, err := v.DoAny(t.Context(), s, tester, about(v, "вася", "Сова")); !strings.Contains(fmt.Sprint(err),
			"closed") {
			t.Errorf("%s: %v, expected that the store is closed", v.Name(), err)
		}
	}
	if log := live.log(); log != "" {
		t.Errorf("the server was asked for %q", log)
	}
}

// A gift to a stored character lies in the first free place, whole, and as the catalogue has it.
func TestGiftsAreAsTheCatalogueHasThem(t *testing.T) {
	s := offline(t)
	var stack, affixed *rules.Kind
	suffix := rules.NoSuffix
	for _, k := range content.Default().Kinds() {
		if k.Stack > 5 && stack == nil {
			stack = &k
		}
		if suffix == rules.NoSuffix && content.Default().Suffix(&k, 3) != nil {
			affixed, suffix = &k, 3
		}
	}
	if stack == nil || suffix == rules.NoSuffix {
		t.Fatal("the catalogue has nothing that stacks or has suffixes")
	}
	for i, g := range []struct {
		kind          *rules.Kind
		count, suffix int
	}{{stack, stack.Stack, rules.NoSuffix}, {affixed, 1, suffix}, {affixed, 1, rules.NoSuffix}} {
		gave := do(t, s, GiveItem, Gift{CharacterName: owl, Item: strconv.Itoa(g.kind.ID), Count: &g.count,
			Suffix: &g.suffix})
		with := content.Default().Suffix(g.kind, g.suffix)
		if want := (Gave{"Сова", Text{g.kind.FullName(with, "ru"), g.kind.FullName(with, "en")}, g.count}); gave != want {
			t.Errorf("%+v, expected %+v", gave, want)
		}
		items := do(t, s, ShowCharacter, owl).Items
		at := slices.IndexFunc(items, func(it rules.Item) bool { return it.Slot == rules.SlotInventory+i })
		if at < 0 {
			t.Fatalf("nothing is in place %d of %+v", i, items)
		}
		it := items[at]
		if it.ID == 0 || it.Class != g.kind.Class || it.GameID != g.kind.GameID || it.Count != g.count ||
			it.Suffix != g.suffix ||
			it.Durability <= 0 || it.Durability != it.MaxDurability || it.Bound || it.In != 0 {
			t.Errorf("%+v, expected kind %d with suffix %d, %d of it", it, g.kind.ID, g.suffix, g.count)
		}
	}
	_, err := by(t.Context(), s, GiveItem, Gift{CharacterName: owl, Item: strconv.Itoa(stack.ID),
		Count: new(stack.Stack + 1)})
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), strconv.Itoa(stack.Stack)) {
		t.Errorf("%v, expected that it is more than lie in one place", err)
	}
}

// A bag goes with its contents; equipment stays unless all goes.
func TestBagsGoWithTheirContents(t *testing.T) {
	s := offline(t)
	put := func(it rules.Item) rules.ItemID {
		it.Suffix, it.Count = rules.NoSuffix, 1
		is := &rules.StoredItem{Owner: 1, Item: it}
		ids, err := s.Store.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Is: is}}})
		if err != nil || len(ids) != 1 {
			t.Fatal(ids, err)
		}
		return ids[0]
	}
	bag := put(rules.Item{Slot: rules.SlotInventory, Class: 405})
	put(rules.Item{Slot: 0, In: bag, Class: 650})
	put(rules.Item{Slot: 1, In: bag, Class: 650})
	if items := do(t, s, ShowCharacter, owl).Items; len(items) != 4 {
		t.Fatalf("%+v, expected what is worn and a bag with two things", items)
	}
	do(t, s, ClearItems, Clearing{CharacterName: owl})
	if items := do(t, s, ShowCharacter, owl).Items; len(items) != 1 || items[0].Slot != 20 {
		t.Errorf("%+v, expected what is worn", items)
	}
	do(t, s, ClearItems, Clearing{CharacterName: owl, All: true})
	do(t, s, ClearItems, Clearing{CharacterName: owl, All: true}) // of nothing
	if trail := entries(t, s, 1); !slices.Equal(trail, []string{
		"character clear: Сова: inventory", "character clear: Сова: all", "character clear: Сова: all",
	}) {
		t.Errorf("the trail has %q", trail)
	}
}

// Money that a character cannot have is refused with its present money; the attempt is in the trail.
func TestMoneyStaysInItsRange(t *testing.T) {
	s := offline(t)
	for _, m := range []struct {
		amount   int64
		relative bool
		is       int64
		why      rules.RejectReason
	}{
		{500, false, 500, 0}, {0, true, 500, 0}, {-501, true, 500, rules.TooPoor}, {-1, false, 500, rules.TooPoor},
		{rules.MaxMoney, true, 500, rules.TooRich}, {rules.MaxMoney - 500, true, rules.MaxMoney, 0},
		{1, true, rules.MaxMoney, rules.TooRich}, {-rules.MaxMoney, true, 0, 0}, {-1, true, 0, rules.TooPoor},
	} {
		skip := len(entries(t, s, 0))
		c, err := by(t.Context(), s, SetMoney, Money{owl, m.amount, m.relative})
		if RejectedBy(err) != m.why || err == nil && c.Money != m.is {
			t.Errorf("%+v: %d, %v", m, c.Money, err)
		}
		if err != nil && !strings.HasSuffix(err.Error(), fmt.Sprintf("now it is %d.", m.is)) {
			t.Errorf("%+v: %v, expected what it has", m, err)
		}
		if is := do(t, s, ShowCharacter, owl).Money; is != m.is {
			t.Errorf("%+v: %d is stored, expected %d", m, is, m.is)
		}
		if trail := entries(t, s, skip); len(trail) != 1 && err == nil || len(trail) != 2 && err != nil {
			t.Errorf("%+v: the trail has %q", m, trail)
		}
	}
}

// A busyRuntime has a character in the world that spends its gifts a few times.
type busyRuntime struct {
	*fakeRuntime
	spends int
	stop   func()
}

func (b *busyRuntime) Change(ctx context.Context, id data.CharacterID, d Deed) (int64, error) {
	give := d.InWorld(world.PlayerID(id), 1).(world.GiveMoney)
	b.note("give %d", give.Amount)
	b.spends--
	switch {
	case b.spends < 0:
		return give.Amount, nil
	case b.stop != nil:
		b.stop()
	}
	if b.spends%2 == 0 {
		return 0, Reject(rules.TooPoor) // it has got poorer than the amount to take
	}
	return give.Amount - 1, nil
}

// An amount is set even while the character spends and gets money, until the caller gives up.
func TestMoneyIsSetWhileItIsSpent(t *testing.T) {
	s, live := made(t)
	b := &busyRuntime{fakeRuntime: live, spends: 3}
	s.Runtime = b
	if c := do(t, s, SetMoney, Money{CharacterName: owl, Amount: 50}); c.Money != 50 {
		t.Errorf("%d, expected 50", c.Money)
	}
	const told = "; tell 1: Your money was changed: you have 50 coins now."
	if log := live.log(); log != "give 50; give 50; give 50; give 50"+told {
		t.Errorf("found %s", log)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.spends, b.stop = 1000, cancel
	if _, err := by(ctx, s, SetMoney, Money{CharacterName: owl, Amount: 50}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected that it ends with the request", err)
	}
	if trail := entries(t, s, 2); len(trail) != 2 || !strings.Contains(trail[1], "not done: context canceled") {
		t.Errorf("the trail has %q, expected that it was not done", trail)
	}
	b.spends, b.stop = 2, nil
	if _, err := by(t.Context(), s, SetMoney, Money{owl, 50, true}); err != nil {
		t.Errorf("%v, expected that what is added is added once", err)
	}
	if log := live.log(); !strings.HasPrefix(log, "give 50; give 50; tell 1: ") {
		t.Errorf("found %s", log)
	}
}

// Levels bring the points of both ladders and no experience; pools are cut to the maxima of the levels.
func TestStoredLevelsBringTheirPoints(t *testing.T) {
	s := offline(t)
	for _, l := range []struct{ title, degree int }{{10, 0}, {10, 25}, {60, 25}, {0, 0},
		{rules.MaxLevel, rules.MaxLevel}} {
		do(t, s, SetLevels, Levels{owl, new(Ordinal(l.title)), new(Ordinal(l.degree))})
		d := do(t, s, ShowCharacter, owl)
		title, degree := rules.TotalPoints(l.title, l.degree)
		none1, none2 := rules.TotalPoints(0, 0)
		if int(d.TitleLevel) != l.title || int(d.DegreeLevel) != l.degree || d.TitlePoints != title-none1 ||
			d.DegreePoints != degree-none2 {
			t.Errorf("%+v: %+v, expected %d and %d points", l, d, title-none1, degree-none2)
		}
		if d.TitleXP != 0 || d.DegreeXP != 0 || d.HP > d.MaxHP || d.MP > d.MaxMP {
			t.Errorf("%+v: %+v, expected no experience and pools in their range", l, d)
		}
	}
	d := do(t, s, SetLevels, Levels{CharacterName: owl, Title: new(Ordinal(7))})
	if d.TitleLevel != 7 || d.DegreeLevel != rules.MaxLevel {
		t.Errorf("%+v, expected that levels that are not named stay", d)
	}
}

// live gives the only character HP and MP while it is away.
func live(t *testing.T, s *Service, hp, mp int) {
	t.Helper()
	is, err := s.Store.CharacterByID(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	states := []rules.LiveState{{Character: 1, Revision: is.Revision, Position: spot,
		Pools: rules.Pools{HP: hp, MP: mp, Satiety: 50, MaxSatiety: 100}}}
	if err := s.Store.(*data.Store).SaveLive(t.Context(), states); err != nil {
		t.Fatal(err)
	}
}

func TestStoredCharactersAreHealedAndRevived(t *testing.T) {
	s := offline(t)
	pools := func() string {
		d := do(t, s, ShowCharacter, owl)
		return fmt.Sprintf("%d of %d, %d of %d", d.HP, d.MaxHP, d.MP, d.MaxMP)
	}
	for _, step := range []struct {
		hp, mp int
		verb   Verb[CharacterName, Character]
		why    rules.RejectReason
		want   string
	}{
		{7, 9, HealCharacter, 0, "110 of 110, 100 of 100"},
		{7, 9, ReviveCharacter, rules.Alive, "7 of 110, 9 of 100"},
		{0, 9, HealCharacter, rules.Dead, "0 of 110, 9 of 100"},
		{0, 9, ReviveCharacter, 0, "110 of 110, 9 of 100"},
	} {
		live(t, s, step.hp, step.mp)
		if _, err := by(t.Context(), s, step.verb, owl); RejectedBy(err) != step.why || (err == nil) != (step.why == 0) {
			t.Errorf("%s with %d HP: %v", step.verb.Name(), step.hp, err)
		}
		if got := pools(); got != step.want {
			t.Errorf("%s with %d HP: %s, expected %s", step.verb.Name(), step.hp, got, step.want)
		}
	}
}

func TestStoredCharactersAreMoved(t *testing.T) {
	s := offline(t)
	to := coords.Position{X: 10, Y: 20, Z: 30, Yaw: 1}
	if c := do(t, s, MoveCharacter, Move{CharacterName: owl, Position: to, KeepYaw: true}); c.Position.Yaw != 4 {
		t.Errorf("%+v, expected that it looks where it did", c)
	}
	place := content.Cities()[0]
	do(t, s, MoveCharacter, Move{CharacterName: owl, Place: place.Key})
	if at := do(t, s, ShowCharacter, owl).Position; at.Distance(place.Position) > 0.01 {
		t.Errorf("at %v, expected %v", at, place.Position)
	}
	near := place.Position
	near.X += 5
	do(t, s, MoveCharacter, Move{CharacterName: owl, Position: near})
	if c := do(t, s, UnstuckCharacter, owl); c.Position.Distance(place.Position) > 0.01 {
		t.Errorf("at %v, expected the nearest city, %v", c.Position, place.Position)
	}
	if _, err := by(t.Context(), s, MoveCharacter, Move{CharacterName: owl, Beside: "Сова"}); !errors.Is(err,
		ErrNotRunning) {
		t.Errorf("%v, expected ErrNotRunning", err)
	}
	for _, e := range entries(t, s, 1) {
		if strings.Contains(e, "in the world") || !strings.Contains(e, "Сова: from {") {
			t.Errorf("the trail has %q", e)
		}
	}
}

// A deafRuntime cannot end sessions.
type deafRuntime struct{ *fakeRuntime }

func (deafRuntime) Disconnect(context.Context, data.AccountID, Notice) error {
	return data.ErrUnavailable
}

// An account stays as it is while its sessions do not end: they would save an older state.
func TestSessionsEndBeforeTheirAccountChanges(t *testing.T) {
	s, live := made(t)
	s.Runtime = deafRuntime{live}
	was := state(t, s)
	for _, v := range []Any{SetPassword, DeleteAccount, RenameCharacter, DeleteCharacter, KickAccount} {
		if _, err := v.DoAny(t.Context(), s, tester, about(v, "вася", "Сова")); !errors.Is(err, data.ErrUnavailable) {
			t.Errorf("%s: %v, expected that the session does not end", v.Name(), err)
		}
	}
	if state(t, s) != was {
		t.Error("something is changed")
	}
	if trail := entries(t, s, 1); len(trail) != 2 || !strings.HasPrefix(trail[1], "account kick: вася: not done: ") {
		t.Errorf("the trail has %q, expected a kick that was not done", trail)
	}
}

// A ban holds though the session does not end: the operator is told, and nobody comes back.
func TestABanHoldsThoughTheSessionDoesNotEnd(t *testing.T) {
	s, live := made(t)
	s.Runtime = deafRuntime{live}
	if _, err := BanAccount.DoAny(t.Context(), s, tester, about(BanAccount, "вася", "Сова")); !errors.Is(err,
		data.ErrUnavailable) {
		t.Errorf("%v, expected that the session does not end", err)
	}
	if a := do(t, s, ShowAccount, AccountName{Login: "вася"}); a.Ban == nil {
		t.Error("the account is not banned")
	}
}

// A database that nothing can be written to any more, its audit trail neither, is backed up all the same.
func TestABackupIsMadeThoughItCannotBeWrittenDown(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
	s, _ := made(t)
	if err := os.Remove(filepath.Join(s.Store.Dir(), data.DatabaseFile)); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "saved.db")
	do(t, s, Backup, File{to})
	if text, err := os.ReadFile(to); err != nil || !strings.HasPrefix(string(text), "SQLite format 3") {
		t.Errorf("%.20q, %v; expected a database", text, err)
	}
}

// Addresses of players are for game masters and above.
func TestHelpersSeeNoAddresses(t *testing.T) {
	a := data.Account{ID: 1, Login: "вася", LastAddress: "203.0.113.7"}
	for role, want := range map[data.Role]string{
		data.Player: "", data.Helper: "", data.GameMaster: a.LastAddress, data.Administrator: a.LastAddress,
	} {
		c := &call{Service: &Service{}, by: Actor{Role: role}}
		if got := c.describe(a, nil).LastAddress; got != want {
			t.Errorf("as %v: %q, expected %q", role, got, want)
		}
	}
}

// Refusals read in both languages, with the arguments in the same.
func TestRefusalsSpeakTwoLanguages(t *testing.T) {
	role := RoleRefusal(data.Administrator, data.Helper)
	if got, want := role.In(true), "Для этого нужна роль «администратор», а у вас «помощник»."; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	if got, want := role.Error(), "This needs the role administrator, yours is helper."; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	var f Faults
	if f.Err() != nil {
		t.Error("expected no error without faults")
	}
	f.Add("role", emptyText)
	f.line("text", "a\x00")
	if got, want := f.In(true), "Поле «роль» обязательно. Текст: без управляющих символов и переводов строк."; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	if got := f.Error(); !strings.HasPrefix(got, "The field role is required; text: expected no control") ||
		!strings.Contains(got, `"a\x00"`) {
		t.Errorf("found %s", got)
	}
	for why := range rejectTexts {
		if r := Reject(why); r.In(true) == r.In(false) || r.In(false) == "" {
			t.Errorf("%v is told as %q and %q", why, r.In(true), r.In(false))
		}
	}
	if got := Reject(rules.RejectReason(250)).Error(); got == "" {
		t.Error("an unknown reason is told by nothing")
	}
	if CodeOf(errors.New("x")) != "failed" || KindOf("failed") != nil {
		t.Error("expected that an unknown error is of no kind")
	}
	if Owner("").Name != "operator" {
		t.Error("expected that a nameless owner is called operator")
	}
}

// The number of a token or key comes after its name; nothing else has one.
func TestWhatHasANumberIsGivenWithIt(t *testing.T) {
	for item, want := range map[string]struct {
		name   string
		number uint16
	}{"Жетон №1801": {"Жетон", 1801}, "Token #1850": {"Token", 1850}, "Key # 5015": {"Key", 5015}, "Жетон": {"Жетон", 0},
		"Жетон №": {"Жетон №", 0}, "Жетон №99999": {"Жетон №99999", 0}, "№7": {"", 7}} {
		if g, number := (Gift{Item: item}).numbered(); g.Item != want.name || number != want.number {
			t.Errorf("%q is %q with %d", item, g.Item, number)
		}
	}
	for class, bytes := range map[int]int{rules.ClassToken: 4, rules.ClassTokenCharges: 4, rules.ClassKey: 9, 441: 0, 500: 0} {
		if extra := (&rules.Kind{Class: class}).Numbered(5015); len(extra) != bytes {
			t.Errorf("class %d has % X", class, extra)
		}
	}
}
