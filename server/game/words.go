package game

import (
	"context"
	"time"
)

// Words are the texts that the server says by itself for an operator, each in the language in which it is written.
// The zero value says the greeting of newcomers that ships, and nothing else.
type Words struct {
	Greeting string // of characters that are in the world for the first time
	Motto    string // the message of the day, which everybody is told at entering
	// Announcements are said to all in the world, one each time, in turn; with nobody in it none is.
	Announcements []string
	Every         time.Duration // 0: never
}

// greet tells an entering player the words for everybody, and those for newcomers.
func (p *player) greet() {
	w := p.server.words.Load()
	if p.character.Played == 0 {
		if w.Greeting == "" {
			p.Tell(greeting)
		} else {
			p.Tell(text("%s", "%s"), w.Greeting)
		}
	}
	if w.Motto != "" {
		p.Tell(text("%s", "%s"), w.Motto)
	}
	if line, ok := p.server.RatesText(); ok {
		p.Tell(ratesNowText, line)
	}
}

// announce says announcements until ctx ends. A change of them begins the time between two anew.
func (s *Server) announce(ctx context.Context) {
	for turn := 0; ; {
		w := s.words.Load()
		var due <-chan time.Time
		if len(w.Announcements) > 0 && w.Every > 0 {
			due = time.After(w.Every)
		}
		select {
		case <-due:
			if len(s.world.Snapshot().Players) > 0 {
				s.Announce(w.Announcements[turn%len(w.Announcements)])
				turn++
			}
		case <-s.wordsChanged:
		case <-ctx.Done():
			return
		}
	}
}
