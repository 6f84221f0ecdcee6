//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// Fault case 18: a hundred logins with one account at once, the first of which makes it: exactly one is in.
func TestFaultOneAccountIsInOnce(t *testing.T) {
	besideOthers(t)
	n := size(40, 100)
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2")
		for round := range size(2, 5) {
			var in atomic.Int64
			clients := make([]*bot.Client, n)
			all(t, n, func(i int) error {
				c, err := connect(t.Context(), p.game, bot.Options{})
				if err != nil {
					return err
				}
				clients[i] = c
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if err = settleIn(ctx, c, "один", 0, "Один"); errors.Is(err, bot.ErrRefused) {
					return nil
				}
				in.Add(1)
				return err
			})
			if got := in.Load(); got != 1 {
				t.Errorf("round %d: %d of %d are in", round, got, n)
			}
			if s := p.status(); s.AccountsOnline != 1 || s.Players > 1 {
				t.Errorf("round %d: %d accounts and %d players are online", round, s.AccountsOnline, s.Players)
			}
			for _, c := range clients {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			eventually(t, "the account is free", func() bool { return p.status().AccountsOnline == 0 })
		}
		p.stop()
		if got := operate[ops.Report](p, "status").Stored; got.Accounts != 1 || got.Characters != 1 || got.Items != 3 {
			t.Errorf("%+v are stored", got)
		}
		p.check()
		figure(t, "18", "%s: %d rounds of %d logins at once: 1 in each time, 1 account, 1 character, 3 things", transport,
			size(2, 5), n)
	})
}

// Fault case 18, where a newer login takes the older one's place: however many push, one is in at the end, and nothing
// is twice.
func TestFaultTakingOverLeavesOneInside(t *testing.T) {
	besideOthers(t)
	n := size(12, 50)
	p := serveIn(t, t.TempDir(), "--take-over", "--hash-workers", "2")
	first := p.player("один", 0, "Один")
	to := near(first.Position, 5)
	if _, err := first.Ping(patient(t), to); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var in []*bot.Client
	all(t, n, func(i int) error {
		time.Sleep(rand.N(time.Duration(n) * 300 * time.Millisecond))
		c, err := comeIn(t.Context(), p.game, bot.Options{}, "один", 0, "")
		if err != nil { // pushed out on the way, or gave up waiting
			return nil
		}
		if c.Position != to {
			return fmt.Errorf("enters at %v, was at %v", c.Position, to)
		}
		mu.Lock()
		defer mu.Unlock()
		in = append(in, c)
		return nil
	})
	still := 0
	for _, c := range in {
		if err := c.Idle(patient(t), 100*time.Millisecond); err == nil {
			still++
		}
		c.Abort()
	}
	if still != 1 || len(in) == 0 {
		t.Errorf("%d entered, %d are still in", len(in), still)
	}
	p.stop()
	if got := operate[ops.Report](p, "status").Stored; got.Accounts != 1 || got.Characters != 1 || got.Items != 3 {
		t.Errorf("%+v are stored", got)
	}
	p.check()
	figure(t, "18", "taking over: %d logins within seconds, %d entered after each other, 1 in at the end", n, len(in))
}

// hasher is the process in which a server hashes passwords, by the last line of its log about that.
func (p *process) hasher() int {
	p.t.Helper()
	const said = "in a process of their own\" process="
	eventually(p.t, "passwords are hashed in a process of their own", func() bool { return p.logs.contains(said) })
	all := p.logs.all()
	number, _, _ := strings.Cut(all[strings.LastIndex(all, said)+len(said):], "\n")
	pid, err := strconv.Atoi(number)
	if err != nil {
		p.t.Fatal(err)
	}
	return pid
}

// Fault case 34: the process that hashes passwords is killed, or stands still and is killed, under those who log in and
// under a player who walks. Everybody comes in, wrong passwords do not, and it is there again.
func TestFaultKilledHashingProcessKeepsNobodyOut(t *testing.T) {
	besideOthers(t)
	p := serveIn(t, t.TempDir(), "--hash-workers", "2")
	kills := 0
	over := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() {
		for last := 0; ; {
			pid := p.hasher()
			select {
			case <-over:
				return
			case <-time.After(50 * time.Millisecond):
			}
			if pid == last {
				continue
			}
			if last = pid; kills%2 == 1 {
				_ = syscall.Kill(pid, syscall.SIGSTOP) // the next logins wait for it
				time.Sleep(200 * time.Millisecond)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			kills++
		}
	})
	n := size(12, 100)
	all(t, n, func(i int) error {
		c, err := comeIn(t.Context(), p.game, bot.Options{}, fmt.Sprint("игрок", i), 0, fmt.Sprint("Игрок", i))
		if err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
		in, err := p.guess(t, address(i), fmt.Sprint("игрок", i), "wrong")
		if in {
			return errors.New("in with a wrong password")
		}
		if errors.Is(err, bot.ErrRefused) {
			return nil
		}
		return err
	})
	eventually(t, "the process was killed twice", func() bool { return p.logs.count("until the process for them") >= 2 })
	close(over)
	killing.Wait()
	figure(t, "34", "%d logins with the right and as many with a wrong password while the process that hashes was "+
		"killed %d times: all answered, and rightly", n, kills)
	p.stop()
	p.check()
}

// Fault case 34: a server that is killed leaves no process behind.
func TestFaultKilledServerLeavesNoHashingProcess(t *testing.T) {
	besideOthers(t)
	p := serveIn(t, t.TempDir())
	pid := p.hasher()
	p.kill()
	eventually(t, "the process that hashes ends", func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // of one that nobody has taken note of it is Z
		return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ")
	})
}

// Fault case 18, about names: of many who want one at once, one gets it, however the others spell it.
func TestFaultOneNameIsGivenOnce(t *testing.T) {
	besideOthers(t)
	p := serveIn(t, t.TempDir(), "--hash-workers", "2")
	spellings := []string{"Мор", "мор", "МОР", "Mop"} // the last one in Latin letters
	var in atomic.Int64
	n := size(16, 100)
	clients := make([]*bot.Client, n)
	all(t, n, func(i int) (err error) {
		if clients[i], err = connect(t.Context(), p.game, bot.Options{}); err != nil {
			return err
		}
		t.Cleanup(clients[i].Abort)
		_, err = clients[i].Login(patient(t), fmt.Sprint("игрок", i), password)
		return err
	})
	all(t, n, func(i int) error {
		_, err := clients[i].Create(patient(t), 0, bot.NewCharacter{Name: spellings[i%len(spellings)]})
		if errors.Is(err, bot.ErrNameRejected) {
			return nil
		}
		in.Add(1)
		return err
	})
	if got := in.Load(); got != 1 {
		t.Errorf("%d got the name", got)
	}
	if got := operate[ops.Report](p, "status").Stored.Characters; got != 1 {
		t.Errorf("%d characters are stored", got)
	}
}

// guess tries a password from an address of this machine, and says whether it was let in.
func (p *process) guess(t *testing.T, from netip.Addr, login, word string) (in bool, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	conn, err := dialFrom(ctx, from, p.game)
	if err != nil {
		return false, err
	}
	c := bot.New(conn, bot.Options{})
	defer c.Abort()
	if err := c.Handshake(ctx); err != nil {
		return false, err
	}
	_, err = c.Login(ctx, login, word)
	return err == nil, err
}

// address returns the n-th address of this machine that a test may come from.
func address(n int) netip.Addr { return netip.AddrFrom4([4]byte{127, 1, byte(n >> 8), byte(n)}) }

// checked is how many passwords were looked at, of those that were wrong.
func checked(s ops.Status) uint64 {
	return s.Counters["logins_failed"] - s.Counters["logins_throttled"]
}

// Fault case 29: guessing from one address is slowed down to a few a minute, and from very many to a hundred an hour;
// the players inside feel nothing of it, and those of other accounts get in.
func TestFaultGuessingPasswordsIsSlow(t *testing.T) {
	besideOthers(t)
	probe, err := dialFromProbe(t)
	if !probe {
		t.Skipf("this system has no other addresses of the loopback: %v", err)
	}
	dir := t.TempDir()
	l := commandLine{t, dir}
	l.must("account", "add", "жертва", "--password", password)
	l.must("account", "add", "владелец", "--password", password)
	p := start(t, "", dir, []string{"--listen", "127.0.0.1:0", "--new-connections", "10000"})
	b := p.watch("Свидетель")
	time.Sleep(time.Duration(size(300, 10_000)) * time.Millisecond)
	before := b.ends()
	if err := b.client.Close(); err != nil {
		t.Error(err)
	}
	b = p.watch("Свидетель")

	// One address: the doors let ten connections in at once, and the guard five guesses a minute.
	for i := range 10 {
		if in, _ := p.guess(t, address(1), "жертва", fmt.Sprint("слово", i)); in {
			t.Fatal("a wrong word was let in")
		}
	}
	one := checked(p.status())
	if one > 5 {
		t.Errorf("%d words of one address were checked, want 5 at the most", one)
	}
	if in, _ := p.guess(t, address(1), "жертва", password); in {
		t.Error("the right word was let in while the address is to wait: guessing goes on for the limit")
	}

	// Many addresses, all at once, for one account.
	n := size(150, 1000)
	var lost atomic.Int64
	begin := time.Now()
	crowd(n, n, func(i int) {
		in, err := p.guess(t, address(2+i), "жертва", fmt.Sprint("другое", i))
		if in {
			t.Error("a wrong word was let in")
		}
		if !errors.Is(err, bot.ErrRefused) {
			lost.Add(1)
		}
	})
	took := time.Since(begin)
	many := checked(p.status())
	if many > 100 {
		t.Errorf("%d words for one account were checked, want 100 an hour at the most", many)
	}
	if lost := lost.Load(); lost > 0 {
		t.Errorf("%d guessers were not answered", lost)
	}
	// Who owns another account gets in, also from the address of a guesser.
	if in, err := p.guess(t, address(3), "владелец", password); !in {
		t.Errorf("the owner of another account is not let in: %v", err)
	}
	if s := p.status(); s.Counters["logins_throttled"] == 0 {
		t.Errorf("nothing was throttled: %v", s.Counters)
	}
	figure(t, "29", "one address: %d of 10 words checked; %d addresses for one account in %v: %d checked; a player "+
		"before: %v; meanwhile: %v",
		one, n, took.Round(10*time.Millisecond), many, before, b.ends())
}

// dialFromProbe says whether connections from other addresses of the loopback are possible.
func dialFromProbe(t *testing.T) (bool, error) {
	p := serveIn(t, t.TempDir())
	defer p.stop()
	c, err := dialFrom(t.Context(), address(1), p.game)
	if err != nil {
		return false, err
	}
	return true, c.Close()
}

// Fault case 29: strangers from many addresses take all places and say nothing, or register without end; players and
// newcomers come in all the same.
func TestFaultStrangersKeepNobodyOut(t *testing.T) {
	besideOthers(t)
	if probe, err := dialFromProbe(t); !probe {
		t.Skipf("this system has no other addresses of the loopback: %v", err)
	}
	dir := t.TempDir()
	l := commandLine{t, dir}
	l.must("account", "add", "свой", "--password", password)
	const room = 50
	p := start(t, "", dir, []string{"--listen", "127.0.0.1:0", "--new-connections", "10000", "--login-timeout", "2m",
		"--max-connections", fmt.Sprint(room)})
	strangers := make([]*bot.Client, 2*room)
	for i := range strangers {
		conn, err := dialFrom(t.Context(), address(1000+i), p.game)
		if err != nil {
			t.Fatal(err)
		}
		strangers[i] = bot.New(conn, bot.Options{})
		defer strangers[i].Abort()
		_ = strangers[i].Handshake(patient(t)) // who comes later may have its place by now
	}
	eventually(t, "all places of strangers are taken", func() bool { return p.status().Sessions == room*4/5 })
	for i, login := range []string{"свой", "новый"} {
		if in, err := p.guess(t, address(1+i), login, password); !in {
			t.Errorf("login %d beside strangers who say nothing: %v", i, err)
		}
	}
	if ends := p.status().Counters; ends["ended_made_room"] < room || ends["ended_server_full"] > 0 {
		t.Errorf("ends: %v", ends)
	}

	// The last of them register all at once.
	n := room / 2
	registered := make(chan error, n)
	for i, c := range strangers[len(strangers)-n:] {
		go func() {
			_, err := c.Login(patient(t), fmt.Sprint("чужой", i), password)
			registered <- err
		}()
	}
	if in, err := p.guess(t, address(1), "свой", password); !in {
		t.Errorf("a login beside %d registrations: %v", n, err)
	}
	made := 0
	for range n {
		if <-registered == nil {
			made++
		}
	}
	if made == 0 {
		t.Error("nobody could register")
	}
	figure(t, "29", "%d strangers in %d places: a player and a newcomer came in; beside %d registrations a player, too",
		len(strangers), room, n)
}
