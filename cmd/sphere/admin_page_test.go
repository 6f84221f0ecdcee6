//go:build system && unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/server/admin/web"
	"sphereserver/server/ops"
)

const (
	pageFolder   = "../../test/admin"
	pagePatience = 30 * time.Minute
)

// TestBrowserAdminPage makes a browser without a screen use the page of a server with bots in its world, by the
// program test/admin/page.js, which describes its steps. Its screenshots lie in test/admin/out afterwards.
func TestBrowserAdminPage(t *testing.T) {
	node, chromium := pageTools(t)
	besideOthers(t)
	dir := t.TempDir()
	commandLine{t, dir}.must("config", "init")
	p := launch(t, "", dir, []string{"--listen", "127.0.0.1:0", "--no-ase", "--no-minecraft"})
	select {
	case line := <-p.lines:
		for _, word := range strings.Fields(line) {
			if at, ok := strings.CutPrefix(word, "game="); ok {
				p.game = at
			}
		}
	case <-p.done:
		t.Fatalf("the server has ended with %d:\n%s", p.code(), p.logs)
	case <-time.After(patience):
		t.Fatalf("the server is not ready:\n%s", p.logs)
	}
	bots(t, p.game, "--count", "8", "--walk", "wander", "--ping-every", "1s", "--chat-every", "10s")
	bots(t, p.game, "--login", "Loner", "--name", "Loner", "--stand")
	eventually(t, "all bots are in the world", func() bool { return p.status().Players == 9 })

	out, err := filepath.Abs(filepath.Join(pageFolder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	link := operate[ops.Report](p, "status").FirstLink
	told := browse(t, node, chromium, "page.js", link, "chief", "secret-42", out)

	// The values that the page has shown are in the database and in the file.
	var done struct{ Kicked, Banned string }
	if err := json.Unmarshal(told, &done); err != nil {
		t.Fatalf("%v in %s", err, told)
	}
	for _, a := range operate[[]ops.Account](p, "account", "list") {
		if banned := a.Ban != nil; banned != (a.Login == done.Banned) {
			t.Errorf("%s is banned: %v", a.Login, banned)
		}
	}
	if file, err := os.ReadFile(filepath.Join(dir, "sphere.toml")); err != nil ||
		!strings.Contains(string(file), `name = "Проверка"`) {
		t.Errorf("%v: the name is not in\n%s", err, file)
	}
}

// TestBrowserPublicPage makes a browser look at the players' page of a server with bots in its world, by the program
// test/admin/public.js. Its screenshots lie in test/admin/out afterwards.
func TestBrowserPublicPage(t *testing.T) {
	node, chromium := pageTools(t)
	besideOthers(t)
	p, all := listenersOf(t, importedLand(t), "--no-ase", "--no-minecraft", "--name", "Проверка <i>1</i>", "--public-listen", "127.0.0.1:0",
		"--public-names", "--public-players-on-map", "--public-connect", "play.example.org")
	bots(t, all["game"], "--count", "5", "--walk", "wander", "--ping-every", "1s")
	bots(t, all["game"], "--login", "Loner", "--name", "Loner", "--stand")
	eventually(t, "all bots are in the world", func() bool { return p.status().Players == 6 })
	operate[any](p, "character", "level", "Loner", "7", "3")
	out, err := filepath.Abs(filepath.Join(pageFolder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	told := browse(t, node, chromium, "public.js", "http://"+all["public"], out)
	if !strings.Contains(string(told), `"online":6`) {
		t.Errorf("the page tells %s", told)
	}
}

// browse runs a program that uses a page, and returns its output.
func browse(t *testing.T, node, chromium, script string, args ...string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), node, append([]string{script}, args...)...)
	c.Dir, c.Env = pageFolder, append(os.Environ(), "CHROMIUM="+chromium)
	c.WaitDelay = time.Second
	defer time.AfterFunc(pagePatience, func() { _ = c.Process.Signal(os.Interrupt) }).Stop()
	var complaint strings.Builder
	c.Stderr = &complaint
	told, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, told, complaint.String())
	}
	return told
}

// pageTools finds the programs that the test needs, or skips it by name; with -everything all have to be there.
func pageTools(t *testing.T) (node, chromium string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		notInstalled(t, "node", "it is in Debian's nodejs")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if chromium, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		notInstalled(t, "chromium", "it is in Debian's chromium")
	}
	if _, err := os.Stat(filepath.Join(pageFolder, "node_modules", "playwright-core")); err != nil {
		notInstalled(t, "playwright-core", "npm ci --prefix test/admin")
	}
	if _, built := web.Page(); !built {
		notInstalled(t, "the administrators' page", "make web")
	}
	return node, chromium
}

// bots runs "sphere bot" in a process of its own until the test ends.
func bots(t *testing.T, addr string, args ...string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, append([]string{"bot", "--addr", addr}, args...)...)
	c.Env = os.Environ()
	asSphere(c, "")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // killed
	})
}
