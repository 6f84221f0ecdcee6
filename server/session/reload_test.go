package session

import (
	"testing"
	"time"
)

func TestChangedLimitsCountForTheNextConnection(t *testing.T) {
	s := bareManager()
	s.conns, s.guesses = newConnLimiter(s.options.Limits), NewLoginLimiter(s.options.Limits)
	now, a := time.Unix(1000, 0), address("192.0.2.1")
	var in []*guest
	leave := func() {
		s.conns.release(a, in[0])
		in = in[1:]
	}
	admitted := func(n int) (got int) {
		for range n {
			g := new(guest)
			if _, ok := s.conns.admit(a, now, g, func() {}); ok {
				in = append(in, g)
				got++
			}
		}
		return got
	}
	l := s.options.Limits
	if got := admitted(l.PerAddress + 1); got != l.PerAddress {
		t.Fatalf("%d admitted", got)
	}
	l.PerAddress += 2
	if s.ChangeLimits(l); admitted(5) != 2 {
		t.Error("a higher limit does not count")
	}
	l.PerAddress = 1
	s.ChangeLimits(l)
	leave()
	if admitted(1) != 0 {
		t.Error("a lower limit does not count")
	}
	for len(in) > 0 {
		leave()
	}

	l.FailuresPerMinute, l.Connections = 1, 1<<30
	if allowed := s.ChangeLimits(l); descriptors() > 0 && allowed >= 1<<30 {
		t.Errorf("%d connections with %d open files", allowed, descriptors())
	}
	s.guesses.Failed(a, "вася", now)
	if s.guesses.Check(a, "вася", "", now).Of == Unlocked {
		t.Error("the limit of failures does not count")
	}
	s.ChangeAccounts(false, true)
	if s.createAccounts.Load() || !s.takeOver.Load() {
		t.Error("what is done with logins has not changed")
	}
}
