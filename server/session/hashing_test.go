package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
)

// turnOrder has some wait for a busy worker, and returns the order of their turns.
func turnOrder(t *testing.T, waiting []string) (order []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &hashing{}
		turns := make(chan string, len(waiting))
		for _, who := range waiting {
			q, from := &h.known, who
			if who[0] == '+' {
				q, from = &h.fresh, who[1:]
			}
			go func() {
				if err := h.wait(t.Context(), q, widestNetwork(netip.MustParseAddr(from))); err == nil {
					turns <- who
				}
			}()
			synctest.Wait()
		}
		for range waiting {
			h.done()
			order = append(order, <-turns)
		}
		if h.done(); h.free != 1 || len(h.known.waiting)+len(h.fresh.waiting) > 0 {
			t.Errorf("%d workers free, somebody still waits", h.free)
		}
	})
	return order
}

// However many logins one address has waiting, another's comes next.
func TestTurnsGoByAddress(t *testing.T) {
	got := turnOrder(t, []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2",
		"2001:db8:1:1::1", "2001:db8:1:2::1"})
	want := []string{"192.0.2.1", "192.0.2.2", "2001:db8:1:1::1", "192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "192.0.2.1"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// A crowd that registers does not keep players out of their accounts, and is not kept out itself.
func TestAccountsThatThereAreComeFirst(t *testing.T) {
	var waiting []string
	for i := range 100 {
		waiting = append(waiting, fmt.Sprintf("+10.0.0.%d", i))
	}
	got := turnOrder(t, append(waiting, "192.0.2.1"))
	if i := slices.Index(got, "192.0.2.1"); i != 0 {
		t.Errorf("a known account had turn %d", i)
	}
	waiting = []string{"+10.0.0.1", "+10.0.0.2"}
	for range 10 {
		waiting = append(waiting, "192.0.2.1")
	}
	got = turnOrder(t, waiting)
	if i, j := slices.Index(got, "+10.0.0.1"), slices.Index(got, "+10.0.0.2"); i != newEvery-1 || j != 2*newEvery-1 {
		t.Errorf("new accounts had turns %d and %d, expected each fourth", i, j)
	}
}

func TestWhoGivesUpHasNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hashing{}
		from := netip.MustParsePrefix("192.0.2.1/32")
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 3)
		for _, ctx := range []context.Context{ctx, t.Context(), ctx} {
			go func() { errs <- h.wait(ctx, &h.known, from) }()
			synctest.Wait()
		}
		cancel()
		for range 2 {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if h.done(); <-errs != nil {
			t.Error("who waits has no turn")
		}
		if h.done(); h.free != 1 {
			t.Errorf("%d workers free", h.free)
		}
	})
}
