package recording

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"

	"sphereserver/packets"
)

// BlankPassword stands in recordings where a password was, however long it was.
const BlankPassword = "********"

// A Blanker takes passwords out of the frames of one client.
type Blanker struct {
	Dialect packets.Dialect
	Key     uint16 // of the checksums
	// LoggedIn says that the client has been let in. Until then every frame of messages but a login is emptied: a
	// password may be in it, however it looks.
	LoggedIn bool

	line   string // the end of its words so far in one line of chat
	secret bool   // that line is a command with passwords
}

// passwordCommand is a command of chat behind which passwords stand.
var passwordCommand = regexp.MustCompile(`(?i)/(password|пароль)`)

// linesEnd is how much of a line is kept to find a command that two parts divide.
const linesEnd = 32

// chat takes passwords out of a part of a line: all characters behind the command.
func (b *Blanker) chat(text string) (blanked string, found bool) {
	from := 0
	if !b.secret {
		if at := passwordCommand.FindStringIndex(b.line + text); at != nil {
			b.secret, from = true, max(at[1]-len(b.line), 0)
		}
	}
	if b.line += strings.TrimRight(text, "\x00"); len(b.line) > linesEnd {
		b.line = b.line[len(b.line)-linesEnd:]
	}
	if !b.secret {
		return text, false
	}
	return text[:from] + strings.Map(func(r rune) rune {
		if r == 0 || r == ' ' {
			return r
		}
		return '*'
	}, text[from:]), true
}

// Frame returns a frame as it may be kept: the frame itself, or another one with a blank password or without its
// body. Whether the client obfuscates does not matter, nor whether it follows the protocol.
func (b *Blanker) Frame(wire []byte) []byte {
	if len(wire) < packets.MinClientFrame {
		return b.emptied(wire)
	}
	if packets.FrameChannel(wire, packets.FromClient) != packets.ChannelGameplay {
		f, err := packets.DecodeFrame(wire, packets.FromClient, b.Dialect)
		if err == nil && f.Control != nil {
			if _, unknown := f.Control.(*packets.UnknownControl); !unknown {
				return wire
			}
		}
		return b.unknown(wire)
	}
	masked := bytes.Clone(wire)
	packets.Deobfuscate(masked)
	for _, form := range [...]struct {
		plain []byte
		mask  bool
	}{{masked, true}, {wire, false}} {
		f, err := packets.DecodeFrame(form.plain, packets.FromClient, b.Dialect)
		if f == nil || f.Body == nil {
			continue
		}
		found, odd := b.blank(f.Body)
		switch {
		case odd, found && err != nil:
			return b.emptied(wire)
		case found:
			out, err := f.Append(nil, b.Dialect)
			if err != nil {
				return b.emptied(wire)
			}
			if form.mask {
				packets.Obfuscate(out)
			}
			return b.sealed(out)
		}
	}
	return b.unknown(wire)
}

// blank takes the passwords out of a body. odd is a command of the login phase that is not understood.
func (b *Blanker) blank(body *packets.Body) (found, odd bool) {
	for _, s := range body.Sections {
		for _, r := range s.Regions {
			_, owner := r.(*packets.Owner)
			switch c, _ := packets.CommandOf(r); c := c.(type) {
			case *packets.Login:
				if owner {
					c.Password, found = BlankPassword, true
				}
			case *packets.UnknownCommand:
				odd = odd || owner
			case *packets.ChatHeader:
				b.line, b.secret = "", false
			case *packets.ChatPart:
				var secret bool
				c.Text, secret = b.chat(c.Text)
				found = found || secret
			}
		}
	}
	return found, odd
}

// unknown is a frame that is not understood.
func (b *Blanker) unknown(wire []byte) []byte {
	if b.LoggedIn {
		return wire
	}
	return b.emptied(wire)
}

// emptied is a frame with nothing but zeros behind its header.
func (b *Blanker) emptied(wire []byte) []byte {
	out := bytes.Clone(wire)
	if len(out) < packets.MinClientFrame {
		clear(out)
		return out
	}
	clear(out[packets.MinClientFrame:])
	return b.sealed(out)
}

func (b *Blanker) sealed(frame []byte) []byte {
	binary.LittleEndian.PutUint16(frame[2:], packets.Checksum(frame, b.Key))
	return frame
}
