package capture

import (
	"encoding/binary"
	"fmt"
	"io"
)

const pcapngMagic = 0x0A0D0D0A

// maxPacket is the most bytes of one packet of a pcap.
const maxPacket = 256 << 10

// Bounds of the blocks of a pcapng.
const (
	maxBlock = maxPacket + 64<<10
	maxKept  = 1 << 20 // bytes of those blocks that a reader keeps: interfaces, names, secrets
)

// Types of pcapng blocks.
const (
	blockSection   = pcapngMagic
	blockInterface = 1
	blockNames     = 4
	blockSecrets   = 10
)

// A blockGuard passes a pcapng through and stops at a block that claims more memory than any real one needs: the
// reader behind it trusts the lengths of blocks.
type blockGuard struct {
	r    io.Reader
	head []byte // of the block that begins now
	left int    // bytes of the block
	big  bool   // byte order
	kept int
	err  error
}

// Read passes bytes on, never beyond the block that was checked.
func (g *blockGuard) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if len(g.head) == 0 && g.left == 0 {
		if g.err = g.begin(); g.err != nil {
			return 0, g.err
		}
	}
	if len(g.head) > 0 {
		n := copy(p, g.head)
		g.head = g.head[n:]
		return n, nil
	}
	n, err := g.r.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}

// begin reads the head of a block: type, length, and in a section header the byte order.
func (g *blockGuard) begin() error {
	head := make([]byte, 12)
	n, err := io.ReadFull(g.r, head)
	if err != nil && (n < 8 || err != io.ErrUnexpectedEOF) {
		if n > 0 {
			g.head = head[:n] // let the reader find the end where it is
			return nil
		}
		return err
	}
	head = head[:n]
	order := binary.ByteOrder(binary.LittleEndian)
	kind := binary.LittleEndian.Uint32(head)
	if kind == blockSection {
		g.big = n == 12 && binary.BigEndian.Uint32(head[8:]) == 0x1A2B3C4D
		g.kept = 0
	}
	if g.big {
		order = binary.BigEndian
		kind = order.Uint32(head)
	}
	length := order.Uint32(head[4:])
	switch {
	case length < 12 || length > maxBlock:
		return fmt.Errorf("a block of %d bytes, expected 12 to %d", length, maxBlock)
	case kind == blockInterface, kind == blockNames, kind == blockSecrets:
		if g.kept += int(length); g.kept > maxKept {
			return fmt.Errorf("more than %d bytes of interfaces, names and secrets", maxKept)
		}
	}
	g.head, g.left = head, int(length)-n
	return nil
}
