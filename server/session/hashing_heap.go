package session

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"sphereserver/data"
)

// A hashHeap lets the heap grow further while passwords are hashed. A hash takes 19 MiB that nobody needs afterwards:
// as much as thousands of players hold. Without more room every third login would have the collector look through all
// of that. Afterwards the heap is what it was.
//
// What an operator sets counts more: with GOGC nothing is changed, and GOMEMLIMIT is the collector's own to keep.
type hashHeap struct {
	mu      sync.Mutex
	hashing int
	turns   int
	usual   int // GOGC before; 0: it is as it was
}

const (
	// hashGrowth is how many times what others hold the heap may grow by. So a server of few players, which is looked
	// through in no time, has no larger heap than before.
	hashGrowth = 6
	// hashRoom is the most that it grows by: 13 hashes.
	hashRoom = 256 << 20
	// hashCalm is for how long nobody has logged in when the heap is to be what it was.
	hashCalm = 10 * time.Second
)

// heapForHashes is that of the process, however many servers are in it.
var heapForHashes hashHeap

// begin makes room for a hash.
func (h *hashHeap) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hashing++
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(live)
	if h.usual == 0 {
		h.usual = int(live[1].Value.Uint64())
	}
	debug.SetGCPercent(max(h.usual, hashPercent(int(live[0].Value.Uint64()), h.hashing)))
}

// hashPercent is by how much of what the last collection has found alive the heap may grow, with so many hashes under
// way, which may be part of that.
func hashPercent(live, hashing int) int {
	others := live - hashing*int(data.DefaultHashParams.MemoryKiB)<<10
	return 100 * min(hashGrowth*max(others, 0), hashRoom) / max(live, 1)
}

// done ends what begin has begun.
func (h *hashHeap) done() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hashing--
	h.turns++
	turn := h.turns
	time.AfterFunc(hashCalm, func() { h.calm(turn) })
}

// calm makes the heap what it was, if nobody has logged in since a turn.
func (h *hashHeap) calm(turn int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.turns == turn && h.hashing == 0 && h.usual != 0 {
		debug.SetGCPercent(h.usual)
		h.usual = 0
	}
}
