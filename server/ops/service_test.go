package ops

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeRuntime is a server with some accounts online; it notes its calls.
type fakeRuntime struct {
	mu     sync.Mutex
	online map[data.AccountID]data.CharacterID
	events []string
	stop   *PlannedStop

	comeBack bool // a disconnected player logs in again once
	reject   rules.RejectReason
	names    map[data.CharacterID]string
	at       coords.Position
	objects  []world.Object
	store    *data.Store
	missions []rules.MissionTemplate // nil: the built-in ones
}

func (f *fakeRuntime) Disconnect(_ context.Context, id data.AccountID, why Notice) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fmt.Sprintf("disconnect %d: %s", id, why.In(false)))
	if f.comeBack {
		f.comeBack = false
		return nil
	}
	delete(f.online, id)
	return nil
}

func (f *fakeRuntime) Online(id data.AccountID) (bool, data.CharacterID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.online[id]
	return ok, c
}

func (f *fakeRuntime) LockedUntil(string) time.Time { return time.Time{} }

// World has the players that are online, where they were put.
func (f *fakeRuntime) World() *world.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	w, now := world.New(world.Options{}, silent{}), time.Now()
	for _, o := range f.objects {
		w.Do(world.Put{Object: o})
	}
	for range 25 { // the snapshot is of about a second ago
		w.Tick(now)
		now = now.Add(world.TickPeriod)
	}
	s := *w.Snapshot()
	s.Spawners = []world.SpawnerView{{Key: "x:10:20", At: coords.Position{X: 10, Y: 150, Z: 60}, Level: 7,
		Types: []int{1000}}}
	s.Instances = []world.InstanceView{{ID: 7, Layout: "newcomers", Origin: coords.Position{X: -2700, Y: 4500, Z: -3900},
		Owner: "Сова", Began: now}}
	for _, c := range f.online {
		if c != 0 {
			s.Players = append(s.Players, world.PlayerView{ID: world.PlayerID(c), Character: int64(c),
				Name: f.names[c], Position: f.at})
		}
	}
	return &s
}

// silent hears nothing of the world.
type silent struct{}

func (silent) Happened([]world.Event) {}

func (f *fakeRuntime) Command(c world.Command) {
	switch c := c.(type) {
	case world.Teleport:
		f.note("teleport %d to %v", c.ID, c.To)
	case world.TeleportBeside:
		f.note("teleport %d to %d", c.ID, c.Beside)
	case world.Put:
		f.mu.Lock()
		f.objects = append(f.objects, c.Object)
		f.mu.Unlock()
		f.note("put %s", c.Object.Kind.(world.NPC).Key)
	case world.Summon:
		m := &world.Monster{Type: c.Type, Level: c.Level}
		f.mu.Lock()
		f.objects = append(f.objects, world.Object{ID: f.NextEntityID(), Position: c.At, Kind: m})
		f.mu.Unlock()
		f.note("summon %d of level %d", c.Type, c.Level)
	case world.SetSpawners:
		f.note("spawner %s off %v", c.Key, c.Off)
	case world.EnterInstance:
		f.note("enter %d %s", c.Number, c.Layout)
	case world.Remove:
		f.objects = nil
		f.note("remove %d", c.ID)
	}
}

func (f *fakeRuntime) NextEntityID() world.EntityID { return world.MaxPlayerID + 7 }

func (f *fakeRuntime) Kinds() *content.Catalogue { return content.Default() }

func (f *fakeRuntime) Missions() []rules.MissionTemplate {
	if f.missions != nil {
		return f.missions
	}
	return content.Missions()
}

func (f *fakeRuntime) Start() coords.Position { return coords.Position{X: 80, Y: 150, Z: 200} }

// Change does all deeds in the store, but for those that are nothing to it.
func (f *fakeRuntime) Change(ctx context.Context, id data.CharacterID, d Deed) (int64, error) {
	if f.reject != 0 {
		return 0, Reject(f.reject)
	}
	switch order := d.InWorld(world.PlayerID(id), 1).(type) {
	case nil:
		return 0, errors.New("the deed is nothing to the world")
	case world.EnterInstance:
		f.Command(order)
		return 0, nil
	case world.OrderMission:
		if order.What == world.OrderToGive {
			f.note("give %d a mission for %s: %s", order.ID, order.Goal.Name("en"), order.Template)
			return 0, nil
		}
	}
	return d.Apply(ctx, f.store, id)
}

func (f *fakeRuntime) Present(account data.AccountID, id data.CharacterID) (world.PlayerView, bool) {
	if _, in := f.Online(account); in != id {
		return world.PlayerView{}, false
	}
	return world.PlayerView{ID: world.PlayerID(id), Character: int64(id), Name: f.names[id], Position: f.at}, true
}

func (f *fakeRuntime) SetRole(id data.AccountID, r data.Role) { f.note("role %d: %v", id, r) }

func (f *fakeRuntime) SetMute(id data.AccountID, m data.Mute) {
	f.note("mute %d: %s", id, m.Reason)
}

func (f *fakeRuntime) Announce(text string) { f.note("announce %s", text) }

func (f *fakeRuntime) PlanStop(p *PlannedStop) (before *PlannedStop) {
	if p == nil {
		f.note("plan no stop")
	} else {
		f.note("plan a stop: %s", p.Reason)
	}
	before, f.stop = f.stop, p
	return before
}

func (f *fakeRuntime) RatesChanged() { f.note("rates changed") }

func (f *fakeRuntime) FileRates() (p rules.RatePlans) {
	p[rules.DropRate] = rules.RatePlan{{Factor: 1.5}}
	return p
}

func (f *fakeRuntime) ChangeOrder(key data.OrderKey, o *data.Order) {
	if o == nil {
		f.note("no order %s", key)
	} else {
		f.note("order %s: %q", key, o.Value)
	}
}

func (f *fakeRuntime) FileOrders() ServerOrders {
	return ServerOrders{Motd: "of the file", Admit: []string{"friend"}}
}

func (f *fakeRuntime) Tell(id data.AccountID, n Notice) bool {
	_, inWorld := f.Online(id)
	if inWorld != 0 {
		f.note("tell %d: %s", id, n.In(false))
	}
	return inWorld != 0
}

func (f *fakeRuntime) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fmt.Sprintf(format, args...))
}

func (f *fakeRuntime) log() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := strings.Join(f.events, "; ")
	f.events = nil
	return s
}

var cheap = datatest.Cheap

// made returns the Service of a new store that holds the account вася with the character Сова, which is in the world.
func made(t testing.TB) (*Service, *fakeRuntime) {
	t.Helper()
	ctx := t.Context()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	s, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := &Service{Store: s, HashParams: cheap}
	a, err := AddAccount.Do(ctx, o, tester, NewAccount{Login: "вася", Password: "пароль"})
	if err != nil {
		t.Fatal(err)
	}
	at := coords.Position{X: 1, Y: 2, Z: 3, Yaw: 4}
	c, _, err := s.CreateCharacter(ctx, data.NewCharacter{
		Character: data.Character{Account: a.ID, Name: "Сова", HP: 100, MP: 100, Position: at},
		Items:     []rules.Item{{Slot: 20, Class: 704, Suffix: -1, Count: 100}},
	})
	if err != nil {
		t.Fatal(err)
	}
	live := &fakeRuntime{online: map[data.AccountID]data.CharacterID{a.ID: c.ID},
		names: map[data.CharacterID]string{c.ID: c.Name},
		at:    coords.Position(at), store: s}
	o.Runtime = live
	return o, live
}

// tester is the owner of the machine.
var tester = Owner("test")

// by does a verb for the owner of the machine.
func by[R, A any](ctx context.Context, s *Service, v Verb[R, A], r R) (A, error) {
	return v.Do(ctx, s, tester, r)
}

func TestAccountsAreManaged(t *testing.T) {
	o, live := made(t)
	ctx := t.Context()
	a, err := by(ctx, o, AddAccount, NewAccount{Login: "Петя", Password: "secret", Role: data.Helper})
	if err != nil || a.Login != "Петя" || a.Role != data.Helper || a.Online {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := by(ctx, o, AddAccount, NewAccount{Login: "ПЕТЯ", Password: "secret"}); !errors.Is(err,
		data.ErrLoginTaken) {
		t.Errorf("expected the login to be taken, found %v", err)
	}
	for _, n := range []NewAccount{{Login: "", Password: "x"}, {Login: "日本", Password: "x"},
		{Login: "ok", Password: ""}, {Login: "ok", Password: "a\nb"}} {
		if _, err := by(ctx, o, AddAccount, n); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: expected a rule to be broken, found %v", n, err)
		}
	}
	all, err := by(ctx, o, ListAccounts, Search{})
	if err != nil || len(all) != 2 || all[0].Login != "вася" || !all[0].Online || !cmp.Equal(all[0].Characters,
		[]string{"Сова"}) {
		t.Errorf("%+v, %v", all, err)
	}
	if a, err := by(ctx, o, SetRole, RoleChange{AccountName: named("петя"),
		Role: new(data.Administrator)}); err != nil || a.Role != data.Administrator {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := by(ctx, o, SetPassword, Password{AccountName: named("петя"), Password: "other"}); err != nil {
		t.Error(err)
	}
	stored, err := o.Store.AccountByLogin(ctx, "петя")
	if err != nil {
		t.Fatal(err)
	}
	if ok, _, err := data.VerifyPassword(stored.PasswordHash, "other"); !ok || err != nil {
		t.Errorf("expected the new password to fit, found %v, %v", ok, err)
	}
	if a, err := by(ctx, o, DeleteAccount, named("петя")); err != nil || a.Login != "Петя" {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = by(ctx, o, SetRole, RoleChange{AccountName: named("вaся"), Role: new(data.Helper)})
	if !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "вася"?`) {
		t.Errorf("expected a suggestion, found %v", err)
	}
	if log := live.log(); log != "" {
		t.Errorf("expected nobody to be disturbed, found %s", log)
	}
	trail, err := by(ctx, o, Audit, AuditSearch{Target: "Петя"})
	var actions []string
	for _, e := range trail {
		actions = append(actions, e.Who+" "+e.Action)
		if strings.Contains(e.Detail, "other") || strings.Contains(e.Detail, "secret") {
			t.Errorf("a password is in the audit trail: %+v", e)
		}
	}
	want := []string{"test account delete", "test account passwd", "test account role", "test account add"}
	if diff := cmp.Diff(want, actions); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestBansEndSessions(t *testing.T) {
	o, live := made(t)
	ctx := t.Context()
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	a, err := by(ctx, o, BanAccount, AccountBan{AccountName: named("Вася"), Penalty: Penalty{Until: until,
		Reason: "ругань"}})
	if err != nil || a.Ban == nil || a.Ban.Reason != "ругань" || a.Ban.By != "test" || !a.Ban.Until.Equal(until) ||
		a.Online {
		t.Errorf("%+v, %v", a, err)
	}
	if log := live.log(); log != "disconnect 1: Your account is kept out "+Until(until).English+". ругань" {
		t.Errorf("found %s", log)
	}
	if a, err := by(ctx, o, UnbanAccount, named("вася")); err != nil || a.Ban != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := by(ctx, o, UnbanAccount, named("вася")); !errors.Is(err, data.ErrNotFound) ||
		!strings.Contains(err.Error(), "not banned") {
		t.Errorf("found %v", err)
	}
	for _, b := range []AccountBan{{AccountName: named("вася"), Penalty: Penalty{Until: time.Now().Add(-time.Hour)}},
		{AccountName: named("вася"), Penalty: Penalty{Reason: strings.Repeat("a", 501)}},
		{AccountName: named("вася"), Penalty: Penalty{Reason: "a\nb"}}} {
		if _, err := by(ctx, o, BanAccount, b); !errors.Is(err, ErrInvalid) {
			t.Errorf("%.60v: expected a rule to be broken, found %v", b, err)
		}
	}

	network := AddressName{" 203.0.113.7/24 "}
	masked := netip.MustParsePrefix("203.0.113.0/24")
	b, err := by(ctx, o, BanAddress, AddressPenalty{AddressName: network, Penalty: Penalty{Reason: "bots"}})
	if err != nil || b.Prefix != masked || b.Reason != "bots" {
		t.Errorf("%+v, %v", b, err)
	}
	if list, err := by(ctx, o, ListAddressBans, Empty{}); err != nil || len(list) != 1 ||
		list[0].Prefix != masked || list[0].By != "test" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := by(ctx, o, UnbanAddress, network); err != nil {
		t.Error(err)
	}
	if _, err := by(ctx, o, UnbanAddress, network); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("found %v", err)
	}
	// A wide network is a slip unless it is said to be meant; how many come from there is told.
	accounts, err := o.Store.(*data.Store).Accounts(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, from := range []string{"198.51.100.7", "198.51.100.8:4000", "::ffff:198.51.100.9", "2001:db8::1"} {
		if i < len(accounts) {
			if err := o.Store.(*data.Store).TouchLogin(ctx, accounts[i].ID, time.Now(), from); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := min(len(accounts), 3)
	everybody := AddressPenalty{AddressName: AddressName{"0.0.0.0/0"}}
	if _, err := by(ctx, o, BanAddress, everybody); !errors.Is(err, ErrInvalid) ||
		!strings.Contains(err.Error(), fmt.Sprintf(" %d accounts", seen)) {
		t.Errorf("everybody is banned: %v", err)
	}
	everybody.Wide = true
	if b, err := by(ctx, o, BanAddress, everybody); err != nil || b.Accounts != seen {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := by(ctx, o, UnbanAddress, everybody.AddressName); err != nil {
		t.Error(err)
	}

	// Of one IPv6 address its whole network is banned, and lifted by that address.
	one := AddressName{"2001:db8::7"}
	if b, err := by(ctx, o, BanAddress, AddressPenalty{AddressName: one}); err != nil || b.Prefix.String() != "2001:db8::/64" {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := by(ctx, o, UnbanAddress, one); err != nil || b.Prefix.String() != "2001:db8::/64" {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := by(ctx, o, BanAddress, AddressPenalty{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("found %v", err)
	}
}

func TestCharactersAreManaged(t *testing.T) {
	o, live := made(t)
	ctx := t.Context()
	list, err := by(ctx, o, ListCharacters, Search{Like: "СОВ"})
	if err != nil || len(list) != 1 || list[0].Name != "Сова" || list[0].Account != "вася" || !list[0].Online {
		t.Errorf("%+v, %v", list, err)
	}
	d, err := by(ctx, o, ShowCharacter, CharacterName{Name: "сова"})
	if err != nil || d.MaxHP != 105 || d.KarmaType != rules.KarmaNeutral || len(d.Items) != 1 || d.Items[0].Class != 704 {
		t.Errorf("%+v, %v", d, err)
	}
	to := coords.Position{X: -10.5, Y: 20, Z: 30, Yaw: 1}
	if c, err := by(ctx, o, MoveCharacter, Move{CharacterName: CharacterName{Name: "Сова"}, Position: to,
		KeepYaw: true}); err != nil || c.Position != (coords.Position{X: -10.5, Y: 20, Z: 30, Yaw: 4}) {
		t.Errorf("%+v, %v", c, err)
	}
	if log := live.log(); log != "teleport 1 to {-10.5 20 30 4}; tell 1: "+transportText.English {
		t.Errorf("found %s", log)
	}
	_, err = by(ctx, o, RenameCharacter, Rename{CharacterName: CharacterName{Name: "Сава"}, NewName: "Филин"})
	if !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "Сова"?`) {
		t.Errorf("expected a suggestion, found %v", err)
	}
	if _, err := by(ctx, o, RenameCharacter, Rename{CharacterName: CharacterName{Name: "Сова"},
		NewName: "1"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("found %v", err)
	}
	live.comeBack = true
	if c, err := by(ctx, o, RenameCharacter, Rename{CharacterName: CharacterName{Name: "Сова"},
		NewName: "Филин"}); err != nil || c.Name != "Филин" || c.Online {
		t.Errorf("%+v, %v", c, err)
	}
	const renamed = "disconnect 1: Your character Сова is now called Филин."
	if log := live.log(); log != renamed+"; "+renamed {
		t.Errorf("expected somebody who came back in between to be disconnected again, found %s", log)
	}
	if c, err := by(ctx, o, MoveCharacter, Move{CharacterName: CharacterName{Name: "Филин"},
		Position: to}); err != nil || c.Position != to {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := o.Store.CharacterByName(ctx, "филин"); err != nil || c.Position != to {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := by(ctx, o, DeleteCharacter, CharacterName{Name: "Филин"}); err != nil || c.Name != "Филин" ||
		c.Account != "вася" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := by(ctx, o, ShowCharacter, CharacterName{Name: "Филин"}); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("found %v", err)
	}
}

func TestDatabaseIsManaged(t *testing.T) {
	o, _ := made(t)
	ctx := t.Context()
	f, err := by(ctx, o, Backup, File{})
	if err != nil || filepath.Dir(f.Path) != filepath.Join(o.Store.Dir(), data.BackupFolder) {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := by(ctx, o, Backup, f); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("found %v", err)
	}
	if c, err := by(ctx, o, Check, Empty{}); err != nil || len(c.Problems) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	o.Status = func() Status {
		return Status{Players: 1, Counters: map[string]uint64{"frames": 7}, Characters: []OnlineCharacter{{Name: "Сова",
			Account: "вася"}}}
	}
	r, err := by(ctx, o, GetReport, Empty{})
	if err != nil || !r.Running || r.Status.Counters["frames"] != 7 || r.Status.Characters[0].Name != "Сова" ||
		r.Stored.Accounts != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func named(login string) AccountName { return AccountName{Login: login} }
