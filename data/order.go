package data

import (
	"context"
	"database/sql"
	"time"
)

// An Order is what an operator has set of the server itself while it runs. It holds after a restart.
type Order struct {
	Value string
	By    string // the operator
	At    time.Time
}

// An OrderKey names what an order is of.
type OrderKey string

// The orders. The value of MotdOrder is the message of the day, that of MaintenanceOrder the logins that get in besides
// operators, with line breaks between.
const (
	MotdOrder        OrderKey = "motd"
	MaintenanceOrder OrderKey = "maintenance"
)

// Orders are all orders.
func (s *Store) Orders(ctx context.Context) (map[OrderKey]Order, error) {
	all := map[OrderKey]Order{}
	err := each(ctx, s.reads, func(row *sql.Rows) error {
		var key OrderKey
		var o Order
		err := row.Scan(&key, &o.Value, &o.By, stamp{&o.At})
		all[key] = o
		return err
	}, "SELECT key, value, set_by, at FROM orders")
	return all, wrap(err, "orders")
}

// SetOrder keeps an order in the place of the former one, to the millisecond.
func (s *Store) SetOrder(ctx context.Context, key OrderKey, o Order) error {
	return wrap(s.do(ctx, func(t *tx) error {
		return t.command("INSERT OR REPLACE INTO orders (key, value, set_by, at) VALUES (?, ?, ?, ?)", string(key), o.Value,
			o.By, toMillis(o.At))
	}), "orders")
}

// EndOrder deletes an order; ErrNotFound if there is none.
func (s *Store) EndOrder(ctx context.Context, key OrderKey) error {
	return s.changeOne(ctx, "orders", "DELETE FROM orders WHERE key = ?", string(key))
}
