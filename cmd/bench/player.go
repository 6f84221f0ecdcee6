package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A player is a client on its way into the world. It knows as much of the game as that takes.
type player struct {
	conn     net.Conn
	in       *bufio.Reader
	key      uint16 // of checksums
	sequence uint16
	id       packets.ObjectID
}

// Sizes of a ping, of its answer, and of a message of where somebody is, in bytes.
const (
	pingBytes   = 38
	pongBytes   = 18
	updateBytes = 23
)

// bareAnswer is what the reference answers: it looks like an answer to a ping.
var bareAnswer = packets.AppendPong(nil, packets.Ping{}, 0)

// bareUpdate is what the reference for movement sends: it looks like a step of another player.
var bareUpdate = newUpdate()

func newUpdate() []byte {
	origin, step := packets.MoveTo(place())
	b := packets.Message(0, 7, packets.ClassPlayer, step)
	b.HasOrigin, b.Origin = true, origin
	frame, err := packets.AppendServer(nil, b, packets.Dialect2026)
	if err != nil || !isUpdate(frame) {
		panic(fmt.Sprintf("bench: an update of %d bytes: %v", len(frame), err))
	}
	return frame
}

// isPong says whether a whole frame of a server answers a ping: nothing else has that length and an origin.
func isPong(frame []byte) bool { return len(frame) == pongBytes && hasOrigin(frame) }

// isUpdate says whether a whole frame of a server tells where somebody is.
func isUpdate(frame []byte) bool { return len(frame) == updateBytes && hasOrigin(frame) }

func hasOrigin(frame []byte) bool {
	const flags = 5 // byte of the first bits of the body
	return frame[flags]&1 != 0
}

// countFrames cuts a server's bytes into frames and counts the answers to pings and the messages of where others are;
// rest is what is no whole frame yet.
func countFrames(in []byte) (answers, updates int, rest []byte, err error) {
	for len(in) >= 2 {
		size := int(binary.LittleEndian.Uint16(in))
		if size < 4 {
			return answers, updates, nil, fmt.Errorf("client: a frame of %d bytes", size)
		}
		if len(in) < size {
			break
		}
		switch {
		case isPong(in[:size]):
			answers++
		case isUpdate(in[:size]):
			updates++
		}
		in = in[size:]
	}
	return answers, updates, in, nil
}

// playerTimeout is how long any step of a player may take.
const playerTimeout = 2 * time.Minute

// connect dials and shakes hands: the player knows its id, and the server expects the login.
func connect(ctx context.Context, addr string) (*player, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	p := &player{conn: conn, in: bufio.NewReaderSize(conn, 1024)}
	if err := p.shakeHands(); err != nil {
		conn.Close()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return p, nil
}

func (p *player) shakeHands() error {
	if err := p.conn.SetDeadline(time.Now().Add(playerTimeout)); err != nil {
		return err
	}
	f, err := p.read()
	if err != nil {
		return err
	}
	greeting, ok := f.Control.(*packets.Greeting)
	if !ok {
		return fmt.Errorf("expected the greeting, found %s", f.Channel)
	}
	p.key = greeting.Key
	p.sequence++
	reply, err := packets.AppendControl(nil, &packets.GreetingReply{Value: packets.GreetingReplyValue}, packets.FromClient,
		p.key, p.sequence)
	if err != nil {
		return err
	}
	if _, err := p.conn.Write(reply); err != nil {
		return err
	}
	if f, err = p.read(); err != nil {
		return err
	}
	if f.Body == nil || len(f.Body.Sections) == 0 {
		return fmt.Errorf("expected the credentials, found %s", f.Channel)
	}
	p.id = f.Body.Sections[0].Object
	return nil
}

// read reads the next frame.
func (p *player) read() (*packets.Frame, error) {
	head, err := p.in.Peek(2)
	if err != nil {
		return nil, err
	}
	frame := make([]byte, max(packets.MinServerFrame, int(binary.LittleEndian.Uint16(head))))
	if _, err := io.ReadFull(p.in, frame); err != nil {
		return nil, err
	}
	return packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026)
}

// send sends regions about the player.
func (p *player) send(regions ...packets.Region) error {
	p.sequence++
	frame, err := packets.AppendClient(nil, packets.Message(0, p.id, packets.ClassPlayer, regions...), packets.Dialect2026,
		p.key, p.sequence)
	if err == nil {
		_, err = p.conn.Write(frame)
	}
	return err
}

// await reads until a frame is the one that is waited for. Being turned away is an error.
func (p *player) await(what string, wanted func(*packets.Frame) bool) error {
	for {
		f, err := p.read()
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
		if wanted(f) {
			return nil
		}
		if holds[*packets.CannotConnect](f) {
			return fmt.Errorf("waiting for %s: the server has refused the login", what)
		}
	}
}

// holds says whether a frame has a region of a type, or one with a command of it.
func holds[T any](f *packets.Frame) bool {
	if f.Body == nil {
		return false
	}
	for _, s := range f.Body.Sections {
		for _, r := range s.Regions {
			if _, ok := r.(T); ok {
				return true
			}
			if c, ok := packets.CommandOf(r); ok {
				if _, ok := c.(T); ok {
					return true
				}
			}
		}
	}
	return false
}

// login logs in, up to the character screen.
func (p *player) login(name string) error {
	if err := p.send(&packets.Owner{Command: &packets.Login{Lead: 0xFF, Login: name, Password: password}}); err != nil {
		return err
	}
	return p.await("the character screen", holds[*packets.CharacterScreen])
}

// enter goes on into the world, with the character of the first slot.
func (p *player) enter() error {
	if err := p.send(&packets.Owner{Command: &packets.ChooseSlot{Number: 1}},
		&packets.Owner{Command: &packets.EnterWorld{}}); err != nil {
		return err
	}
	if err := p.await("the own character", holds[*packets.WorldSnapshot]); err != nil {
		return err
	}
	if err := p.send(&packets.Manager{Command: &packets.Ready{Value: 0x34}}); err != nil {
		return err
	}
	return p.await("the world", func(f *packets.Frame) bool { return f.Channel == packets.ChannelKeepalive })
}

// pings are the frames that a client sends in turn: here, and a step away, so that the world has something to do.
func pings(id packets.ObjectID, key uint16, at coords.Position) (frames [2][]byte, err error) {
	for i := range frames {
		at.X += float32(i)
		frames[i], err = packets.AppendClient(nil, packets.PingBody(id, 0, at), packets.Dialect2026, key, uint16(i))
		if err != nil {
			return frames, err
		}
		if len(frames[i]) != pingBytes {
			return frames, fmt.Errorf("a ping has %d bytes, expected %d", len(frames[i]), pingBytes)
		}
	}
	return frames, nil
}
