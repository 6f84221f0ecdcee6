package w3gs

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"sphereserver/packets/internal/cursor"
)

// An Opcode is the kind of a packet.
type Opcode uint8

// String returns the name of the kind with its number.
func (o Opcode) String() string {
	if k := KindOf(o); k != nil {
		return fmt.Sprintf("%s (0x%02X)", k.Name, uint8(o))
	}
	return fmt.Sprintf("unknown packet (0x%02X)", uint8(o))
}

// A Way says which side sends a packet to which, and over what. Kinds that go several ways have several.
type Way uint8

// The ways.
const (
	Searching  Way = 1 << iota // UDP, client to host or to all
	Announcing                 // UDP, host to client or to all
	ToClient                   // TCP, host to client
	ToHost                     // TCP, client to host
	Between                    // TCP, between clients
)

// A Phase is a part of a game's life. Kinds that belong to several have several.
type Phase uint8

// The phases, each of which may have messages of its own.
const (
	Lobby Phase = 1 << iota
	Loading
	Playing
)

// A Message is a packet with its meaning. Texts and numbers that a message has read are its own; byte slices are
// parts of the packet that was read.
type Message interface{ fields(*fields) }

// A Kind is the facts about a kind of message before any of it exists.
type Kind struct {
	Opcode Opcode
	Name   string
	Way    Way
	Phase  Phase // when it may be sent, of TCP kinds
	// Min and Max are the lengths of whole packets, in bytes.
	Min, Max int
	New      func() Message
}

var (
	kinds   [256]*Kind
	opcodes = map[reflect.Type]Opcode{} // of messages
)

// KindOf returns the kind of an opcode, or nil where none is known.
func KindOf(o Opcode) *Kind { return kinds[o] }

// register adds a kind with messages of type T.
func register[T any, P interface {
	*T
	Message
}](o Opcode, name string, way Way, phase Phase, lo, hi int) *Kind {
	if kinds[o] != nil {
		panic(fmt.Sprintf("w3gs: opcode 0x%02X is registered twice", uint8(o)))
	}
	kinds[o] = &Kind{o, name, way, phase, lo, hi, func() Message { return P(new(T)) }}
	opcodes[reflect.TypeFor[P]()] = o
	return kinds[o]
}

// OpcodeOf is the opcode with which the packet of a message begins, after the mark.
func OpcodeOf(m Message) Opcode {
	if u, ok := m.(*Unknown); ok {
		return u.Code
	}
	return opcodes[reflect.TypeOf(m)]
}

// A HeaderError is a header that no packet can have. A stream is out of step there and cannot be read on.
type HeaderError struct {
	Mark   byte
	Length int // -1 where the mark is wrong
	Max    int
}

// Error names the expected and the found value.
func (e *HeaderError) Error() string {
	if e.Length < 0 {
		return fmt.Sprintf("byte 0: expected the mark 0xF7, found 0x%02X", e.Mark)
	}
	return fmt.Sprintf("byte 2: expected a length of %d to %d, found %d", HeaderSize, e.Max, e.Length)
}

// Cut returns the first packet of a stream, or nil when it is not complete yet. The packet is a part of stream, not a
// copy. A wrong mark, or a length below 4 or above limit, is a [*HeaderError]. Source: protocol w3gs 1.1.
func Cut(stream []byte, limit int) (packet []byte, err error) {
	if len(stream) > 0 && stream[0] != Mark {
		return nil, &HeaderError{stream[0], -1, limit}
	}
	if len(stream) < HeaderSize {
		return nil, nil
	}
	n := int(binary.LittleEndian.Uint16(stream[2:]))
	if n < HeaderSize || n > limit {
		return nil, &HeaderError{Mark, n, limit}
	}
	if len(stream) < n {
		return nil, nil
	}
	return stream[:n:n], nil
}

// Unknown is a packet of an opcode without a description.
type Unknown struct {
	Code Opcode
	Body []byte
}

func (m *Unknown) fields(f *fields) { f.body(&m.Body) }

// A Decoder reads packets into messages that it keeps: its result is valid until the next packet of that kind. The
// zero value is ready.
type Decoder struct {
	kept   [256]Message
	fields fields
}

// Decode reads one whole packet. It allocates nothing but texts, once it has seen each kind.
func (d *Decoder) Decode(packet []byte) (Message, error) {
	o, err := check(packet)
	if err != nil {
		return nil, err
	}
	if d.kept[o] == nil {
		d.kept[o] = newMessage(o)
	}
	return d.kept[o], decode(&d.fields, d.kept[o], packet)
}

// Decode reads one whole packet into a message of its own. Byte slices in it are parts of packet. An opcode that is
// not known makes an [*Unknown]. A faulty packet is an error that names the place: a [*FieldError] or [*HeaderError].
func Decode(packet []byte) (Message, error) {
	o, err := check(packet)
	if err != nil {
		return nil, err
	}
	m := newMessage(o)
	f := pool.Get().(*fields)
	defer pool.Put(f)
	if err := decode(f, m, packet); err != nil {
		return nil, err
	}
	return m, nil
}

func newMessage(o Opcode) Message {
	if k := KindOf(o); k != nil {
		return k.New()
	}
	return &Unknown{Code: o}
}

// check looks at a packet's header and length.
func check(packet []byte) (Opcode, error) {
	if len(packet) > 0 && packet[0] != Mark {
		return 0, &HeaderError{packet[0], -1, MaxPacket}
	}
	if len(packet) < HeaderSize {
		return 0, &FieldError{Packet: "packet", Offset: len(packet),
			Err: fmt.Errorf("expected a header of %d bytes, found %d", HeaderSize, len(packet))}
	}
	o, n := Opcode(packet[1]), int(binary.LittleEndian.Uint16(packet[2:]))
	var err error
	if k := KindOf(o); n != len(packet) {
		err = fmt.Errorf("expected the packet's length %d, found %d", len(packet), n)
	} else if k != nil && (n < k.Min || n > k.Max) {
		want := fmt.Sprint(k.Min)
		if k.Max > k.Min {
			want = fmt.Sprintf("%d to %d", k.Min, k.Max)
		}
		err = fmt.Errorf("expected a length of %s, found %d", want, n)
	}
	if err != nil {
		return 0, &FieldError{Packet: o.String(), Offset: 2, Err: err}
	}
	return o, nil
}

func decode(f *fields, m Message, packet []byte) error {
	f.Cursor = cursor.Read(packet, HeaderSize)
	m.fields(f)
	f.end()
	err := f.Err()
	f.Cursor = cursor.Cursor{} // keeps no packet alive
	return named(err, Opcode(packet[1]))
}

// named adds the packet's name to an error of one of its fields.
func named(err error, o Opcode) error {
	if e, ok := err.(*FieldError); ok {
		e.Packet = o.String()
	}
	return err
}

// Append appends the packet of a message. When the message has a field that cannot be sent, dst comes back as it was,
// with a [*FieldError].
func Append(dst []byte, m Message) ([]byte, error) {
	start, o := len(dst), OpcodeOf(m)
	f := pool.Get().(*fields)
	defer pool.Put(f)
	f.Cursor = cursor.Write(append(dst, Mark, byte(o), 0, 0), HeaderSize)
	m.fields(f)
	out, err := f.Written(), f.Err()
	f.Cursor = cursor.Cursor{}
	n, limit := len(out)-start, MaxPacket
	if k := KindOf(o); k != nil {
		limit = k.Max
	}
	if err == nil && n > limit {
		err = &FieldError{Offset: n, Err: fmt.Errorf("expected a length of at most %d, found %d", limit, n)}
	}
	if err != nil {
		return dst, named(err, o)
	}
	binary.LittleEndian.PutUint16(out[start+2:], uint16(n))
	return out, nil
}
