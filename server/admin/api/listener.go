package api

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
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

// A limitedListener closes connections beyond a number at once: nobody waits for a place.
type limitedListener struct {
	net.Listener
	most int32
	open atomic.Int32
}

// Accept returns the next connection that there is room for.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &limitedConn{Conn: c, free: sync.OnceFunc(func() { l.open.Add(-1) })}, nil
		}
		l.open.Add(-1)
		c.Close()
	}
}

// A limitedConn makes room when it is closed.
type limitedConn struct {
	net.Conn
	free func()
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	c.free()
	return c.Conn.Close()
}
