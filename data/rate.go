package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"sphereserver/world/rules"
)

// A Rate is one that an operator has set: once, from a moment to another, or for ever.
type Rate struct {
	Kind rules.RateKind
	rules.Rate
	By string // the operator that has set it
}

// ErrRateTaken says that another rate of the same kind holds at some moment at which a new one would.
var ErrRateTaken = errors.New("another rate of this kind is set for that time")

// Rates lists the rates that have not ended, by their beginning.
func (s *Store) Rates(ctx context.Context) ([]Rate, error) {
	rates, err := readAll(ctx, s.reads, func(row *sql.Rows) (r Rate, err error) {
		var kind string
		if err = row.Scan(&kind, &r.Factor, stamp{&r.From}, stamp{&r.To}, &r.By); err != nil {
			return r, err
		}
		known := false
		if r.Kind, _, known = rules.RateKindOf(kind); !known {
			err = fmt.Errorf("expected a kind of rates, found %q", kind)
		}
		return r, err
	}, "SELECT kind, factor, since, until, set_by FROM rates WHERE until = 0 OR until > ? ORDER BY since, id",
		toMillis(s.now()))
	return rates, wrap(err, "rates")
}

// SetRate keeps a rate, to the millisecond; ErrRateTaken if it overlaps another one of its kind.
func (s *Store) SetRate(ctx context.Context, r Rate) error {
	kind, since, until := r.Kind.Name("en"), toMillis(r.From), toMillis(r.To)
	return wrap(s.do(ctx, func(t *tx) error {
		if err := t.command("DELETE FROM rates WHERE until > 0 AND until <= ?", toMillis(s.now())); err != nil {
			return err
		}
		if err := t.refuseIf(ErrRateTaken, `SELECT 1 FROM rates WHERE kind = ? AND (until = 0 OR until > ?) AND
			(? = 0 OR since < ?)`, kind, since, until, until); err != nil {
			return err
		}
		return t.command("INSERT INTO rates (kind, factor, since, until, set_by) VALUES (?, ?, ?, ?, ?)", kind, r.Factor,
			since, until, r.By)
	}), "rates")
}

// EndRates deletes the rates of a kind that have not ended; ErrNotFound if there are none.
func (s *Store) EndRates(ctx context.Context, k rules.RateKind) error {
	return s.changeOne(ctx, "rates", "DELETE FROM rates WHERE kind = ? AND (until = 0 OR until > ?)", k.Name("en"),
		toMillis(s.now()))
}
