//go:build system && unix

package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/server/admin"
)

// pageOf starts a server on free ports, and returns the address of its page as the first line tells it, empty for none.
func pageOf(t *testing.T, args ...string) (p *process, page string) {
	t.Helper()
	p, all := listenersOf(t, t.TempDir(), args...)
	return p, all["admin"]
}

// listenersOf starts a server of a data folder on free ports, and returns the addresses that the first line tells, by name.
func listenersOf(t *testing.T, dir string, args ...string) (p *process, all map[string]string) {
	t.Helper()
	p, all = launch(t, "", dir, append([]string{"--listen", "127.0.0.1:0"}, args...)), map[string]string{}
	select {
	case line := <-p.lines:
		for _, word := range strings.Fields(line) {
			if name, at, ok := strings.Cut(word, "="); ok {
				all[name] = at
			}
		}
	case <-time.After(patience):
		t.Fatalf("the server is not ready:\n%s", p.logs)
	}
	return p, all
}

func TestThePlayersPageIsThereForWhoeverWantsIt(t *testing.T) {
	besideOthers(t)
	p, all := listenersOf(t, t.TempDir())
	if at := all["public"]; at != "" {
		t.Errorf("without being told to, the server has a page for players at %s", at)
	}
	p.stop()
	p, all = listenersOf(t, t.TempDir(), "--public-listen", "127.0.0.1:0", "--name", "Сфера")
	for path, want := range map[string]string{"/": "<!doctype html>", "/api/status": `"name":"Сфера"`,
		"/api/online": `"online":0`, "/api/top": `"title":[]`, "/api/map": `"key":"hyperion"`} {
		resp, err := http.Get("http://" + all["public"] + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(text), want) {
			t.Errorf("%s: status %d, %v, %.200s; expected %q", path, resp.StatusCode, err, text, want)
		}
	}
	// It is another listener than the administrators'.
	if all["public"] == all["admin"] {
		t.Errorf("both pages are at %s", all["public"])
	}
	other := launch(t, "", t.TempDir(), []string{"--listen", "127.0.0.1:0", "--public-listen", all["public"]})
	if code := other.ends(patience); code != 1 || !strings.Contains(other.logs.String(), "--public-listen") {
		t.Errorf("a taken address: exit code %d, %s", code, other.logs.String())
	}
	p.stop()
	if conn, err := net.Dial("tcp", all["public"]); err == nil {
		conn.Close()
		t.Error("the page is still there")
	}
}

func TestTheReadyLineTellsWhereThePageIs(t *testing.T) {
	besideOthers(t)
	p, page := pageOf(t)
	for path, want := range map[string]string{"/": "<!doctype html>", "/healthz": "ok", "/readyz": "ready",
		"/metrics": "sphere_players_online 0"} {
		resp, err := http.Get("http://" + page + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(strings.ToLower(string(text)), want) {
			t.Errorf("%s: status %d, %v, %.200s; expected %q", path, resp.StatusCode, err, text, want)
		}
	}
	p.stop()
	if conn, err := net.Dial("tcp", page); err == nil {
		conn.Close()
		t.Error("the page is still there")
	}
}

func TestThePageCanBeOff(t *testing.T) {
	besideOthers(t)
	p, page := pageOf(t, "--admin-listen", "")
	if page != "" {
		t.Errorf("the page is at %s, expected none", page)
	}
	p.stop()
}

func TestATakenAddressOfThePageIsAnErrorThatNamesWhoHasIt(t *testing.T) {
	besideOthers(t)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() { _ = http.Serve(other, http.NotFoundHandler()) }()
	sphere, page := pageOf(t)
	for at, want := range map[string]string{other.Addr().String(): "another program listens on ",
		page: ", a Sphere server; choose"} {
		p := launch(t, "", t.TempDir(), []string{"--listen", "127.0.0.1:0", "--admin-listen", at})
		if code := p.ends(patience); code != 1 {
			t.Errorf("exit code %d, expected 1", code)
		}
		if text := p.logs.String(); !strings.Contains(text, at) || !strings.Contains(text, want) ||
			!strings.Contains(text, "--admin-listen") {
			t.Errorf("the server says %q, expected the address, %q and what to do", text, want)
		}
		if _, err := os.Stat(filepath.Join(p.dir, admin.ControlFile)); err == nil {
			t.Error("a control file is left")
		}
	}
	sphere.stop()
}

func TestWrongCertificatesOfThePageAreAnError(t *testing.T) {
	besideOthers(t)
	p := launch(t, "", t.TempDir(), []string{"--listen", "127.0.0.1:0", "--admin-cert", "no-such-file.pem", "--admin-key",
		"no-such-file.key"})
	if code := p.ends(patience); code != 1 || !strings.Contains(p.logs.String(), "admin.cert") {
		t.Errorf("exit code %d, %q; expected 1 and what is wrong with admin.cert", code, p.logs.String())
	}
}
