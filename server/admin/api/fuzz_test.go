package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"unicode/utf8"

	"sphereserver/server/webserver"
)

func FuzzBodies(f *testing.F) {
	for _, text := range []string{"", "{}", `{"login":"a","password":"b"}`,
		`{"until":"2030-01-01T00:00:00Z","reason":"x","confirm":"y"}`, `{"minutes":5}`,
		`{"role":"helper"}`, `{"name":"x","role":"helper","days":30}`, `{"x":1,"y":2,"z":3,"yaw":4}`, `{"x":1e999}`,
		`{"toPlayer":9007199254740993}`,
		`{"place":"Шипстоун"}`, `{"item":"меч","count":2,"suffix":3}`, `{"key":"server.name","value":"x"}`,
		`{"key":"backups.every","value":"2h"}`,
		`{"text":"\ud800"}`, `{"text":"a\u0000b"}`, `{"a":{"b":[1,2,{}]}}`, `{"on":true,"session":20335}`, "{}{}", "[]",
		"null", "\xFF"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for i := range routes {
			r := &routes[i]
			if r.do.body == nil {
				continue
			}
			body := r.do.body()
			err := parseBody(raw, body)
			if err == nil {
				continue
			}
			var p *apiError
			if !errors.As(err, &p) || p.status != http.StatusBadRequest {
				t.Fatalf("%s: %v, expected a problem with status 400", r.path, err)
			}
			for _, russian := range []bool{false, true} {
				a := p.answer(russian)
				if a.Error == "" || a.Code == "" || p.code == "invalid" && len(a.Fields) == 0 {
					t.Fatalf("%s: %+v, expected a sentence and what is wrong with which field", r.path, a)
				}
				for name, sentence := range a.Fields {
					if sentence == "" || !utf8.ValidString(name) {
						t.Fatalf("%s: field %q: %q", r.path, name, sentence)
					}
				}
			}
		}
	})
}

func FuzzHeadersOfStrangers(f *testing.F) {
	f.Add("localhost", "203.0.113.9:1", "1.2.3.4", "ru,en")
	f.Add("[::1]:8860", "127.0.0.1:1", "1.2.3.4, 127.0.0.1", "")
	f.Add("[fe80::1%eth0]:1", "[::1]:1", "::ffff:127.0.0.1", "en;q=0")
	f.Add("evil.example", "", ",", ",,")
	s := &Server{hosts: map[string]bool{"admin.example": true}, addr: netip.MustParseAddrPort("192.0.2.1:8860")}
	f.Fuzz(func(t *testing.T, host, peer, forwarded, language string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host, r.RemoteAddr = host, peer
		r.Header["X-Forwarded-For"], r.Header["Accept-Language"] = []string{forwarded}, []string{language}
		s.knows(r)
		webserver.SpeaksRussian(r)
		at, err := netip.ParseAddrPort(peer)
		if here := err == nil && at.Addr().Unmap().IsLoopback(); s.isNear(r) && !here {
			t.Fatalf("%q is taken for this machine, forwarded for %q", peer, forwarded)
		}
	})
}
