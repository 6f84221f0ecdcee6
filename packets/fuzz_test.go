package packets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// A stream is cut into frames that follow each other without a gap, or refused at the first length that no frame has;
// nothing behind the stream is touched.
func FuzzCutFrame(f *testing.F) {
	var streams [2][]byte
	for _, g := range goldens(f) {
		f.Add(g.frame, g.dir == FromClient)
		if i := int(g.dir) - 1; len(streams[i]) < 2000 {
			streams[i] = append(streams[i], g.frame...)
		}
	}
	f.Add(streams[0], false)
	f.Add(streams[1], true)
	for _, n := range []uint16{0, 1, 2, 3, 7, 4096, 4097, 0xFFFF} {
		f.Add(append(binary.LittleEndian.AppendUint16([]byte{4, 0, 0xF4, 1}, n), 1, 2, 3), false)
		f.Add(append(binary.LittleEndian.AppendUint16([]byte{8, 0, 0, 0, 0, 0, 0xF4, 1}, n), 1, 2, 3), true)
	}
	f.Fuzz(func(t *testing.T, stream []byte, client bool) {
		dir := FromServer
		if client {
			dir = FromClient
		}
		stream = stream[:len(stream):len(stream)]
		for at := 0; ; {
			frame, err := CutFrame(stream[at:], dir)
			var bad *LengthError
			if err != nil {
				if !errors.As(err, &bad) || frame != nil || bad.Length >= bad.Min && bad.Length <= bad.Max {
					t.Fatalf("at %d: %v with a frame of %d", at, err, len(frame))
				}
				return
			}
			if frame == nil {
				if left := stream[at:]; len(left) >= 2 && len(left) >= int(binary.LittleEndian.Uint16(left)) {
					t.Fatalf("at %d: a whole frame was not cut", at)
				}
				return
			}
			if &frame[0] != &stream[at] || cap(frame) != len(frame) || len(frame) != int(binary.LittleEndian.Uint16(frame)) {
				t.Fatalf("at %d: cut %d with room for %d", at, len(frame), cap(frame))
			}
			at += len(frame)
		}
	})
}

// All frames from a server or a proxy are read, or refused with an error, and kept bit for bit.
func FuzzDecodeServer(f *testing.F) {
	for _, g := range goldens(f) {
		if g.dir == FromServer {
			f.Add(g.frame, uint8(g.only[0]))
		}
	}
	f.Fuzz(func(t *testing.T, frame []byte, dialect uint8) {
		keeps(t, frame, FromServer, dialects[dialect%3])
		if len(frame) >= MinServerFrame && len(frame) <= MaxServerFrame {
			keeps(t, sized(bytes.Clone(frame)), FromServer, dialects[dialect%3])
		}
	})
}

// A client's frame, obfuscated or not, is brought into clear without a change to the bytes received, read or refused,
// and kept bit for bit. The short way for position messages says the same as the grammar.
func FuzzDecodeClient(f *testing.F) {
	for _, g := range goldens(f) {
		if g.dir == FromClient {
			f.Add(g.frame, uint8(g.only[0]), uint16(0x4F6F))
			f.Add(obfuscated(g.frame), uint8(g.only[0]), uint16(0x4F6F))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, dialect uint8, index uint16) {
		if len(wire) < MinClientFrame || len(wire) > MaxClientFrame {
			keeps(t, wire, FromClient, Dialect2026)
			return
		}
		sized(wire)
		before := bytes.Clone(wire)
		u := NewDeobfuscator(PlayerIndex(index))
		for range 2 {
			plain, _ := u.Plain(wire)
			if !bytes.Equal(wire, before) {
				t.Fatalf("% X was changed to % X", before, wire)
			}
			if !bytes.Equal(plain, wire) && !bytes.Equal(obfuscated(plain), wire) {
				t.Fatalf("% X is neither clear nor obfuscated % X", wire, plain)
			}
			keeps(t, plain, FromClient, dialects[dialect%3])
			if p, ok := ReadPing(plain); ok {
				checkPing(t, p, plain)
			}
		}
	})
}

func checkPing(t *testing.T, p Ping, frame []byte) {
	f, err := DecodeFrame(frame, FromClient, Dialect2026)
	if err != nil {
		t.Fatalf("% X is a position message, and %v", frame, err)
	}
	s := f.Body.Sections[0]
	m, ok := s.Regions[0].(*PositionStream)
	if !ok || f.Body.Origin != p.Origin || f.Body.Clock != p.Clock || s.Object != p.Player || m.Count != 4 {
		t.Fatalf("% X: %+v, the grammar says %v", frame, p, words(f))
	}
	pong := AppendPong(nil, p, p.Clock)
	if again, err := DecodeFrame(pong, FromServer, Dialect2026); err != nil || again.Body.Origin != p.Origin ||
		again.Body.Sections[0].Object != p.Player {
		t.Fatalf("% X is answered with % X, %v", frame, pong, err)
	}
}

// Any bits at all behind a frame's header: if they can be read, they are written as the same bits, and read as the
// same words again.
func FuzzBodyIdentity(f *testing.F) {
	for _, g := range goldens(f) {
		head := serverHeader
		if g.dir == FromClient {
			head = clientHeader
		}
		if len(g.frame) > head && g.unknown == 0 {
			f.Add(g.frame[head:], g.dir == FromClient, uint8(g.only[0]))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, client bool, dialect uint8) {
		if len(body) > MaxClientFrame-clientHeader {
			return
		}
		frame, dir, d := []byte{0, 0, 0x2C, 1, 0}, FromServer, dialects[dialect%3]
		if client {
			frame, dir = []byte{0, 0, 0, 0, 1, 1, 0x2C, 1, 0}, FromClient
		}
		frame = sized(append(frame, body...))
		read, err := DecodeFrame(frame, dir, d)
		if read == nil {
			return
		}
		back, writeErr := read.Append(nil, d)
		if writeErr != nil || !bytes.Equal(back, frame) {
			t.Fatalf("read as %v (%v)\n and written %v\n got % X\nwant % X", words(read), err, writeErr, back, frame)
		}
		again, againErr := DecodeFrame(back, dir, d)
		if (err == nil) != (againErr == nil) || strings.Join(words(read), "\n") != strings.Join(words(again), "\n") {
			t.Fatalf("% X reads as %v, then as %v", frame, words(read), words(again))
		}
	})
}

// The first frame of a stranger: it is in clear or obfuscated, and gives a login with texts that can be kept as they
// are, or nothing. A login that was read makes the same bytes again.
func FuzzLogin(f *testing.F) {
	for _, g := range goldens(f) {
		if strings.Contains(g.name, "login") {
			f.Add(g.frame)
			f.Add(obfuscated(g.frame))
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		wire, err := CutFrame(stream, FromClient)
		if err != nil || wire == nil || FrameChannel(wire, FromClient) != ChannelGameplay {
			return
		}
		u := NewDeobfuscator(0x4F6F)
		plain, _ := u.Plain(wire)
		frame, err := DecodeFrame(plain, FromClient, Dialect2026)
		if err != nil {
			return
		}
		for _, s := range frame.Body.Sections {
			for _, r := range s.Regions {
				c, _ := CommandOf(r)
				m, ok := c.(*Login)
				if !ok {
					continue
				}
				if strings.ContainsRune(m.Login, 0) || strings.ContainsRune(m.Password, 0) ||
					Len1251(m.Login)+Len1251(m.Password) > 252 {
					t.Fatalf("% X gives %q and %q", plain, m.Login, m.Password)
				}
				fresh, err := AppendClient(nil, Message(0, s.Object, s.Class, &Owner{&Login{m.Lead, m.Login, m.Password}}),
					Dialect2026, 0, 0)
				if err != nil {
					t.Fatalf("%q and %q cannot be sent: %v", m.Login, m.Password, err)
				}
				Deobfuscate(fresh)
				again, err := DecodeFrame(fresh, FromClient, Dialect2026)
				if err != nil {
					t.Fatal(err)
				}
				if got, _ := CommandOf(again.Body.Sections[0].Regions[0]); *got.(*Login) != *m {
					t.Fatalf("%+v came back as %+v", *m, got)
				}
			}
		}
	})
}
