//go:build system && unix

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/bot"
)

// A walker is a player that walks until the connection ends, and remembers the server's answers.
type walker struct {
	client *bot.Client
	name   string
	steps  []step
}

// A step is a position message.
type step struct {
	at       coords.Position
	sent     time.Time
	answered bool
}

// walk goes a step each so often until the connection ends or ctx does.
func (w *walker) walk(ctx context.Context, every time.Duration) error {
	for i := 0; ; i++ {
		to := w.client.Position
		to.X, to.Yaw = to.X+0.25, float32(i%6) // never twice the same place
		w.steps = append(w.steps, step{at: to, sent: time.Now()})
		if _, err := w.client.Ping(ctx, to); err != nil {
			return err
		}
		w.steps[len(w.steps)-1].answered = true
		if err := w.client.Idle(ctx, every); err != nil {
			return err
		}
	}
}

// stands compares where the walker is stored with where it went. Steps that are older than age, as of now, are too old.
func (w *walker) stands(at coords.Position, now time.Time, age time.Duration) error {
	i := len(w.steps) - 1
	for i >= 0 && w.steps[i].at != at {
		i--
	}
	if i < 0 {
		return fmt.Errorf("%s is at %v, where it never was; last at %v", w.name, at, w.steps[len(w.steps)-1])
	}
	// It stood there until it went on.
	if next := i + 1; next < len(w.steps) && w.steps[next].answered && now.Sub(w.steps[next].sent) > age {
		return fmt.Errorf("%s is where it left %v ago; %d steps later were answered", w.name, now.Sub(w.steps[next].sent),
			len(w.steps)-next)
	}
	return nil
}

// walkers lets walking players in; over returns when all connections have ended.
func (p *process) walkers(n int, every time.Duration) (ws []*walker, over func()) {
	p.t.Helper()
	ws = make([]*walker, n)
	all(p.t, n, func(i int) error {
		ws[i] = &walker{name: fmt.Sprint("Ходок", i)}
		c, err := comeIn(p.t.Context(), p.game, bot.Options{Seed: uint64(i)}, ws[i].name, 0, ws[i].name)
		if ws[i].client = c; err == nil {
			ws[i].steps = []step{{c.Position, time.Now(), true}} // a stop may come before the first one
		}
		return err
	})
	ctx, cancel := context.WithCancel(p.t.Context())
	p.t.Cleanup(cancel)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() {
			if err := w.walk(ctx, every); !errors.Is(err, bot.ErrClosed) {
				p.t.Errorf("%s stopped for %v", w.name, err)
			}
			w.client.Abort()
		})
	}
	return ws, wg.Wait
}

// saved compares all walkers with the store of the stopped server.
func (p *process) saved(ws []*walker, now time.Time, age time.Duration) {
	p.t.Helper()
	s, err := data.Open(p.t.Context(), p.dir, data.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	for _, w := range ws {
		c, err := s.CharacterByName(p.t.Context(), w.name)
		if err != nil {
			p.t.Error(err)
			continue
		}
		if err := w.stands(coords.Position(c.Position), now, age); err != nil {
			p.t.Error(err)
		}
		if items, err := s.Items(p.t.Context(), c.ID); err != nil || len(items) != 3 {
			p.t.Errorf("%s has %v, %v", w.name, items, err)
		}
	}
}

// Fault case 27: SIGTERM under load, and once more while the server is busy with the first: everybody is told and saved
// where they were, and the exit code is 0.
func TestFaultSIGTERMUnderLoadSavesEverybody(t *testing.T) {
	besideOthers(t)
	n := size(20, 200)
	pauses := []time.Duration{20 * time.Millisecond, -1}
	if full {
		pauses = []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 200 * time.Millisecond, 600 * time.Millisecond,
			-1, -1, -1}
	}
	for _, pause := range pauses {
		for i, transport := range []string{"gnet", "net"} {
			if !full && (pause < 0) != (i == 1) {
				continue
			}
			name := fmt.Sprintf("%s/again after %v", transport, pause)
			if pause < 0 {
				name = transport + "/once"
			}
			t.Run(name, func(t *testing.T) {
				p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2")
				ws, over := p.walkers(n, 20*time.Millisecond)
				load := make(chan struct{})
				go func() { // some are on their way in
					defer close(load)
					crowd(n, n, func(i int) {
						if c, err := comeIn(t.Context(), p.game, bot.Options{}, fmt.Sprint("поздний", i), 0,
							fmt.Sprint("Поздний", i)); err == nil {
							c.Abort()
						}
					})
				}()
				time.Sleep(250 * time.Millisecond)
				begin := time.Now()
				p.signal(syscall.SIGTERM)
				if pause >= 0 {
					time.Sleep(pause)
					p.signal(syscall.SIGTERM)
				}
				code := p.ends(unhurried(20 * time.Second))
				took := p.ended.Sub(begin)
				if code != 0 || full && took > 5*time.Second {
					t.Errorf("exit code %d after %v", code, took)
				}
				over()
				<-load
				told := 0
				for _, w := range ws {
					if slices.ContainsFunc(w.client.Lines, func(l bot.Line) bool { return strings.Contains(l.Text, "stopping") }) {
						told++
					}
				}
				if told != n && pause < 0 {
					t.Errorf("%d of %d were told", told, n)
				}
				p.saved(ws, begin, 0)
				p.check()
				figure(t, "27", "%s: %d players, exit code %d after %v, %d told, all saved", name, n, code,
					took.Round(10*time.Millisecond), told)
			})
		}
	}
}

// A signal that comes before the server is ready ends it just as well.
func TestFaultSIGTERMWhileStartingIsHeard(t *testing.T) {
	besideOthers(t)
	for _, pause := range []time.Duration{5, 10, 20, 40, 80} {
		p := launch(t, "", t.TempDir(), []string{"--listen", "127.0.0.1:0"})
		time.Sleep(pause * time.Millisecond)
		p.signal(syscall.SIGTERM)
		if code := p.ends(unhurried(10 * time.Second)); code > 0 { // below 0: the signal came before the program had begun
			t.Errorf("SIGTERM after %d ms: exit code %d", pause, code)
		}
	}
}

// Fault case 17, from outside: the server fails while it runs. It does not go on in silence: everybody is saved, and
// the exit code says that something was wrong.
func TestFaultFailedServerSavesAndSaysSo(t *testing.T) {
	besideOthers(t)
	forTransports(t, func(t *testing.T, transport string) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		p := serveIn(t, t.TempDir(), "--transport", transport, "--listen", l.Addr().String())
		ws, over := p.walkers(size(10, 100), 20*time.Millisecond)
		time.Sleep(100 * time.Millisecond)
		begin := time.Now()
		p.signal(syscall.SIGUSR2)
		code := p.ends(unhurried(20 * time.Second))
		took := time.Since(begin)
		if code != 1 || !p.logs.contains("nothing listens any more") || full && took > 2*time.Second {
			t.Errorf("exit code %d after %v", code, took)
		}
		over()
		p.saved(ws, begin, 0)
		p.check()
		figure(t, "17", "%s: exit code %d after %v, %d players saved", transport, code, took.Round(10*time.Millisecond),
			len(ws))
	})
}

// refused starts a server that must not start, and returns its words.
func refused(t *testing.T, dir string, args ...string) (says string, took time.Duration) {
	t.Helper()
	begin := time.Now()
	p := launch(t, "", dir, append([]string{"--listen", "127.0.0.1:0"}, args...))
	code := p.ends(unhurried(10 * time.Second))
	took = time.Since(begin)
	var lines []string
	for line := range strings.Lines(p.logs.all()) {
		if strings.HasPrefix(line, "sphere: ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if code != 1 || len(lines) != 1 {
		t.Errorf("exit code %d, %q:\n%s", code, lines, p.logs)
	}
	return strings.Join(lines, "\n"), took
}

// Fault case 25: a second server on the same data folder or the same port ends at once and names the first; the first
// goes on.
func TestFaultSecondServerNamesTheFirst(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	p := serveIn(t, t.TempDir())
	b := p.watch("Свидетель")
	for _, v := range []struct {
		what, dir string
		args      []string
		says      []string
	}{
		{"folder", p.dir, nil, []string{fmt.Sprintf("process %d", p.cmd.Process.Pid), p.game, p.dir}},
		{"port", t.TempDir(), []string{"--listen", p.game}, []string{"another program listens on " + p.game}},
		{"folder and port", p.dir, []string{"--listen", p.game}, []string{fmt.Sprintf("process %d", p.cmd.Process.Pid)}},
	} {
		says, took := refused(t, v.dir, v.args...)
		for _, want := range v.says {
			if !strings.Contains(says, want) {
				t.Errorf("same %s: says %q, without %q", v.what, says, want)
			}
		}
		if full && took > time.Second {
			t.Errorf("same %s: ended after %v", v.what, took)
		}
		figure(t, "25", "same %s: exit code 1 after %v: %s", v.what, took.Round(10*time.Millisecond), says)
	}
	b.ends()
	p.stop()
	q, _ := p.again() // the folder and the port are free again at once
	q.stop()
}

// Fault case 24: a database that the server cannot use is refused with a sentence, and no byte of it is touched. When
// the backup that the sentence names is restored as it says, the server runs.
func TestFaultUnusableDatabaseIsRefusedByTheServer(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	for _, v := range []struct {
		what, says string
		spoil      func(path string) error
	}{
		{"newer", "newer program", func(path string) error {
			return execute(path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)")
		}},
		{"half migrated", "half-applied", func(path string) error { return execute(path, "DROP TABLE audit") }},
		{"garbage", "damaged", func(path string) error {
			return os.WriteFile(path,
				[]byte(strings.Repeat("мусор ", 2000)), 0o600)
		}},
		{"cut off", "damaged", func(path string) error { return os.Truncate(path, 3*4096+100) }},
		{"another program's", "not a database of this program", func(path string) error {
			return firstError(func() error { return os.Remove(path) },
				func() error { return execute(path, "CREATE TABLE recipes (name TEXT)") })
		}},
	} {
		dir := t.TempDir()
		l := commandLine{t, dir}
		l.must("account", "add", "вася", "--password", password)
		backup := strings.TrimSpace(strings.TrimPrefix(l.must("db", "backup"), "backed up to "))
		if err := v.spoil(filepath.Join(dir, data.DatabaseFile)); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		says, _ := refused(t, dir)
		if !strings.Contains(says, v.says) || !strings.Contains(says, backup) {
			t.Errorf("%s: says %q; the backup: %s", v.what, says, backup)
		}
		if after := contents(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: was touched: %q, then %q", v.what, before, after)
		}
		// Its words help.
		if !strings.Contains(says, "sphere db restore") {
			t.Errorf("%s: does not say how to restore: %q", v.what, says)
		}
		l.must("db", "restore", backup)
		p := serveIn(t, dir)
		p.player("вася", 0, "Вася")
		p.stop()
	}
}

func execute(path, statement string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// Fault case 26: a server that was stopped for a minute, as by a debugger, a suspended machine or a frozen container,
// throws nobody out when it goes on, and does not live through the minute in a hurry.
func TestFaultSuspendedServerGoesOn(t *testing.T) {
	besideOthers(t)
	n, pause := size(10, 200), time.Duration(size(26, 65))*time.Second
	silence := pause * 12 / 13 // a minute, in the full size
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2", "--silence-timeout", silence.String())
		clients := make([]*bot.Client, n)
		all(t, n, func(i int) (err error) {
			name := fmt.Sprint("Стоик", i)
			clients[i], err = comeIn(t.Context(), p.game, bot.Options{Manual: true}, name, 0, name)
			return err
		})
		defer crowd(n, n, func(i int) { clients[i].Abort() })
		begin, ticks := time.Now(), p.status().Counters["ticks"]
		p.signal(syscall.SIGSTOP)
		for begin := time.Now(); time.Since(begin) < pause; time.Sleep(time.Second) {
			for _, c := range clients { // the players do not know
				if err := c.SendRaw(pings(c, 1)); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.signal(syscall.SIGCONT)
		all(t, n, func(i int) error {
			ctx, cancel := context.WithTimeout(t.Context(), unhurried(10*time.Second))
			defer cancel()
			return clients[i].Keepalive(ctx)
		})
		s := p.status()
		awake := time.Since(begin) - pause
		if lived := s.Counters["ticks"] - ticks; lived > uint64(awake/(50*time.Millisecond))+20 {
			t.Errorf("%d ticks were lived in %v", lived, awake)
		}
		if s.Players != n || s.Counters["ended_silent"] > 0 {
			t.Errorf("%d of %d players are left: %v", s.Players, n, s.Counters)
		}
		figure(t, "26", "%s: stopped for %v with %d players and a limit of silence of %v: nobody lost, %d ticks in the %v "+
			"around it", transport, pause, n, silence,
			s.Counters["ticks"]-ticks, awake.Round(100*time.Millisecond))
	})
}

// Texts for operators name folders as they are, and no package of the program.
func TestErrorsAreToldInPlainWords(t *testing.T) {
	if have := plain(fmt.Errorf("gnet: epoll_create1: %w", syscall.EMFILE)).Error(); !strings.HasSuffix(have, "too many open files; "+
		`raise the limit of open files: "ulimit -n", or LimitNOFILE= of systemd`) {
		t.Errorf("told %q", have)
	}
	for err, want := range map[string]string{
		"data: lock ./sphere-data: data: open ./sphere-data/x: no space": "lock ./sphere-data: open ./sphere-data/x: no space",
		"lock data: no space":                              "lock data: no space",
		"serve: data: data: it is damaged\ndata: close it": "serve: it is damaged\nclose it",
		"it stays (data: it is damaged); data: close it":   "it stays (it is damaged); close it",
	} {
		if have := plain(errors.New(err)).Error(); have != want {
			t.Errorf("%q is told as %q, want %q", err, have, want)
		}
	}
}

// A program that reads what never ends, here a pipe that is its configuration, ends by a second signal.
func TestASecondSignalEndsAReadThatNeverEnds(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	pipe := filepath.Join(dir, "settings.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := launch(t, "", dir, []string{"--config", pipe})
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until it is read
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for again := time.Tick(100 * time.Millisecond); ; {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
			return
		case <-again:
		}
	}
}
