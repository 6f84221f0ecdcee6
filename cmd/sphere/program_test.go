package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/config"
	"sphereserver/server/ops"
	"sphereserver/server/query"
)

// openHere opens a program in a data folder, with settings as on a command line.
func openHere(t *testing.T, dir string, out io.Writer, change func(*config.Settings)) (*program, error) {
	t.Helper()
	set := config.Defaults()
	set.Game.Listen, set.Admin.Listen = "127.0.0.1:0", "127.0.0.1:0"
	change(&set)
	from := config.Sources{Defaults: set}
	found, err := config.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	return openProgram(dir, found, from, out)
}

// sink is a writer for many goroutines.
type sink struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Whatever runs the server starts it again after a restart that was planned, and not after a stop.
func TestARestartHasItsExitCode(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		var log sink
		p, err := openHere(t, t.TempDir(), &log, func(*config.Settings) {})
		if err != nil {
			t.Fatal(err)
		}
		err = p.run(t.Context(), nil, nil, func() { p.game.PlanStop(&ops.PlannedStop{At: time.Now(), Restart: restart}) })
		if stopped := p.stop(); stopped != nil {
			t.Error(stopped)
		}
		if errors.Is(err, errRestart) != restart || strings.Contains(log.String(), "the daily restart") != restart {
			t.Errorf("restart %v: %v\n%s", restart, err, log.String())
		}
	}
}

func TestAProgramOpensRunsAndStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // the second one finds all that the first one has had
		var log sink
		p, err := openHere(t, dir, &log, func(s *config.Settings) { s.ChatLog = true })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := data.Lock(dir); err == nil {
			t.Error("the data folder can be had by another one")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := p.run(ctx, nil, nil, func() { cancel(errors.New("enough")) }); err != nil {
			t.Error(err)
		}
		if _, err := net.Dial("tcp", p.game.Addr().String()); err != nil {
			t.Errorf("it does not listen before it is stopped: %v", err)
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		for _, want := range []string{"msg=ready", "why=enough", "msg=stopped"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log has no %s:\n%s", want, log.String())
			}
		}
	}
}

func TestAProgramIsReloadedAndEndsWithItsTerminal(t *testing.T) {
	var log sink
	p, err := openHere(t, t.TempDir(), &log, func(*config.Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	reload, gone := make(chan struct{}), make(chan struct{})
	err = p.run(t.Context(), reload, gone, func() {
		go func() {
			reload <- struct{}{}
			close(gone)
		}()
	})
	if err := errors.Join(err, p.stop()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "the terminal was closed") {
		t.Error(log.String())
	}
}

// A program that does not open leaves nothing open: the folder is free for the next one.
func TestAProgramThatDoesNotOpenLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, change := range map[string]func(*config.Settings){
		"the game": func(s *config.Settings) { s.Game.Listen = taken.Addr().String() },
		"the page": func(s *config.Settings) { s.Admin.Listen = taken.Addr().String() },
		"the log":  func(s *config.Settings) { s.Log.File = dir },
	} {
		if p, err := openHere(t, dir, io.Discard, change); err == nil {
			t.Errorf("%s opened", name)
			_ = p.stop()
		}
		lock, err := data.Lock(dir)
		if err != nil {
			t.Fatalf("after %s: %v", name, err)
		}
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	}
}

// A port that is taken leaves browsers without one protocol, not without both.
func TestOneProtocolOfBrowsersGoesOnWithoutTheOther(t *testing.T) {
	t.Parallel()
	taken, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.LocalAddr().(*net.UDPAddr).Port
	for name, change := range map[string]func(*config.Settings){
		query.EyeProtocol:       func(s *config.Settings) { s.Queries.ASE.Port = port },
		query.MinecraftProtocol: func(s *config.Settings) { s.Queries.Minecraft.Port = port },
	} {
		for range 10 { // another program may have a port of the other one, too
			var log sink
			p, err := openHere(t, t.TempDir(), &log, change)
			if err != nil {
				t.Fatal(err)
			}
			eye, craft := p.queries.ASE().IsValid(), p.queries.Minecraft().IsValid()
			if err := p.stop(); err != nil {
				t.Error(err)
			}
			if strings.Count(log.String(), "server browsers are not answered") > 1 {
				continue
			}
			if eye == (name == query.EyeProtocol) || craft == (name == query.MinecraftProtocol) ||
				!strings.Contains(log.String(), "query: "+name+": ") {
				t.Errorf("%s: All-Seeing Eye %v, Minecraft Query %v\n%s", name, eye, craft, log.String())
			}
			break
		}
	}
}

// Protocol ase 15, check 6: players of this machine may come in as they are, but its browsers are as others.
func TestTheSixthQueryOfAnAddressIsMetWithSilence(t *testing.T) {
	t.Parallel()
	p, err := openHere(t, t.TempDir(), io.Discard, func(s *config.Settings) {
		if !s.Game.Limits.ExemptLoopback {
			t.Error("the players of this machine are not exempt any more")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	if !p.queries.ASE().IsValid() {
		t.Skip("another program has the port")
	}
	c, err := net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", p.queries.ASE().Port()))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answer := make([]byte, 2048)
	for i := range 6 {
		if _, err := c.Write([]byte("v")); err != nil {
			t.Fatal(err)
		}
		if i < 5 {
			if _, err := c.Read(answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	for p.queries.Counters()["ase_dropped_address_limit"]+p.queries.Counters()["ase_dropped_network_limit"] == 0 {
		if n := p.queries.Counters()["ase_answers"]; n > 5 {
			t.Fatalf("%d answers", n)
		}
		runtime.Gosched()
	}
}

// Deleting the lock of a running server admits no second one, and commands still find the way.
func TestADeletedLockLetsNoSecondServerIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
	dir := t.TempDir()
	p, err := openHere(t, dir, io.Discard, func(*config.Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	for range 2 {
		if err := os.Remove(filepath.Join(dir, data.LockFile)); err != nil {
			t.Fatal(err)
		}
		if second, err := openHere(t, dir, io.Discard, func(*config.Settings) {}); err == nil {
			t.Error("two servers in one folder")
			_ = second.stop()
		} else if want := fmt.Sprintf("process %d is a server in", os.Getpid()); !strings.Contains(err.Error(), want) {
			t.Errorf("says %v, expected %q", err, want)
		}
	}
	l := commandLine{t, dir}
	if code, out, says := l.do("", "account", "list"); code != 0 || !strings.Contains(says, "do not delete sphere.lock") {
		t.Errorf("the command ends with %d, and says %q\n%s", code, says, out)
	}
	if !fileThere(filepath.Join(dir, admin.ControlFile)) {
		t.Error("the control file was taken for a stale one")
	}
	// With the database deleted, too, the server is the only one that has it.
	database := filepath.Join(dir, data.DatabaseFile)
	gone := errors.Join(os.Remove(filepath.Join(dir, data.LockFile)), os.Rename(database, database+".away"))
	if gone != nil {
		t.Fatal(gone)
	}
	l.must("db", "backup", filepath.Join(t.TempDir(), "saved.db"))
	if err := os.Rename(database+".away", database); err != nil {
		t.Fatal(err)
	}
	// Another folder with a copy of the control file is nobody's.
	other := t.TempDir()
	text, err := os.ReadFile(filepath.Join(dir, admin.ControlFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(other, admin.ControlFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	q, err := openHere(t, other, io.Discard, func(*config.Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	_ = q.stop()
}

func TestAProgramRestoresTheBackupThatWasOrdered(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "before.db"
	path := filepath.Join(dir, data.BackupFolder, file)
	steps := []func() error{
		func() error { return store.Backup(ctx, path) },
		func() error { _, err := store.CreateAccount(ctx, "later", "hash", data.Player); return err },
		func() error { return data.OrderRestore(ctx, dir, file) },
		store.Close,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	var log sink
	p, err := openHere(t, dir, &log, func(*config.Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	_, unknown := p.store.AccountByLogin(ctx, "later")
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	if !errors.Is(unknown, data.ErrNotFound) || !strings.Contains(log.String(), "restored a backup") {
		t.Errorf("%v, expected the database of the backup; the log\n%s", unknown, log.String())
	}
}

// An operator reads the balance file, tries a change, makes it, and is refused where another one was quicker.
func TestAProgramsBalanceFileIsEdited(t *testing.T) {
	dir := t.TempDir()
	from := config.Sources{Defaults: config.Defaults(), Balance: filepath.Join(dir, config.BalanceFile)}
	from.Defaults.Game.Listen, from.Defaults.Admin.Listen = "127.0.0.1:0", "127.0.0.1:0"
	found, err := config.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProgram(dir, found, from, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	first, err := p.readBalance()
	if err != nil || first.Text != "" || first.Sample == nil || first.Sample.Russian == first.Sample.English {
		t.Fatalf("without a file: %+v, %v", first, err)
	}
	order := ops.BalanceOrder{Text: "[experience]\nfactor = 3\n", Sum: first.Sum, Check: true}
	for _, check := range []bool{true, false} {
		order.Check = check
		changes, err := p.writeBalance(order)
		if err != nil || len(changes) != 1 || changes[0].Key != "experience.factor" || changes[0].New != "3" {
			t.Fatalf("check %v: %+v, %v", check, changes, err)
		}
		_, err = os.Stat(from.Balance)
		if written := err == nil; written == check {
			t.Errorf("check %v, and written: %v", check, written)
		}
	}
	if _, err := p.writeBalance(order); !errors.Is(err, ops.ErrChanged) {
		t.Errorf("an order for the file as it was before: %v", err)
	}
	if f, err := p.readBalance(); err != nil || f.Text != order.Text || f.Sum == first.Sum || f.Sample != nil {
		t.Errorf("%+v, %v", f, err)
	}
}
