package data

import (
	"errors"
	"maps"
	"testing"
	"time"
)

// Orders stay as they were set last, over a restart, until they end.
func TestOrdersStay(t *testing.T) {
	dir, now := t.TempDir(), time.Now().UTC().Truncate(time.Millisecond)
	s := open(t, dir, Options{})
	motd := Order{Value: "Турнир", By: "chief", At: now}
	for _, o := range []Order{{Value: "a"}, motd} {
		if err := s.SetOrder(t.Context(), MotdOrder, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetOrder(t.Context(), MaintenanceOrder, Order{By: "chief", At: now}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{})
	if err := s.EndOrder(t.Context(), MaintenanceOrder); err != nil {
		t.Error(err)
	}
	if err := s.EndOrder(t.Context(), MaintenanceOrder); !errors.Is(err, ErrNotFound) {
		t.Errorf("found %v", err)
	}
	all, err := s.Orders(t.Context())
	if err != nil || !maps.Equal(all, map[OrderKey]Order{MotdOrder: motd}) {
		t.Errorf("found %v, %v", all, err)
	}
}
