package game

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

var stateNames = [states]string{"connected", "handshaken", "logging in", "character screen", "entering", "in world", "closing"}

// String returns the state as logs show it.
func (s State) String() string {
	if s < states {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// A message is a kind of client frame, as far as states tell them apart.
type message uint8

const (
	replyMessage     message = iota // channel 400
	keepaliveMessage                // channel 500
	countMessage                    // channel 700
	strangeMessage                  // any other channel, or a known one in another form
	pingMessage                     // own position
	loginMessage                    // login and password
	selectMessage                   // enter with a character
	createMessage
	deleteMessage
	readyMessage       // the world is loaded
	useMessage         // an action that locks the client until it is answered
	otherMessage       // any other gameplay frame
	undecodableMessage // a gameplay frame that the grammar does not read
	messages           // count
)

var messageNames = [messages]string{"greeting reply", "keepalive", "sent count", "strange channel", "ping", "login", "select", "create",
	"delete", "ready", "use", "other", "undecodable"}

// String returns the kind's name.
func (m message) String() string { return messageNames[m] }

// A rule is what a state does with a kind of message.
type rule struct {
	do func(*Session, *incoming)
	// harsh: a message that is out of place here shows that this is no client of the game, and ends the session.
	harsh bool
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
	ignore = rule{do: func(*Session, *incoming) {}}
	// misplaced is counted and logged once. It has no effect.
	misplaced = rule{}
	fatal     = rule{harsh: true}
	alive     = rule{do: (*Session).answerKeepalive}
	pong      = rule{do: (*Session).answerPing}
	anyAnswer = rule{do: (*Session).greeted}
)

// machine is the whole state machine: state × message → what is done. What a handler does next to it, and the state it
// moves to, is in its comment.
//
// Source: protocol session 4.
var machine [states]stateRules

func init() {
	machine = [states]stateRules{
		// Any answer moves to Handshaken.
		Connected: {timeout: func(t *Timeouts) time.Duration { return t.Handshake }, late: HandshakeTimeout, rules: [messages]rule{
			replyMessage: anyAnswer, keepaliveMessage: anyAnswer, countMessage: anyAnswer, strangeMessage: fatal,
			pingMessage: anyAnswer, loginMessage: anyAnswer, selectMessage: anyAnswer, createMessage: anyAnswer, deleteMessage: anyAnswer,
			readyMessage: anyAnswer, useMessage: anyAnswer, otherMessage: anyAnswer, undecodableMessage: anyAnswer}},

		// A login moves to LoggingIn.
		Handshaken: {timeout: func(t *Timeouts) time.Duration { return t.Login }, late: LoginTimeout, rules: [messages]rule{
			replyMessage: ignore, keepaliveMessage: alive, countMessage: ignore, strangeMessage: fatal,
			pingMessage: misplaced, loginMessage: {do: (*Session).login}, selectMessage: misplaced, createMessage: misplaced,
			deleteMessage: misplaced, readyMessage: misplaced, useMessage: misplaced, otherMessage: misplaced, undecodableMessage: misplaced}},

		// The end of the look-up moves to CharacterScreen, or closes.
		LoggingIn: {timeout: func(t *Timeouts) time.Duration { return t.Login }, late: LoginTimeout, rules: [messages]rule{
			replyMessage: ignore, keepaliveMessage: alive, countMessage: ignore, strangeMessage: fatal,
			pingMessage: misplaced, loginMessage: misplaced, selectMessage: misplaced, createMessage: misplaced,
			deleteMessage: misplaced, readyMessage: misplaced, useMessage: misplaced, otherMessage: misplaced, undecodableMessage: misplaced}},

		// A selection or a creation moves to Entering; a deletion closes.
		CharacterScreen: {timeout: func(t *Timeouts) time.Duration { return t.Screen }, late: ScreenTimeout, rules: [messages]rule{
			replyMessage: ignore, keepaliveMessage: alive, countMessage: ignore, strangeMessage: misplaced,
			pingMessage: misplaced, loginMessage: misplaced, selectMessage: {do: (*Session).selectCharacter},
			createMessage: {do: (*Session).createCharacter}, deleteMessage: {do: (*Session).deleteCharacter},
			readyMessage: misplaced, useMessage: misplaced, otherMessage: misplaced, undecodableMessage: misplaced}},

		// The acknowledgement sends the world's data and moves to InWorld. Any gameplay frame may stand for it.
		Entering: {timeout: func(t *Timeouts) time.Duration { return t.Entering }, late: EnteringTimeout, rules: [messages]rule{
			replyMessage: ignore, keepaliveMessage: alive, countMessage: ignore, strangeMessage: misplaced,
			pingMessage: pong, loginMessage: misplaced, selectMessage: misplaced, createMessage: misplaced, deleteMessage: misplaced,
			readyMessage: {do: (*Session).acknowledged}, useMessage: {do: (*Session).maybeAcknowledged},
			otherMessage: {do: (*Session).maybeAcknowledged}, undecodableMessage: {do: (*Session).maybeAcknowledged}}},

		InWorld: {timeout: func(t *Timeouts) time.Duration { return t.Silence }, silence: true, late: Silent, rules: [messages]rule{
			replyMessage: misplaced, keepaliveMessage: alive, countMessage: ignore, strangeMessage: misplaced,
			pingMessage: pong, loginMessage: misplaced, selectMessage: misplaced, createMessage: misplaced, deleteMessage: misplaced,
			readyMessage: ignore, useMessage: {do: (*Session).act}, otherMessage: {do: (*Session).act}, undecodableMessage: misplaced}},

		Closing: {rules: [messages]rule{
			replyMessage: ignore, keepaliveMessage: ignore, countMessage: ignore, strangeMessage: ignore, pingMessage: ignore,
			loginMessage: ignore, selectMessage: ignore, createMessage: ignore, deleteMessage: ignore, readyMessage: ignore,
			useMessage: ignore, otherMessage: ignore, undecodableMessage: ignore}},
	}
}
