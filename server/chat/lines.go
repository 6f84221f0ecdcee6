package chat

import (
	"strings"
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
)

// Header takes the header of a line.
func (p *Participant) Header(about *packets.Section, h *packets.ChatHeader) {
	if about.Class == packets.ClassPlayer {
		p.abandoned(p.collecting().Begin(h, p.Speaker.Now()))
	}
}

// Part takes a part of a line.
func (p *Participant) Part(about *packets.Section, part *packets.ChatPart) {
	if about.Class != packets.ClassPlayer {
		return
	}
	line, whole, err := p.collecting().Add(part, p.Speaker.Now())
	p.abandoned(err)
	if whole {
		p.write(world.Channel(part.Channel), line)
	}
}

// collecting returns the collector of lines. Most players never say anything.
func (p *Participant) collecting() *view.ChatCollector {
	if p.collector == nil {
		p.collector = new(view.ChatCollector)
	}
	return p.collector
}

// abandoned counts a line of chat that did not become whole.
func (p *Participant) abandoned(err error) {
	if err != nil {
		p.service.count.abandoned.Add(1)
		p.Speaker.Log().Debug("line of chat abandoned", "error", err)
	}
}

// write takes a whole line as the client composed it: a command, or something for others to hear.
func (p *Participant) write(on world.Channel, line string) {
	if !p.rate.Take(ratelimit.Clock(p.Speaker.Real()), 1, linesPerSecond, linesBurst) {
		p.service.count.heldBack.Add(1)
		if p.mayHint() {
			p.TellOwn(view.TextTooManyLines, floodText)
		}
		return
	}
	value, shown, message := splitLine(line)
	message = packets.PlainText(message)
	switch {
	case message == "":
	case isCommand(message):
		p.Command(message)
	case on == world.Private && strings.ContainsAny(message, addressEnd):
		p.Command("/msg " + message)
	case on == world.Private:
		p.Tell(privateHint)
	default:
		p.say(on, "", message, composeLine(p.Speaker.Character().Name, value, shown, message))
	}
}

// Console does a command of the client's console, as the chat does it.
//
// Source: protocol life 13.
func (p *Participant) Console(name string, arguments []byte) {
	line := packets.PlainText("/" + strings.TrimLeft(name, "/!") + " " + packets.Decode1251(arguments))
	if isCommand(line) {
		p.write(world.Normal, line)
	}
}

// whisper says something to one player, by name.
func (p *Participant) whisper(name, message string) {
	if message = packets.PlainText(message); message != "" && name != "" {
		p.say(world.Private, name, message, message)
	}
}

// tellPrivate shows a private line, each piece of a long one with the name of the other player: nothing of it may look
// like a line from somewhere else.
func (p *Participant) tellPrivate(from bool, other, words string) {
	const heading = 60 // bytes of name and the words around it, at the most
	t := privateTo
	if from {
		t = privateFrom
	}
	for _, piece := range view.CutText(words, view.SystemLineBytes-heading) {
		p.Tell(t, other, piece)
	}
}

// say passes a line on to the world, which knows its listeners; line is the shown form of a message. Lines of a muted
// player and repetitions are not passed on.
func (p *Participant) say(on world.Channel, to, message, line string) {
	if p.Silenced() {
		return
	}
	if p.last == nil {
		p.last = new(lastLine)
	}
	last, now := p.last, p.Speaker.Now()
	again := last.line == message && last.to == to && last.on == on && now-last.at < sameLine
	line = view.CutLine(line)
	if again {
		p.service.count.heldBack.Add(1)
		p.echo(on, line)
		return
	}
	last.line, last.to, last.on, last.at = message, to, on, now
	p.service.count.lines.Add(1)
	p.service.Host.Command(world.Say{From: p.id(), Channel: on, To: to, Text: line})
}

// echo shows a line to its writer alone, as if it had been passed on.
func (p *Participant) echo(on world.Channel, line string) {
	if on == world.Private {
		p.tellPrivate(false, p.last.to, line)
		return
	}
	frames, addressed := p.service.encoder.Encode(p.Speaker.Clock(), p.Speaker.Character().Name, on, line)
	if addressed {
		view.AddressAll(frames, p.Speaker.Index().ID())
	}
	p.Speaker.SendBytes(frames)
}

// Said brings a line to all its listeners; it is encoded once. It is called on the world's goroutine.
func (s *Service) Said(e *world.Said) {
	entry := Entry{At: time.Now(), Channel: e.Channel, Character: e.Name, Text: messageOf(e.Text)}
	if e.From != 0 {
		if from := s.Host.Participant(e.From); from != nil {
			entry.Login = from.Speaker.Login()
		}
	}
	if e.Channel == world.Private {
		s.whispered(e, entry)
		return
	}
	frames, addressed := s.encoder.Encode(s.Clock(), e.Name, e.Channel, e.Text)
	s.Host.Share(e.To, frames, addressed)
	s.said.add(entry)
}

// whispered brings a line to one player, and shows its writer that it has come there. Both are told in words of ours,
// each in its language: how the original service showed such lines is not known.
func (s *Service) whispered(e *world.Said, entry Entry) {
	writer := s.Host.Participant(e.From)
	for _, id := range e.To {
		if id == e.From {
			continue
		}
		s.Host.Call(id, func(hearer *Participant) {
			hearer.tellPrivate(true, entry.Character, entry.Text)
			entry.To = hearer.Speaker.Character().Name
			s.said.add(entry)
			if writer != nil {
				writer.Speaker.Call(func() { writer.tellPrivate(false, entry.To, entry.Text) })
			}
		})
	}
}
