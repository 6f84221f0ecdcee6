package packets

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A Channel says which kind of content a frame carries. Source: protocol ingame 1.2, session 1.6.
type Channel uint16

// The known channels.
const (
	ChannelRefused   Channel = 100 // server: no room; of original servers assumed to be a bare frame of 4 bytes
	ChannelGreeting  Channel = 200 // server: handshake
	ChannelGameplay  Channel = 300 // both: a body of the bit grammar
	ChannelReply     Channel = 400 // client: answer to the handshake
	ChannelKeepalive Channel = 500 // both: 4 bytes from the server, 8 from the client
	ChannelSentCount Channel = 700 // client: how many frames it has sent
)

var channelNames = map[Channel]string{ChannelRefused: "refused", ChannelGreeting: "greeting",
	ChannelGameplay: "gameplay",
	ChannelReply:    "greeting reply", ChannelKeepalive: "keepalive", ChannelSentCount: "sent count"}

// String returns the channel's name, or its number.
func (c Channel) String() string {
	if n, ok := channelNames[c]; ok {
		return n
	}
	return fmt.Sprintf("channel %d", uint16(c))
}

// Lengths of frames in bytes, the length field included.
const (
	MinServerFrame = 4
	MinClientFrame = 8
	// MaxClientFrame is a limit of ours: the longest recorded client frame has 273 bytes, pasted chat up to 1.1 KiB.
	MaxClientFrame = 4096
	// MaxServerFrame is the most that the length field can say.
	MaxServerFrame = 0xFFFF

	serverHeader     = 5 // length, channel, zero
	clientHeader     = 9 // length, checksum, sequence, channel, zero
	bareServerHeader = 4 // channels other than gameplay have no zero byte
	bareClientHeader = 8
)

// A LengthError is a length field that no frame can have. The stream is out of step and cannot be read on.
type LengthError struct {
	Length   int // of the field
	Min, Max int
}

// Error names the length and its bounds.
func (e *LengthError) Error() string {
	return fmt.Sprintf("frame length %d, expected %d to %d", e.Length, e.Min, e.Max)
}

// CutFrame returns the first frame of a stream, or nil when it is not complete yet. The frame is a part of stream, not
// a copy. A length outside of the bounds of its direction is a [*LengthError]. Source: protocol session 1.2, ingame
// 1.3.
func CutFrame(stream []byte, dir Direction) (frame []byte, err error) {
	if len(stream) < 2 {
		return nil, nil
	}
	n := int(binary.LittleEndian.Uint16(stream))
	lo, hi := MinServerFrame, MaxServerFrame
	if dir == FromClient {
		lo, hi = MinClientFrame, MaxClientFrame
	}
	if n < lo || n > hi {
		return nil, &LengthError{n, lo, hi}
	}
	if len(stream) < n {
		return nil, nil
	}
	return stream[:n:n], nil
}

// Checksum returns the number that a client writes into bytes 2 and 3 of a frame: the sum of the bytes from offset 4
// on, each taken as signed, as they travel, XOR the key of the connection (bytes 8 and 9 of the greeting). Source:
// protocol session 1.8, proved on recorded frames.
func Checksum(frame []byte, key uint16) uint16 {
	var sum int32
	if len(frame) > 4 {
		for _, b := range frame[4:] {
			sum += int32(int8(b))
		}
	}
	return uint16(sum) ^ key
}

// ClientHeader is the bytes before the body of a client frame.
//
//	bytes 0-1  length of the whole frame
//	bytes 2-3  checksum
//	bytes 4-5  sequence, grows by a random 1 to 4 per frame
//	bytes 6-7  channel
//	byte  8    zero, gameplay only
//
// Source: protocol session 1.7.
type ClientHeader struct {
	Checksum uint16
	Sequence uint16
}

// FrameChannel returns the channel of a whole frame that [CutFrame] has returned.
func FrameChannel(frame []byte, dir Direction) Channel {
	if dir == FromClient {
		return Channel(binary.LittleEndian.Uint16(frame[6:]))
	}
	return Channel(binary.LittleEndian.Uint16(frame[2:]))
}

// A Frame is a frame with its meaning.
type Frame struct {
	Direction Direction
	Channel   Channel
	Header    ClientHeader // of client frames
	// Reserved is byte 4 of a server frame and byte 8 of a client frame of the gameplay channel; 0 in all known traffic.
	Reserved byte
	Control  Control // of every channel but gameplay
	Body     *Body   // of gameplay

	body Body // Decode reads into it
}

// DecodeFrame reads one whole plain frame: client frames are to be de-obfuscated before. Where a body cannot be read
// to its end the frame comes with the error: the rest of it is in the body's last region. There is no frame where not
// even the body's header is whole.
func DecodeFrame(frame []byte, dir Direction, d Dialect) (*Frame, error) {
	f := new(Frame)
	err := f.Decode(frame, dir, d)
	if f.Control == nil && f.Body == nil {
		return nil, err
	}
	return f, err
}

// Decode is [DecodeFrame] into a frame that may have been used before. It reads into the same sections and messages
// again where they fit, so their old values are gone, and most frames need no new memory. Without a frame Control and
// Body are nil.
func (f *Frame) Decode(frame []byte, dir Direction, d Dialect) error {
	f.Control, f.Body = nil, nil
	whole, err := CutFrame(frame, dir)
	if err != nil {
		return err
	}
	if len(whole) != len(frame) || whole == nil {
		have := 0
		if len(frame) >= 2 {
			have = int(binary.LittleEndian.Uint16(frame))
		}
		return fmt.Errorf("the length field says %d bytes, the frame has %d", have, len(frame))
	}
	f.Direction, f.Channel = dir, FrameChannel(frame, dir)
	f.Header, f.Reserved = ClientHeader{}, 0
	head, bare := serverHeader, bareServerHeader
	if dir == FromClient {
		head, bare = clientHeader, bareClientHeader
		f.Header = ClientHeader{binary.LittleEndian.Uint16(frame[2:]), binary.LittleEndian.Uint16(frame[4:])}
	}
	if f.Channel != ChannelGameplay {
		f.Control = decodeControl(f.Channel, frame[bare:], dir)
		return nil
	}
	if len(frame) < head {
		return fmt.Errorf("gameplay frame of %d bytes has no body", len(frame))
	}
	f.Reserved = frame[head-1]
	if err = f.body.decode(frame, head*8, dir, d); !errors.Is(err, errNoHeader) {
		f.Body = &f.body
	}
	return err
}

// Append appends the frame as it travels, client bodies not obfuscated. The checksum is that of the header.
func (f *Frame) Append(dst []byte, d Dialect) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0)
	if f.Direction == FromClient {
		dst = binary.LittleEndian.AppendUint16(dst, f.Header.Checksum)
		dst = binary.LittleEndian.AppendUint16(dst, f.Header.Sequence)
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(f.Channel))
	var err error
	if f.Channel == ChannelGameplay {
		dst = append(dst, f.Reserved)
		dst, err = f.Body.append(dst, f.Direction, d, nil)
	} else {
		dst, err = appendControl(dst, f.Control, f.Direction)
	}
	if err != nil {
		return dst[:start], err
	}
	return setLength(dst, start, f.Direction)
}

// Ends returns where the body's header and then each of its regions end in the encoded frame, in bits.
func (f *Frame) Ends(d Dialect) (ends []int) {
	head := serverHeader
	if f.Direction == FromClient {
		head = clientHeader
	}
	if _, err := f.Body.append(make([]byte, head), f.Direction, d, &ends); err != nil {
		return nil
	}
	for i := range ends {
		ends[i] += head * 8
	}
	return ends
}

// setLength completes the frame that begins at start, or takes it away again if it is too long.
func setLength(dst []byte, start int, dir Direction) ([]byte, error) {
	frame, limit := dst[start:], MaxServerFrame
	if dir == FromClient {
		limit = MaxClientFrame
	}
	if len(frame) > limit {
		return dst[:start], fmt.Errorf("frame of %d bytes, at most %d", len(frame), limit)
	}
	binary.LittleEndian.PutUint16(frame, uint16(len(frame)))
	return dst, nil
}

// AppendServer appends a gameplay frame of the server.
func AppendServer(dst []byte, b *Body, d Dialect) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, byte(ChannelGameplay&0xFF), byte(ChannelGameplay>>8), 0)
	out, err := b.append(dst, FromServer, d, nil)
	if err != nil {
		return dst[:start], err
	}
	return setLength(out, start, FromServer)
}

// AppendClient appends a gameplay frame as a client sends it: obfuscated, with its checksum.
func AppendClient(dst []byte, b *Body, d Dialect, key, sequence uint16) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, byte(sequence), byte(sequence>>8), byte(ChannelGameplay&0xFF), byte(ChannelGameplay>>8),
		0)
	out, err := b.append(dst, FromClient, d, nil)
	if err != nil {
		return dst[:start], err
	}
	frame := out[start:]
	Obfuscate(frame)
	binary.LittleEndian.PutUint16(frame[2:], Checksum(frame, key))
	return setLength(out, start, FromClient)
}

// AppendControl appends a frame of another channel than gameplay. A client's carries its checksum and sequence.
func AppendControl(dst []byte, c Control, dir Direction, key, sequence uint16) ([]byte, error) {
	start := len(dst)
	f := Frame{Direction: dir, Channel: c.Channel(), Control: c, Header: ClientHeader{Sequence: sequence}}
	dst, err := f.Append(dst, Dialect2026)
	if err == nil && dir == FromClient {
		frame := dst[start:]
		binary.LittleEndian.PutUint16(frame[2:], Checksum(frame, key))
	}
	return dst, err
}
