package session

import "time"

// A rule is the handler of a kind of message in a state. Without anything to do the message is out of place: it is
// counted, logged once, and has no effect.
type rule struct {
	do func(*Session, *incoming)
	// fatal: a message that is out of place here shows that this is no client of the game, and ends the session.
	fatal bool
}

// A stateRules is a row of the machine.
type stateRules struct {
	timeout func(*Timeouts) time.Duration // in all; 0 for none
	// silence: the time counts from the last frame and not from when the state began.
	silence bool
	late    Reason
	rules   [messages]rule
}

var (
	ignore    = rule{do: func(*Session, *incoming) {}}
	fatal     = rule{fatal: true}
	alive     = rule{do: (*Session).answerKeepalive}
	pong      = rule{do: (*Session).answerPing}
	anyAnswer = rule{do: (*Session).greeted}
	oddLogin  = rule{do: (*Session).refuseOddLogin}
	act       = rule{do: (*Session).act}
	maybe     = rule{do: (*Session).maybeAcknowledged}
	release   = rule{do: (*Session).releaseUse}
	loading   = rule{do: (*Session).releaseEntering}
)

// stateTable is the whole state machine: state × message → handler. The other effects of a handler, and the state
// that it moves to, are in its comment. A session that is closing hears nothing.
//
// Source: protocol session 4.
var stateTable = [states]stateRules{
	// Any answer moves to Handshaken.
	Connected: {timeout: func(t *Timeouts) time.Duration { return t.Handshake }, late: HandshakeTimeout,
		rules: [messages]rule{
			ReplyMessage: anyAnswer, KeepaliveMessage: anyAnswer, CountMessage: anyAnswer, StrangeMessage: fatal,
			PingMessage: anyAnswer, LoginMessage: anyAnswer, SelectMessage: anyAnswer, CreateMessage: anyAnswer,
			DeleteMessage: anyAnswer, ReadyMessage: anyAnswer, UseMessage: anyAnswer, OtherMessage: anyAnswer,
			UndecodableMessage: anyAnswer}},

	// A login moves to LoggingIn; one of another form closes.
	Handshaken: {timeout: func(t *Timeouts) time.Duration { return t.Login }, late: LoginTimeout,
		rules: [messages]rule{ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: oddLogin,
			LoginMessage: {do: (*Session).login}, PingMessage: oddLogin, SelectMessage: oddLogin, CreateMessage: oddLogin,
			DeleteMessage: oddLogin, ReadyMessage: oddLogin, UseMessage: oddLogin, OtherMessage: oddLogin,
			UndecodableMessage: oddLogin}},

	// The end of the look-up moves to CharacterScreen, or closes.
	LoggingIn: {timeout: func(*Timeouts) time.Duration { return loginWork }, late: LoginTimeout,
		rules: [messages]rule{ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: fatal}},

	// A selection or a creation moves to Entering; a deletion closes.
	CharacterScreen: {timeout: func(t *Timeouts) time.Duration { return t.Screen }, late: ScreenTimeout,
		rules: [messages]rule{ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore,
			SelectMessage: {do: (*Session).selectCharacter}, CreateMessage: {do: (*Session).createCharacter},
			DeleteMessage: {do: (*Session).deleteCharacter}}},

	// The acknowledgement sends the world's data and moves to InWorld. Any gameplay frame may stand for it.
	Entering: {timeout: func(t *Timeouts) time.Duration { return t.Entering }, late: EnteringTimeout,
		rules: [messages]rule{ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, PingMessage: pong,
			ReadyMessage: {do: (*Session).acknowledged}, UseMessage: loading, OtherMessage: maybe,
			UndecodableMessage: loading}},

	InWorld: {timeout: func(t *Timeouts) time.Duration { return t.Silence }, silence: true, late: Silent,
		rules: [messages]rule{KeepaliveMessage: alive, CountMessage: ignore, PingMessage: pong, ReadyMessage: ignore,
			UseMessage: act, OtherMessage: act, UndecodableMessage: release}},
}

// apply applies the state's rule for a message.
func (s *Session) apply(in *incoming) {
	switch rule := &stateTable[s.state].rules[in.kind]; {
	case rule.do != nil:
		rule.do(s, in)
	case rule.fatal:
		s.End(NotTheProtocol, in.kind.String()+" message "+s.state.String())
	default:
		s.server.count.outOfPlace.Add(1)
		s.warnOnce(noteMessage+uint(in.kind), "message out of place", "message", in.kind.String())
		if s.unexpected++; s.unexpected > unexpectedLimit && s.state < Entering {
			s.End(NotTheProtocol, "too many messages out of place")
		}
	}
}

// late reports whether a session has been in its state for too long.
func (s *Session) late() bool {
	row := &stateTable[s.state]
	if s.ending || row.timeout == nil {
		return false
	}
	from := s.since
	if row.silence {
		from = max(from, s.heard)
	}
	limit := row.timeout(&s.server.options.Timeouts)
	return limit > 0 && s.loop.now-from >= limit
}
