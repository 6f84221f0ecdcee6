package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"time"
)

// Bounds of the memory that a hostile file can make us take.
const (
	maxPacket     = 256 << 10          // bytes of one packet
	maxBlock      = maxPacket + 64<<10 // bytes of one block of a pcapng
	maxInterfaces = 1 << 12            // of one section of a pcapng
)

// A packet is one of a pcap or pcapng file.
type packet struct {
	link linkType
	at   time.Time
	data []byte // as much as was captured
}

// A packetFile reads packets one by one. The error is [io.EOF] behind the last one.
//
// gopacket reads such files, too, and in the tests it writes them; ARCHITECTURE.md says why it is not in the program.
type packetFile interface{ next() (packet, error) }

// pcapngMagic is the first four bytes of a pcapng, and the type of the block with which each of its sections begins.
const pcapngMagic = 0x0A0D0D0A

// pcapMagics are the first four bytes of pcap files as a number in the file's byte order, with the unit of its times.
var pcapMagics = map[uint32]time.Duration{0xA1B2C3D4: time.Microsecond, 0xA1B23C4D: time.Nanosecond}

// byteOrder returns the order in which four bytes are a pcap's magic number, nil if they are none.
func byteOrder(magic []byte) binary.ByteOrder {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if pcapMagics[order.Uint32(magic)] != 0 {
			return order
		}
	}
	return nil
}

// isPcap reports whether a file that begins with four bytes is a pcap or a pcapng.
func isPcap(magic []byte) bool {
	return binary.LittleEndian.Uint32(magic) == pcapngMagic || byteOrder(magic) != nil
}

// openPcap begins to read a file that [isPcap].
func openPcap(r peeker) (packetFile, error) {
	magic, err := r.Peek(4)
	if err != nil {
		return nil, err
	}
	order := byteOrder(magic)
	if order == nil {
		return &pcapngFile{r: r}, nil
	}
	head := make([]byte, 24)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	if major := order.Uint16(head[4:]); major != 2 {
		return nil, fmt.Errorf("version %d, expected 2", major)
	}
	return &pcapFile{r, order, pcapMagics[order.Uint32(magic)], linkType(order.Uint32(head[20:]))}, nil
}

// A pcapFile is a pcap.
type pcapFile struct {
	r     io.Reader
	order binary.ByteOrder
	unit  time.Duration
	link  linkType
}

func (f *pcapFile) next() (p packet, err error) {
	head := make([]byte, 16)
	if _, err := io.ReadFull(f.r, head); err != nil {
		return p, err
	}
	// The length of the file's head is not asked: it is often wrong.
	n := f.order.Uint32(head[8:])
	if n > maxPacket {
		return p, fmt.Errorf("%d bytes, expected %d at most", n, maxPacket)
	}
	at := time.Unix(int64(f.order.Uint32(head)), int64(f.order.Uint32(head[4:]))*int64(f.unit))
	p = packet{f.link, at, make([]byte, n)}
	return p, readAll(f.r, p.data)
}

// readAll fills p. A file that ends before that is cut.
func readAll(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Types of pcapng blocks, and of options of interfaces.
const (
	blockInterface = 1
	blockPacket    = 2 // of old programs
	blockSimple    = 3
	blockEnhanced  = 6

	optionResolution = 9
	optionOffset     = 14
)

// A pcapngFile is a pcapng.
type pcapngFile struct {
	r          io.Reader
	order      binary.ByteOrder // of the section
	interfaces []captureInterface
}

// A captureInterface is where packets of a pcapng were captured.
type captureInterface struct {
	link      linkType
	snapped   uint32 // bytes that are left of a longer packet, 0: all
	perSecond uint64 // units of its times
	offset    int64  // to be added to them, in seconds
}

func (f *pcapngFile) next() (packet, error) {
	for {
		kind, body, err := f.block()
		if err != nil {
			return packet{}, err
		}
		switch kind {
		case pcapngMagic:
			f.interfaces = f.interfaces[:0]
		case blockInterface:
			if err := f.addInterface(body); err != nil {
				return packet{}, err
			}
		case blockPacket, blockEnhanced, blockSimple:
			return f.packet(kind, body)
		}
	}
}

// block reads a block: its type, and what is between its two lengths. At the beginning of a section it sets the byte
// order.
func (f *pcapngFile) block() (kind uint32, body []byte, err error) {
	head := make([]byte, 12) // the shortest block is its type and its length twice
	if _, err := io.ReadFull(f.r, head); err != nil {
		return 0, nil, err
	}
	if binary.LittleEndian.Uint32(head) == pcapngMagic {
		switch binary.LittleEndian.Uint32(head[8:]) {
		case 0x1A2B3C4D:
			f.order = binary.LittleEndian
		case 0x4D3C2B1A:
			f.order = binary.BigEndian
		default:
			return 0, nil, errors.New("a section without a byte order")
		}
	}
	kind = f.order.Uint32(head)
	length := f.order.Uint32(head[4:])
	if length < 12 || length > maxBlock {
		return 0, nil, fmt.Errorf("a block of %d bytes, expected 12 to %d", length, maxBlock)
	}
	body = make([]byte, length-8)
	copy(body, head[8:])
	return kind, body[:length-12], readAll(f.r, body[4:])
}

func (f *pcapngFile) addInterface(body []byte) error {
	if len(body) < 8 {
		return fmt.Errorf("an interface of %d bytes, expected 8 at least", len(body))
	}
	if len(f.interfaces) == maxInterfaces {
		return fmt.Errorf("more than %d interfaces", maxInterfaces)
	}
	in := captureInterface{link: linkType(f.order.Uint16(body)), snapped: f.order.Uint32(body[4:]), perSecond: 1e6}
	for rest := body[8:]; len(rest) >= 4; {
		option, n := f.order.Uint16(rest), int(f.order.Uint16(rest[2:]))
		if rest = rest[4:]; n > len(rest) {
			return fmt.Errorf("an option of an interface of %d bytes, %d are left", n, len(rest))
		}
		switch {
		case option == optionResolution && n == 1:
			if in.perSecond = unitsPerSecond(rest[0]); in.perSecond == 0 {
				return fmt.Errorf("times in units of the number %d, expected 0 to 19 or 128 to 191", rest[0])
			}
		case option == optionOffset && n == 8:
			in.offset = int64(f.order.Uint64(rest))
		}
		rest = rest[min((n+3)&^3, len(rest)):]
	}
	f.interfaces = append(f.interfaces, in)
	return nil
}

// unitsPerSecond is how many units of time a second has: a power of ten, or from 128 on of two; 0 if that is too much.
func unitsPerSecond(resolution byte) uint64 {
	switch {
	case resolution >= 128:
		return 1 << (resolution - 128) // 0 from 64 on
	case resolution > 19:
		return 0
	}
	n := uint64(1)
	for range resolution {
		n *= 10
	}
	return n
}

// time is that of an interface. Division is by 128 bits, since a second may have more than 2^33 units.
func (in *captureInterface) time(units uint64) time.Time {
	high, low := bits.Mul64(units%in.perSecond, uint64(time.Second))
	nanoseconds, _ := bits.Div64(high, low, in.perSecond)
	return time.Unix(int64(units/in.perSecond)+in.offset, int64(nanoseconds))
}

// packet reads the body of a block of one of the three types with packets.
func (f *pcapngFile) packet(kind uint32, body []byte) (p packet, err error) {
	head, number := 20, uint32(0)
	if kind == blockSimple {
		head = 4
	}
	if len(body) < head {
		return p, fmt.Errorf("a block with a packet of %d bytes, expected %d at least", len(body), head)
	}
	switch kind {
	case blockEnhanced:
		number = f.order.Uint32(body)
	case blockPacket:
		number = uint32(f.order.Uint16(body))
	}
	if number >= uint32(len(f.interfaces)) {
		return p, fmt.Errorf("a packet of interface %d, of %d", number, len(f.interfaces))
	}
	in := &f.interfaces[number]
	p.link, p.data = in.link, body[head:]
	n := f.order.Uint32(body[head-4:]) // of the whole packet
	if kind == blockSimple {
		if in.snapped > 0 {
			n = min(n, in.snapped)
		}
	} else {
		n = f.order.Uint32(body[12:])
		p.at = in.time(uint64(f.order.Uint32(body[4:]))<<32 | uint64(f.order.Uint32(body[8:])))
	}
	if n > uint32(len(p.data)) {
		return p, fmt.Errorf("a packet of %d bytes in a block with %d", n, len(p.data))
	}
	p.data = p.data[:n]
	return p, nil
}
