package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sphereserver/data"
)

var (
	// ErrNotRunning is the kind of errors about what only a running server can do.
	ErrNotRunning = errors.New("no server is running")
	// ErrNotInWorld is the kind of errors about players who would have to be in the world.
	ErrNotInWorld = errors.New("not in the world")
)

// KickAccount tells the player of an account why, and ends its sessions.
func (o *Ops) KickAccount(ctx context.Context, k Kick) (Account, error) {
	if err := checkText("a reason", k.Reason); err != nil {
		return Account{}, err
	}
	return o.changeAccount(ctx, k.Login, func(a data.Account) error {
		if o.Live == nil {
			return ErrNotRunning
		}
		if online, _ := o.Live.Online(a.ID); !online {
			return fmt.Errorf("account %q has no session: %w", a.Login, ErrNotInWorld)
		}
		if err := o.Live.Kick(ctx, a.ID, k.Reason); err != nil {
			return fmt.Errorf("kick account %q: %w", a.Login, err)
		}
		return o.Store.AppendAudit(ctx, data.AuditEntry{Who: o.who(ctx), Action: "account kick", Target: a.Login, Detail: k.Reason})
	})
}

// MuteAccount keeps the account from speaking, at once and after its next login.
func (o *Ops) MuteAccount(ctx context.Context, m AccountMute) (Account, error) {
	ban, err := o.ban(ctx, m.Until, m.Reason)
	if err != nil {
		return Account{}, err
	}
	return o.changeAccount(ctx, m.Login, func(a data.Account) error {
		err := o.Store.Mute(o.audited(ctx, "account mute", a.Login, banText(ban)), a.ID, data.Mute(ban))
		if err == nil && o.Live != nil {
			o.Live.SetMute(a.ID, data.Mute(ban))
		}
		return err
	})
}

// UnmuteAccount lets the account speak again.
func (o *Ops) UnmuteAccount(ctx context.Context, n AccountName) (Account, error) {
	return o.changeAccount(ctx, n.Login, func(a data.Account) error {
		err := o.Store.Unmute(o.audited(ctx, "account unmute", a.Login, ""), a.ID)
		if errors.Is(err, data.ErrNotFound) {
			return fmt.Errorf("account %q is not mute: %w", a.Login, data.ErrNotFound)
		}
		if err == nil && o.Live != nil {
			o.Live.SetMute(a.ID, data.Mute{})
		}
		return err
	})
}

// Say says something to those who are in the world.
func (o *Ops) Say(ctx context.Context, s Saying) (Saying, error) {
	s.Text = strings.TrimSpace(s.Text)
	if s.Text == "" {
		return Saying{}, invalid(errors.New("expected a text, found none"))
	}
	if err := checkText("a text", s.Text); err != nil {
		return Saying{}, err
	}
	if o.Live == nil {
		return Saying{}, ErrNotRunning
	}
	entry := data.AuditEntry{Who: o.who(ctx), Action: "say", Detail: s.Text}
	if s.Login == "" {
		o.Live.Announce(s.Text)
		return s, o.Store.AppendAudit(ctx, entry)
	}
	a, err := o.findAccount(ctx, s.Login)
	if err != nil {
		return Saying{}, err
	}
	if !o.Live.Message(a.ID, s.Text) {
		return Saying{}, fmt.Errorf("account %q: %w", a.Login, ErrNotInWorld)
	}
	entry.Target = a.Login
	return s, o.Store.AppendAudit(ctx, entry)
}
