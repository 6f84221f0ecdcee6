package api

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
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
	c := &certificate{cert: cert, key: key, log: log}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("admin.cert and admin.key: %w", err)
	}
	c.pair, c.stamp, c.looked = &pair, c.stampNow(), time.Now()
	return c, nil
}

// stampNow tells two states of the files apart.
func (c *certificate) stampNow() (stamp string) {
	for _, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ")
		}
	}
	return stamp
}

// get is what [tls.Config] asks for each connection.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= certificateLook {
		c.looked = now
		c.renew()
	}
	return c.pair, nil
}

// renew reads the files again if they have changed.
func (c *certificate) renew() {
	stamp := c.stampNow()
	if stamp == c.stamp {
		return
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		c.log.Error("admin page: the certificate has changed and cannot be read; the one before stays", "error", err)
		return
	}
	c.pair, c.stamp = &pair, stamp
	c.log.Info("admin page: read the new certificate", "file", c.cert)
}
