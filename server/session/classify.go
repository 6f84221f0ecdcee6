package session

import (
	"encoding/hex"
	"reflect"

	"sphereserver/packets"
)

// classify finds out the kind of a frame; nil for one that is none of this session's business.
func (s *Session) classify(frame []byte) *incoming {
	in := &s.loop.in
	clear(in.commands)
	*in = incoming{kind: OtherMessage, plain: frame, commands: in.commands[:0]}
	if channel := packets.FrameChannel(frame, packets.FromClient); channel != packets.ChannelGameplay {
		in.kind = controlKind(channel)
		return in
	}
	plain, certain := s.deobfuscator.Plain(frame)
	if !certain {
		s.warnOnce(noteMask, "cannot tell whether the client obfuscates")
	}
	in.plain = plain
	if ping, ok := packets.ReadPing(plain); ok {
		if ping.Player != s.ID() {
			s.server.count.foreignPings.Add(1)
			s.warnOnce(noteForeign, "position of another player", "of", ping.Player.String())
			return nil
		}
		in.kind, in.ping = PingMessage, ping
		return in
	}
	f := &s.loop.frame
	err := f.Decode(plain, packets.FromClient, s.generation.dialect)
	if s.recognise(plain, f.Body) {
		err = f.Decode(plain, packets.FromClient, s.generation.dialect)
	}
	if f.Body != nil && (err == nil || s.state == InWorld) {
		in.body = f.Body
		s.meaning(in)
	}
	if err != nil && in.kind != UseMessage { // the bytes behind a blow need not make sense
		in.kind, in.body, in.commands = UndecodableMessage, nil, in.commands[:0]
		s.server.count.undecodable.Add(1)
		s.warnOnce(noteUndecodable, "frame does not decode", "error", err)
	}
	if s.state == CharacterScreen && !in.asked {
		in.screenByLength()
	}
	return in
}

// controlKind is the kind of a frame on another channel than the game's.
func controlKind(channel packets.Channel) Message {
	switch channel {
	case packets.ChannelKeepalive:
		return KeepaliveMessage
	case packets.ChannelSentCount:
		return CountMessage
	case packets.ChannelReply:
		return ReplyMessage
	}
	return StrangeMessage
}

// meaning finds out the request of a body by its commands, which it notes in their order. Sections of the player
// class that name another player are ignored, except commands that clients send so. The bytes behind a
// [packets.UseOn] have no known meaning: clients of 2026 send eleven bytes more with a blow than the grammar has.
//
// Source: protocol fight 1.1, 15.
func (s *Session) meaning(in *incoming) {
	in.kind = OtherMessage
	for i := range in.body.Sections {
		section := &in.body.Sections[i]
		foreign := section.Class == packets.ClassPlayer && section.Object != s.ID()
		if foreign && (s.state != InWorld || !s.server.options.Commands.meantForOthers(section)) {
			s.warnOnce(noteForeign, "message of another player", "of", section.Object.String())
		}
		for _, region := range section.Regions {
			c, ok := packets.CommandOf(region)
			if area, is := region.(*packets.AreaUse); is {
				c, ok = &packets.UseOn{Player: area.Player, Target: area.Targets[0]}, true
			} else if swap, number, is := packets.SwapOf(region, packets.FromClient); is {
				s.warnOnce(noteSwap, "swap by another number", "number", number) // the one that clients use is not known
				c, ok = swap, true
			}
			if _, use := region.(*packets.ContMan); use && foreign { // it locks the client, whatever becomes of it
				in.unknown = true
			}
			row := s.server.options.Commands[reflect.TypeOf(c)]
			if !ok || row == nil || foreign && !row.toOthers {
				s.unknownRegion(section.Class, region, c)
				in.unknown = in.unknown || !foreign
				continue
			}
			in.commands = append(in.commands, receivedCommand{section, c, row})
			if row.request != nil {
				row.request(&in.request, c)
			}
			switch row.kind {
			case OtherMessage:
			case UseMessage:
				in.kind = UseMessage
				if _, on := c.(*packets.UseOn); on {
					if n := in.body.UnknownBits(); n > 0 {
						s.Log().Debug("bits behind a blow", "bits", n, "frame", hex.EncodeToString(in.plain))
					}
					return
				}
			default: // of the login phase: nothing else in the frame counts
				in.kind, in.asked = row.kind, row.kind != ReadyMessage
				return
			}
		}
	}
}

// meantForOthers reports whether a section about another player has nothing but commands that clients send so.
func (t Commands) meantForOthers(about *packets.Section) bool {
	for _, region := range about.Regions {
		c, ok := packets.CommandOf(region)
		if row := t[reflect.TypeOf(c)]; !ok || row == nil || !row.toOthers {
			return false
		}
	}
	return len(about.Regions) > 0
}

// screenByLength understands the selection and the deletion by the fields that every known server reads, for clients
// that fill in no others: the length, and the slot in byte 17. A creation that the grammar does not read has a name
// that is none: it is refused, since the client waits for an answer.
//
// Source: protocol session 6.3.
func (in *incoming) screenByLength() {
	const (
		selectBytes = 0x15
		deleteBytes = 0x2A
		slotByte    = 17
		createBytes = 0x1B
		createMark  = 0x05 // byte 16 of a creation, which can have the length of a deletion
		createLow   = 0x0E // six bits of its byte 19
	)
	p := in.plain
	if len(p) >= createBytes && p[16] == createMark && p[18] == 4 && p[19]&0x3F == createLow {
		in.kind, in.request = CreateMessage, request{slot: int(p[slotByte])/4 - 1} // with an invalid name
		return
	}
	if len(p) != selectBytes && len(p) != deleteBytes {
		return
	}
	if p[slotByte] != 4 && p[slotByte] != 8 && p[slotByte] != 12 {
		return
	}
	r := request{slot: int(p[slotByte])/4 - 1}
	switch {
	case len(p) == selectBytes:
		in.kind, in.request = SelectMessage, r
	case p[16] != createMark:
		in.kind, in.request = DeleteMessage, r
	}
}
