package api

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
)

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

func TestThePageSpeaksTLSItself(t *testing.T) {
	parsed, cert, key := writeCertificate(t, t.TempDir(), 1)
	g := newStage(t, func(o *Options) { o.Settings.Cert, o.Settings.Key = cert, key })
	g.url = strings.Replace(g.url, "http:", "https:", 1)
	b := g.stranger()
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	b.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	a := b.send("POST", "/api/login", loginBody{"administrator", password})
	b.want(http.StatusOK, a, nil)
	if !strings.Contains(a.header.Get("Set-Cookie"), "Secure") || a.header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%v, expected a secure cookie and that the page is for TLS only", a.header)
	}
	events := b.listen()
	next(t, events, "players", func(playersEvent) bool { return true })
	if resp, err := http.Get(strings.Replace(g.url, "https:", "http:", 1)); err == nil {
		resp.Body.Close()
		if resp.StatusCode < 400 {
			t.Errorf("without TLS: status %d", resp.StatusCode)
		}
	}
}

func TestARenewedCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	_, cert, key := writeCertificate(t, dir, 1)
	g := newStage(t, nil)
	c, err := loadCertificate(cert, key, g.log.Logger)
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		c.mu.Lock()
		c.looked = time.Time{}
		c.mu.Unlock()
		pair := must(c.get(nil))
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
	if _, err := loadCertificate(cert, key, g.log.Logger); err == nil {
		t.Error("a broken certificate is taken at the start")
	}
}

// Who rests has no place that others need, whether after an answer or in the middle of a header.
func TestRestingConnectionsMakeRoom(t *testing.T) {
	g := newStage(t, nil)
	operator := g.as(data.Helper)
	events := operator.listen()
	next(t, events, "players", func(playersEvent) bool { return true })
	for i := range 2 * (maxConnections + keptForLoopback) {
		c := must(net.Dial("tcp", g.api.Addr().String()))
		defer c.Close()
		request := "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
		if i%2 == 0 {
			request = "GET / HTTP/1.1\r\nHost: "
		}
		if _, err := io.WriteString(c, request); err != nil {
			continue // it has made room already
		}
		if i%2 == 1 {
			_, _ = c.Read(make([]byte, 1<<16))
		}
	}
	b := g.stranger()
	for range 3 {
		b.want(http.StatusOK, b.send("GET", "/healthz", nil), nil)
	}
	next(t, events, "players", func(playersEvent) bool { return true }) // the operator's stream goes on
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

func TestPlacesOfTheListener(t *testing.T) {
	l := newLimitedListener(nil, 4, 2)
	come := func(from string) (*limitedConn, *pretendedConn) {
		p := &pretendedConn{from: from + ":5000"}
		time.Sleep(time.Millisecond) // the order counts
		return l.admit(p), p
	}
	first, firstEnd := come("192.0.2.1")
	second, secondEnd := come("192.0.2.1")
	first.begin()
	if c, _ := come("192.0.2.1"); c == nil || !secondEnd.closed || firstEnd.closed {
		t.Error("a third one of an address: expected the place of the one of it that rests")
	} else {
		c.begin()
		c.vouch()
	}
	_ = second.Close() // as its server does
	first.vouch()
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
	var near []*limitedConn
	for range keptForLoopback {
		c, _ := come("127.0.0.1")
		near = append(near, c)
	}
	if len(l.open) != 4+keptForLoopback {
		t.Errorf("%d places are taken, expected those kept for this machine, too", len(l.open))
	}
	for c := range l.open {
		c.begin()
		c.vouch()
	}
	if c, _ := come("127.0.0.1"); c != nil {
		t.Error("there is a place when all are at work")
	}
	near[0].end()
	if c, _ := come("198.51.100.1"); c == nil {
		t.Error("an operator that rests has made no room")
	}
}
