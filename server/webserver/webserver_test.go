package webserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// writeCertificate makes a certificate of this machine, and returns it with its files.
func writeCertificate(t *testing.T, dir string, serial int64) (parsed *x509.Certificate, cert, key string) {
	t.Helper()
	private := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	about := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der := must(x509.CreateCertificate(rand.Reader, about, about, private.Public(), private))
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY",
		Bytes: must(x509.MarshalPKCS8PrivateKey(private))}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return must(x509.ParseCertificate(der)), cert, key
}

func TestARenewedCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	_, cert, key := writeCertificate(t, dir, 1)
	c, err := loadCertificate("admin", cert, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		c.mu.Lock()
		c.looked = time.Time{}
		c.mu.Unlock()
		pair := must(c.Get(nil))
		return must(x509.ParseCertificate(pair.Certificate[0])).SerialNumber.Int64()
	}
	if n := serial(); n != 1 {
		t.Fatalf("certificate %d, expected 1", n)
	}
	writeCertificate(t, dir, 2)
	later := time.Now().Add(time.Second)
	if err := os.Chtimes(cert, later, later); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 {
		t.Errorf("certificate %d, expected the new one", n)
	}
	if err := os.WriteFile(cert, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 {
		t.Errorf("certificate %d, expected that the one before stays", n)
	}
	if _, err := loadCertificate("admin", cert, key, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.HasPrefix(err.Error(), "admin.cert and admin.key: ") {
		t.Errorf("a broken certificate at the start: %v", err)
	}
}

// A device has bytes without end.
func TestACertificateThatNeverEndsIsRefused(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip(err)
	}
	if _, err := loadCertificate("admin", endless, endless, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("zeros are a certificate")
	}
}

// A pretendedConn comes from where a test says.
type pretendedConn struct {
	net.Conn
	from   string
	closed bool
}

func (c *pretendedConn) RemoteAddr() net.Addr {
	return must(net.ResolveTCPAddr("tcp", c.from))
}

func (c *pretendedConn) Close() error {
	c.closed = true
	return nil
}

func TestPlacesOfTheListener(t *testing.T) { synctest.Test(t, placesOfTheListener) }

func placesOfTheListener(t *testing.T) {
	l := NewListener(nil, 4, 2)
	come := func(from string) (*Conn, *pretendedConn) {
		p := &pretendedConn{from: from + ":5000"}
		time.Sleep(time.Millisecond) // the order counts
		return l.admit(p), p
	}
	first, firstEnd := come("192.0.2.1")
	second, secondEnd := come("192.0.2.1")
	first.Begin()
	if c, _ := come("192.0.2.1"); c == nil || !secondEnd.closed || firstEnd.closed {
		t.Error("a third one of an address: expected the place of the one of it that rests")
	} else {
		c.Begin()
		c.Vouch()
	}
	_ = second.Close() // as its server does
	first.Vouch()
	if c, _ := come("192.0.2.1"); c != nil {
		t.Error("a third one of an address: expected that two operators at work keep their places")
	}
	for i := range 4 {
		if c, _ := come(fmt.Sprintf("192.0.2.%d", 10+i)); c == nil {
			t.Fatal("no place for another address")
		}
	}
	if len(l.open) != 4 || firstEnd.closed {
		t.Errorf("%d places are taken, expected 4", len(l.open))
	}
	var near []*Conn
	for range keptForLoopback {
		c, _ := come("127.0.0.1")
		near = append(near, c)
	}
	if len(l.open) != 4+keptForLoopback {
		t.Errorf("%d places are taken, expected those kept for this machine, too", len(l.open))
	}
	for c := range l.open {
		c.Begin()
		c.Vouch()
	}
	if c, _ := come("127.0.0.1"); c != nil {
		t.Error("there is a place when all are at work")
	}
	near[0].End()
	if c, _ := come("198.51.100.1"); c == nil {
		t.Error("an operator that rests has made no room")
	}
}

func TestProxiesAreBelievedWhomTheyAskFor(t *testing.T) {
	l := NewListener(nil, 100, 2, netip.MustParsePrefix("172.18.0.0/16"), netip.MustParsePrefix("fd00::/8"))
	for _, v := range []struct {
		from, says, want string
		encrypted        bool
	}{
		{"172.18.0.5:1000", "203.0.113.9", "203.0.113.9", true},
		{"[::ffff:172.18.0.5]:1000", "198.51.100.1, 203.0.113.9", "203.0.113.9", true},
		{"[fd00::1]:1000", "2001:db8::7", "2001:db8::7", true},
		{"172.18.0.5:1000", "", "172.18.0.5", true},
		{"172.18.0.5:1000", "127.0.0.1", "172.18.0.5", true}, // of that machine, and not of this one
		{"172.19.0.5:1000", "203.0.113.9", "172.19.0.5", false},
		{"203.0.113.1:1000", "127.0.0.1", "203.0.113.1", false},
		{"127.0.0.1:1000", "203.0.113.9", "203.0.113.9", true},
		{"127.0.0.1:1000", "127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1:1000", "nobody", "invalid IP", true},
	} {
		c := l.admit(&pretendedConn{from: v.from})
		if c == nil {
			t.Fatalf("%s is not admitted", v.from)
		}
		r := httptest.NewRequestWithContext(WithConn(t.Context(), c), http.MethodGet, "http://sphere/", nil)
		r.RemoteAddr = v.from
		if v.says != "" {
			r.Header.Set("X-Forwarded-For", v.says)
		}
		r.Header.Set("X-Forwarded-Proto", "https")
		if got := ClientAddr(r).String(); got != v.want || Encrypted(r) != v.encrypted {
			t.Errorf("%s for %q: %s, encrypted %v", v.from, v.says, got, Encrypted(r))
		}
	}
	// A proxy comes for many: it is no single address.
	for i := range 20 {
		if c := l.admit(&pretendedConn{from: fmt.Sprintf("172.18.0.9:%d", 2000+i)}); c == nil || len(l.open) != 11+i {
			t.Fatalf("connection %d of a proxy: %v, %d are open", i, c, len(l.open))
		}
	}
}
