package session

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// A hashHeap keeps what passwords take of the heap from counting as a reason to collect. A hash takes 19 MiB that
// nobody needs afterwards: as much as thousands of players hold. Every third login would have the collector look
// through all of that. Afterwards the heap is what it was.
//
// What an operator sets counts more: with GOGC nothing is changed, and GOMEMLIMIT is the collector's own to keep.
type hashHeap struct {
	mu      sync.Mutex
	hashing int
	turns   int
	taken   int    // by hashes since the last collection
	cycles  uint64 // collections until then
	usual   int    // GOGC before; 0: it is as it was
}

const (
	// hashGrowth is how many times what others hold hashes may take. So a server of few players, which is looked through
	// in no time, has no larger heap than before.
	hashGrowth = 6
	// hashRoom is the most that they may take: 13 hashes.
	hashRoom = 256 << 20
	// hashCalm is for how long nobody has logged in when the heap is to be what it was.
	hashCalm = 10 * time.Second
)

// heapForHashes is that of the process, however many servers are in it.
var heapForHashes hashHeap

// begin makes room for a hash of so many bytes.
func (h *hashHeap) begin(bytes int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hashing++
	if os.Getenv("GOGC") != "" {
		return
	}
	now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"},
		{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(now)
	if h.usual == 0 {
		h.usual = int(now[1].Value.Uint64())
	}
	if cycles := now[2].Value.Uint64(); cycles != h.cycles {
		h.cycles, h.taken = cycles, 0
	}
	h.taken += bytes
	debug.SetGCPercent(h.usual + hashPercent(int(now[0].Value.Uint64()), h.hashing*bytes, h.taken))
}

// hashPercent is by how much more of what the last collection has found alive the heap may grow, when hashes have taken
// so much since then, and may have been part of that.
func hashPercent(live, hashing, taken int) int {
	room := min(hashGrowth*max(live-hashing, 0), hashRoom)
	return 100 * min(taken, room) / max(live, 1)
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
