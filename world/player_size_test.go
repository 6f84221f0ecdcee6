package world

import (
	"testing"
	"unsafe"
)

// Players are the greatest part of an idle session's memory, monsters of that of an idle server. Each is to fit the size
// of the heap that it has: behind that it would take the next one, a tenth or more above. Above 512 bytes Go needs eight of them
// itself.
func TestPlayersAndMonstersFitTheirPiecesOfTheHeap(t *testing.T) {
	for what, n := range map[string][2]uintptr{
		"a player":  {unsafe.Sizeof(player{}), 1408 - 8},
		"an object": {unsafe.Sizeof(object{}), 256},
		"a monster": {unsafe.Sizeof(monster{}), 208},
		"a spawner": {unsafe.Sizeof(spawner{}), 176},
	} {
		if n[0] > n[1] {
			t.Errorf("%s has %d bytes, expected %d at the most", what, n[0], n[1])
		}
	}
}
