package ratelimit

import (
	"net/netip"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"
)

func TestBurstThenRate(t *testing.T) {
	var b Bucket
	takes := func(now time.Duration) (n int) {
		for b.Take(now, 1, 4, 8) {
			n++
		}
		return n
	}
	for _, step := range []struct {
		at   time.Duration
		want int
	}{{0, 8}, {0, 0}, {249 * time.Millisecond, 0}, {250 * time.Millisecond, 1}, {time.Second, 3},
		{500 * time.Millisecond, 0},
		{time.Second, 2}, {time.Hour, 8}} {
		if got := takes(step.at); got != step.want {
			t.Errorf("at %v: %d passed, want %d", step.at, got, step.want)
		}
	}
	if b = (Bucket{}); b.Take(0, 9, 4, 8) || !b.Take(0, 8, 4, 8) {
		t.Error("more than the burst passed at once, or not all of it")
	}
}

func TestFullAgain(t *testing.T) {
	var b Bucket
	if !b.Full(time.Hour, 1) {
		t.Error("a new one is not full")
	}
	b.Take(time.Hour, 3, 1, 10)
	if b.Full(time.Hour+2*time.Second, 1) || !b.Full(time.Hour+3*time.Second, 1) {
		t.Error("expected three to be back after three seconds")
	}
}

// TestNeverMoreThanBurstAndRate takes at random moments, clocks that go back among them: in a time at most the burst
// and its share of the rate pass.
func TestNeverMoreThanBurstAndRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perSecond, burst := rapid.Float64Range(0.1, 1000).Draw(t, "rate"), rapid.Float64Range(1, 100).Draw(t, "burst")
		var b Bucket
		now, forward := time.Duration(rapid.Int64().Draw(t, "start")/2), time.Duration(0)
		var passed float64
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			step := time.Duration(rapid.Int64Range(-int64(time.Second), int64(time.Second)).Draw(t, "step"))
			now += step
			forward += max(step, 0)
			if n := rapid.Float64Range(0, 20).Draw(t, "n"); b.Take(now, n, perSecond, burst) {
				passed += n
			}
			if limit := burst + perSecond*forward.Seconds(); passed > limit*1.000001 {
				t.Fatalf("%v passed in %v, more than %v", passed, forward, limit)
			}
		}
	})
}

func TestSmallEnough(t *testing.T) {
	if n := unsafe.Sizeof(Bucket{}); n != 16 {
		t.Errorf("%d bytes", n)
	}
	var b Bucket
	if n := testing.AllocsPerRun(100, func() { b.Take(Clock(time.Now()), 1, 1, 1) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTake(b *testing.B) {
	var k Bucket
	for i := range b.N {
		k.Take(time.Duration(i), 1, 1e9, 10)
	}
}

// A caller that spends first waits until the burst is enough again.
func TestDebtIsPaidAtTheRate(t *testing.T) {
	var b Bucket
	for _, v := range []struct {
		at   time.Duration
		n    float64
		want time.Duration
	}{{0, 3, 0}, {0, 2, 0}, {0, 1, 500 * time.Millisecond}, {time.Second, 0, 0}, {time.Second, 3, time.Second}} {
		b.Refill(v.at, 2)
		b.Spend(v.n)
		if got := b.Debt(2, 5); got != v.want {
			t.Errorf("%v more at %v: %v, expected %v", v.n, v.at, got, v.want)
		}
	}
}

func TestSourceIsAHousehold(t *testing.T) {
	for text, want := range map[string]string{"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "fe80::1%eth0": "fe80::"} {
		if got := Source(netip.MustParseAddr(text)); got != netip.MustParseAddr(want) {
			t.Errorf("%s belongs to %s, expected %s", text, got, want)
		}
	}
}

// The tenant of a /48 has 65,536 times a /64, and is one customer all the same.
func TestIPv6IsCountedByCustomerToo(t *testing.T) {
	a, b := Networks(netip.MustParseAddr("2001:db8:1:2::7")), Networks(netip.MustParseAddr("2001:db8:1:ffff::7"))
	if len(a) != 2 || a[0].Prefix == b[0].Prefix || a[1] != b[1] || a[0].Times != 1 || a[1].Times != 4 {
		t.Errorf("%v and %v, expected two /64 of one /48 with four times as much", a, b)
	}
	if n := Networks(netip.MustParseAddr("::ffff:192.0.2.7")); len(n) != 1 || n[0].String() != "192.0.2.7/32" {
		t.Errorf("IPv4: %v", n)
	}
}
