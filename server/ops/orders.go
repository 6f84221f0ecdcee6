package ops

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
)

// ServerOrders are what counts of the server itself: by the configuration, or by operators.
type ServerOrders struct {
	Motd        string // empty: none
	Maintenance bool
	Admit       []string // logins that get in under maintenance besides operators
}

// With returns the orders of a configuration with those of operators, which count first. Maintenance is on if either
// says so, and both admit.
func (o ServerOrders) With(set map[data.OrderKey]data.Order) ServerOrders {
	if motd, ok := set[data.MotdOrder]; ok {
		o.Motd = motd.Value
	}
	if m, ok := set[data.MaintenanceOrder]; ok {
		o.Maintenance, o.Admit = true, slices.Clone(o.Admit)
		for login := range strings.SplitSeq(m.Value, "\n") {
			if login != "" && !slices.ContainsFunc(o.Admit, sameLogin(login)) {
				o.Admit = append(o.Admit, login)
			}
		}
	}
	return o
}

// sameLogin returns whether a login is another one, for which the case does not count.
func sameLogin(login string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(login, other) }
}

// maxAdmitted is how many logins an order of maintenance admits.
const maxAdmitted = 200

var (
	noMotdText   = Text{"Сообщение дня командой не задано.", "No message of the day was set by command."}
	fileMotdText = Text{"Сообщение дня задано не командой, а в sphere.toml (chat.motto): измените его там.",
		"The message of the day was not set by command but in sphere.toml (chat.motto): change it there."}
	noMaintenanceText   = Text{"Работы не объявлены.", "There is no maintenance."}
	fileMaintenanceText = Text{"Работы включены не командой, а в sphere.toml (server.maintenance): выключите их там.",
		"Maintenance was not begun by command but in sphere.toml (server.maintenance): end it there."}
	admittedText   = Text{"Впустить можно не больше %d логинов, а не %d.", "expected at most %d logins, found %d"}
	emptyLoginText = Text{"Среди логинов есть пустой.", "One of the logins is empty."}
)

func (m MotdText) check(f *Faults) { f.message(m.Text) }

func (m MaintenanceOrder) check(f *Faults) {
	blank := func(login string) bool { return strings.TrimSpace(login) == "" }
	switch {
	case len(m.Admit) > maxAdmitted:
		f.Add("admit", admittedText, maxAdmitted, len(m.Admit))
	case slices.ContainsFunc(m.Admit, blank):
		f.Add("admit", emptyLoginText)
	}
}

// setMotd sets the message of the day, which holds after a restart too.
func (c *call) setMotd(m MotdText) (Motd, error) {
	text := strings.TrimSpace(fitted(m.Text))
	o := data.Order{Value: text, By: c.by.Name, At: time.Now().Truncate(time.Millisecond)}
	return Motd{Text: text, By: o.By, At: o.At}, c.order(data.MotdOrder, o, text)
}

// endMotd makes the message of the configuration count again.
func (c *call) endMotd(Empty) (Motd, error) {
	file := c.fileOrders().Motd
	return Motd{Text: file}, c.endOrder(data.MotdOrder, noMotdText, fileMotdText, file != "")
}

// showMotd tells which message of the day counts.
func (c *call) showMotd(Empty) (Motd, error) {
	all, err := c.Store.Orders(c)
	set := all[data.MotdOrder]
	return Motd{Text: c.fileOrders().With(all).Motd, By: set.By, At: set.At}, err
}

// beginMaintenance keeps all out but operators and some logins, also after a restart; an order that there was is given
// up. Present players stay.
func (c *call) beginMaintenance(m MaintenanceOrder) (Maintenance, error) {
	var logins []string
	for _, login := range m.Admit {
		a, err := c.findAccount(AccountName{Login: login})
		if err != nil {
			return Maintenance{}, err
		}
		if !slices.Contains(logins, a.Login) {
			logins = append(logins, a.Login)
		}
	}
	o := data.Order{Value: strings.Join(logins, "\n"), By: c.by.Name, At: time.Now().Truncate(time.Millisecond)}
	return c.maintenance(map[data.OrderKey]data.Order{data.MaintenanceOrder: o}),
		c.order(data.MaintenanceOrder, o, strings.Join(logins, ", "))
}

func (c *call) endMaintenance(Empty) (Maintenance, error) {
	err := c.endOrder(data.MaintenanceOrder, noMaintenanceText, fileMaintenanceText, c.fileOrders().Maintenance)
	return c.maintenance(nil), err
}

func (c *call) showMaintenance(Empty) (Maintenance, error) {
	all, err := c.Store.Orders(c)
	return c.maintenance(all), err
}

// maintenance is what counts with some orders. The answer to a change comes of what was written: a change that is
// stored must not fail since the store cannot be read again.
func (c *call) maintenance(orders map[data.OrderKey]data.Order) Maintenance {
	file, set := c.fileOrders(), orders[data.MaintenanceOrder]
	now := file.With(orders)
	m := Maintenance{On: now.Maintenance, File: file.Maintenance, Admit: now.Admit, By: set.By, At: set.At}
	if m.Admit == nil {
		m.Admit = []string{}
	}
	return m
}

// dismissing deletes an account after it has taken its login out of the order of maintenance: an account that is made
// with the same login later is another's. If the account stays, so does its login.
func (c *call) dismissing(login string, deletes func() error) error {
	done, err := c.orders.take(c)
	if err != nil {
		return err
	}
	defer done()
	all, err := c.Store.Orders(c)
	o, any := all[data.MaintenanceOrder]
	logins := strings.Split(o.Value, "\n")
	left := slices.DeleteFunc(slices.Clone(logins), sameLogin(login))
	if err != nil {
		return err
	} else if !any || len(left) == len(logins) {
		return deletes()
	}
	set := func(ctx context.Context, logins []string) error {
		o.Value = strings.Join(logins, "\n")
		return c.nowCounts(data.MaintenanceOrder, &o, c.Store.SetOrder(ctx, data.MaintenanceOrder, o))
	}
	if err := set(c, left); err != nil {
		return err
	}
	if err := deletes(); err != nil {
		return errors.Join(err, set(context.WithoutCancel(c), logins))
	}
	return nil
}

// fileOrders are the orders of the configuration.
func (c *call) fileOrders() ServerOrders {
	switch {
	case c.Runtime != nil:
		return c.Runtime.FileOrders()
	case c.FileOrders != nil:
		return c.FileOrders()
	}
	return ServerOrders{}
}

// order stores an order and gives it to the running server, one after the other.
func (c *call) order(key data.OrderKey, o data.Order, detail string) error {
	return c.changeOrder(key, &o, func() error { return c.Store.SetOrder(c.audited("", detail), key, o) })
}

// endOrder takes an order back. Without one it refuses, by another text if the configuration says the same.
func (c *call) endOrder(key data.OrderKey, none, inFile Text, file bool) error {
	err := c.changeOrder(key, nil, func() error { return c.Store.EndOrder(c.audited("", ""), key) })
	if errors.Is(err, data.ErrNotFound) && file {
		return refuse(data.ErrNotFound, inFile)
	}
	return orElse(err, none)
}

func (c *call) changeOrder(key data.OrderKey, o *data.Order, store func() error) error {
	done, err := c.orders.take(c)
	if err != nil {
		return err
	}
	defer done()
	return c.nowCounts(key, o, store())
}

// nowCounts gives the running server an order that was stored without an error.
func (c *call) nowCounts(key data.OrderKey, o *data.Order, err error) error {
	if err == nil && c.Runtime != nil {
		c.Runtime.ChangeOrder(key, o)
	}
	return err
}
