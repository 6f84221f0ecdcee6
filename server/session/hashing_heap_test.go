package session

import (
	"context"
	"net/netip"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
)

// held is what players hold: many small things that the collector has to look through.
func held(t *testing.T, bytes int) (all []*[16]*byte) {
	t.Helper()
	calmHeap() // after earlier tests
	t.Cleanup(calmHeap)
	for range bytes / (16 * 8) {
		all = append(all, new([16]*byte))
	}
	runtime.GC()
	return all
}

func calmHeap() { heapForHashes.calm(heapForHashes.turns) }

// collections counts how often the collector ran.
func collections(do func()) uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.NumGC
	do()
	runtime.ReadMemStats(&m)
	return m.NumGC - before
}

func percent() int { return int(heapMetric("/gc/gogc:percent")) }

func heapMetric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// hashMany has passwords hashed in a pool.
func hashMany(t *testing.T, n int) {
	t.Helper()
	h := &hashing{free: 1}
	s := &Session{addr: netip.MustParseAddrPort("192.0.2.1:1")}
	for range n {
		hp := data.HashParams{MemoryKiB: 19 * 1024, Time: 1, Threads: 1}
		err := h.run(context.Background(), &h.known, s, hp.Memory(), func() error {
			_, err := data.HashPassword("password", hp)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What thousands of players hold is not looked through for each few of those who log in.
func TestLoginsOfManyCollectLittle(t *testing.T) {
	t.Setenv("GOGC", "") // as shipped
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	players := held(t, 64<<20)
	t.Setenv("GOGC", "100")
	with := collections(func() { hashMany(t, 24) })
	t.Setenv("GOGC", "")
	without := collections(func() { hashMany(t, 24) })
	t.Logf("24 hashes beside 64 MiB: %d collections, %d with GOGC=100", without, with)
	if 2*without > with {
		t.Errorf("%d collections, expected half of %d or fewer", without, with)
	}
	runtime.KeepAlive(players)
}

// A server of few players keeps a small heap, and one of many a bounded one.
func TestRoomForHashesIsBounded(t *testing.T) {
	const hash, many = 19 << 20, 1 << 40
	for _, c := range []struct{ live, hashing, taken, more int }{
		{4 << 20, hash, many, 0},
		{4<<20 + hash, hash, many, 24 << 20},
		{30<<20 + 4*hash, 4 * hash, many, 180 << 20},
		{100 << 20, hash, hash, hash},
		{100 << 20, hash, many, 256 << 20},
		{1 << 30, hash, many, 256 << 20},
		{100 << 20, 8 << 10, 8 << 10, 0}, // hashes that take nothing to speak of
		{0, hash, hash, 0},
	} {
		got := hashPercent(c.live, c.hashing, c.taken) * c.live / 100
		if got > c.more || got < c.more-c.live/100-1 {
			t.Errorf("%d bytes alive, %d taken: %d more, expected %d", c.live, c.taken, got, c.more)
		}
	}
}

// What the operator has set counts: GOGC, and the limit of memory.
func TestOperatorsSettingsOfTheHeapCount(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	players := held(t, 64<<20)
	t.Setenv("GOGC", "70")
	if hashMany(t, 1); percent() != 70 {
		t.Errorf("GOGC is %d after a hash, expected 70", percent())
	}
	t.Setenv("GOGC", "")
	limit := int64(160 << 20)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	if hashMany(t, 3); percent() <= 70 {
		t.Errorf("GOGC is %d after a hash, expected more than 70", percent())
	}
	if goal := heapMetric("/gc/heap/goal:bytes"); goal > uint64(limit) {
		t.Errorf("the heap may grow to %d bytes, expected %d at the most", goal, limit)
	}
	runtime.KeepAlive(players)
}

// When nobody has logged in for a while, the heap is what it was.
func TestHeapIsWhatItWasAfterLogins(t *testing.T) {
	t.Setenv("GOGC", "")
	players := held(t, 64<<20)
	defer debug.SetGCPercent(debug.SetGCPercent(90))
	synctest.Test(t, func(t *testing.T) {
		var h hashHeap
		for range 2 {
			h.begin(data.DefaultHashParams.Memory())
			h.begin(data.DefaultHashParams.Memory())
			h.done()
			if runtime.GC(); percent() <= 90 {
				t.Errorf("GOGC is %d while a password is hashed, expected more than 90", percent())
			}
			time.Sleep(hashCalm + 1)
			synctest.Wait()
			if percent() <= 90 {
				t.Errorf("GOGC is %d, but a password is still being hashed", percent())
			}
			h.done()
			time.Sleep(hashCalm + 1)
			synctest.Wait()
			if percent() != 90 {
				t.Errorf("GOGC is %d after all have logged in, expected 90", percent())
			}
		}
	})
	runtime.KeepAlive(players)
}
