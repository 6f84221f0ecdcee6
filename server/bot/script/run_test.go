package script_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot/script"
	"sphereserver/server/game"
)

// serve runs a server until the test ends and returns its address.
func serve(t *testing.T, change func(*game.Options), prepare func(*data.Store)) string {
	t.Helper()
	store, err := data.Open(t.Context(), t.TempDir(), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(store)
	}
	o := game.DefaultOptions()
	o.Listen, o.Limits.ExemptLoopback = "127.0.0.1:0", true
	o.Log = slog.New(slog.NewTextHandler(logged{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if change != nil {
		change(&o)
	}
	s, err := game.New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := errors.Join(s.Stop(ctx), <-served, store.Close()); err != nil {
			t.Error(err)
		}
	})
	return s.Addr().String()
}

// logged takes the server's log into the test's.
type logged struct{ t *testing.T }

func (l logged) Write(p []byte) (int, error) {
	l.t.Logf("server: %s", p)
	return len(p), nil
}

// play runs a script and returns what has become of its lines.
func play(t *testing.T, addr, name, text string, o script.Options) (*script.Result, []script.Outcome) {
	t.Helper()
	s, err := script.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	var all []script.Outcome
	o.Addr = addr
	o.Client.PingEvery = 200 * time.Millisecond
	o.Tell = func(out script.Outcome) { all = append(all, out) }
	return script.Run(t.Context(), s, o), all
}

// A line that is not so fails, with what is so instead; a line that is so does not, and the run stops where it is told to.
func TestLinesThatAreNotSoFailWithWhatIsSo(t *testing.T) {
	t.Parallel()
	const text = `patience 300ms
player Сова as сова/пароль at shipstone
player Филин as филин/пароль at shipstone +5 0 0
patience 10s
Сова sees Филин
patience 300ms
Сова sees Филин at +6 0 0
Сова loses Филин
Филин does not see Сова
Сова says "раз"
Филин hears Сова "два"
Филин hears Сова "р*"
Филин hears Сова "раз"
Сова says "три" on trade
Филин hears Сова "три" on normal
Филин does not hear Сова
Сова reads "что-то"
Сова is in a group with Филин
Сова is in the clan "Ночь"
Сова is asked by Филин
Сова has hp 3
Сова has hp at least 3
Сова has things 3
Сова sees Филин with max-hp 3
Сова sees Филин with money 3
Сова sees Филин of the clan "Ночь"
Сова sees townsman npc-141b
Сова uses portal newcomers-teleport
Сова is at sunpool
Филин comes back
Филин is sent away
Филин leaves
Филин leaves
Филин walks to +0 0 0
Сова walks to Филин
`
	want := map[int]string{
		7: "1293.00, 1.00 m from 2620.00", 8: "Сова sees Филин at 2619.00", 9: "Филин sees Сова at 2614.00",
		11: `Филин heard Сова "раз" on normal`, 13: "Филин heard nothing new", 15: `Филин heard Сова "три" on trade`, 16: `Сова "три"`,
		17: "Сова read nothing new", 18: "Сова is in a group of nobody", 19: "Сова is in no clan", 20: "Сова was asked by nobody", 21: "Сова has hp 1",
		24: "Сова sees Филин with max-hp 1", 25: "the money of others is not shown", 26: `of the clan ""`, 27: "Сова at 2614.00 157.80 1293.00 sees ",
		28: "sees ", 29: "m from 422.00", 30: "Филин is in the world already", 31: "Филин is still connected",
		33: "Филин is not in the world", 34: "Филин is not in the world", 35: "Филин is not in the world",
	}
	addr := serve(t, nil, nil)
	r, all := play(t, addr, "wrong.txt", text, script.Options{KeepGoing: true})
	lines := strings.Split(text, "\n")
	for _, o := range all {
		switch words, fails := want[o.Number]; {
		case o.Text != lines[o.Number-1]:
			t.Errorf("line %d is %q", o.Number, o.Text)
		case !fails && o.Err != nil:
			t.Errorf("%d %s: %v", o.Number, o.Text, o.Err)
		case fails && o.Err == nil:
			t.Errorf("%d %s: ok", o.Number, o.Text)
		case fails && !strings.Contains(o.Err.Error(), words):
			t.Errorf("%d %s: %v, expected it to say %q", o.Number, o.Text, o.Err, words)
		}
	}
	if len(all) != 35 || r.Failed != len(want) || r.OK != len(all)-len(want) || len(r.Findings) > 0 || r.Clean() {
		t.Errorf("%d lines, %+v", len(all), r)
	}
	r, all = play(t, addr, "wrong.txt", text, script.Options{})
	if r.Failed != 1 || all[len(all)-1].Number != 7 {
		t.Errorf("without going on: %d lines, %+v", len(all), r)
	}
}

func TestPlayersWhoCannotComeInFail(t *testing.T) {
	t.Parallel()
	addr := serve(t, nil, nil)
	r, _ := play(t, addr, "first.txt", "player Сова as сова/пароль\n", script.Options{})
	if !r.Clean() {
		t.Fatalf("%+v", r)
	}
	for text, want := range map[string]string{
		"player Филин as сова/другой":                       "refuses the login",
		"player сова as филин/пароль":                       "rejects the name",
		"player Сыч as сыч/пароль at sunpool":               "expected at most 90 m",
		"player Ворон as ворон/пароль at +1 0 0":            "no place was named yet",
		"player Грач as грач/пароль at shipstone +0 9000 0": "y is",
	} {
		r, all := play(t, addr, "in.txt", text, script.Options{})
		if r.Failed != 1 || all[0].Err == nil || !strings.Contains(all[0].Err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, all[0].Err, want)
		}
	}
	r, all := play(t, "127.0.0.1:1", "in.txt", "player Сова as сова/пароль", script.Options{})
	if r.Failed != 1 || all[0].Err == nil {
		t.Errorf("without a server: %+v", all)
	}
}

func TestAnInterruptedScriptEnds(t *testing.T) {
	t.Parallel()
	s, err := script.Parse("wait.txt", "player Сова as сова/пароль\nwait 1h\nwait 1h")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	lines := 0
	r := script.Run(ctx, s, script.Options{Addr: serve(t, nil, nil), KeepGoing: true, Tell: func(o script.Outcome) {
		if lines++; lines == 1 {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}})
	if r.OK != 1 || r.Failed != 1 {
		t.Errorf("%+v", r)
	}
}
