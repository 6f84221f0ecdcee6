package session

import (
	"fmt"
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
	messages           // count
)

var messageNames = [messages]string{"greeting reply", "keepalive", "sent count", "strange channel", "ping", "login",
	"select", "create", "delete", "ready", "use", "other", "undecodable"}

// String returns the kind's name.
func (m Message) String() string { return messageNames[m] }
