package packets

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bitString is a writer of frames that shares nothing with the package: it keeps one byte for each bit.
type bitString struct{ bits []byte }

func (s *bitString) uint(v uint64, n int) {
	for i := range n {
		s.bits = append(s.bits, byte(v>>i&1))
	}
}

// varint writes sign, selector and magnitude of protocol ingame 2.2.
func (s *bitString) varint(v int64, selector int) {
	sign := uint64(0)
	if v < 0 {
		sign, v = 1, -v
	}
	s.uint(sign, 1)
	s.uint(uint64(selector), 2)
	s.uint(uint64(v), varintBits[selector])
}

func smallestSelector(v int64) int {
	for i, n := range varintBits {
		if max(v, -v) < 1<<n {
			return i
		}
	}
	panic("no varint")
}

// pack returns the bits as bytes, zero bits at the end.
func (s *bitString) pack() []byte {
	out := make([]byte, (len(s.bits)+7)/8)
	for i, b := range s.bits {
		out[i/8] |= b << (i % 8)
	}
	return out
}

// frame returns the bits as the body of a gameplay frame; a client's has checksum 0 and sequence 0x0101.
func (s *bitString) frame(dir Direction) []byte {
	head := []byte{0, 0, 0x2C, 0x01, 0}
	if dir == FromClient {
		head = []byte{0, 0, 0, 0, 1, 1, 0x2C, 0x01, 0}
	}
	out := append(head, s.pack()...)
	out[0], out[1] = byte(len(out)), byte(len(out)>>8)
	return out
}

// writeBitString continues a frame with fields written one by one, first bit lowest:
//
//	7:12      the number 7 in 12 bits; -1:3 in two's complement
//	f1.5      a float32
//	v-20      a varint in its smallest form
//	x00FF     bytes
//	"text"    bytes of ASCII characters
//	|         nothing, for the eye
//
// Frame is nil or the result of an earlier line.
func writeBitString(dir Direction, frame []byte, fields string) ([]byte, error) {
	var s bitString
	if frame != nil {
		return nil, fmt.Errorf("one line of bits makes a whole frame")
	}
	for _, token := range strings.Fields(fields) {
		if err := s.token(token); err != nil {
			return nil, fmt.Errorf("%q: %w", token, err)
		}
	}
	return s.frame(dir), nil
}

func (s *bitString) token(token string) error {
	switch {
	case token == "|":
		return nil
	case token[0] == 'f':
		v, err := strconv.ParseFloat(token[1:], 32)
		s.uint(uint64(math.Float32bits(float32(v))), 32)
		return err
	case token[0] == 'v':
		v, err := strconv.ParseInt(token[1:], 0, 64)
		s.varint(v, smallestSelector(v))
		return err
	case token[0] == 'x':
		data, err := hex.DecodeString(token[1:])
		for _, b := range data {
			s.uint(uint64(b), 8)
		}
		return err
	case token[0] == '"':
		for _, c := range []byte(strings.Trim(token, `"`)) {
			s.uint(uint64(c), 8)
		}
		return nil
	}
	number, width, ok := strings.Cut(token, ":")
	v, err := strconv.ParseInt(number, 0, 64)
	if err != nil || !ok {
		return fmt.Errorf("expected value:width")
	}
	n, err := strconv.Atoi(width)
	if v >= 1<<n || v < -1<<(n-1) {
		return fmt.Errorf("does not fit")
	}
	s.uint(uint64(v), n)
	return err
}
