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

// A door is a connLimiter, with the connections that it has admitted.
type door struct {
	*connLimiter
	in map[netip.Addr][]*guest
}

func newDoor(l Limits) *door { return &door{newConnLimiter(l), map[netip.Addr][]*guest{}} }

func (d *door) admit(a netip.Addr, now time.Time) (Reason, bool) {
	g := new(guest)
	r, ok := d.connLimiter.admit(a, now, g, func() {})
	if ok {
		d.in[a] = append(d.in[a], g)
	}
	return r, ok
}

// release has the last one of an address go.
func (d *door) release(a netip.Addr) {
	all := d.in[a]
	d.connLimiter.release(a, all[len(all)-1])
	d.in[a] = all[:len(all)-1]
}

// login has all logged in that wait.
func (d *door) login() {
	for a, all := range d.in {
		for _, g := range all {
			d.loggedIn(a, g)
		}
	}
}

func TestDoorsLimitEachAddress(t *testing.T) {
	l := DefaultLimits()
	d := newDoor(l)
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
	d := newDoor(DefaultLimits())
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
	admitted := 0
	for i := range 100 {
		if _, ok := d.admit(address(fmt.Sprintf("2001:db8:9:%x::1", i)), now); ok {
			admitted++
		}
	}
	if admitted != 4*d.limits.PerAddress {
		t.Errorf("%d connections of a /48 with a /64 each, want four times those of an address", admitted)
	}
	if ratelimit.Source(address("::ffff:192.0.2.1")) != address("192.0.2.1") {
		t.Error("a mapped IPv4 address counts as IPv6")
	}
}

// A /64 and its /48 are not forgotten together: each counts its connections all the same.
func TestDoorsCountEachNetworkOfAConnection(t *testing.T) {
	d := newDoor(DefaultLimits())
	now, a := time.Unix(1000, 0), address("2001:db8:1:1::1")
	visit := func(n int) {
		for range n {
			if r, ok := d.admit(a, now); !ok {
				t.Fatal(r)
			}
			d.release(a)
		}
	}
	visit(8)
	now = now.Add(time.Second)
	visit(1)
	now = now.Add(time.Second)
	d.admit(address("192.0.2.1"), now) // the /48 has had four times as much, and is forgotten
	now = now.Add(10 * time.Second)
	d.admit(a, now)
	for _, n := range ratelimit.Networks(a) {
		if v := d.networks[n.Prefix]; v == nil || v.open != 1 {
			t.Errorf("%v: %+v, expected a connection", n.Prefix, v)
		}
	}
}

// stranger is the i-th of many addresses.
func stranger(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
}

func TestDoorsLimitAll(t *testing.T) {
	l := DefaultLimits()
	l.Connections, l.New = 5, 1000
	d := newDoor(l)
	now := time.Unix(1000, 0)
	for i := range 6 {
		r, ok := d.admit(stranger(i), now)
		if ok != (i < 5) || !ok && r != ServerFull {
			t.Errorf("connection %d: %v, %v", i, r, ok)
		}
		d.login()
	}
	l.Connections, l.New = 1<<20, 200
	d = newDoor(l)
	admit := func(from int) (admitted int) {
		for i := range 1000 {
			if r, ok := d.admit(stranger(from+i), now); ok {
				admitted++
			} else if r != ServerTooFast {
				t.Fatal(r)
			}
		}
		return admitted
	}
	if n := admit(0); n != 160 {
		t.Errorf("%d of 1000 strangers admitted at once, want four fifths of 200", n)
	}
	for i := range 1000 {
		d.befriend(stranger(5000 + i))
	}
	if n := admit(5000); n != 40 {
		t.Errorf("%d of 1000 friends admitted besides, want the last fifth", n)
	}
}

// Silent strangers cannot keep others out: the longest silent one makes room.
func TestWhoDoesNotLogInMakesRoom(t *testing.T) {
	l := DefaultLimits()
	l.Connections, l.New = 100, 1e6
	d := newDoor(l)
	now := time.Unix(1000, 0)
	friend := address("192.0.2.1")
	d.befriend(friend)
	var went []int
	enter := func(i int) (Reason, bool) {
		return d.connLimiter.admit(stranger(i), now, new(guest), func() { went = append(went, i) })
	}
	for i := range 80 {
		if r, ok := enter(i); !ok || len(went) > 0 {
			t.Fatalf("stranger %d: %v, %d went", i, r, len(went))
		}
	}
	for i := 80; i < 300; i++ {
		if r, ok := enter(i); !ok || went[len(went)-1] != i-80 {
			t.Fatalf("stranger %d: %v, %v went", i, r, went)
		}
	}
	went = nil
	for range l.PerAddress {
		if r, ok := d.admit(friend, now); !ok || len(went) > 0 {
			t.Errorf("a friend: %v, %v went, expected the places that are kept", r, went)
		}
	}
	if d.open != 88 {
		t.Errorf("%d places are taken", d.open)
	}
	d.login()
	for i := 0; d.open < 100; i++ {
		a := address(fmt.Sprintf("198.51.100.%d", i))
		d.befriend(a)
		if r, ok := d.admit(a, now); !ok {
			t.Fatal(r)
		}
		d.login()
	}
	if r, ok := enter(1000); !ok || went[0] != 220 || d.open != 100 {
		t.Errorf("full: %v, %v went, %d places", r, went, d.open)
	}
}

// A guest that was asked to go counts no more, whenever it goes.
func TestAGuestIsCountedOutOnce(t *testing.T) {
	l := DefaultLimits()
	l.Connections = 1
	d := newConnLimiter(l)
	now := time.Unix(1000, 0)
	var a, b guest
	d.admit(stranger(1), now, &a, func() {})
	d.admit(stranger(2), now, &b, func() {})
	d.loggedIn(stranger(1), &a) // too late
	d.release(stranger(1), &a)
	if d.open != 1 || b.out {
		t.Errorf("%d open, expected the second", d.open)
	}
	d.loggedIn(stranger(2), &b)
	if r, ok := d.admit(stranger(3), now, new(guest), func() {}); ok || r != ServerFull {
		t.Errorf("a player made room: %v", r)
	}
	d.release(stranger(2), &b)
	if d.open != 0 || d.waitingStrangers.Len() != 0 {
		t.Errorf("%d open, %d wait", d.open, d.waitingStrangers.Len())
	}
}

func TestDoorsForgetAndStayBounded(t *testing.T) {
	l := DefaultLimits()
	l.New = 1e9
	d := newDoor(l)
	now := time.Unix(1000, 0)
	for i := range 3 * maxVisitors {
		if _, ok := d.admit(stranger(i), now); ok {
			d.release(stranger(i))
		} else {
			t.Fatalf("address %d is refused since others are remembered", i)
		}
		d.befriend(stranger(i))
		delete(d.in, stranger(i))
		if i%1000 == 0 {
			now = now.Add(100 * time.Millisecond)
		}
	}
	if len(d.networks) > maxVisitors || len(d.friends) > maxFriends {
		t.Errorf("%d networks and %d friends remembered", len(d.networks), len(d.friends))
	}
}

func TestThisMachineIsExemptOnlyWhenToldTo(t *testing.T) {
	for from, own := range map[string]bool{"127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"127.0.0.2": false, "192.0.2.1": false} {
		for _, exempt := range []bool{false, true} {
			l := DefaultLimits()
			l.ExemptLoopback = exempt
			d := newDoor(l)
			refused := 0
			for range 1000 {
				if _, ok := d.admit(address(from), time.Unix(1000, 0)); !ok {
					refused++
				}
			}
			if (refused == 0) != (exempt && own) {
				t.Errorf("exempt %v: %d refused of %s", exempt, refused, from)
			}
		}
	}
}

func TestGuardSlowsGuessing(t *testing.T) {
	l := DefaultLimits()
	g := NewLoginLimiter(l)
	now := time.Unix(1000, 0)
	a := address("192.0.2.1")
	try := func() bool {
		if g.Check(a, "victim", "", now).Of != Unlocked {
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
	if g.Check(address("192.0.2.9"), "victim", "", now).Of != Unlocked || g.Check(a, "somebody", "", now).Of != Unlocked {
		t.Error("others suffer")
	}
	now = now.Add(time.Hour)
	g.Succeeded(a, "victim")
	if g.Check(a, "victim", "", now).Of != Unlocked {
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
		if login := fmt.Sprint("login", i); g.Check(a, login, "", now).Of == Unlocked {
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
		if g.Check(b, "victim", "", now).Of == Unlocked {
			g.Failed(b, "victim", now)
			allowed++
		}
	}
	if allowed != l.AccountPerHour {
		t.Errorf("%d failures of one account in an hour, want %d", allowed, l.AccountPerHour)
	}
	// The owner is not kept out at an address of its logins.
	home, elsewhere := address("203.0.113.7"), address("203.0.113.8")
	if l := g.Check(home, "victim", "203.0.113.7:5000", now); l.Of != Unlocked {
		t.Errorf("the address of the last login: %v", l)
	}
	if l := g.Check(elsewhere, "victim", "203.0.113.7:5000", now); l.Of != LockedAccount ||
		!l.Until.Equal(now.Add(time.Hour)) || !g.AccountLocked("Victim", now).Equal(l.Until) {
		t.Errorf("another address: %v", l)
	}
	if g.Succeeded(home, "Victim"); g.Check(home, "victim", "198.51.100.1", now).Of != Unlocked {
		t.Error("an address of an earlier login is forgotten")
	}
	for range g.limits.FailuresPerMinute {
		g.Failed(home, "victim", now)
	}
	if l := g.Check(home, "victim", "203.0.113.7:5000", now); l.Of != LockedPair {
		t.Errorf("who guesses at home: %v", l)
	}
	later := now.Add(time.Hour + time.Minute)
	if g.Check(a, "victim", "", later).Of != Unlocked || !g.AccountLocked("victim", later).IsZero() {
		t.Error("locked for more than an hour")
	}
}

// This machine's own clients may connect as they like, and guess no better than others: a proxy that does not name
// its client has their address.
func TestLoopbackGuessesNoBetter(t *testing.T) {
	l := DefaultLimits()
	l.ExemptLoopback = true
	g := NewLoginLimiter(l)
	now, a := time.Unix(1000, 0), address("127.0.0.1")
	for range l.FailuresPerMinute {
		g.Failed(a, "victim", now)
	}
	if g.Check(a, "victim", "", now).Of != LockedPair {
		t.Error("one guess more is allowed")
	}
}

func TestNewAccountsAreCountedByNetwork(t *testing.T) {
	g := NewLoginLimiter(DefaultLimits())
	made := func(form string) (n int) {
		for i := range 200 {
			if g.mayCreate(address(fmt.Sprintf(form, i)), time.Unix(1000, 0)) {
				n++
			}
		}
		return n
	}
	if n := made("2001:db8:1:2::%x"); n != 20 {
		t.Errorf("%d of a /64", n)
	}
	if n := made("2001:db8:2:%x::1"); n != 80 {
		t.Errorf("%d of a /48", n)
	}
}

func TestGuardStaysBounded(t *testing.T) {
	g := NewLoginLimiter(DefaultLimits())
	now := time.Unix(1000, 0)
	for i := range maxOffenders + 5000 {
		a := netip.AddrFrom4([4]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)})
		g.Failed(a, fmt.Sprint(i), now)
		g.Succeeded(a, fmt.Sprint(i+1))
		g.mayCreate(a, now)
	}
	for what, n := range map[string]int{"pairs": len(g.pairs), "networks": len(g.networks), "homes": len(g.homes),
		"accounts": len(g.accounts),
		"makers":   len(g.makers)} {
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

// A flood of networks drives out those without a connection, however short of their buckets they are, and none with one.
func TestAFloodOfNetworksForgetsNoneWithAConnection(t *testing.T) {
	l := DefaultLimits()
	l.New, l.NewPerAddress = 1e9, 1e-6
	d := newDoor(l)
	now := time.Unix(1000, 0)
	inside := address("192.0.2.1")
	for range l.PerAddress {
		if r, ok := d.admit(inside, now); !ok {
			t.Fatal(r)
		}
	}
	for i := range maxVisitors + 1000 {
		if r, ok := d.admit(stranger(i), now); !ok {
			t.Fatalf("address %d is refused: %v", i, r)
		}
		d.release(stranger(i))
		if now = now.Add(time.Microsecond); i%8192 == 0 {
			now = now.Add(time.Second) // for the rate of all
		}
	}
	if n := len(d.networks); n != maxVisitors {
		t.Errorf("%d networks are remembered, expected %d", n, maxVisitors)
	}
	if r, ok := d.admit(inside, now); ok || r != AddressFull {
		t.Errorf("one connection more of a full address: %v, %v", r, ok)
	}
}
