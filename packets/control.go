package packets

// A Control is the content of a frame of another channel than gameplay: whole bytes, always plain. Source: protocol
// session 1.6, ingame 1.2.
type Control interface {
	Channel() Channel
	fields(*fields)
}

// Refused tells a client that there is no room. No other server is known to send it.
type Refused struct {
	Why string // for our own clients: the frame that is known of has nothing here
}

// Channel is 100.
func (*Refused) Channel() Channel   { return ChannelRefused }
func (m *Refused) fields(f *fields) { f.rest(&m.Why) }

// Greeting is the first frame of a connection. Source: protocol session 4.2.
type Greeting struct {
	Number uint32 // 1300, 1428 or 1900 in known servers; meaning unknown
	Key    uint16 // of the checksums of this client
}

// Channel is 200.
func (*Greeting) Channel() Channel   { return ChannelGreeting }
func (m *Greeting) fields(f *fields) { f.walk(&m.Number, &m.Key) }

// GreetingReply is the client's answer.
type GreetingReply struct{ Value uint32 } // 3

// Channel is 400.
func (*GreetingReply) Channel() Channel   { return ChannelReply }
func (m *GreetingReply) fields(f *fields) { f.walk(&m.Value) }

// Keepalive is sent by the client about every 3 s and answered at once with the same: it measures its latency with
// that. Source: protocol ingame 7.4.
type Keepalive struct{}

// Channel is 500.
func (*Keepalive) Channel() Channel { return ChannelKeepalive }
func (*Keepalive) fields(*fields)   {}

// SentCount tells how many frames the client has sent. It has no answer. Source: protocol ingame 7.7.
type SentCount struct{ Frames uint32 }

// Channel is 700.
func (*SentCount) Channel() Channel   { return ChannelSentCount }
func (m *SentCount) fields(f *fields) { f.walk(&m.Frames) }

// UnknownControl keeps a frame of an unknown channel, or one of a known channel with another form.
type UnknownControl struct {
	On   Channel
	Data []byte
}

// Channel is the one that the frame came on.
func (m *UnknownControl) Channel() Channel { return m.On }
func (m *UnknownControl) fields(f *fields) { f.restBytes(&m.Data) }

var controls = map[Channel]struct {
	dir Direction
	new func() Control
}{
	ChannelRefused:   {FromServer, func() Control { return new(Refused) }},
	ChannelGreeting:  {FromServer, func() Control { return new(Greeting) }},
	ChannelReply:     {FromClient, func() Control { return new(GreetingReply) }},
	ChannelKeepalive: {EitherWay, func() Control { return new(Keepalive) }},
	ChannelSentCount: {FromClient, func() Control { return new(SentCount) }},
}

func decodeControl(ch Channel, data []byte, dir Direction) Control {
	f := newCursor(reading, dir, 0)
	defer cursors.Put(f)
	defer f.r.Reset(nil)
	f.r.Reset(data)
	if k, ok := controls[ch]; ok && k.dir&dir != 0 {
		m := k.new()
		m.fields(f)
		if f.r.Err() == nil && f.r.Left() == 0 {
			return m
		}
		f.r.Reset(data)
	}
	m := &UnknownControl{On: ch}
	m.fields(f)
	return m
}

func appendControl(dst []byte, c Control, dir Direction) ([]byte, error) {
	f := newCursor(writing, dir, 0)
	defer cursors.Put(f)
	f.w.Reset(dst)
	c.fields(f)
	out, err := f.w.Finish()
	f.w.Reset(nil)
	return out, err
}
