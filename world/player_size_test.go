package world

import (
	"testing"
	"unsafe"
)

// A player is the greatest part of an idle session's memory. Behind 1792 bytes, of which Go needs eight itself, the
// next size of the heap is 2048.
func TestAPlayerFitsItsPieceOfTheHeap(t *testing.T) {
	if n := unsafe.Sizeof(player{}); n > 1792-8 {
		t.Errorf("a player has %d bytes", n)
	}
}
