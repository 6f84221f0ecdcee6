package session

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/ratelimit"
)

func address(s string) netip.Addr { return netip.MustParseAddr(s) }

func TestDoorsLimitEachAddress(t *testing.T) {
	l := DefaultLimits()
	d := newConnLimiter(l)
	now := time.Unix(1000, 0)
	a := address("192.0.2.1")
	for i := range l.PerAddress {
		if r, ok := d.admit(a, now); !ok {
			t.Fatalf("connection %d refused: %v", i, r)
		}
	}
	if r, ok := d.admit(a, now); ok || r != AddressFull {
		t.Errorf("one too many of an address: %v, %v", r, ok)
	}
	if _, ok := d.admit(address("192.0.2.2"), now); !ok {
		t.Error("another address suffers")
	}
	d.release(a)
	if _, ok := d.admit(a, now); !ok {
		t.Error("no room after a release")
	}
	// Connecting and closing all the time empties the bucket: 10 at once, then 2 per second.
	b := address("192.0.2.3")
	admitted := 0
	for range 100 {
		if _, ok := d.admit(b, now); ok {
			admitted++
			d.release(b)
		}
	}
	if admitted != l.NewPerAddressBurst {
		t.Errorf("%d of a burst admitted, want %d", admitted, l.NewPerAddressBurst)
	}
	if r, _ := d.admit(b, now); r != AddressTooFast {
		t.Errorf("reason %v", r)
	}
	now = now.Add(time.Second)
	for i := range 3 {
		if _, ok := d.admit(b, now); ok != (i < 2) {
			t.Errorf("connection %d after a second: %v", i, ok)
		}
	}
}

func TestDoorsCountIPv6ByNetwork(t *testing.T) {
	d := newConnLimiter(DefaultLimits())
	now := time.Unix(1000, 0)
	refused := 0
	for i := range 20 {
		if _, ok := d.admit(address(fmt.Sprintf("2001:db8:1:2::%x", i+1)), now); !ok {
			refused++
		}
	}
	if refused != 12 {
		t.Errorf("%d of 20 addresses of one /64 refused, want 12", refused)
	}
	if ratelimit.Source(address("::ffff:192.0.2.1")) != address("192.0.2.1") {
		t.Error("a mapped IPv4 address counts as IPv6")
	}
}

func TestDoorsLimitAll(t *testing.T) {
	l := DefaultLimits()
	l.Connections, l.New = 5, 1000
	d := newConnLimiter(l)
	now := time.Unix(1000, 0)
	for i := range 6 {
		r, ok := d.admit(address(fmt.Sprintf("198.51.100.%d", i)), now)
		if ok != (i < 5) || !ok && r != ServerFull {
			t.Errorf("connection %d: %v, %v", i, r, ok)
		}
	}
	l.Connections, l.New = 1<<20, 200
	d = newConnLimiter(l)
	admitted := 0
	for i := range 1000 {
		if _, ok := d.admit(address(fmt.Sprintf("10.%d.%d.1", i/256, i%256)), now); ok {
			admitted++
		}
	}
	if admitted != 200 {
		t.Errorf("%d of 1000 addresses admitted at once, want 200", admitted)
	}
}

func TestDoorsForgetAndStayBounded(t *testing.T) {
	l := DefaultLimits()
	l.New = 1e9
	d := newConnLimiter(l)
	now := time.Unix(1000, 0)
	for i := range 3 * maxVisitors {
		a := netip.AddrFrom4([4]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)})
		if _, ok := d.admit(a, now); ok {
			d.release(a)
		}
		if i%1000 == 0 {
			now = now.Add(100 * time.Millisecond)
		}
	}
	if len(d.sources) > maxVisitors {
		t.Errorf("%d addresses remembered", len(d.sources))
	}
}

func TestLoopbackIsExemptOnlyWhenToldTo(t *testing.T) {
	for _, exempt := range []bool{false, true} {
		l := DefaultLimits()
		l.ExemptLoopback = exempt
		d := newConnLimiter(l)
		refused := 0
		for range 50 {
			if _, ok := d.admit(address("127.0.0.1"), time.Unix(1000, 0)); !ok {
				refused++
			}
		}
		if (refused == 0) != exempt {
			t.Errorf("exempt %v: %d refused", exempt, refused)
		}
	}
}

func TestGuardSlowsGuessing(t *testing.T) {
	l := DefaultLimits()
	g := NewLoginLimiter(l)
	now := time.Unix(1000, 0)
	a := address("192.0.2.1")
	try := func() bool {
		if !g.Allowed(a, "victim", now) {
			return false
		}
		g.Failed(a, "victim", now)
		return true
	}
	for i := range l.FailuresPerMinute {
		if !try() {
			t.Fatalf("attempt %d was not allowed", i)
		}
	}
	// Then one attempt after 1, 2, 4, 8, 15, 15 minutes.
	for _, pause := range []time.Duration{1, 2, 4, 8, 15, 15} {
		now = now.Add(pause*time.Minute - time.Second)
		if try() {
			t.Errorf("allowed a second before %d minutes were over", pause)
		}
		now = now.Add(time.Second)
		if !try() {
			t.Errorf("not allowed after %d minutes", pause)
		}
	}
	if !g.Allowed(address("192.0.2.9"), "victim", now) || !g.Allowed(a, "somebody", now) {
		t.Error("others suffer")
	}
	now = now.Add(time.Hour)
	g.Succeeded(a, "victim")
	if !g.Allowed(a, "victim", now) {
		t.Error("a success does not forgive")
	}
}

func TestGuardLimitsAddressesAndAccounts(t *testing.T) {
	l := DefaultLimits()
	g := NewLoginLimiter(l)
	now := time.Unix(1000, 0)
	a := address("192.0.2.1")
	allowed := 0
	for i := range 200 {
		if login := fmt.Sprint("login", i); g.Allowed(a, login, now) {
			g.Failed(a, login, now)
			allowed++
		}
	}
	if allowed != l.AddressPerMinute {
		t.Errorf("%d failures of one address in a minute, want %d", allowed, l.AddressPerMinute)
	}
	// A thousand addresses against one account.
	allowed = 0
	for i := range 1000 {
		b := netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
		if g.Allowed(b, "victim", now) {
			g.Failed(b, "victim", now)
			allowed++
		}
	}
	if allowed != l.AccountPerHour {
		t.Errorf("%d failures of one account in an hour, want %d", allowed, l.AccountPerHour)
	}
	if !g.Allowed(a, "victim", now.Add(time.Hour+time.Minute)) {
		t.Error("locked for more than an hour")
	}
}

func TestGuardStaysBounded(t *testing.T) {
	g := NewLoginLimiter(DefaultLimits())
	now := time.Unix(1000, 0)
	for i := range maxOffenders + 5000 {
		a := netip.AddrFrom4([4]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)})
		g.Failed(a, fmt.Sprint(i), now)
		g.mayCreate(a, now)
	}
	for what, n := range map[string]int{"pairs": len(g.pairs), "sources": len(g.sources), "accounts": len(g.accounts),
		"makers": len(g.makers)} {
		if n > maxOffenders {
			t.Errorf("%d %s", n, what)
		}
	}
}

func TestIndexesAreUniqueAndReusedLate(t *testing.T) {
	x := newIndexes()
	first, _ := x.take()
	if first != packets.FirstPlayerIndex {
		t.Errorf("first index %v", first)
	}
	x.put(first)
	seen := map[packets.PlayerIndex]bool{}
	for n := 1; ; n++ {
		i, ok := x.take()
		if !ok {
			t.Fatalf("exhausted after %d", n)
		}
		if i == first {
			if want := 0x10000 - 0x4F6F; n != want {
				t.Errorf("the freed index came back as number %d, want %d", n, want)
			}
			break
		}
		if seen[i] || i < packets.FirstPlayerIndex {
			t.Fatalf("index %v twice, or out of range", i)
		}
		seen[i] = true
	}
	if i, ok := x.take(); ok {
		t.Errorf("index %v out of nothing", i)
	}
}

func TestDescriptorsLowerTheLimit(t *testing.T) {
	for _, c := range []struct{ have, set, want int }{{0, 10000, 10000}, {20000, 10000, 10000}, {1024, 10000, 512},
		{256, 10000, 64}, {600, 10000, 150}, {3, 10, 1}} {
		l := Limits{Connections: c.set}
		if l.fitDescriptors(c.have); l.Connections != c.want {
			t.Errorf("%d descriptors: %d connections, want %d", c.have, l.Connections, c.want)
		}
	}
}

func TestMachineAnswersEveryMessage(t *testing.T) {
	for s := range states {
		row := &stateTable[s]
		if s != Closing && (row.timeout == nil || row.late == ReasonUnknown) {
			t.Errorf("%v has no timeout", s)
		}
		for m := range messages {
			if s == Closing && row.rules[m].do != nil {
				t.Errorf("%v while closing is heard", m)
			}
			if m.String() == "" || s.String() == "" {
				t.Errorf("state %d or message %d has no name", s, m)
			}
		}
	}
	for r := range reasons {
		if r.String() == "" {
			t.Errorf("reason %d has no name", r)
		}
	}
}
