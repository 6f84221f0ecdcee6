// Package bitpack reads and writes streams of bits in which the first bit is the least significant bit of
// the first byte. It knows nothing about the game.
//
// A [Reader] and a [Writer] keep the first error and then do nothing more, so a caller may read a whole message and
// look once. Positions in errors are bits from the start of the slice that was given, as a person with a hex dump
// needs them. Source: protocol ingame 2.2, session 2.1.
package bitpack

import (
	"errors"
	"fmt"
)

// MaxBits is the widest number that one call reads or writes.
const MaxBits = 32

// ErrShort is wrapped by the [Error] of a read behind the end of the data.
var ErrShort = errors.New("not enough bits")

// ErrRange is wrapped by the [Error] of a number that its field cannot hold.
var ErrRange = errors.New("value does not fit")

// An Error is a field at which a stream failed, with its place and its width.
type Error struct {
	Op   string // "read" or "write"
	Bit  int    // position of the field's first bit
	Want int    // width of the field in bits
	Have int    // bits that were left (read), or the width that the value needs (write)
	Err  error  // ErrShort or ErrRange
}

// Error describes the failure in one line.
func (e *Error) Error() string {
	if e.Op == "write" {
		return fmt.Sprintf("write at bit %d: %v: field has %d bits, value needs %d", e.Bit, e.Err, e.Want, e.Have)
	}
	return fmt.Sprintf("read at bit %d: %v: field needs %d, %d left", e.Bit, e.Err, e.Want, e.Have)
}

// Unwrap returns ErrShort or ErrRange.
func (e *Error) Unwrap() error { return e.Err }
