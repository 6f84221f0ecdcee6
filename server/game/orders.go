package game

import (
	"context"
	"fmt"
	"sync"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// An orderKeeper joins what the configuration and the operators say of the server itself.
type orderKeeper struct {
	mu    sync.Mutex
	words Words            // of the configuration
	file  ops.ServerOrders // of the configuration
	set   map[data.OrderKey]data.Order
}

// beginOrders takes the orders that count when a server begins.
func (s *Server) beginOrders() (err error) {
	o := &s.options
	if s.orders.set, err = s.store.Orders(context.Background()); err != nil {
		return fmt.Errorf("game: %w", err)
	}
	s.changeOrders(func(k *orderKeeper) { k.words, k.file = o.Words, o.FileOrders() })
	return nil
}

// FileOrders are the orders of the configuration.
func (o *Options) FileOrders() ops.ServerOrders {
	return ops.ServerOrders{Motd: o.Words.Motto, Maintenance: o.Maintenance, Admit: o.Admit}
}

// ChangeWords changes the configuration's words from now on.
func (s *Server) ChangeWords(w Words) {
	s.changeOrders(func(k *orderKeeper) { k.words, k.file.Motd = w, w.Motto })
	select { // the announcements begin anew
	case s.wordsChanged <- struct{}{}:
	default:
	}
}

// ChangeMaintenance sets whether by the configuration only operators and the logins in admit get in. Present players
// stay.
func (s *Server) ChangeMaintenance(on bool, admit []string) {
	s.changeOrders(func(k *orderKeeper) { k.file.Maintenance, k.file.Admit = on, admit })
}

// ChangeOrder implements [ops.Runtime].
func (s *Server) ChangeOrder(key data.OrderKey, o *data.Order) {
	s.changeOrders(func(k *orderKeeper) {
		if o == nil {
			delete(k.set, key)
			return
		}
		k.set[key] = *o
	})
}

// FileOrders implements [ops.Runtime].
func (s *Server) FileOrders() ops.ServerOrders {
	s.orders.mu.Lock()
	defer s.orders.mu.Unlock()
	return s.orders.file
}

// changeOrders changes orders, and makes them count.
func (s *Server) changeOrders(change func(*orderKeeper)) {
	k := &s.orders
	k.mu.Lock()
	defer k.mu.Unlock()
	change(k)
	now := k.file.With(k.set)
	s.Manager.ChangeMaintenance(now.Maintenance, now.Admit)
	words := k.words
	words.Motto = now.Motd
	s.words.Store(&words)
}
