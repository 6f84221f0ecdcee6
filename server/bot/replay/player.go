package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"reflect"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/bot/compare"
)

func (r *play) dial(ctx context.Context, s *Session, login string) (*player, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", r.options.Addr)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	p := &player{play: r, s: s, conn: conn, objects: newIDMap(), was: places{}, now: places{}, login: login,
		deobfuscator: packets.NewDeobfuscator(packets.PlayerIndex(s.About.Index)),
		news:         make(chan struct{}, 1), foreign: map[packets.ObjectID]bool{}, patience: r.options.Patience}
	go p.read()
	return p, nil
}

// read takes apart what comes until nothing more does.
func (p *player) read() {
	var in []byte
	buf := make([]byte, 16<<10)
	for {
		n, err := p.conn.Read(buf)
		in = append(in, buf[:n]...)
		used := 0
		var found []*message
		for err == nil || n > 0 {
			frame, bad := packets.CutFrame(in[used:], packets.FromServer)
			if bad != nil {
				err = bad
				break
			}
			if frame == nil {
				break
			}
			used += len(frame)
			found = append(found, messages(frame, p.play.rec.Dialect, p.play.since())...)
		}
		in = append(in[:0], in[used:]...)
		p.mu.Lock()
		p.arrived = append(p.arrived, found...)
		if err != nil {
			p.closed = err
		}
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// gather takes what has arrived, and says whether more can come.
func (p *player) gather() (open bool) {
	p.mu.Lock()
	found := p.arrived
	p.arrived = nil
	open = p.closed == nil
	p.mu.Unlock()
	for _, m := range found {
		p.learn(m)
		if again := p.now.stands(m); !again && !m.isIgnored() && !p.isForeign(m) {
			p.pending = append(p.pending, m)
		}
	}
	return open
}

func (p *player) learn(m *message) {
	switch body := m.body.(type) {
	case *packets.Greeting:
		p.key = body.Key
	case *packets.LoginTime:
		if m.class == packets.ClassPlayer && p.id == 0 {
			p.id = m.object
			p.play.people.bind(packets.PlayerIndex(p.s.About.Index).ID(), p.id)
		}
	}
}

// isForeign says whether a message is about a player of no session of the recording, or by one.
func (p *player) isForeign(m *message) bool {
	switch body := m.body.(type) {
	case *packets.ChatLine:
		if !p.play.playing[body.Sender] {
			p.foreign[m.object] = true
			return true
		}
		delete(p.foreign, m.object)
		return false
	case *packets.ChatChunk:
		return p.foreign[m.object]
	}
	if m.kind == removal {
		gone := p.foreign[m.object]
		delete(p.foreign, m.object)
		return gone
	}
	if m.class != packets.ClassPlayer {
		return false
	}
	if _, known := p.play.people.was[m.object]; known {
		return false
	}
	p.foreign[m.object] = true
	return true
}

func (p *player) wait(ctx context.Context, d time.Duration) {
	select {
	case <-p.news:
	case <-time.After(max(d, time.Millisecond)):
	case <-ctx.Done():
	}
}

// send sends a frame of the recording as it has to be now.
func (p *player) send(frame []byte) error {
	out, masked := p.translate(frame)
	if masked {
		packets.Obfuscate(out)
	}
	binary.LittleEndian.PutUint16(out[2:], packets.Checksum(out, p.key))
	_ = p.conn.SetWriteDeadline(time.Now().Add(p.play.options.Patience))
	_, err := p.conn.Write(out)
	return err
}

// translate returns a frame of a client with the ids, clock, names and password of now, in clear. Sequence numbers
// go on as they did: nobody compares them with anything.
func (p *player) translate(frame []byte) (out []byte, masked bool) {
	out = bytes.Clone(frame)
	if packets.FrameChannel(frame, packets.FromClient) != packets.ChannelGameplay {
		return out, false
	}
	plain, _ := p.deobfuscator.Plain(frame)
	masked = !bytes.Equal(plain, frame)
	f, err := packets.DecodeFrame(plain, packets.FromClient, p.play.rec.Dialect)
	if err != nil || f.Body == nil {
		return bytes.Clone(plain), masked
	}
	f.Body.Clock = p.clientClock(f.Body.Clock)
	for i := range f.Body.Sections {
		s := &f.Body.Sections[i]
		s.Object = p.sendable(s.Object)
		for _, r := range s.Regions {
			p.rewrite(r)
		}
	}
	if again, err := f.Append(nil, p.play.rec.Dialect); err == nil {
		return again, masked
	}
	return bytes.Clone(plain), masked
}

// clientClock is the client's clock now: 24 per second from what the recorded one began with.
func (p *player) clientClock(recorded uint16) uint16 {
	now := p.play.since()
	if !p.clocked {
		p.clock, p.begun, p.clocked = recorded, now, true
	}
	return (p.clock + uint16((now-p.begun)*24/time.Second)) & packets.MaxClock
}

// sendable is what an id is called now; one that nothing is known of stays.
func (p *player) sendable(was packets.ObjectID) packets.ObjectID {
	if now, known := p.toNow(was); known {
		return now
	}
	return was
}

// rewrite puts the ids, names and credentials of now into a message.
func (p *player) rewrite(r packets.Region) {
	var body any = r
	if c, ok := packets.CommandOf(r); ok {
		body = c
	}
	if login, ok := body.(*packets.Login); ok {
		if p.login != "" { // the recording says who it was, and not only who it wanted to be
			login.Login = p.login
		}
		if login.Password == recording.BlankPassword || p.play.options.Password != "" {
			login.Password = p.play.options.Password
		}
		return
	}
	p.play.options.names.Replace(body)
	p.translateIDs(reflect.ValueOf(body), compare.Field{})
}

func (p *player) translateIDs(v reflect.Value, f compare.Field) {
	switch {
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		if !v.IsNil() {
			p.translateIDs(v.Elem(), f)
		}
	case v.CanUint() && isID(f, v.Type()) && v.CanSet():
		if now := uint64(p.sendable(packets.ObjectID(v.Uint()))); !v.OverflowUint(now) {
			v.SetUint(now)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				p.translateIDs(v.Field(i), compare.Field{In: v.Type(), Name: field.Name})
			}
		}
	}
}
