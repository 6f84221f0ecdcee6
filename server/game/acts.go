package game

import (
	"reflect"

	"sphereserver/packets"
)

// An act does what a player in the world asks for. The section says which object the request is about; it and the command
// are valid during the call.
type act func(s *Session, about *packets.Section, c packets.Command)

// acts is everything that can be asked for, by the type of the command. Each file that answers some adds its own.
var acts = map[reflect.Type]act{}

// answers adds an act.
func answers[C packets.Command](do func(*Session, *packets.Section, C)) bool {
	acts[reflect.TypeFor[C]()] = func(s *Session, about *packets.Section, c packets.Command) { do(s, about, c.(C)) }
	return true
}

// toOthers are the commands that clients send about another player's object.
var toOthers = map[reflect.Type]bool{}

// answersToOthers adds an act for a command that may be about another player: its own check says whether it is in order.
func answersToOthers[C packets.Command](do func(*Session, *packets.Section, C)) bool {
	toOthers[reflect.TypeFor[C]()] = true
	return answers(do)
}

// act does what a frame asks for, in its order. An action that locks the client frees it first, whatever comes of it.
//
// Source: protocol ingame 13.1, 23.
func (s *Session) act(in *incoming) {
	if in.kind == useMessage {
		s.releaseUse(in)
	}
	for i := range in.body.Sections {
		about := &in.body.Sections[i]
		foreign := about.Class == packets.ClassPlayer && about.Object != s.id()
		for _, region := range about.Regions {
			c, ok := packets.CommandOf(region)
			if !ok || foreign && !toOthers[reflect.TypeOf(c)] {
				continue // classify has noted it
			}
			if do := acts[reflect.TypeOf(c)]; do != nil {
				do(s, about, c)
			}
		}
	}
}

// meantForOthers says whether a section about another player is a request that clients make so.
func meantForOthers(about *packets.Section) bool {
	for _, region := range about.Regions {
		if c, ok := packets.CommandOf(region); !ok || !toOthers[reflect.TypeOf(c)] {
			return false
		}
	}
	return len(about.Regions) > 0
}
