package data

import (
	"context"
	"database/sql"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// A Ban keeps an account or an address out. A [Mute] is alike.
type Ban struct {
	Until  time.Time `json:"until,omitzero"` // zero: for ever
	Reason string    `json:"reason"`
	By     string    `json:"by"` // the operator
	At     time.Time `json:"at,omitzero"`
}

// A Mute keeps an account from speaking on any channel; commands work. Fields are those of a [Ban].
type Mute = Ban

// Holds reports whether the ban is still in force.
func (b Ban) Holds(now time.Time) bool { return b.Until.IsZero() || now.Before(b.Until) }

// Ban bans an account; a ban that it has already is replaced. A zero At is filled in with the time now.
func (s *Store) Ban(ctx context.Context, id AccountID, b Ban) error {
	return s.hold(ctx, id, b, "INTO account_bans (account, until, reason, banned_by, at)")
}

// hold stores a ban or a mute of an account.
func (s *Store) hold(ctx context.Context, id AccountID, b Ban, into string) error {
	if b.At.IsZero() {
		b.At = s.now()
	}
	return s.do(ctx, func(t *tx) error {
		if err := t.hasAccount(id); err != nil {
			return err
		}
		return t.command("INSERT OR REPLACE "+into+" VALUES (?, ?, ?, ?, ?)", id, stamp{&b.Until}, b.Reason, b.By,
			stamp{&b.At})
	})
}

// Unban lifts the ban of an account; ErrNotFound when it has none.
func (s *Store) Unban(ctx context.Context, id AccountID) error {
	return s.changeOne(ctx, fmt.Sprintf("ban of account %d", id), "DELETE FROM account_bans WHERE account = ?", id)
}

// Mute keeps an account from speaking; a mute that it has already is replaced. A zero At is filled in with the time
// now.
func (s *Store) Mute(ctx context.Context, id AccountID, m Mute) error {
	return s.hold(ctx, id, m, "INTO account_mutes (account, until, reason, muted_by, at)")
}

// Unmute ends the mute of an account; ErrNotFound when it has none.
func (s *Store) Unmute(ctx context.Context, id AccountID) error {
	return s.changeOne(ctx, fmt.Sprintf("mute of account %d", id),
		"DELETE FROM account_mutes WHERE account = ? AND (until = 0 OR until > ?)", id, toMillis(s.now()))
}

// An AddressBan keeps out all addresses that begin with Prefix.
type AddressBan struct {
	Prefix netip.Prefix `json:"prefix"`
	Ban
	Wide     bool `json:"wide,omitempty"`     // in a request: the network may be wide, see [WidePrefix]
	Accounts int  `json:"accounts,omitempty"` // in the answer to one: so many have come from there last
}

// WidePrefix reports whether a network is so wide that a ban of it is more likely a slip than meant: more than an IPv4
// /16, or an IPv6 /32, which is a provider.
func WidePrefix(p netip.Prefix) bool {
	if p.Addr().Is4() {
		return p.Bits() < 16
	}
	return p.Bits() < 32
}

// addressBanTable is an immutable copy of all address bans, so that asking costs no query.
type addressBanTable map[netip.Prefix]Ban

// BanAddress bans an address or a network; a ban of the same prefix is replaced. A zero At is filled in with the time
// now.
func (s *Store) BanAddress(ctx context.Context, b AddressBan) error {
	if b.At.IsZero() {
		b.At = s.now()
	}
	return s.changeAddressBans(ctx, b.Prefix, func(prefix string) error {
		return s.doStatement(ctx, func(t *tx) error {
			return t.command(`INSERT OR REPLACE INTO address_bans (prefix, until, reason, banned_by, at)
				VALUES (?, ?, ?, ?, ?)`, prefix, stamp{&b.Until}, b.Reason, b.By, stamp{&b.At})
		})
	})
}

// UnbanAddress lifts the ban of exactly this prefix; ErrNotFound when there is none.
func (s *Store) UnbanAddress(ctx context.Context, p netip.Prefix) error {
	return s.changeAddressBans(ctx, p, func(prefix string) error {
		return s.changeOne(ctx, "ban of address "+prefix, "DELETE FROM address_bans WHERE prefix = ?", prefix)
	})
}

func (s *Store) changeAddressBans(ctx context.Context, p netip.Prefix, change func(prefix string) error) error {
	prefix, err := canonicalPrefix(p)
	if err != nil {
		return err
	}
	if err := change(prefix.String()); err != nil {
		return err
	}
	return s.loadAddressBans(context.WithoutCancel(ctx)) // the change is stored by now, so it is to hold
}

// AddressBanned reports whether an address is banned now. It reads memory only: a server may ask for every connection.
func (s *Store) AddressBanned(a netip.Addr) (Ban, bool) {
	a = a.Unmap().WithZone("")
	table := s.addressBans.Load()
	for bits := a.BitLen(); bits >= 0 && len(*table) > 0; bits-- {
		p, err := a.Prefix(bits)
		if err != nil {
			break
		}
		if b, ok := (*table)[p]; ok && b.Holds(s.now()) {
			return b, true
		}
	}
	return Ban{}, false
}

// AddressBans lists the address bans that still hold, in the order of their prefixes.
func (s *Store) AddressBans() []AddressBan {
	table, now := s.addressBans.Load(), s.now()
	var out []AddressBan
	for p, b := range *table {
		if b.Holds(now) {
			out = append(out, AddressBan{Prefix: p, Ban: b})
		}
	}
	slices.SortFunc(out, func(a, b AddressBan) int { return a.Prefix.Compare(b.Prefix) })
	return out
}

func (s *Store) loadAddressBans(ctx context.Context) error {
	s.addressBanLoad.Lock()
	defer s.addressBanLoad.Unlock()
	table := addressBanTable{}
	err := each(ctx, s.reads, func(row *sql.Rows) error {
		var text string
		var b Ban
		if err := row.Scan(&text, stamp{&b.Until}, &b.Reason, &b.By, stamp{&b.At}); err != nil {
			return err
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			s.log.Error("address ban ignored: not a network prefix", "prefix", text)
			return nil
		}
		table[p] = b
		return nil
	}, "SELECT prefix, until, reason, banned_by, at FROM address_bans")
	if err == nil {
		s.addressBans.Store(&table)
	}
	return wrap(err, "read address bans")
}

// ParsePrefix reads an address ("203.0.113.7", "2001:db8::1"), also one with a port as the log and lists of accounts
// have it ("203.0.113.7:50000"), or a network ("203.0.113.0/24").
func ParsePrefix(text string) (netip.Prefix, error) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		text = at.Addr().String()
	}
	if a, err := netip.ParseAddr(text); err == nil {
		a = a.Unmap().WithZone("")
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("expected an address or a network like 203.0.113.0/24, found %q", text)
	}
	return canonicalPrefix(p)
}

// BannedPrefix is the network that a ban of an address or a network keeps out: of one IPv6 address its whole /64,
// since one customer has a network of that size at least, and addresses in it change by the hour.
func BannedPrefix(p netip.Prefix) netip.Prefix {
	if p.Addr().Is6() && p.Bits() > 64 {
		p, _ = p.Addr().Prefix(64)
	}
	return p
}

func canonicalPrefix(p netip.Prefix) (netip.Prefix, error) {
	if !p.IsValid() {
		return netip.Prefix{}, fmt.Errorf("expected a network prefix, found %q", p)
	}
	if a := p.Addr(); a.Is4In6() {
		if p.Bits() < 96 {
			return netip.Prefix{}, fmt.Errorf("expected an IPv4 or an IPv6 network, found %s, which is a mixture", p)
		}
		p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}
