package query

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"sphereserver/server/ratelimit"
)

func TestBudgetCountsAnswersAndBytes(t *testing.T) {
	var b budget
	n := 0
	for range 1000 {
		if b.take(0, 1000, 100, 64<<10) {
			n++
		}
	}
	if n != 65 {
		t.Errorf("%d answers of 1000 bytes in 64 KiB", n)
	}
	b = budget{}
	n = 0
	for range 1000 {
		if b.take(0, 10, 100, 64<<10) {
			n++
		}
	}
	if n != 100 {
		t.Errorf("%d small answers, want 100", n)
	}
	if b = (budget{}); !b.take(0, 1<<30, 0, 0) {
		t.Error("no limit is one")
	}
	if b = (budget{}); !b.take(0, 1, 0.5, 0) || b.take(0, 1, 0.5, 0) || !b.take(at(2*time.Second), 1, 0.5, 0) {
		t.Error("one answer in two seconds")
	}
}

func TestKeys(t *testing.T) {
	addr := netip.MustParseAddr
	for _, v := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.254", true}, {"192.0.2.1", "192.0.3.1", false}, {"::ffff:192.0.2.1", "192.0.2.7", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true}, {"2001:db8:1:2::1", "2001:db8:1:3::1", false},
	} {
		if same := networkKey(addr(v.a), 24, 64) == networkKey(addr(v.b), 24, 64); same != v.same {
			t.Errorf("%s and %s: one network is %v", v.a, v.b, same)
		}
	}
	if hostKey(addr("192.0.2.1")) == hostKey(addr("192.0.2.2")) ||
		hostKey(addr("2001:db8::1")) != hostKey(addr("2001:db8::2")) {
		t.Error("keys of hosts")
	}
	if addressKey(from("192.0.2.1:1")) == addressKey(from("192.0.2.1:2")) ||
		addressKey(from("192.0.2.1:256")) == addressKey(from("192.0.2.1:1")) {
		t.Error("ports are not told apart")
	}
}

func TestTableIsBoundedAndForgetsTheOldest(t *testing.T) {
	tab := newTable[int]()
	source := func(i int) key {
		return hostKey(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	*tab.get(source(0), 0) = 42
	for i := range 100_000 {
		*tab.get(source(i+1), at(time.Duration(i))) = i
		if v := tab.get(source(0), at(time.Duration(i))); *v != 42 {
			t.Fatalf("a source in use was forgotten after %d others", i)
		}
	}
	if len(tab.slots) != tableSlots {
		t.Errorf("%d places", len(tab.slots))
	}
	remembered := 0
	for i := range 100_000 {
		if k := source(i + 1); tab.find(&k) != nil {
			remembered++
		}
	}
	if remembered > tableSlots || remembered < tableSlots*9/10 {
		t.Errorf("%d of the last sources are remembered", remembered)
	}
	if v := tab.get(source(1), 0); *v != 0 && *v != 1 {
		t.Errorf("found %d of another source", *v)
	}
	i := 0
	if n := testing.AllocsPerRun(1000, func() { i++; tab.get(source(i), at(time.Duration(i))) }); n != 0 {
		t.Errorf("%v allocations for a source", n)
	}
}

func TestPaceBoundsTheDatagramsOfASecond(t *testing.T) {
	p := newPace(20000)
	now, seen := time.Unix(1000, 0), 0
	for end := now.Add(time.Second); now.Before(end); seen++ {
		now = now.Add(p.wait(now))
	}
	if seen < 19000 || seen > 20200 {
		t.Errorf("%d datagrams in a second", seen)
	}
	// Slower ones never wait.
	for range 1000 {
		now = now.Add(time.Millisecond)
		if d := p.wait(now); d != 0 {
			t.Fatalf("waits %v", d)
		}
	}
	now = now.Add(-time.Hour) // the system's clock was set
	for range 150 {
		if d := p.wait(now); d != 0 {
			t.Fatalf("waits %v", d)
		}
	}
	none := newPace(0)
	for range 100_000 {
		if none.wait(now) != 0 {
			t.Fatal("waits without a limit")
		}
	}
	if p := newPace(1); p.wait(now) != paceStep {
		t.Error("a very low limit is none")
	}
}

func TestASEVisitors(t *testing.T) {
	l := DefaultLimits().ASE
	for _, v := range []struct {
		what string
		at   []time.Duration // of requests
		want string          // y answered, n not
	}{
		{"six at once", []time.Duration{0, 0, 0, 0, 0, 0}, "yyyyyn"},
		{"six in 6 s", []time.Duration{0, 1100, 2200, 3300, 4400, 5500}, "yyyyyn"},
		{"one each 1.2 s", []time.Duration{0, 1200, 2400, 3600, 4800, 6000, 7200}, "yyyyyyy"},
		{"after the silence", []time.Duration{0, 0, 0, 0, 0, 100, 7000, 7099, 7100, 7101}, "yyyyynnnyy"},
		{"asking in the silence does not make it longer", []time.Duration{0, 0, 0, 0, 0, 0, 3000, 6999, 7000}, "yyyyynnny"},
		{"a second window", []time.Duration{5000, 5000, 5000, 5000, 11000, 11001, 11002, 11003, 11004, 11005}, "yyyyyyyyyn"},
	} {
		var visitor aseVisitor
		got := ""
		for _, ms := range v.at {
			if visitor.welcome(at(ms*time.Millisecond), &l) {
				visitor.answers++
				got += "y"
			} else {
				got += "n"
			}
		}
		if got != v.want {
			t.Errorf("%s: %s, want %s", v.what, got, v.want)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	tab := newTable[ratelimit.Bucket]()
	keys := make([]key, 1<<14)
	for i := range keys {
		keys[i] = hostKey(netip.MustParseAddr(fmt.Sprintf("10.0.%d.%d", i>>8, i&255)))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		tab.get(keys[i&(len(keys)-1)], clock(i))
	}
}
