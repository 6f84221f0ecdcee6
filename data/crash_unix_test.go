//go:build unix && !freebsd && !dragonfly

package data

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// runChild is the work of this test binary when a test has started it once more.
func runChild(job string) {
	name, dir, _ := strings.Cut(job, " ")
	jobs := map[string]func(context.Context, *Store) error{"write": writeForEver, "limited": writeWithFailingDisk}
	ctx := context.Background()
	s, err := Open(ctx, dir, Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err == nil {
		err = errors.Join(jobs[name](ctx, s), s.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(t *testing.T, job, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "SPHERE_DATA_TEST_CHILD="+job+" "+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// writeForEver creates accounts with a character each and saves the characters, many at a time, and prints a line for
// each acknowledged write: "account 7", "points 7 12".
func writeForEver(ctx context.Context, s *Store) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	base := time.Now().UnixNano() // of this run
	for worker := range 8 {
		wg.Go(func() {
			for n := 0; ; n++ {
				a, err := s.CreateAccount(ctx, fmt.Sprintf("u%d.%d.%d", base, worker, n), "hash", Player)
				if err != nil {
					panic(err)
				}
				c, _, err := s.CreateCharacter(ctx, newcomer(a.ID, 0, fmt.Sprintf("n%dx%d", base%1e9, a.ID)))
				if err != nil {
					panic(err)
				}
				mu.Lock()
				fmt.Println("account", a.ID)
				mu.Unlock()
				for c.TitleXP < 5 {
					c.TitleXP++
					if err := s.SaveCharacters(ctx, []Character{c}); err != nil {
						panic(err)
					}
					mu.Lock()
					fmt.Println("points", a.ID, c.TitleXP)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return nil
}

func TestNothingAcknowledgedIsLostWhenTheProcessIsKilled(t *testing.T) {
	dir := t.TempDir()
	money := map[AccountID]int64{} // acknowledged
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		cmd := child(t, "write", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		n, at := 0, 1+rand.N(200)
		for ; lines.Scan(); n++ { // its workers write on meanwhile
			if n == at {
				cmd.Process.Kill()
			}
			var id AccountID
			var m int64
			if _, err := fmt.Sscanf(lines.Text(), "account %d", &id); err == nil {
				money[id] = 0
			} else if _, err := fmt.Sscanf(lines.Text(), "points %d %d", &id, &m); err == nil {
				money[id] = m
			}
		}
		cmd.Wait()
		if n <= at {
			t.Fatalf("the child has ended by itself after %d lines", n)
		}

		s, err := Open(t.Context(), dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		stored := map[AccountID]int64{}
		for _, c := range must(s.FindCharacters(t.Context(), ""))(t) {
			stored[c.Account] = int64(c.TitleXP)
		}
		for id, m := range money {
			if have, ok := stored[id]; !ok || have < m {
				t.Errorf("account %d: %d points acknowledged, found %d (%v)", id, m, have, ok)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d accounts acknowledged", len(money))
}

func TestCopiesOfDatabaseAndLogAreSound(t *testing.T) {
	dir := t.TempDir()
	cmd := child(t, "write", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	var written atomic.Int64
	go func() {
		for lines.Scan() {
			written.Add(1)
		}
		written.Store(math.MaxInt64) // the child has ended, which the next signal shows
	}()
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for range rounds {
		for until := written.Load() + 1 + rand.N[int64](100); written.Load() < until; time.Sleep(50 * time.Microsecond) {
		}
		// A copy of one instant, as a snapshot of a disk is: the process does not move while it is made. It has stopped when
		// its parent is told so, not yet when it has been asked to.
		cmd.Process.Signal(syscall.SIGSTOP)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			t.Fatalf("the child has not stopped: %v, %v", status, err)
		}
		to := t.TempDir()
		for _, suffix := range []string{"", "-wal"} {
			if err := copyFile(filepath.Join(dir, DatabaseFile+suffix), filepath.Join(to, DatabaseFile+suffix)); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Process.Signal(syscall.SIGCONT)
		s := open(t, to, Options{})
		var problems []string
		for _, p := range must(s.Check(t.Context()))(t) {
			if !strings.Contains(p, "password hash") { // this test has none
				problems = append(problems, p)
			}
		}
		if len(problems) > 0 {
			t.Errorf("found %q", problems)
		}
	}
}

// writeWithFailingDisk makes writes fail from the n-th byte on, for several n, and tries again when there is room.
func writeWithFailingDisk(ctx context.Context, s *Store) error {
	signal.Ignore(syscall.SIGXFSZ)
	var free syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &free); err != nil {
		return err
	}
	a, err := s.CreateAccount(ctx, "user", "hash", Player)
	if err != nil {
		return err
	}
	c, _, err := s.CreateCharacter(ctx, newcomer(a.ID, 0, "Name"))
	if err != nil {
		return err
	}
	for n := range 40 {
		limited := free
		size := max(fileSize(filepath.Join(s.Dir(), DatabaseFile)), fileSize(filepath.Join(s.Dir(), DatabaseFile+"-wal")))
		limited.Cur = uint64(size) + uint64(n)*1500
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited); err != nil {
			return err
		}
		failed := false
		for range 60 {
			next := c
			next.TitleXP++
			err := s.SaveCharacters(ctx, []Character{next})
			if err == nil {
				c = next
				continue
			}
			failed = true
			if !errors.Is(err, ErrUnavailable) {
				return fmt.Errorf("expected ErrUnavailable, found %w", err)
			}
			break
		}
		found, err := s.CharacterByID(ctx, c.ID)
		if err != nil {
			return fmt.Errorf("reading while writing fails: %w", err)
		}
		if found.TitleXP != c.TitleXP {
			return fmt.Errorf("expected %d points, the last that was acknowledged, found %d", c.TitleXP, found.TitleXP)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &free); err != nil {
			return err
		}
		if !failed {
			return fmt.Errorf("no write failed with a limit of %d bytes", limited.Cur)
		}
		c.TitleXP++
		if err := s.SaveCharacters(ctx, []Character{c}); err != nil {
			return fmt.Errorf("the write after there was room again: %w", err)
		}
	}
	problems, err := s.Check(ctx)
	for _, p := range problems {
		if !strings.Contains(p, "password hash") {
			err = errors.Join(err, errors.New(p))
		}
	}
	return err
}

func TestWritesThatTheDiskRefusesAreReportedAndCanBeRepeated(t *testing.T) {
	cmd := child(t, "limited", t.TempDir())
	cmd.Stderr = nil
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
