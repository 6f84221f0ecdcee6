package api

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"sphereserver/server/ratelimit"
)

// certificateLook is how often the files of a certificate are looked at: it is renewed while the server runs.
const certificateLook = time.Minute

// A certificate is one that is read again when its files change. One that cannot be read does not replace the one
// before.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  string // of the files
	looked time.Time
}

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log, looked: time.Now()}
	if _, err := c.renew(); err != nil {
		return nil, fmt.Errorf("admin.cert and admin.key: %w", err)
	}
	return c, nil
}

// get is what [tls.Config] asks for each connection.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= certificateLook {
		c.looked = now
		if renewed, err := c.renew(); err != nil {
			c.log.Error("admin page: the certificate has changed and cannot be read; the one before stays", "error", err)
		} else if renewed {
			c.log.Info("admin page: read the new certificate", "file", c.cert)
		}
	}
	return c.pair, nil
}

// renew reads the files if they have changed.
func (c *certificate) renew() (bool, error) {
	stamp := ""
	for _, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ")
		}
	}
	if stamp == c.stamp && c.pair != nil {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err == nil {
		c.pair, c.stamp = &pair, stamp
	}
	return err == nil, err
}

// A limitedListener has places for so many connections. Who comes when all are taken gets that of a connection that
// rests: between two requests, or before the first one has arrived whole. So nobody keeps others out by resting.
type limitedListener struct {
	net.Listener
	most       int
	perAddress int // connections of one address, but for this machine's; 0 where this machine's are all that come

	mu   sync.Mutex
	open map[*limitedConn]struct{}
}

func newLimitedListener(l net.Listener, most, perAddress int) *limitedListener {
	return &limitedListener{Listener: l, most: most, perAddress: perAddress, open: map[*limitedConn]struct{}{}}
}

// Accept returns the next connection that there is a place for.
func (l *limitedListener) Accept() (net.Conn, error) {
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

func (l *limitedListener) admit(c net.Conn) *limitedConn {
	made := &limitedConn{Conn: c, of: l, since: time.Now()}
	near := false // it comes from this machine
	if at, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		near = at.Addr().Unmap().IsLoopback()
		made.source = ratelimit.Source(at.Addr())
	}
	var goes *limitedConn
	l.mu.Lock()
	defer func() {
		l.mu.Unlock()
		if goes != nil {
			goes.Conn.Close()
		}
	}()
	sameSource := func(c *limitedConn) bool { return c.source == made.source }
	anybody := func(*limitedConn) bool { return true }
	most, which := l.most, anybody
	switch {
	case l.perAddress == 0:
	case near:
		most += keptForLoopback
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

func (l *limitedListener) count(which func(*limitedConn) bool) (n int) {
	for c := range l.open {
		if which(c) {
			n++
		}
	}
	return n
}

// idlest is who has to make room, nil for nobody: of those that rest the one that has for longest, strangers before
// operators; else the stranger that has been at its request for longest.
func (l *limitedListener) idlest(which func(*limitedConn) bool) (found *limitedConn) {
	for c := range l.open {
		if which(c) && c.rank() < busyOperator && (found == nil || c.rank() < found.rank() ||
			c.rank() == found.rank() && c.since.Before(found.since)) {
			found = c
		}
	}
	return found
}

// A limitedConn makes room when it is closed.
type limitedConn struct {
	net.Conn
	of     *limitedListener
	source netip.Addr // see ratelimit.Source

	// Guarded by of.mu.
	requests int       // that are being answered
	since    time.Time // that it rests, or does not
	operator bool      // has shown who it is
}

const (
	restingStranger = iota
	restingOperator
	busyStranger
	busyOperator
)

func (c *limitedConn) rank() int {
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
func (c *limitedConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// change changes what the listener knows of the connection, which may be nil.
func (c *limitedConn) change(do func()) {
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

func (c *limitedConn) begin() { c.change(func() { c.requests++ }) }
func (c *limitedConn) end()   { c.change(func() { c.requests-- }) }
func (c *limitedConn) vouch() { c.change(func() { c.operator = true }) }

type connKey struct{}

// withConn notes the connection for [connOf].
func withConn(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	limited, _ := c.(*limitedConn)
	return context.WithValue(ctx, connKey{}, limited)
}

// connOf is the connection that a request has come by, nil in tests without one.
func connOf(ctx context.Context) *limitedConn {
	c, _ := ctx.Value(connKey{}).(*limitedConn)
	return c
}
