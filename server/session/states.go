package session

import (
	"fmt"
	"time"
)

// A State is how far a session has come.
type State uint8

// The states, in the order in which they follow each other.
const (
	Connected       State = iota // greeted, no answer yet
	Handshaken                   // answered; knows its index, or will in a moment
	LoggingIn                    // password and characters are being looked up
	CharacterScreen              // chooses, makes and deletes characters
	Entering                     // loads the world
	InWorld
	Closing // nothing is heard any more
	states  // count
)

var stateNames = [states]string{"connected", "handshaken", "logging in", "character screen", "entering", "in world",
	"closing"}

// String returns the state as logs show it.
func (s State) String() string {
	if s < states {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// A Message is a kind of client frame, as far as states tell them apart.
type Message uint8

const (
	ReplyMessage     Message = iota // channel 400
	KeepaliveMessage                // channel 500
	CountMessage                    // channel 700
	StrangeMessage                  // any other channel, or a known one in another form
	PingMessage                     // own position
	LoginMessage                    // login and password
	SelectMessage                   // enter with a character
	CreateMessage
	DeleteMessage
	ReadyMessage       // the world is loaded
	UseMessage         // an action that locks the client until it is answered
	OtherMessage       // any other gameplay frame
	UndecodableMessage // a gameplay frame that the grammar does not read
	Messages           // count
)

var messageNames = [Messages]string{"greeting reply", "keepalive", "sent count", "strange channel", "ping", "login",
	"select", "create",
	"delete", "ready", "use", "other", "undecodable"}

// String returns the kind's name.
func (m Message) String() string { return messageNames[m] }

// A rule is what a state does with a kind of message.
type rule struct {
	do func(*Session, *incoming)
	// fatal: a message that is out of place here shows that this is no client of the game, and ends the session.
	fatal bool
}

// Handled says whether the message does something, be it nothing on purpose; otherwise it is out of place.
func (r *rule) Handled() bool { return r.do != nil }

// Fatal says whether the message ends the session.
func (r *rule) Fatal() bool { return r.fatal }

// RuleFor is what a state does with a kind of message.
func RuleFor(s State, m Message) *rule { return &stateTable[s].rules[m] }

// A stateRules is a row of the machine.
type stateRules struct {
	timeout func(*Timeouts) time.Duration // in all; 0 for none
	// silence: the time counts from the last frame and not from when the state began.
	silence bool
	late    Reason
	rules   [Messages]rule
}

var (
	ignore = rule{do: func(*Session, *incoming) {}}
	// misplaced is counted and logged once. It has no effect.
	misplaced = rule{}
	fatal     = rule{fatal: true}
	alive     = rule{do: (*Session).answerKeepalive}
	pong      = rule{do: (*Session).answerPing}
	anyAnswer = rule{do: (*Session).greeted}
)

// machine is the whole state machine: state × message → what is done. What a handler does next to it, and the state
// it moves to, is in its comment.
//
// Source: protocol session 4.
var stateTable [states]stateRules

func init() {
	stateTable = [states]stateRules{
		// Any answer moves to Handshaken.
		Connected: {timeout: func(t *Timeouts) time.Duration { return t.Handshake }, late: HandshakeTimeout,
			rules: [Messages]rule{
				ReplyMessage: anyAnswer, KeepaliveMessage: anyAnswer, CountMessage: anyAnswer, StrangeMessage: fatal,
				PingMessage: anyAnswer, LoginMessage: anyAnswer, SelectMessage: anyAnswer, CreateMessage: anyAnswer,
				DeleteMessage: anyAnswer,
				ReadyMessage:  anyAnswer, UseMessage: anyAnswer, OtherMessage: anyAnswer, UndecodableMessage: anyAnswer}},

		// A login moves to LoggingIn.
		Handshaken: {timeout: func(t *Timeouts) time.Duration { return t.Login }, late: LoginTimeout, rules: [Messages]rule{
			ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: fatal,
			PingMessage: misplaced, LoginMessage: {do: (*Session).login}, SelectMessage: misplaced, CreateMessage: misplaced,
			DeleteMessage: misplaced, ReadyMessage: misplaced, UseMessage: misplaced, OtherMessage: misplaced,
			UndecodableMessage: misplaced}},

		// The end of the look-up moves to CharacterScreen, or closes.
		LoggingIn: {timeout: func(t *Timeouts) time.Duration { return t.Login }, late: LoginTimeout, rules: [Messages]rule{
			ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: fatal,
			PingMessage: misplaced, LoginMessage: misplaced, SelectMessage: misplaced, CreateMessage: misplaced,
			DeleteMessage: misplaced, ReadyMessage: misplaced, UseMessage: misplaced, OtherMessage: misplaced,
			UndecodableMessage: misplaced}},

		// A selection or a creation moves to Entering; a deletion closes.
		CharacterScreen: {timeout: func(t *Timeouts) time.Duration { return t.Screen }, late: ScreenTimeout,
			rules: [Messages]rule{
				ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: misplaced,
				PingMessage: misplaced, LoginMessage: misplaced, SelectMessage: {do: (*Session).selectCharacter},
				CreateMessage: {do: (*Session).createCharacter}, DeleteMessage: {do: (*Session).deleteCharacter},
				ReadyMessage: misplaced, UseMessage: misplaced, OtherMessage: misplaced, UndecodableMessage: misplaced}},

		// The acknowledgement sends the world's data and moves to InWorld. Any gameplay frame may stand for it.
		Entering: {timeout: func(t *Timeouts) time.Duration { return t.Entering }, late: EnteringTimeout,
			rules: [Messages]rule{
				ReplyMessage: ignore, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: misplaced,
				PingMessage: pong, LoginMessage: misplaced, SelectMessage: misplaced, CreateMessage: misplaced,
				DeleteMessage: misplaced,
				ReadyMessage:  {do: (*Session).acknowledged}, UseMessage: {do: (*Session).maybeAcknowledged},
				OtherMessage: {do: (*Session).maybeAcknowledged}, UndecodableMessage: {do: (*Session).maybeAcknowledged}}},

		InWorld: {timeout: func(t *Timeouts) time.Duration { return t.Silence }, silence: true, late: Silent,
			rules: [Messages]rule{
				ReplyMessage: misplaced, KeepaliveMessage: alive, CountMessage: ignore, StrangeMessage: misplaced,
				PingMessage: pong, LoginMessage: misplaced, SelectMessage: misplaced, CreateMessage: misplaced,
				DeleteMessage: misplaced,
				ReadyMessage:  ignore, UseMessage: {do: (*Session).act}, OtherMessage: {do: (*Session).act},
				UndecodableMessage: misplaced}},

		Closing: {rules: [Messages]rule{
			ReplyMessage: ignore, KeepaliveMessage: ignore, CountMessage: ignore, StrangeMessage: ignore, PingMessage: ignore,
			LoginMessage: ignore, SelectMessage: ignore, CreateMessage: ignore, DeleteMessage: ignore, ReadyMessage: ignore,
			UseMessage: ignore, OtherMessage: ignore, UndecodableMessage: ignore}},
	}
}
