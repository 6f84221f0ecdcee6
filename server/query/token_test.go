package query

import (
	"net/netip"
	"testing"
	"time"
)

func TestTokensAreInRangeAndDiffer(t *testing.T) {
	k := newTokens()
	var before int32
	seen := map[int32]bool{}
	for i := range 1000 {
		n := k.issue(from("192.0.2.1:5000"), at(time.Duration(i)*time.Millisecond/10))
		if n < firstToken || n > lastToken || n == before {
			t.Fatalf("handshake %d: token %d after %d", i, n, before)
		}
		before = n
		seen[n] = true
	}
	for i := range 1000 {
		n := k.issue(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 99), 0)
		if n < firstToken || n > lastToken {
			t.Fatalf("token %d", n)
		}
		seen[n] = true
	}
	if len(seen) < 1000 {
		t.Errorf("only %d tokens of 2000 differ", len(seen))
	}
}

// A token lives as long, and belongs to the same address, whether it is remembered or only computed.
func TestTokenLifeAndBinding(t *testing.T) {
	t.Run("remembered", func(t *testing.T) { tokenLifeAndBinding(t, false) })
	t.Run("computed", func(t *testing.T) { tokenLifeAndBinding(t, true) })
}

func tokenLifeAndBinding(t *testing.T, forgotten bool) {
	a := from("192.0.2.1:5000")
	for _, offset := range []time.Duration{0, 1, 999 * time.Millisecond, 15 * time.Second, 29999 * time.Millisecond,
		30 * time.Second,
		59500 * time.Millisecond, 100 * time.Hour} {
		k := newTokens()
		n := k.issue(a, at(offset))
		if forgotten {
			k.last = newTable[issued]()
		}
		for i := range 20 {
			if age := time.Duration(i) * 29 * time.Second / 19; !k.good(n, a, at(offset+age)) {
				t.Errorf("issued at %v: refused after %v", offset, age)
			}
		}
		if !k.good(n, a, at(offset+30*time.Second)) {
			t.Errorf("issued at %v: refused after 30 s", offset)
		}
		for _, b := range []string{"192.0.2.1:5001", "192.0.2.2:5000", "[2001:db8::1]:5000"} {
			if k.good(n, from(b), at(offset)) {
				t.Errorf("good from %s", b)
			}
		}
		for _, wrong := range []int32{0, -1, n - 1, n + 1, n + variants, firstToken, lastToken, 1<<31 - 1, -1 << 31} {
			if k.good(wrong, a, at(offset)) {
				t.Errorf("%d is good", wrong)
			}
		}
		// From 31 s on never again, also when the seconds in the token begin anew.
		for age := 31 * time.Second; age < 300*time.Second; age += time.Second {
			if k.good(n, a, at(offset+age)) {
				t.Errorf("issued at %v: good after %v", offset, age)
			}
		}
	}
}

func TestNewTokenReplacesTheOld(t *testing.T) {
	k := newTokens()
	a, b := from("192.0.2.1:5000"), from("192.0.2.1:5001")
	old, other := k.issue(a, 0), k.issue(b, 0)
	fresh := k.issue(a, at(time.Second))
	if k.good(old, a, at(time.Second)) || !k.good(fresh, a, at(time.Second)) || !k.good(other, b, at(time.Second)) {
		t.Error("a new handshake replaces the token of its own address and port, at once")
	}
}

// However many senders an attacker invents, the token of an honest client stays good.
func TestFloodOfHandshakesPushesNoTokenOut(t *testing.T) {
	k := newTokens()
	a := from("192.0.2.1:5000")
	n := k.issue(a, 0)
	for i := range 20 * tableSlots {
		k.issue(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 99), at(time.Second))
	}
	if key := addressKey(a); k.last.find(&key) != nil {
		t.Error("the flood was too small")
	}
	if !k.good(n, a, at(2*time.Second)) {
		t.Error("the token is gone")
	}
}

func TestKeysLiveForTwoEpochs(t *testing.T) {
	k := newTokens()
	a := from("192.0.2.1:5000")
	n := k.issue(a, at(20*time.Second))
	k.last = newTable[issued]()
	if !k.good(n, a, at(35*time.Second)) {
		t.Error("refused in the next epoch")
	}
	k = newTokens()
	n = k.issue(a, at(20*time.Second))
	k.last = newTable[issued]()
	k.issue(from("192.0.2.2:1"), at(95*time.Second)) // epochs without a token in between
	if k.before.mac != nil || k.good(n, a, at(95*time.Second)) {
		t.Error("a key from long ago is kept")
	}
}

func TestTokensAllocateNothing(t *testing.T) {
	k := newTokens()
	a := from("192.0.2.1:5000")
	n := k.issue(a, 0)
	if n := testing.AllocsPerRun(1000, func() {
		k.good(n, a, 0)
		k.good(n+1, a, 0)
		k.good(5, a, 0)
		k.good(n, from127,
			0)
	}); n != 0 {
		t.Errorf("%v allocations to check tokens", n)
	}
	if n := testing.AllocsPerRun(1000, func() { k.issue(a, 0) }); n != 0 {
		t.Errorf("%v allocations to issue one", n)
	}
}

// BenchmarkTokenCheck checks tokens that are not remembered.
func BenchmarkTokenCheck(b *testing.B) {
	k := newTokens()
	a := from("192.0.2.1:5000")
	n := k.issue(a, 0)
	k.last = newTable[issued]()
	b.ReportAllocs()
	for b.Loop() {
		if !k.good(n, a, 0) {
			b.Fatal("refused")
		}
	}
}
