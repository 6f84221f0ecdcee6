package view

import (
	"log/slog"
	"strings"
	"sync/atomic"

	"sphereserver/packets"
	"sphereserver/world"
)

// fewestChunks is how many chunks a line has at least: clients' own lines, with their tooltips, always have two or
// more.
//
// Source: protocol ingame 15.4.
const fewestChunks = 2

// chatObjects is how many ids there are for chat objects.
const (
	firstChatID   = 0xC000 // ids of other objects are below
	chatIDsPerRow = uint32(packets.FirstPlayerIndex >> 8)
	chatObjects   = (0x10000 - firstChatID) >> 8 * chatIDsPerRow
)

// chatID returns the n-th id of the cycle for chat objects. A line is encoded once for all listeners, so these ids
// are the same for every client: no player has one, nor has any other object.
//
// Source: protocol ingame 3.2, 15.4.
func chatID(n uint32) packets.ObjectID {
	n %= chatObjects
	return packets.ObjectID(firstChatID + n/chatIDsPerRow<<8 | n%chatIDsPerRow)
}

// A ChatEncoder encodes lines of chat. Any goroutine may use it.
type ChatEncoder struct {
	Dialect packets.Dialect
	Log     *slog.Logger
	lines   atomic.Uint32 // encoded as chat objects
}

// Encode encodes a line for all listeners, at a time of the wire's clock. If it is addressed, each of them has to get
// it with its own id: see [AddressAll].
//
//   - Lines of the public channels are chat objects, under an id of the cycle that all clients share.
//   - A game master's line to all is one too, in the channel for such lines.
//   - All other channels have numbers that a chat object cannot carry, or are known to come as header and parts.
//   - The server's own lines are system messages.
//
// Source: protocol ingame 15.4, 15.5.
func (c *ChatEncoder) Encode(clock uint16, name string, on world.Channel, line string) (frames []byte, addressed bool) {
	const (
		lastPublic = world.Trade
		special    = uint8(world.Party) // of a chat object: lines of game masters
	)
	var err error
	d := c.Dialect
	switch {
	case name == "":
		addressed = true
		for _, part := range SystemLines(line) {
			if frames, err = packets.AppendServer(frames, packets.Message(clock, 0, packets.ClassPlayer, SystemMessage(part)),
				d); err != nil {
				break
			}
		}
	case on <= lastPublic:
		frames, err = appendChatObject(nil, clock, c.nextID(), name, uint8(on), line, d)
	case on == world.Special:
		frames, err = appendChatObject(nil, clock, c.nextID(), name, special, line, d)
	default:
		addressed = true
		frames, err = appendChatParts(nil, clock, 0, uint8(on), line, d)
	}
	if err != nil {
		c.Log.Error("cannot encode a line of chat", "error", err)
		return nil, false
	}
	return frames, addressed
}

func (c *ChatEncoder) nextID() packets.ObjectID { return chatID(c.lines.Add(1) - 1) }

// SystemMessage is a line of free text for one player.
//
// Source: protocol ingame 15.5.
func SystemMessage(line string) packets.Region {
	const (
		mode   = 7
		colour = 0xFF32C896
	)
	return &packets.Manager{Command: &packets.SystemMessage{Mode: mode, Colour: colour, Text: line}}
}

// appendChatObject appends a line of a public channel: a temporary object with sender and channel, then its text in
// chunks. channel has 3 bits on the wire.
//
// Source: protocol ingame 15.4.
func appendChatObject(dst []byte, clock uint16, id packets.ObjectID, sender string, channel uint8, text string,
	d packets.Dialect) ([]byte, error) {
	const chatKind = 2
	parts := splitText(text, ChatPartBytes)
	for len(parts) < fewestChunks {
		parts = append(parts, "")
	}
	line := &packets.ChatLine{Kind: chatKind, Length: uint32(packets.Len1251(text)), Chunks: uint8(len(parts)),
		Sender: sender, Channel: channel}
	dst, err := packets.AppendServer(dst, packets.Message(clock, id, packets.ClassChat, line), d)
	for i := 0; i < len(parts) && err == nil; i++ {
		dst, err = packets.AppendServer(dst, packets.Message(clock, id, packets.ClassChat,
			&packets.ChatChunk{Text: parts[i]}), d)
	}
	return dst, err
}

// appendChatParts appends a line in the form in which clients send them: header and parts, addressed to the player to.
// [AddressAll] gives the same frames to others.
//
// Source: protocol ingame 15.3, 15.4.
func appendChatParts(dst []byte, clock uint16, to packets.ObjectID, channel uint8, text string,
	d packets.Dialect) ([]byte, error) {
	parts := splitText(text, ChatPartBytes)
	frame := func(c packets.Command) (err error) {
		dst, err = packets.AppendServer(dst, packets.Message(clock, to, packets.ClassPlayer, &packets.Manager{Command: c}), d)
		return err
	}
	err := frame(&packets.ChatHeader{Channel: channel, Length: uint32(packets.Len1251(text)), Parts: uint16(len(parts))})
	for i := 0; i < len(parts) && err == nil; i++ {
		err = frame(&packets.ChatPart{Channel: channel, Index: uint16(i),
			Text: parts[i] + chatPadding(parts[i], i == len(parts)-1)})
	}
	return dst, err
}

// chatPadding follows the text of a part: a NUL, and four more in the last one if the array of at most 255 bytes has
// room for them.
func chatPadding(part string, last bool) string {
	const (
		padding = "\x00\x00\x00\x00\x00"
		most    = 255 - 4 // beside channel, kind and index
	)
	if !last {
		return padding[:1]
	}
	return padding[:min(len(padding), most-packets.Len1251(part))]
}

// splitText cuts a text into parts of so many bytes of Windows-1251. There is at least one.
func splitText(text string, most int) (parts []string) {
	n, from := 0, 0
	for i := range text {
		if n == most {
			parts = append(parts, text[from:i])
			n, from = 0, i
		}
		n++
	}
	return append(parts, text[from:])
}

// CutLine shortens a line to the greatest length of the wire.
func CutLine(line string) string {
	if packets.Len1251(line) <= MaxChatLine {
		return line
	}
	return strings.TrimRight(splitText(line, MaxChatLine)[0], " ")
}

// SystemLineBytes is how many bytes of Windows-1251 a system message holds, with room to spare: its array has at most
// 255.
const SystemLineBytes = 240

// SystemLines cuts a text into lines that fit a system message, in characters that clients have.
func SystemLines(text string) []string {
	text, _, _ = packets.Fit1251(text)
	return CutText(text, SystemLineBytes)
}

// CutText cuts a text into pieces of at most so many characters, between words where it can.
func CutText(text string, most int) (pieces []string) {
	for packets.Len1251(text) > most {
		n, cut, space := 0, 0, 0
		for i, r := range text {
			if n > most {
				break
			}
			n, cut = n+1, i
			if r == ' ' {
				space = i
			}
		}
		if space > 0 {
			cut = space
		}
		pieces = append(pieces, text[:cut])
		text = strings.TrimPrefix(text[cut:], " ")
	}
	return append(pieces, text)
}
