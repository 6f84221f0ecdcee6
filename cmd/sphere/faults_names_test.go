//go:build system && unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// forged is what a log line would begin with that somebody has smuggled in.
const forged = "level=ERROR msg=\"FORGED\""

// hostileTexts are what a client can put where a login or a name is expected. U+0098 stands for the one byte that
// Windows-1251 does not define.
var hostileTexts = []string{
	"\x00", "a\x00b", "\x1b[2Jkol", "tab\tbed", "line\nfeed", "x\ntime=2026-01-01T00:00:00Z " + forged, "x\r\n" + forged,
	"\u0098", "кол\u0098ок", "\u00a0", "мяг\u00adкий", "'; DROP TABLE accounts; --", `"quoted" \back\slash`,
	"%s%n%d", "<b>&amp;</b>",
	" leading", "trailing ", "two  spaces", "‚„…†‡€", strings.Repeat("д", 19), strings.Repeat("д", 20),
	strings.Repeat("д", 51), strings.Repeat("W", 120), "",
	"Админ", "Aдмин", "-_-", "1st", "Ёж", "Їжак", "__proto__", "../../etc/passwd", "level=ERROR",
	`{"msg":"FORGED"}`,
}

// Fault case 11: what hostile logins and names are made of is stored, shown and sent as it was, or refused by a rule.
func TestFaultHostileTextsStayTextsOrAreRefused(t *testing.T) {
	besideOthers(t)
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			p := serveIn(t, t.TempDir(), "--log-format", format, "--log-level", "debug", "--hash-workers", "2")
			var accepted atomic.Int64
			crowd(2*len(hostileTexts), 16, func(i int) {
				text := hostileTexts[i/2]
				if i%2 == 0 && p.tryLogin(t, text) || i%2 == 1 && p.tryName(t, fmt.Sprint("автор", i), text) {
					accepted.Add(1)
				}
			})
			p.sendMonster(t)
			p.stop()
			checkLog(t, p.logs.all(), format == "json")
			p.check()
			figure(t, "11", "%s log: %d texts as login and as name: %d accepted and found as sent, the others refused; no "+
				"forged log line", format, len(hostileTexts), accepted.Load())
		})
	}
}

// meaningless says whether a text makes its frame one that means nothing, and has no answer: the grammar has no NUL
// inside of texts.
func meaningless(text string) bool { return strings.Contains(text, "\x00") }

// answerTime is how long the answer to a text is waited for.
func answerTime(t *testing.T, text string) (context.Context, context.CancelFunc) {
	if meaningless(text) {
		return context.WithTimeout(t.Context(), 2*time.Second)
	}
	return context.WithTimeout(t.Context(), patience)
}

func ignored(text string, err error) bool {
	return meaningless(text) && errors.Is(err, context.DeadlineExceeded)
}

// tryLogin logs in with a text for a login, and compares what operators are shown.
func (p *process) tryLogin(t *testing.T, login string) (accepted bool) {
	t.Helper()
	c, err := connect(t.Context(), p.game, bot.Options{})
	if err != nil {
		t.Error(err)
		return false
	}
	defer c.Abort()
	ctx, cancel := answerTime(t, login)
	defer cancel()
	_, err = c.Login(ctx, login, password)
	if err != nil && !errors.Is(err, bot.ErrRefused) && !ignored(login, err) {
		t.Errorf("login %q: %v", login, err)
	}
	same := func(a ops.Account) bool { return a.Login == login }
	if shown := slices.ContainsFunc(operate[[]ops.Account](p, "account", "list"), same); shown != (err == nil) {
		t.Errorf("login %q: answered with %v, but shown %v", login, err, shown)
	}
	return err == nil
}

// tryName makes a character of that name, and compares what operators and, when it comes back, its player are shown.
func (p *process) tryName(t *testing.T, login, name string) (accepted bool) {
	t.Helper()
	ctx, cancel := answerTime(t, name)
	defer cancel()
	c, err := comeIn(ctx, p.game, bot.Options{}, login, 0, name)
	if name == "" { // the verb takes that for none
		return false
	}
	same := func(c ops.Character) bool { return c.Name == name }
	if shown := slices.ContainsFunc(operate[[]ops.Character](p, "character", "list"), same); shown != (err == nil) {
		t.Errorf("name %q: answered with %v, but shown %v", name, err, shown)
	}
	if err != nil {
		if !errors.Is(err, bot.ErrNameRejected) && !ignored(name, err) {
			t.Errorf("name %q: %v", name, err)
		}
		return false
	}
	if c.Snapshot.Name != name {
		t.Errorf("name %q: enters as %q", name, c.Snapshot.Name)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if c, err = comeIn(t.Context(), p.game, bot.Options{}, login, 0, ""); err != nil {
		t.Errorf("name %q: %v", name, err)
		return false
	}
	defer c.Abort()
	if got := c.Screen.Characters[0].Name; got != name || c.Snapshot.Name != name {
		t.Errorf("name %q: comes back as %q and %q", name, got, c.Snapshot.Name)
	}
	return true
}

// sendMonster sends logins and names of four kilobytes, in frames that the grammar knows and in ones that it does not.
func (p *process) sendMonster(t *testing.T) {
	t.Helper()
	for _, region := range []packets.Region{
		&packets.Owner{Command: &packets.Login{Lead: 0xFF, Login: strings.Repeat("Z", 100),
			Password: strings.Repeat("\n", 100)}},
		&packets.Owner{Command: &packets.CreateCharacter{Name: strings.Repeat("Z", 200), Look: 0x30303030}},
	} {
		c, err := connect(t.Context(), p.game, bot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := packets.Message(0, c.ID(), packets.ClassPlayer, region)
		b.Tail = packets.Bits{Len: 3500 * 8, Data: []byte(strings.Repeat("\n"+forged, 200)[:3500])}
		if err := c.Send(b); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Login(patient(t), "гигант", password); err != nil && !errors.Is(err, bot.ErrRefused) &&
			!errors.Is(err, bot.ErrClosed) {
			t.Error(err)
		}
		c.Abort()
	}
}

// checkLog looks for lines that the server has not written itself.
func checkLog(t *testing.T, text string, isJSON bool) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if isJSON {
			var fields map[string]any
			if err := json.Unmarshal([]byte(line), &fields); err != nil || fields["msg"] == "FORGED" || fields["time"] == nil {
				t.Errorf("a log line that is none: %q, %v", line, err)
			}
			continue
		}
		if !strings.HasPrefix(line, "time=") || strings.Contains(line, " "+forged) ||
			strings.ContainsAny(line, "\x00\x1b\r\u0098") {
			t.Errorf("a log line that is none: %q", line)
		}
	}
}
