package api

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data"
)

// writeCertificate writes the certificate that package httptest has for this machine, and returns it with its files.
func writeCertificate(t *testing.T) (parsed *x509.Certificate, cert, key string) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pair := s.TLS.Certificates[0]
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		key: {Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s.Certificate(), cert, key
}

func TestThePageSpeaksTLSItself(t *testing.T) {
	t.Parallel()
	parsed, cert, key := writeCertificate(t)
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

// A resting connection gives its place to others, after an answer or in the middle of a header.
func TestRestingConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	operator := g.as(data.Helper)
	events := operator.listen()
	next(t, events, "players", func(playersEvent) bool { return true })
	for i := range 3 * maxConnections {
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
