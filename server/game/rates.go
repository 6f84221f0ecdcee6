package game

import (
	"context"
	"sync"
	"time"

	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A rateKeeper keeps the rates that count now in the world's balance.
type rateKeeper struct {
	mu      sync.Mutex
	balance *rules.Balance  // of the file, without rates in its numbers
	ordered rules.RatePlans // by operators, before those of the file
	counts  rules.Rates     // that the world has
	changed chan struct{}
}

// clockLook is how often rates look at the clock at least, which may be set.
const clockLook = time.Minute

var (
	rateBeginsText = text("Теперь %s.", "From now on %s.")
	rateEndsText   = text("Снова как обычно: %s.", "As usual again: %s.")
	ratesNowText   = text("Сейчас %s.", "At present %s.")
)

// plans are the plans of the operators and of the file.
func (r *rateKeeper) plans() rules.RatePlans { return r.ordered.Over(r.balance.Rates) }

// begin takes the rates that count when a server begins, and returns the balance with them.
func (r *rateKeeper) begin(b *rules.Balance) *rules.Balance {
	r.changed = make(chan struct{}, 1)
	r.balance = b
	plans := r.plans()
	r.counts = plans.At(time.Now())
	return r.counts.Apply(b)
}

// ratesNow are the plans that count now.
func (s *Server) ratesNow() rules.RatePlans {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	return s.rates.plans()
}

// changeRates changes what rates follow from.
func (s *Server) changeRates(change func(*rateKeeper)) {
	r := &s.rates
	r.mu.Lock()
	defer r.mu.Unlock()
	balance := r.balance
	change(r)
	s.followRates(r.balance != balance)
	s.RatesChanged() // for the next look at the clock
}

// followRates gives the world the rates that count now and tells players of changed ones. It is called with the
// keeper's lock held; anew says that the world has to have another balance even so.
func (s *Server) followRates(anew bool) {
	r, now := &s.rates, time.Now()
	plans, was := r.plans(), r.counts
	if r.counts = plans.At(now); anew || r.counts != was {
		s.world.Do(world.SetBalance{Balance: r.counts.Apply(r.balance)})
	}
	for k := range rules.RateKinds {
		switch line := ops.RateText(k, plans[k], now); {
		case r.counts[k] == was[k]:
		case r.counts[k] == 1:
			s.tellAll(rateEndsText, line)
		default:
			s.tellAll(rateBeginsText, line)
		}
	}
}

// RatesChanged implements [ops.Runtime].
func (s *Server) RatesChanged() {
	select {
	case s.rates.changed <- struct{}{}:
	default:
	}
}

// FileRates implements [ops.Runtime].
func (s *Server) FileRates() rules.RatePlans {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	return s.rates.balance.Rates
}

// loadRates reads what operators have set.
func (s *Server) loadRates(ctx context.Context) error {
	all, err := s.store.Rates(ctx)
	if err != nil {
		return err
	}
	var plans rules.RatePlans
	for _, r := range all {
		plans[r.Kind] = append(plans[r.Kind], r.Rate)
	}
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	s.rates.ordered = plans
	return nil
}

// keepRates follows the clock, and what operators set, until ctx ends.
func (s *Server) keepRates(ctx context.Context) {
	for stale := false; ; {
		if stale {
			if err := s.loadRates(ctx); err != nil {
				s.options.Log.Error("rates that were set cannot be read and do not count yet", "error", err)
			} else {
				stale = false
			}
		}
		s.rates.mu.Lock()
		s.followRates(false)
		plans, now := s.rates.plans(), time.Now()
		s.rates.mu.Unlock()
		wait := clockLook
		if next := plans.Change(now); !next.IsZero() {
			wait = min(wait, next.Sub(now))
		}
		select {
		case <-time.After(wait):
		case <-s.rates.changed:
			stale = true
		case <-ctx.Done():
			return
		}
	}
}
