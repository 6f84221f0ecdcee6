package webserver

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"
)

// certificateLook is how often the files of a certificate are looked at: it is renewed while the server runs.
const certificateLook = time.Minute

// A certificate is one that is read again when its files change. One that cannot be read does not replace the one
// before.
type certificate struct {
	whose, cert, key string
	log              *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  string // of the files
	looked time.Time
}

// loadCertificate reads a certificate and its key. whose names the settings, "admin" or "public", for errors and the
// log.
func loadCertificate(whose, cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{whose: whose, cert: cert, key: key, log: log, looked: time.Now()}
	if _, err := c.renew(); err != nil {
		return nil, fmt.Errorf("%[1]s.cert and %[1]s.key: %[2]w", whose, err)
	}
	return c, nil
}

// Certificate reads a certificate and its key as [Encrypt] does.
func Certificate(whose, cert, key string) (*x509.Certificate, error) {
	c, err := loadCertificate(whose, cert, key, nil)
	if err != nil {
		return nil, err
	}
	return c.pair.Leaf, nil
}

// Encrypt lets a listener speak TLS with the certificate of two files; a server needs its configuration, too. Where
// they cannot be read the listener is closed.
func Encrypt(l net.Listener, whose, cert, key string, log *slog.Logger) (net.Listener, *tls.Config, error) {
	pair, err := loadCertificate(whose, cert, key, log)
	if err != nil {
		l.Close()
		return nil, nil, err
	}
	c := &tls.Config{GetCertificate: pair.Get, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	return tls.NewListener(l, c), c, nil
}

// Get returns the certificate; [tls.Config] calls it for each connection.
func (c *certificate) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= certificateLook {
		c.looked = now
		if renewed, err := c.renew(); err != nil {
			c.log.Error("the certificate has changed and cannot be read; the one before stays", "page", c.whose, "error", err)
		} else if renewed {
			c.log.Info("read the new certificate", "page", c.whose, "file", c.cert)
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
	cert, err := readPEM(c.cert)
	if err != nil {
		return false, err
	}
	key, err := readPEM(c.key)
	if err != nil {
		return false, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err == nil {
		c.pair, c.stamp = &pair, stamp
	}
	return err == nil, err
}

// mostPEM is how many bytes of a certificate or a key are read: more than any chain has.
const mostPEM = 1 << 20

// readPEM reads a file of a certificate or a key. A device may have bytes without end.
func readPEM(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostPEM))
}
