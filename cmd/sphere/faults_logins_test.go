//go:build system && unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sphereserver/server/bot"
)

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

// Fault case 34: the process that hashes passwords is killed, or stands still and is killed, under players that log
// in and under a player that walks. Everybody comes in, wrong passwords do not, and it is there again.
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
	eventually(t, "the process that hashes ends", func() bool { return isGone(pid) })
}

// isGone reports whether a process has ended.
func isGone(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // of one that nobody has taken note of it is Z
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ")
}

var abandons = flag.Bool("sphere.abandons", false, "for TestServersEndWithTheirTests: starts a server, says which, and dies")

// Tests that are killed, or panic, leave no server behind.
func TestServersEndWithTheirTests(t *testing.T) {
	if *abandons {
		fmt.Println("server", serveIn(t, t.TempDir()).cmd.Process.Pid)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	besideOthers(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // the killed tests do not remove theirs
	tests := exec.CommandContext(t.Context(), exe, "-test.run=^TestServersEndWithTheirTests$", "-sphere.abandons")
	tests.Env = append(os.Environ(), "TMPDIR="+dir)
	out, err := tests.Output()
	pid := 0
	if _, scanned := fmt.Sscanf(string(out), "server %d", &pid); scanned != nil {
		t.Fatalf("%v: %s", err, out)
	}
	eventually(t, "the server ends", func() bool { return isGone(pid) })
}

// guess tries a password from an address of this machine, and reports whether it was accepted.
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
