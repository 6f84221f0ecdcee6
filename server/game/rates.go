package game

import (
	"context"
	"sync"
	"sync/atomic"
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
	reading chan struct{} // full while the operators' rates are read, so that nothing older comes later
	stale   atomic.Bool   // they could not be read
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
func (r *rateKeeper) begin(b *rules.Balance, ordered rules.RatePlans) *rules.Balance {
	r.changed, r.reading = make(chan struct{}, 1), make(chan struct{}, 1)
	r.balance, r.ordered = b, ordered
	plans := r.plans()
	r.counts = plans.At(time.Now())
	return r.counts.Apply(b)
}

// RatesText names the rates in effect that are not 1, and their ends; false if there are none.
func (s *Server) RatesText() (t ops.Text, ok bool) {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	return ops.RatesText(s.rates.plans(), time.Now())
}

// changeRates changes what rates follow from.
func (s *Server) changeRates(change func(*rateKeeper)) {
	r := &s.rates
	r.mu.Lock()
	defer r.mu.Unlock()
	balance := r.balance
	change(r)
	s.followRates(r.balance != balance)
	select {
	case r.changed <- struct{}{}: // the next look at the clock may be another one
	default:
	}
}

// followRates gives the world the rates that count now and tells players of changed ones. It is called with the
// keeper's lock held; anew says that the world has to have another balance even so.
func (s *Server) followRates(anew bool) {
	r, now := &s.rates, time.Now()
	plans, was := r.plans(), r.counts
	if r.counts = plans.At(now); anew || r.counts != was {
		s.world.Do(world.SetBalance{Balance: r.counts.Apply(r.balance)})
		s.world.Do(world.Publish{}) // for pages that tell of rates
	}
	for k := range rules.RateKinds {
		if r.counts[k] == was[k] {
			continue
		}
		line, says := ops.RateText(k, plans[k], now), rateBeginsText
		if r.counts[k] == 1 {
			says = rateEndsText
		}
		s.options.Log.Info("another rate counts", "of", k.Name("en"), "factor", r.counts[k], "was", was[k])
		s.tellAll(says, line)
	}
}

// RatesChanged implements [ops.Runtime].
func (s *Server) RatesChanged() {
	s.rates.reading <- struct{}{}
	defer func() { <-s.rates.reading }()
	ordered, err := s.orderedRates()
	s.rates.stale.Store(err != nil)
	if err != nil {
		s.options.Log.Error("rates that were set cannot be read and do not count yet", "error", err)
		return
	}
	s.changeRates(func(r *rateKeeper) { r.ordered = ordered })
}

// FileRates implements [ops.Runtime].
func (s *Server) FileRates() rules.RatePlans {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	return s.rates.balance.Rates
}

// orderedRates reads the rates that operators have set.
func (s *Server) orderedRates() (plans rules.RatePlans, err error) {
	all, err := s.store.Rates(context.Background())
	for _, r := range all {
		plans[r.Kind] = append(plans[r.Kind], r.Rate)
	}
	return plans, err
}

// keepRates follows the clock until ctx ends.
func (s *Server) keepRates(ctx context.Context) {
	for {
		if s.rates.stale.Load() {
			s.RatesChanged()
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
		case <-ctx.Done():
			return
		}
	}
}
