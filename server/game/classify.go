package game

import "sphereserver/packets"

// A request is what a frame of the login phase asks for.
type request struct {
	slot     int // 0 to 2, else what the client sent less one
	login    string
	password string
	name     string
	look     uint32
	female   bool
}

// classify finds out what a frame is; nil for one that is none of this session's business.
func (s *Session) classify(frame []byte) *incoming {
	in := &s.loop.in
	*in = incoming{kind: otherMessage, plain: frame}
	switch packets.FrameChannel(frame, packets.FromClient) {
	case packets.ChannelGameplay:
	case packets.ChannelKeepalive:
		in.kind = keepaliveMessage
		return in
	case packets.ChannelSentCount:
		in.kind = countMessage
		return in
	case packets.ChannelReply:
		in.kind = replyMessage
		return in
	default:
		in.kind = strangeMessage
		return in
	}
	plain, certain := s.deobfuscator.Plain(frame)
	if !certain {
		s.note(noteMask, "cannot tell whether the client obfuscates")
	}
	in.plain = plain
	if ping, ok := packets.ReadPing(plain); ok {
		if ping.Player != s.id() {
			s.server.count.foreignPings.Add(1)
			s.note(noteForeign, "position of another player", "of", ping.Player.String())
			return nil
		}
		in.kind, in.ping = pingMessage, ping
		return in
	}
	f := &s.loop.frame
	err := f.Decode(plain, packets.FromClient, s.server.options.Dialect)
	if err != nil {
		in.kind = undecodableMessage
		s.server.count.undecodable.Add(1)
		s.note(noteUndecodable, "frame does not decode", "error", err)
	} else {
		in.body = f.Body
		in.kind, in.owner = s.meaning(f.Body)
	}
	if s.state == CharacterScreen && in.owner == nil {
		in.screenByLength()
	}
	return in
}

// meaning is what a body asks for. Sections of the player class that name somebody else are not listened to.
func (s *Session) meaning(b *packets.Body) (message, *request) {
	kind := otherMessage
	var r request
	for i := range b.Sections {
		section := &b.Sections[i]
		own := section.Class == packets.ClassPlayer
		if own && section.Object != s.id() {
			if s.state == InWorld && meantForOthers(section) {
				continue
			}
			s.note(noteForeign, "message of another player", "of", section.Object.String())
			continue
		}
		for _, region := range section.Regions {
			c, ok := packets.CommandOf(region)
			if !ok {
				continue
			}
			switch c := c.(type) {
			case *packets.Login:
				return loginMessage, &request{login: c.Login, password: c.Password}
			case *packets.ChooseSlot:
				r.slot = int(c.Number) - 1
			case *packets.EnterWorld:
				return selectMessage, &r
			case *packets.CreateCharacter:
				r.name = c.Name
				r.look, r.female = c.Character()
				return createMessage, &r
			case *packets.DeleteSlot:
				r.slot = int(c.Number) - 1
				return deleteMessage, &r
			case *packets.Ready:
				return readyMessage, nil
			case *packets.Use, *packets.UseOn, *packets.PutIntoSlot, *packets.PickUp, *packets.Drop, *packets.Drag,
				*packets.SwapItems, *packets.TakeInHand, *packets.FistBlow:
				kind = useMessage
			}
		}
	}
	return kind, nil
}

// screenByLength understands the selection and the deletion by what every known server goes by, for clients that fill in no
// more: the length, and the slot in byte 17.
//
// Source: protocol session 6.3.
func (in *incoming) screenByLength() {
	const (
		selectBytes = 0x15
		deleteBytes = 0x2A
		slotByte    = 17
		createMark  = 0x05 // byte 16 of a creation, which can have the length of a deletion
	)
	p := in.plain
	if len(p) != selectBytes && len(p) != deleteBytes {
		return
	}
	if p[slotByte] != 4 && p[slotByte] != 8 && p[slotByte] != 12 {
		return
	}
	r := &request{slot: int(p[slotByte])/4 - 1}
	switch {
	case len(p) == selectBytes:
		in.kind, in.owner = selectMessage, r
	case p[16] != createMark:
		in.kind, in.owner = deleteMessage, r
	}
}
