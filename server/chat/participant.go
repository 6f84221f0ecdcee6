package chat

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/ratelimit"
	"sphereserver/server/view"
	"sphereserver/world"
)

// A Participant is a player in the chat. It is touched on its session's loop only.
type Participant struct {
	Speaker Speaker
	Russian bool // the language in which the server speaks to the player, else English
	chosen  bool // the player has chosen that language, and the client's own texts may be in another
	Busy    bool // a command or another request of the player is being worked on

	service    *Service
	mutedUntil time.Time           // may not say anything before
	mutedFor   string              // the reason
	collector  *view.ChatCollector // nil before the first line
	rate       ratelimit.Bucket    // of lines
	last       *lastLine           // nil before the first one
	hinted     time.Duration       // of the loop's time; 0 never
	waiting    []func() aside      // requests that came while it was busy
	unstuck    *unstuck            // nil before the first one
	Armed      bool                // the player holds something in its main hand
}

// lastLine is the last line that a player has said.
type lastLine struct {
	line string
	to   string // of a private line
	on   world.Channel
	at   time.Duration // of the loop's time
}

// unstuck is a way to the nearest city that has been asked for.
type unstuck struct {
	number int // of the way that is waited for, so that older ones end
	from   coords.Position
	due    time.Duration // of the loop's time
	next   time.Duration // before then it cannot be asked for again
}

// Join makes a player a participant, with the language and the mute of its account.
func (s *Service) Join(speaker Speaker, language string, mute *data.Mute) *Participant {
	p := &Participant{Speaker: speaker, Russian: language != "en", chosen: language != "", service: s}
	if mute != nil {
		p.mutedUntil, p.mutedFor = muteEnd(*mute), mute.Reason
	}
	return p
}

// id is the player's in the world.
func (p *Participant) id() world.PlayerID { return world.PlayerID(p.Speaker.Index()) }

// Tell shows a text to the player in its language.
func (p *Participant) Tell(t ops.Text, args ...any) {
	p.Speaker.Say(strings.TrimSpace(t.In(p.Russian, args...)))
}

// TellOwn shows a text that the client itself has, in the client's language, or ours where it has none (0) or where
// the player has chosen a language.
func (p *Participant) TellOwn(own view.TextNumber, t ops.Text) {
	if own == 0 || p.chosen {
		p.Tell(t)
		return
	}
	p.Speaker.SayOwn(own, 0)
}

// TellOwnNumber is the same for a text with a number in it.
func (p *Participant) TellOwnNumber(own view.TextNumber, t ops.Text, number int) {
	if p.chosen || number > math.MaxInt16 {
		p.Tell(t, number)
		return
	}
	p.Speaker.SayOwn(own, int16(number))
}

// mayHint reports whether it is not too soon for the next hint.
func (p *Participant) mayHint() bool {
	now := p.Speaker.Now()
	if p.hinted != 0 && now-p.hinted < hintPeriod {
		return false
	}
	p.hinted = now
	return true
}

// hintPeriod is the shortest time between two hints to a writer that a line was not passed on.
const hintPeriod = 2 * time.Second

// Hint tells the player why a request had no effect, at a limited rate.
func (p *Participant) Hint(t ops.Text, args ...any) {
	if p.mayHint() {
		p.Tell(t, args...)
	}
}

// answerWidth in characters is how much of an answer is shown at once.
const answerWidth = 200

// Answer shows the outcome of a request of the player, in as many lines as it needs.
func (p *Participant) Answer(answer string, err error) {
	var refused ops.Localized
	var own ownError
	switch {
	case errors.As(err, &own) && !p.chosen:
		p.Speaker.SayOwn(own.own, 0)
		return
	case errors.As(err, &refused):
		answer = whole(refused.In(p.Russian))
	case err != nil:
		p.Speaker.Log().Error("command failed", "login", p.Speaker.Login(), "error", err)
		answer = storeText.In(p.Russian)
	}
	for line := range strings.SplitSeq(answer, "\n") {
		for _, part := range view.CutText(line, answerWidth) {
			if part != "" {
				p.Speaker.Say(part)
			}
		}
	}
}

// whole makes a sentence of an error that begins with a small letter, as those of commands do.
func whole(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if !unicode.IsLower(first) {
		return text
	}
	if text = string(unicode.ToUpper(first)) + text[n:]; !strings.HasSuffix(text, "?") {
		text = strings.TrimSuffix(text, ".") + "."
	}
	return text
}

// storeText is the answer when the store has failed.
var storeText = text(
	"Не получилось: сервер сейчас не может это сохранить. Попробуйте позже.",
	"That did not work: the server cannot store it now. Try again later.")

// mostWaiting is how many requests of one player wait for the one that is being worked on.
const mostWaiting = 8

// aside is work that is done away from the loop; the function that it returns is called on the loop.
type aside func(ctx context.Context) (then func())

// Aside runs work on a goroutine of its own, and then calls the returned function on the loop. A player's requests
// are worked on one after the other.
func (p *Participant) Aside(work func(ctx context.Context) (then func())) {
	p.inTurn(func() aside { return work })
}

// inTurn begins a request when those before it are done. begin is called on the loop; if it returns nil, there is no
// more to do.
func (p *Participant) inTurn(begin func() aside) {
	if p.Busy {
		if len(p.waiting) == mostWaiting {
			p.Tell(busyText)
			return
		}
		p.waiting = append(p.waiting, begin)
		return
	}
	work := begin()
	if work == nil {
		return
	}
	p.Busy = true
	p.Speaker.Go(func(ctx context.Context) {
		then := func() { p.waiting = nil } // after a panic, which ends the session
		defer func() {
			p.Speaker.Call(func() {
				p.Busy = false
				then()
				for len(p.waiting) > 0 && !p.Busy {
					next := p.waiting[0]
					p.waiting = p.waiting[1:]
					p.inTurn(next)
				}
			})
		}()
		then = work(ctx)
	})
}

var busyText = text("Слишком много команд сразу: последняя не выполнена.",
	"Too many commands at once: the last one was not done.")
