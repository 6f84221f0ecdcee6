package session

import (
	"net/netip"
	"strings"
	"time"
)

// A LoginGuard slows down those who guess passwords at another door of the server, by the same rules as at the game's.
// What happens at one door does not count at the other: nobody can lock operators out from the game.
type LoginGuard struct{ guard *loginLimiter }

// NewLoginGuard makes a guard with the limits of failed logins.
func NewLoginGuard(l Limits) *LoginGuard { return &LoginGuard{newLoginLimiter(l)} }

// Allowed says whether an attempt may be made now.
func (g *LoginGuard) Allowed(from netip.Addr, login string, now time.Time) bool {
	return g.guard.allowed(from, strings.ToLower(login), now)
}

// Failed counts a failure.
func (g *LoginGuard) Failed(from netip.Addr, login string, now time.Time) {
	g.guard.failed(from, strings.ToLower(login), now)
}

// Succeeded forgives an address its failures with that account.
func (g *LoginGuard) Succeeded(from netip.Addr, login string) {
	g.guard.succeeded(from, strings.ToLower(login))
}
