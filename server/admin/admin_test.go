package admin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeLive is a server with some accounts online; it writes down what is asked of it.
type fakeLive struct {
	mu     sync.Mutex
	online map[data.AccountID]data.CharacterID
	events []string
	comeBack,
	refuse bool // who is disconnected logs in again once; teleports fail
}

func (f *fakeLive) Disconnect(_ context.Context, id data.AccountID, reason string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fmt.Sprintf("disconnect %d: %s", id, reason))
	if f.comeBack {
		f.comeBack = false
		return nil
	}
	delete(f.online, id)
	return nil
}

func (f *fakeLive) Online(id data.AccountID) (bool, data.CharacterID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.online[id]
	return ok, c
}

func (f *fakeLive) MoveOnline(_ context.Context, id data.CharacterID, p coords.Position) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse {
		return false, errors.New("the world has stopped")
	}
	for _, c := range f.online {
		if c == id {
			f.events = append(f.events, fmt.Sprintf("teleport %d to %v", id, p))
			return true, nil
		}
	}
	return false, nil
}

func (f *fakeLive) Kick(ctx context.Context, id data.AccountID, reason string) error {
	return f.Disconnect(ctx, id, "kick: "+reason)
}

func (f *fakeLive) SetMute(id data.AccountID, m data.Mute) {
	f.note("mute %d: %s", id, m.Reason)
}

func (f *fakeLive) Announce(text string) { f.note("announce %s", text) }

func (f *fakeLive) Message(id data.AccountID, text string) bool {
	_, inWorld := f.Online(id)
	if inWorld != 0 {
		f.note("message to %d: %s", id, text)
	}
	return inWorld != 0
}

func (f *fakeLive) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fmt.Sprintf(format, args...))
}

func (f *fakeLive) Status() Status {
	return Status{Players: 1, Sessions: 2, AccountsOnline: 1, Counters: map[string]uint64{"frames": 7},
		Characters: []OnlineCharacter{{Name: "Сова", Account: "вася", Position: coords.Position{X: 1}}}}
}

func (f *fakeLive) log() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := strings.Join(f.events, "; ")
	f.events = nil
	return s
}

var cheap = data.HashParams{MemoryKiB: 8, Time: 1, Threads: 1}

// made returns the Ops of a new store that holds the account вася with the character Сова, which is in the world.
func made(t testing.TB) (*Ops, *fakeLive) {
	t.Helper()
	ctx := t.Context()
	s, err := data.Open(ctx, t.TempDir(), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := &Ops{Store: s, Who: "test", HashParams: cheap}
	a, err := o.AddAccount(ctx, NewAccount{Login: "вася", Password: "пароль"})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := s.CreateCharacter(ctx, data.NewCharacter{
		Character: data.Character{Account: a.ID, Name: "Сова", HP: 100, MP: 100, Position: coords.Position{X: 1, Y: 2, Z: 3, Yaw: 4}},
		Items:     []rules.Item{{Slot: 20, Class: 704, Suffix: -1, Count: 100}},
	})
	if err != nil {
		t.Fatal(err)
	}
	live := &fakeLive{online: map[data.AccountID]data.CharacterID{a.ID: c.ID}}
	o.Live = live
	return o, live
}

// both runs a test on Ops itself and on a Client of a server that has it.
func both(t *testing.T, test func(t *testing.T, o Operator, ops *Ops, live *fakeLive)) {
	t.Run("here", func(t *testing.T) {
		ops, live := made(t)
		test(t, ops, ops, live)
	})
	t.Run("through a server", func(t *testing.T) {
		ops, live := made(t)
		c, err := ListenControl(ops.Store.Dir(), ops, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		client, err := Connect(t.Context(), ops.Store.Dir())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		client.Who = "test"
		test(t, client, ops, live)
	})
}

func TestAccountsAreManaged(t *testing.T) {
	both(t, func(t *testing.T, o Operator, ops *Ops, live *fakeLive) {
		ctx := t.Context()
		a, err := o.AddAccount(ctx, NewAccount{Login: "Петя", Password: "secret", Role: data.Helper})
		if err != nil || a.Login != "Петя" || a.Role != data.Helper || a.Online {
			t.Fatalf("%+v, %v", a, err)
		}
		if _, err := o.AddAccount(ctx, NewAccount{Login: "ПЕТЯ", Password: "secret"}); !errors.Is(err, data.ErrLoginTaken) {
			t.Errorf("expected the login to be taken, found %v", err)
		}
		for _, n := range []NewAccount{{Login: "", Password: "x"}, {Login: "日本", Password: "x"}, {Login: "ok", Password: ""}, {Login: "ok", Password: "a\nb"}} {
			if _, err := o.AddAccount(ctx, n); !errors.Is(err, ErrInvalid) {
				t.Errorf("%+v: expected a rule to be broken, found %v", n, err)
			}
		}
		all, err := o.Accounts(ctx, Search{})
		if err != nil || len(all) != 2 || all[0].Login != "вася" || !all[0].Online || !cmp.Equal(all[0].Characters, []string{"Сова"}) {
			t.Errorf("%+v, %v", all, err)
		}
		if a, err := o.SetRole(ctx, RoleChange{Login: "петя", Role: data.Administrator}); err != nil || a.Role != data.Administrator {
			t.Errorf("%+v, %v", a, err)
		}
		if _, err := o.SetPassword(ctx, Password{Login: "петя", Password: "other"}); err != nil {
			t.Error(err)
		}
		stored, err := ops.Store.AccountByLogin(ctx, "петя")
		if err != nil {
			t.Fatal(err)
		}
		if ok, _, err := data.VerifyPassword(stored.PasswordHash, "other"); !ok || err != nil {
			t.Errorf("expected the new password to fit, found %v, %v", ok, err)
		}
		if a, err := o.DeleteAccount(ctx, AccountName{Login: "петя"}); err != nil || a.Login != "Петя" {
			t.Errorf("%+v, %v", a, err)
		}
		_, err = o.SetRole(ctx, RoleChange{Login: "вaся"})
		if !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "вася"?`) {
			t.Errorf("expected a suggestion, found %v", err)
		}
		if log := live.log(); log != "" {
			t.Errorf("expected nobody to be disturbed, found %s", log)
		}
		trail, err := o.Audit(ctx, AuditSearch{Target: "Петя"})
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
	})
}

func TestBansEndSessions(t *testing.T) {
	both(t, func(t *testing.T, o Operator, _ *Ops, live *fakeLive) {
		ctx := t.Context()
		until := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
		a, err := o.BanAccount(ctx, AccountBan{Login: "Вася", Until: until, Reason: "ругань"})
		if err != nil || a.Ban == nil || a.Ban.Reason != "ругань" || a.Ban.By != "test" || !a.Ban.Until.Equal(until) || a.Online {
			t.Errorf("%+v, %v", a, err)
		}
		if log := live.log(); log != "disconnect 1: the account was banned" {
			t.Errorf("found %s", log)
		}
		if a, err := o.UnbanAccount(ctx, AccountName{Login: "вася"}); err != nil || a.Ban != nil {
			t.Errorf("%+v, %v", a, err)
		}
		if _, err := o.UnbanAccount(ctx, AccountName{Login: "вася"}); !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), "not banned") {
			t.Errorf("found %v", err)
		}
		for _, b := range []AccountBan{{Login: "вася", Until: time.Now().Add(-time.Hour)}, {Login: "вася", Reason: strings.Repeat("a", 501)}, {Login: "вася", Reason: "a\nb"}} {
			if _, err := o.BanAccount(ctx, b); !errors.Is(err, ErrInvalid) {
				t.Errorf("%.60v: expected a rule to be broken, found %v", b, err)
			}
		}

		network := netip.MustParsePrefix("203.0.113.7/24")
		b, err := o.BanAddress(ctx, AddressBan{Prefix: network, Ban: Ban{Reason: "bots"}})
		if err != nil || b.Prefix != network.Masked() || b.Reason != "bots" {
			t.Errorf("%+v, %v", b, err)
		}
		if list, err := o.AddressBans(ctx, Nothing{}); err != nil || len(list) != 1 || list[0].Prefix != network.Masked() || list[0].By != "test" {
			t.Errorf("%+v, %v", list, err)
		}
		if _, err := o.UnbanAddress(ctx, AddressBan{Prefix: network}); err != nil {
			t.Error(err)
		}
		if _, err := o.UnbanAddress(ctx, AddressBan{Prefix: network}); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("found %v", err)
		}
		if _, err := o.BanAddress(ctx, AddressBan{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("found %v", err)
		}
	})
}

func TestCharactersAreManaged(t *testing.T) {
	both(t, func(t *testing.T, o Operator, ops *Ops, live *fakeLive) {
		ctx := t.Context()
		list, err := o.Characters(ctx, Search{Like: "СОВ"})
		if err != nil || len(list) != 1 || list[0].Name != "Сова" || list[0].Account != "вася" || !list[0].Online {
			t.Errorf("%+v, %v", list, err)
		}
		d, err := o.Character(ctx, CharacterName{Name: "сова"})
		if err != nil || d.MaxHP != 100 || d.KarmaType != data.KarmaNeutral || len(d.Items) != 1 || d.Items[0].Class != 704 {
			t.Errorf("%+v, %v", d, err)
		}
		to := coords.Position{X: -10.5, Y: 20, Z: 30, Yaw: 1}
		if c, err := o.MoveCharacter(ctx, Move{Name: "Сова", Position: to, KeepYaw: true}); err != nil || c.Position != (coords.Position{X: -10.5, Y: 20, Z: 30, Yaw: 4}) {
			t.Errorf("%+v, %v", c, err)
		}
		if log := live.log(); log != "teleport 1 to {-10.5 20 30 4}" {
			t.Errorf("found %s", log)
		}
		_, err = o.RenameCharacter(ctx, Rename{Name: "Сава", NewName: "Филин"})
		if !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "Сова"?`) {
			t.Errorf("expected a suggestion, found %v", err)
		}
		if _, err := o.RenameCharacter(ctx, Rename{Name: "Сова", NewName: "1"}); !errors.Is(err, ErrInvalid) {
			t.Errorf("found %v", err)
		}
		live.comeBack = true
		if c, err := o.RenameCharacter(ctx, Rename{Name: "Сова", NewName: "Филин"}); err != nil || c.Name != "Филин" || c.Online {
			t.Errorf("%+v, %v", c, err)
		}
		if log := live.log(); log != "disconnect 1: the character was renamed; disconnect 1: the character was renamed" {
			t.Errorf("expected somebody who came back in between to be disconnected again, found %s", log)
		}
		if c, err := o.MoveCharacter(ctx, Move{Name: "Филин", Position: to}); err != nil || c.Position != to {
			t.Errorf("%+v, %v", c, err)
		}
		if c, err := ops.Store.CharacterByName(ctx, "филин"); err != nil || c.Position != to {
			t.Errorf("%+v, %v", c, err)
		}
		live.refuse = true
		if _, err := o.MoveCharacter(ctx, Move{Name: "Филин", Position: to}); err == nil || !strings.Contains(err.Error(), "the world has stopped") {
			t.Errorf("found %v", err)
		}
		if c, err := o.DeleteCharacter(ctx, CharacterName{Name: "Филин"}); err != nil || c.Name != "Филин" || c.Account != "вася" {
			t.Errorf("%+v, %v", c, err)
		}
		if _, err := o.Character(ctx, CharacterName{Name: "Филин"}); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("found %v", err)
		}
	})
}

func TestDatabaseIsManaged(t *testing.T) {
	both(t, func(t *testing.T, o Operator, ops *Ops, _ *fakeLive) {
		ctx := t.Context()
		f, err := o.Backup(ctx, File{})
		if err != nil || filepath.Dir(f.Path) != filepath.Join(ops.Store.Dir(), data.BackupFolder) {
			t.Errorf("%+v, %v", f, err)
		}
		if _, err := o.Backup(ctx, f); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("found %v", err)
		}
		if c, err := o.Check(ctx, Nothing{}); err != nil || len(c.Problems) != 0 {
			t.Errorf("%+v, %v", c, err)
		}
		r, err := o.Report(ctx, Nothing{})
		if err != nil || !r.Running || r.Status.Counters["frames"] != 7 || r.Status.Characters[0].Name != "Сова" || r.Stored.Accounts != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestEveryMethodTravels(t *testing.T) {
	operator := reflect.TypeFor[Operator]()
	for m := range operator.NumMethod() {
		if _, ok := calls[operator.Method(m).Name]; !ok {
			t.Errorf("%s is not among the calls", operator.Method(m).Name)
		}
	}
	if len(calls) != operator.NumMethod() {
		t.Errorf("expected %d calls, found %d", operator.NumMethod(), len(calls))
	}
}
