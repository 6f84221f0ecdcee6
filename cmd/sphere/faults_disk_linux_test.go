//go:build system

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sphereserver/server/bot"
)

// limitFiles keeps files of the process from growing beyond a size, as a full disk does; 0 is no limit.
func (p *process) limitFiles(bytes uint64) {
	p.t.Helper()
	limit := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	if bytes > 0 {
		limit.Cur = bytes
	}
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		p.t.Fatal(err)
	}
}

// Fault case 22: while the disk is full, the players stay and walk on, players that have a character may come, and
// new characters are refused; once there is space again, everything is saved.
func TestFaultFullDiskLosesNobody(t *testing.T) {
	besideOthers(t)
	n, full22 := size(8, 100), time.Duration(size(1000, 20_000))*time.Millisecond
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2", "--save-every", "500ms")
		ws, over := p.walkers(n, 50*time.Millisecond)
		newcomer, err := connect(t.Context(), p.game, bot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer newcomer.Abort()
		if _, err := newcomer.Login(patient(t), "новичок", password); err != nil {
			t.Fatal(err)
		}

		if err := p.player("гость", 0, "Гость").Close(); err != nil {
			t.Error(err)
		}
		eventually(t, "the guest is saved", func() bool { return p.status().AccountsOnline == n+1 }) // and the newcomer

		// No page can be written any more.
		const page = 4096
		p.limitFiles(page)
		eventually(t, "the server notices", func() bool { return p.status().Counters["save_failures"] > 0 })
		begin := time.Now()
		if _, err := newcomer.Create(patient(t), 0, bot.NewCharacter{Name: "Новичок"}); !errors.Is(err,
			bot.ErrNameRejected) {
			t.Errorf("a new character on a full disk: %v", err)
		}
		stranger, err := connect(t.Context(), p.game, bot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer stranger.Abort()
		if _, err := stranger.Login(patient(t), "чужой", password); !errors.Is(err, bot.ErrRefused) {
			t.Errorf("a new account on a full disk: %v", err)
		}
		p.player("гость", 0, "")
		time.Sleep(full22)
		if s := p.status(); s.AccountsOnline != n+2 {
			t.Errorf("%d are online, want %d", s.AccountsOnline, n+2)
		}

		p.limitFiles(0)
		freed := time.Now()
		eventually(t, "everything is saved", func() bool { return p.logs.contains("saving works again") })
		back := time.Since(freed)
		if _, err := newcomer.Create(patient(t), 0, bot.NewCharacter{Name: "Новичок"}); err != nil {
			t.Errorf("a new character once there is space: %v", err)
		}
		stop := time.Now()
		p.stop()
		over()
		p.saved(ws, stop, 0)
		p.check()
		figure(t, "22", "%s: disk full for %v under %d walking players: nobody lost, new characters and accounts refused; "+
			"saved again %v after there was space", transport,
			freed.Sub(begin).Round(100*time.Millisecond), n, back.Round(10*time.Millisecond))
	})
}

// Fault case 22 with a real disk, where the test may mount one of two megabytes.
func TestFaultSmallDiskFillsUp(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	if err := unix.Mount("sphere-test", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no tmpfs can be mounted: %v", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	p := serveIn(t, filepath.Join(dir, "data"), "--save-every", "500ms")
	ws, over := p.walkers(3, 50*time.Millisecond)
	ballast := filepath.Join(dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for chunk := []byte(strings.Repeat("#", 1024)); err == nil; {
		_, err = f.Write(chunk)
	}
	f.Close()
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	if code, _, says := (commandLine{t, p.dir}).do("", "db", "backup"); code != 1 {
		t.Errorf("a backup without room: %d, %s", code, says)
	}
	eventually(t, "the server cannot save", func() bool { return p.status().Counters["save_failures"] > 1 })
	if c, err := comeIn(t.Context(), p.game, bot.Options{}, "новичок", 0, "Новичок"); err == nil {
		t.Log("a new account on a full disk has found room in SQLite's log, which begins anew now and then")
		c.Abort()
	} else if !errors.Is(err, bot.ErrRefused) && !errors.Is(err, bot.ErrNameRejected) {
		t.Errorf("a newcomer on a full disk: %v", err) // there may be room for the account, and none for the character
	}
	eventually(t, "those are left who were there before", func() bool { return p.status().AccountsOnline == len(ws) })
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, "everything is saved", func() bool { return p.logs.contains("saving works again") })
	p.player("новичок", 0, "Новичок")
	stop := time.Now()
	p.stop()
	over()
	p.saved(ws, stop, 0)
	p.check()
	figure(t, "22", "a disk of 2 MiB filled to the last byte: %d players stay, newcomers and backups are refused, all "+
		"saved once there is space", len(ws))
}

// Fault case 22, before the start: a folder that cannot be written is refused with a sentence that names it, and
// nothing in it changes.
func TestFaultReadOnlyFolderIsRefused(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	dir := t.TempDir()
	if err := unix.Mount("sphere-test", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no tmpfs can be mounted: %v", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	folder := filepath.Join(dir, "data")
	p := serveIn(t, folder)
	p.player("житель", 0, "Житель")
	p.stop()
	if err := unix.Mount("sphere-test", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("the tmpfs cannot be made read-only: %v", err)
	}
	before := contents(t, folder)
	says, _ := refused(t, folder)
	if !strings.HasPrefix(says, "sphere: lock "+folder+": ") || !strings.Contains(says, "read-only") {
		t.Errorf("says %q", says)
	}
	l := commandLine{t, folder}
	copied := filepath.Join(t.TempDir(), "x.db")
	for _, args := range [][]string{{"db", "check"}, {"account", "list"}, {"db", "backup", copied},
		{"db", "export", copied}} {
		l.fails(1, "lock "+folder+": the folder is read-only", args...)
	}
	_, _, line := l.do("", "db", "check")
	russian := russianSentence(strings.TrimSpace(strings.TrimPrefix(line, "sphere: ")))
	if !strings.HasSuffix(russian, folder+": папка только для чтения: разрешите в неё запись или работайте с её копией "+
		"(диск только для чтения)") {
		t.Errorf("in Russian %q", russian)
	}
	if after := contents(t, folder); !slices.Equal(before, after) {
		t.Errorf("was touched: %q, then %q", before, after)
	}
	if err := unix.Mount("sphere-test", dir, "tmpfs", unix.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	q := serveIn(t, folder)
	q.player("житель", 0, "")
	q.stop()
	figure(t, "22", "a read-only folder: %s", says)
}
