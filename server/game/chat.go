package game

import (
	"time"

	"sphereserver/packets"
	"sphereserver/server/ratelimit"
	"sphereserver/server/view"
	"sphereserver/world"
)

const (
	linesPerSecond = 4 // of one session; more are not passed on
	linesBurst     = 8
	// sameLine is how long a line is not passed on again. Its writer sees it all the same.
	//
	// Source: protocol ingame 15.4.
	sameLine = 2 * time.Second
	// hintPeriod is the shortest time between two hints to a writer that a line was not passed on.
	hintPeriod = 2 * time.Second
)

// speech is what a session keeps of what its player says.
type speech struct {
	view.ChatCollector
	rate ratelimit.Bucket
	last struct {
		line string
		to   string // of a private line
		on   world.Channel
		at   time.Duration // of the loop's time
	}
	hinted time.Duration // of the loop's time; 0 never
}

func (s *player) chatHeader(about *packets.Section, h *packets.ChatHeader) {
	if about.Class == packets.ClassPlayer {
		s.badChat(s.speech.Begin(h, s.Now()))
	}
}

func (s *player) chatPart(about *packets.Section, p *packets.ChatPart) {
	if about.Class != packets.ClassPlayer {
		return
	}
	line, whole, err := s.speech.Add(p, s.Now())
	s.badChat(err)
	if whole {
		s.hear(world.Channel(p.Channel), line)
	}
}

// badChat counts a line of chat that did not become whole.
func (s *player) badChat(err error) {
	if err != nil {
		s.server.count.chatAbandoned.Add(1)
		s.Log().Debug("line of chat abandoned", "error", err)
	}
}

// hear takes a whole line as the client composed it: a command, or something for others to hear.
func (s *player) hear(on world.Channel, line string) {
	if !s.mayWrite() {
		return
	}
	value, shown, message := splitLine(line)
	message = cleanMessage(message)
	switch {
	case message == "":
	case isCommand(message):
		s.command(message)
	case on == world.Private:
		s.tell(privateHint)
	default:
		s.speak(on, "", message, composeLine(s.character.Name, value, shown, message))
	}
}

// tellPlayer says something to one player, by name.
func (s *player) tellPlayer(name, message string) {
	if message = cleanMessage(message); message != "" && name != "" {
		s.speak(world.Private, name, message, message)
	}
}

// tellPrivate shows a private line, each piece of a long one with the name of the other player: nothing of it may look
// like a line from somewhere else.
func (s *player) tellPrivate(t text, other, words string) {
	const heading = 60 // bytes of name and what stands around it, at the most
	for _, piece := range view.CutText(words, view.SystemLineBytes-heading) {
		s.tell(t, other, piece)
	}
}

// mayWrite says whether the player has not written too much lately.
func (s *player) mayWrite() bool {
	if s.speech.rate.Take(ratelimit.Clock(s.Real()), 1, linesPerSecond, linesBurst) {
		return true
	}
	s.server.count.chatHeldBack.Add(1)
	s.hint(floodText)
	return false
}

// speak passes a line on to the world, which knows who hears it; line is what is shown of a message. A muted player and
// one who says the same again are not passed on.
func (s *player) speak(on world.Channel, to, message, line string) {
	if until := s.mutedUntil; s.Real().Before(until) {
		s.server.count.chatHeldBack.Add(1)
		s.hint(mutedText, mutedFor(s.Real(), until, s.language))
		return
	}
	last, now := &s.speech.last, s.Now()
	again := last.line == message && last.to == to && last.on == on && now-last.at < sameLine
	line = view.CutLine(line)
	if again {
		s.server.count.chatHeldBack.Add(1)
		s.echo(on, line)
		return
	}
	last.line, last.to, last.on, last.at = message, to, on, now
	s.server.count.chatLines.Add(1)
	s.server.world.Do(world.Say{From: s.id(), Channel: on, To: to, Text: line})
}

// echo shows a line to its writer alone, as if it had been passed on.
func (s *player) echo(on world.Channel, line string) {
	if on == world.Private {
		s.tellPrivate(privateTo, s.speech.last.to, line)
		return
	}
	frames, addressed := s.server.chatEncoder.Encode(s.character.Name, on, line)
	if addressed {
		view.AddressAll(frames, s.ID())
	}
	s.SendBytes(frames)
}

// hint tells the player why a line went nowhere, not too often.
func (s *player) hint(t text, args ...any) {
	if now := s.Now(); s.speech.hinted == 0 || now-s.speech.hinted >= hintPeriod {
		s.speech.hinted = now
		s.tell(t, args...)
	}
}
