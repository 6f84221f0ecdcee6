// Package webserver has what each HTTP listener of the server needs besides its routes: places for connections, a
// certificate that is renewed while the server runs, headers of security, compression, and the client's address.
package webserver

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// A Listener limits the number of connections. When all places are taken a new connection replaces one that rests:
// between two requests, or before the first one has arrived whole. So idle connections keep no client out.
type Listener struct {
	net.Listener
	most       int
	perAddress int // connections of one address, except this machine's; 0 where this machine's are all that come
	proxies    []netip.Prefix

	mu   sync.Mutex
	open map[*Conn]struct{}
}

// NewListener makes one of so many places in all, and for each address; 0 where this machine's are all that come.
// Connections from the networks of proxies are those of many clients: they are limited in all only, and what they say
// of their clients is believed, as from this machine.
func NewListener(l net.Listener, most, perAddress int, proxies ...netip.Prefix) *Listener {
	return &Listener{Listener: l, most: most, perAddress: perAddress, proxies: proxies, open: map[*Conn]struct{}{}}
}

// Accept returns the next connection that there is a place for.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if limited := l.admit(c); limited != nil {
			return limited, nil
		}
		c.Close()
	}
}

// keptForLoopback are places besides, for this machine alone: for its supervisor and its owner.
const keptForLoopback = 16

func (l *Listener) admit(c net.Conn) *Conn {
	made := &Conn{Conn: c, of: l, since: time.Now()}
	near := false // it comes from this machine
	if at, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		peer := at.Addr().Unmap().WithZone("")
		near = peer.IsLoopback()
		made.proxy = near || slices.ContainsFunc(l.proxies, func(n netip.Prefix) bool { return n.Contains(peer) })
		made.source = ratelimit.Source(at.Addr())
	}
	var goes *Conn
	l.mu.Lock()
	defer func() {
		l.mu.Unlock()
		if goes != nil {
			goes.Conn.Close()
		}
	}()
	sameSource := func(c *Conn) bool { return c.source == made.source }
	anybody := func(*Conn) bool { return true }
	most, which := l.most, anybody
	switch {
	case l.perAddress == 0:
	case near:
		most += keptForLoopback
	case made.proxy:
	case l.count(sameSource) >= l.perAddress:
		most, which = 0, sameSource
	}
	if len(l.open) >= most {
		if goes = l.idlest(which); goes == nil {
			return nil
		}
		delete(l.open, goes)
	}
	l.open[made] = struct{}{}
	return made
}

func (l *Listener) count(which func(*Conn) bool) (n int) {
	for c := range l.open {
		if which(c) {
			n++
		}
	}
	return n
}

// idlest is the connection that has to make room, nil for none: the one that rests longest, strangers before
// operators; else the stranger with the longest request.
func (l *Listener) idlest(which func(*Conn) bool) (found *Conn) {
	for c := range l.open {
		if which(c) && c.rank() < busyOperator && (found == nil || c.rank() < found.rank() ||
			c.rank() == found.rank() && c.since.Before(found.since)) {
			found = c
		}
	}
	return found
}

// A Conn makes room when it is closed.
type Conn struct {
	net.Conn
	of     *Listener
	source netip.Addr // see ratelimit.Source
	proxy  bool       // it may come from a proxy, whose headers are believed

	// Guarded by of.mu.
	requests int       // that are being answered
	since    time.Time // that it rests, or does not
	operator bool      // has logged in
}

const (
	restingStranger = iota
	restingOperator
	busyStranger
	busyOperator
)

func (c *Conn) rank() int {
	switch {
	case c.requests == 0 && !c.operator:
		return restingStranger
	case c.requests == 0:
		return restingOperator
	case !c.operator:
		return busyStranger
	}
	return busyOperator
}

// Close closes the connection.
func (c *Conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// change updates the state of the connection, which may be nil.
func (c *Conn) change(do func()) {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	rested := c.requests == 0
	if do(); rested != (c.requests == 0) {
		c.since = time.Now()
	}
}

// Begin notes that a request has arrived whole, and is being answered.
func (c *Conn) Begin() { c.change(func() { c.requests++ }) }

// End notes that it is answered.
func (c *Conn) End() { c.change(func() { c.requests-- }) }

// Vouch marks the connection as that of an operator.
func (c *Conn) Vouch() { c.change(func() { c.operator = true }) }

type connKey struct{}

// WithConn notes the connection for [ConnOf]; it is the ConnContext of a server.
func WithConn(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	limited, _ := c.(*Conn)
	return context.WithValue(ctx, connKey{}, limited)
}

// ConnOf is the connection that a request has come by, nil in tests without one.
func ConnOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}
