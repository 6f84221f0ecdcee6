package sim_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// comesIn dials from the n-th address, and logs in with one account to play its first character.
func comesIn(h *sim.House, n int, who bot.Identity) (*bot.Client, error) {
	c, err := bot.Dial(patient(), h.Addr, h.Client(sim.Host(n)))
	if err != nil {
		return nil, err
	}
	if err := c.Appear(patient(), who); err != nil {
		c.Abort()
		return nil, err
	}
	return c, nil
}

// bornWith is how many things a character has, before it has taken the sword that lies in the newcomers' dungeon.
const bornWith = 2

// holds compares the counts of a store with the wanted ones.
func holds(h *sim.House, want data.Counts) {
	h.T.Helper()
	time.Sleep(10 * time.Second)
	h.Opened(h.Crash(), func(s *data.Store) {
		if got, err := s.Counts(context.Background()); err != nil || got != want {
			h.T.Errorf("%+v are stored, want %+v: %v", got, want, err)
		}
	})
}

// Fault case 18: a hundred logins with one account at once, the first of which makes it: exactly one is in.
func TestFaultOneAccountIsInOnce(t *testing.T) {
	simulated(t, nil, func(h *sim.House) {
		for round := range 5 {
			var mu sync.Mutex
			var in []*bot.Client
			all(h, 100, func(i int) error {
				c, err := comesIn(h, i, bot.Identity{Login: "один", Password: "слово", Name: "Один"})
				if errors.Is(err, bot.ErrRefused) {
					return nil
				}
				mu.Lock()
				defer mu.Unlock()
				in = append(in, c)
				return err
			})
			if len(in) != 1 {
				h.T.Fatalf("round %d: %d of 100 are in", round, len(in))
			}
			if err := in[0].Close(); err != nil {
				h.T.Error(err)
			}
			time.Sleep(time.Minute) // a guest of each address a minute
		}
		holds(h, data.Counts{Accounts: 1, Characters: 1, Items: bornWith})
	})
}

// Fault case 18, where a newer login takes the older one's place: however many push, one is in at the end, and nothing
// is twice.
func TestFaultTakingOverLeavesOneInside(t *testing.T) {
	// In a newcomers' dungeon all would begin anew.
	simulated(t, func(o *game.Options) { o.TakeOver, o.NewcomersDungeon = true, false }, func(h *sim.House) {
		who := bot.Identity{Login: "Один", Password: "Один", Name: "Один"}
		first := h.Player(1, who.Name, bot.Options{})
		to := first.Position
		to.X += 3
		if _, err := first.Ping(patient(), to); err != nil {
			h.T.Fatal(err)
		}
		const n = 50
		random := rand.New(rand.NewPCG(h.Seed, 18))
		waits := make([]time.Duration, n)
		for i := range waits {
			waits[i] = time.Duration(random.Int64N(n * int64(100*time.Millisecond)))
		}
		var mu sync.Mutex
		var in []*bot.Client
		all(h, n, func(i int) error {
			time.Sleep(waits[i])
			c, err := comesIn(h, 2+i, who)
			if err != nil { // pushed out on the way
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
			if err := c.Idle(context.Background(), 100*time.Millisecond); err == nil {
				still++
			}
			c.Abort()
		}
		if still != 1 {
			h.T.Errorf("%d entered, %d are still in", len(in), still)
		}
		first.Abort()
		holds(h, data.Counts{Accounts: 1, Characters: 1, Items: bornWith + 1})
	})
}

// Fault case 18, about names: of many players that want one at once, one gets it, however the others spell it.
func TestFaultOneNameIsGivenOnce(t *testing.T) {
	simulated(t, nil, func(h *sim.House) {
		spellings := []string{"Мор", "мор", "МОР", "Mop"} // the last one in Latin letters
		var in atomic.Int64
		const n = 100
		all(h, n, func(i int) error {
			c, err := bot.Dial(patient(), h.Addr, h.Client(sim.Host(i)))
			if err != nil {
				return err
			}
			defer c.Abort()
			login := fmt.Sprint("игрок", i)
			if _, err := c.Login(patient(), login, login); err != nil {
				return err
			}
			_, err = c.Create(patient(), 0, bot.NewCharacter{Name: spellings[i%len(spellings)]})
			if errors.Is(err, bot.ErrNameRejected) {
				return nil
			}
			in.Add(1)
			return err
		})
		if got := in.Load(); got != 1 {
			h.T.Errorf("%d got the name", got)
		}
		holds(h, data.Counts{Accounts: n, Characters: 1, Items: bornWith})
	})
}

// guess tries a password from the n-th address, and reports whether it was accepted.
func guess(h *sim.House, n int, login, word string) (in bool, err error) {
	c, err := bot.Dial(patient(), h.Addr, h.Client(sim.Host(n)))
	if err != nil {
		return false, err
	}
	defer c.Abort()
	_, err = c.Login(patient(), login, word)
	return err == nil, err
}

// withAccounts makes accounts before the server begins; the password of each is "свой".
func withAccounts(t *testing.T, logins ...string) func(*data.Store) {
	return func(s *data.Store) {
		hash, err := data.HashPassword("свой", data.DefaultHashParams)
		for _, login := range logins {
			if err == nil {
				_, err = s.CreateAccount(context.Background(), login, hash, data.Player)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Fault case 29: guessing from one address is slowed down to a few a minute, and from very many to a hundred an hour;
// the players inside feel nothing of it, and other accounts get in.
func TestFaultGuessingPasswordsIsSlow(t *testing.T) {
	quick(t)
	o := sim.Options{Prepare: withAccounts(t, "жертва", "владелец"), Net: many, Game: func(o *game.Options) {
		o.Limits.New = 1e6
	}}
	sim.Run(t, o, func(h *sim.House) {
		b := watch(h)
		checked := func() uint64 {
			c := h.Server.Counters()
			return c["logins_failed"] - c["logins_throttled"]
		}
		for i := range 10 {
			if in, _ := guess(h, 1, "жертва", fmt.Sprint("слово", i)); in {
				h.T.Fatal("a wrong word was let in")
			}
		}
		if n, most := checked(), uint64(h.Game.Limits.FailuresPerMinute); n == 0 || n > most {
			h.T.Errorf("%d words of one address were checked, want %d at the most", n, most)
		}
		if in, _ := guess(h, 1, "жертва", "свой"); in {
			h.T.Error("the right word was let in while the address is to wait: guessing goes on for the limit")
		}
		all(h, 1000, func(i int) error {
			in, err := guess(h, 2+i, "жертва", fmt.Sprint("другое", i))
			if in || !errors.Is(err, bot.ErrRefused) {
				return fmt.Errorf("let in %v, %w", in, err)
			}
			return nil
		})
		if n, most := checked(), uint64(h.Game.Limits.AccountPerHour); n > most {
			h.T.Errorf("%d words for one account were checked, want %d an hour at the most", n, most)
		}
		if in, err := guess(h, 3, "владелец", "свой"); !in { // also from the address of a guesser
			h.T.Errorf("the owner of another account is not let in: %v", err)
		}
		b.ends(h)
		time.Sleep(time.Hour)
		if in, err := guess(h, 2000, "жертва", "свой"); !in {
			h.T.Errorf("an hour later the owner is not let in: %v", err)
		}
	})
}

// Fault case 29: strangers from many addresses take all places and say nothing, or register without end; players and
// newcomers come in all the same.
func TestFaultStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	const room = 50
	o := sim.Options{Prepare: withAccounts(t, "свой"), Game: func(o *game.Options) {
		o.Limits.New, o.Limits.Connections, o.Timeouts.Login = 1e6, room, 2*time.Minute
	}}
	sim.Run(t, o, func(h *sim.House) {
		strangers := make([]*bot.Client, 2*room)
		for i := range strangers {
			c, err := bot.Dial(patient(), h.Addr, h.Client(sim.Host(1000+i)))
			if err != nil {
				h.T.Fatal(err)
			}
			strangers[i] = c
			defer c.Abort()
		}
		for i, login := range []string{"свой", "новый"} {
			if in, err := guess(h, 1+i, login, "свой"); !in {
				h.T.Errorf("login %d beside strangers who say nothing: %v", i, err)
			}
		}
		// The last of them register all at once.
		var made atomic.Int64
		var registering sync.WaitGroup
		for i, c := range strangers[len(strangers)-room/2:] {
			registering.Go(func() {
				if _, err := c.Login(patient(), fmt.Sprint("чужой", i), "чужой"); err == nil {
					made.Add(1)
				}
			})
		}
		if in, err := guess(h, 1, "свой", "свой"); !in {
			h.T.Errorf("a login beside registrations: %v", err)
		}
		registering.Wait()
		if made.Load() == 0 {
			h.T.Error("nobody could register")
		}
		if ends := h.Server.Counters(); ends["ended_made_room"] < room || ends["ended_server_full"] > 0 {
			h.T.Errorf("ends: %v", ends)
		}
	})
}

// forged is the beginning of a smuggled log line.
const forged = "level=ERROR msg=\"FORGED\""

// hostileTexts are texts that a client can put where a login or a name is expected. U+0098 stands for the one byte
// that Windows-1251 does not define.
var hostileTexts = []string{
	"\x00", "a\x00b", "\x1b[2Jkol", "tab\tbed", "line\nfeed", "x\ntime=2026-01-01T00:00:00Z " +
		"" + forged, "x\r\n" + forged,
	"\u0098", "кол\u0098ок", "\u00a0", "мяг\u00adкий", "'; DROP TABLE accounts; --", `"quoted" \back\slash`,
	"%s%n%d", "<b>&amp;</b>",
	" leading", "trailing ", "two  spaces", "‚„…†‡€", strings.Repeat("д", 19), strings.Repeat("д", 20),
	strings.Repeat("д", 51), strings.Repeat("W", 120), "",
	"Админ", "Aдмин", "-_-", "1st", "Ёж", "Їжак", "__proto__", "../../etc/passwd", "level=ERROR",
	`{"msg":"FORGED"}`,
}

// A lockedLog takes the lines of several goroutines.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// Fault case 11: parts of hostile logins and names are stored, shown and sent as they were, or refused by a rule, and
// no line of the log is theirs.
func TestFaultHostileTextsStayTextsOrAreRefused(t *testing.T) {
	for _, isJSON := range []bool{false, true} {
		t.Run(fmt.Sprintf("json %v", isJSON), func(t *testing.T) {
			var log lockedLog
			simulated(t, func(o *game.Options) {
				o.Limits.NewCharacters = 1000
				debug := &slog.HandlerOptions{Level: slog.LevelDebug}
				if o.Log = slog.New(slog.NewTextHandler(&log, debug)); isJSON {
					o.Log = slog.New(slog.NewJSONHandler(&log, debug))
				}
			}, func(h *sim.House) {
				accepted := 0
				for i, text := range hostileTexts {
					if triesLogin(h, i, text) {
						accepted++
					}
					if triesName(h, i, fmt.Sprint("автор", i), text) {
						accepted++
					}
				}
				if accepted == 0 || accepted == 2*len(hostileTexts) {
					h.T.Errorf("%d of %d were accepted", accepted, 2*len(hostileTexts))
				}
				sendsMonsters(h)
				h.Stop()
				checkLog(h, log.text.String(), isJSON)
			})
		})
	}
}

// meaningless reports whether a text makes its frame one that means nothing, and has no answer: the grammar has no NUL
// inside of texts.
func meaningless(text string) bool { return strings.Contains(text, "\x00") }

func ignored(text string, err error) bool {
	return meaningless(text) && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, bot.ErrClosed))
}

// triesLogin logs in with a text for a login, and looks at the store.
func triesLogin(h *sim.House, n int, login string) (accepted bool) {
	h.T.Helper()
	in, err := guess(h, n, login, "слово")
	if err != nil && !errors.Is(err, bot.ErrRefused) && !ignored(login, err) {
		h.T.Errorf("login %q: %v", login, err)
	}
	if a, err := h.Store.Store.AccountByLogin(context.Background(), login); in != (err == nil && a.Login == login) {
		h.T.Errorf("login %q: let in %v, but stored is %q: %v", login, in, a.Login, err)
	}
	return in
}

// triesName makes a character of that name, and compares the stored name and the one that its player is shown when it
// comes back.
func triesName(h *sim.House, n int, login, name string) (accepted bool) {
	h.T.Helper()
	if name == "" { // the verb takes that for none
		return false
	}
	who := bot.Identity{Login: login, Password: login, Name: name}
	c, err := comesIn(h, n, who)
	is, missing := h.Store.CharacterByName(context.Background(), name)
	if (err == nil) != (missing == nil && is.Name == name) {
		h.T.Errorf("name %q: answered with %v, but stored is %q", name, err, is.Name)
	}
	if err != nil {
		if !errors.Is(err, bot.ErrNameRejected) && !ignored(name, err) {
			h.T.Errorf("name %q: %v", name, err)
		}
		return false
	}
	if c.Snapshot.Name != name {
		h.T.Errorf("name %q: enters as %q", name, c.Snapshot.Name)
	}
	if err := c.Close(); err != nil {
		h.T.Error(err)
	}
	if c, err = comesIn(h, n, who); err != nil {
		h.T.Errorf("name %q: %v", name, err)
		return false
	}
	defer c.Abort()
	if got := c.Screen.Characters[0].Name; got != name || c.Snapshot.Name != name {
		h.T.Errorf("name %q: comes back as %q and %q", name, got, c.Snapshot.Name)
	}
	return true
}

// sendsMonsters sends logins and names of four kilobytes, in frames that the grammar knows and in ones that it does
// not.
func sendsMonsters(h *sim.House) {
	h.T.Helper()
	for i, region := range []packets.Region{
		&packets.Owner{Command: &packets.Login{Lead: 0xFF, Login: strings.Repeat("Z", 100),
			Password: strings.Repeat("\n", 100)}},
		&packets.Owner{Command: &packets.CreateCharacter{Name: strings.Repeat("Z", 200), Look: 0x30303030}},
	} {
		c, err := bot.Dial(patient(), h.Addr, h.Client(sim.Host(3000+i)))
		if err != nil {
			h.T.Fatal(err)
		}
		b := packets.Message(0, c.ID(), packets.ClassPlayer, region)
		b.Tail = packets.Bits{Len: 3500 * 8, Data: []byte(strings.Repeat("\n"+forged, 200)[:3500])}
		if err := c.Send(b); err != nil {
			h.T.Fatal(err)
		}
		if _, err := c.Login(patient(), "гигант", "гигант"); err != nil && !errors.Is(err, bot.ErrRefused) &&
			!errors.Is(err, bot.ErrClosed) {
			h.T.Error(err)
		}
		c.Abort()
	}
}

// checkLog looks for lines that the server has not written itself.
func checkLog(h *sim.House, text string, isJSON bool) {
	h.T.Helper()
	if text == "" {
		h.T.Error("there is no log")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if isJSON {
			var fields map[string]any
			if err := json.Unmarshal([]byte(line), &fields); err != nil || fields["msg"] == "FORGED" || fields["time"] == nil {
				h.T.Errorf("a log line that is none: %q, %v", line, err)
			}
			continue
		}
		if !strings.HasPrefix(line, "time=") || strings.Contains(line, " "+forged) ||
			strings.ContainsAny(line, "\x00\x1b\r\u0098") {
			h.T.Errorf("a log line that is none: %q", line)
		}
	}
}
