package w3gs

import "fmt"

// maxChat is the longest packet of chat.
const maxChat = HeaderSize + 1 + maxSlots + 2 + MaxLobbyText + 1

// The kinds of chat, each with its section of protocol w3gs.
var (
	_ = register[Chat](0x0F, "chat", ToClient, Lobby|Playing, 10, maxChat)                // 4.9
	_ = register[Request](0x28, "chat or slot change", ToHost, Lobby|Playing, 8, maxChat) // 4.10
)

// A text has at least one byte, and at most so many. Source: protocol w3gs 4.9.
const (
	MaxLobbyText = 254
	MaxGameText  = 127
)

// A RequestKind is the kind of a [Request] or [Chat]. Source: protocol w3gs 4.9, 4.10.
type RequestKind uint8

// The kinds. A Chat is one of the two that carry a text.
const (
	LobbyChat      RequestKind = 0x10
	ChangeTeam     RequestKind = 0x11
	ChangeColour   RequestKind = 0x12
	ChangeRace     RequestKind = 0x13
	ChangeHandicap RequestKind = 0x14
	GameChat       RequestKind = 0x20
)

// IsChat reports whether the kind carries a text.
func (k RequestKind) IsChat() bool { return k == LobbyChat || k == GameChat }

// A Scope is the audience of game chat. The list of receivers decides; this is for show. Above ToWatchers it is one
// player, in a count that sources do not agree on: it is passed on as it is. Source: protocol w3gs 4.9.
type Scope uint32

// The scopes.
const (
	ToAll Scope = iota
	ToAllies
	ToWatchers // observers and referees
)

// chatText walks over the fields behind the kind of a chat.
func (f *fields) chatText(kind RequestKind, scope *Scope, text *string) {
	limit := MaxLobbyText
	if kind == GameChat {
		num(f, scope)
		limit = MaxGameText
	} else {
		*scope = 0
	}
	f.text(text, 1, limit)
}

// Chat is a line of chat for the receivers listed.
type Chat struct {
	Receivers []PlayerID // 1 to 24
	Sender    PlayerID
	Kind      RequestKind // LobbyChat or GameChat
	Scope     Scope       // of GameChat
	Text      string      // at most 254 bytes in the lobby, 127 in the game
}

func (m *Chat) fields(f *fields) {
	f.players(&m.Receivers, 1)
	num(f, &m.Sender)
	num(f, &m.Kind)
	if f.Err() == nil && !m.Kind.IsChat() {
		f.failAt(f.Offset()-1, fmt.Errorf("expected lobby chat 0x10 or game chat 0x20, found 0x%02X", uint8(m.Kind)))
		return
	}
	f.chatText(m.Kind, &m.Scope, &m.Text)
}

// A Request is a line of chat for the host to pass on, or a change that its sender wants of its own slot.
type Request struct {
	Receivers []PlayerID // at most 24
	Sender    PlayerID
	Kind      RequestKind
	Value     uint8  // of a change: the team, colour, race or handicap
	Scope     Scope  // of GameChat
	Text      string // of chat
}

func (m *Request) fields(f *fields) {
	f.players(&m.Receivers, 0)
	num(f, &m.Sender)
	num(f, &m.Kind)
	switch m.Kind {
	case LobbyChat, GameChat:
		if f.Reading() {
			m.Value = 0
		}
		f.chatText(m.Kind, &m.Scope, &m.Text)
	case ChangeTeam, ChangeColour, ChangeRace, ChangeHandicap:
		if f.Reading() {
			m.Scope, m.Text = 0, ""
		}
		num(f, &m.Value)
	default:
		if f.Err() == nil {
			f.failAt(f.Offset()-1, fmt.Errorf("expected chat 0x10 or 0x20 or a change 0x11 to 0x14, found 0x%02X",
				uint8(m.Kind)))
		}
	}
}
