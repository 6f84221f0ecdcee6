//go:build system && unix

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/config"
)

// A server outlives the program that reads its log, as a journal that begins again.
func TestAServerWhoseLogNobodyReadsGoesOn(t *testing.T) {
	besideOthers(t)
	p := serveIn(t, t.TempDir())
	p.logs.mu.Lock()
	p.logs.gone = true
	p.logs.mu.Unlock()
	file := filepath.Join(p.dir, config.FileName)
	for i, text := range []string{"debug", "info", "debug"} { // each is a line of the log
		if err := os.WriteFile(file, []byte("[log]\nlevel = \""+text+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code := run([]string{"--data", p.dir, "config", "reload"}, nil, io.Discard, io.Discard); code != 0 {
			t.Fatalf("reload %d: exit code %d", i, code)
		}
	}
	p.signal(syscall.SIGTERM)
	if code := p.ends(unhurried(10 * time.Second)); code != 0 {
		t.Errorf("exit code %d, expected an orderly stop", code)
	}
}

// Parts that the players' page is to show no more are gone with the hangup.
func TestHangupChangesWhatThePlayersPageShows(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	show := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte("[public]\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	show("names = true\n")
	p, all := listenersOf(t, dir, "--public-listen", "127.0.0.1:0")
	bots(t, all["game"], "--login", "Loner", "--name", "Loner", "--stand")
	told := func(path string) string {
		t.Helper()
		resp, err := http.Get("http://" + all["public"] + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	eventually(t, "the bot is shown", func() bool { return strings.Contains(told("/api/online"), `"name":"Loner"`) })
	show("names = false\ntop = false\nconnect = \"play.example.org\"\n")
	p.signal(syscall.SIGHUP)
	eventually(t, "the configuration is read", func() bool { return p.logs.contains("key=public.names old=true new=false") })
	if text := told("/api/online"); strings.Contains(text, "Loner") || !strings.Contains(text, `"online":1`) {
		t.Errorf("told %s", text)
	}
	if text := told("/api/status"); !strings.Contains(text, `"connect":"play.example.org"`) {
		t.Errorf("told %s", text)
	}
	if text := told("/api/top"); !strings.Contains(text, "not-found") {
		t.Errorf("told %s", text)
	}
	p.stop()
}

// SIGHUP makes the running server read its file again; a wrong file changes nothing, and the log says where it is
// wrong.
func TestHangupReloadsTheConfiguration(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	file := filepath.Join(dir, config.FileName)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[server]\nname = \"Раз\"\n[log]\nlevel = \"warn\"\n")
	p := serveIn(t, dir)
	reloaded := func(text string, wants ...string) { // all of which the log says, one after the other
		t.Helper()
		write(text)
		p.signal(syscall.SIGHUP)
		for _, want := range wants {
			for deadline := time.Now().Add(time.Minute); !p.logs.contains(want); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("expected %q in the log:\n%s", want, p.logs)
				}
			}
		}
	}
	reloaded("[server]\nname = \"Два\"\nlisten = \":1\"\n[log]\nlevel = \"info\"\n[limits]\nmax-per-address = 3\n",
		"key=server.name old=Раз new=Два", "key=log.level old=warn new=info", "key=limits.max-per-address old=8 new=3",
		"configuration reloaded")
	if p.logs.contains("key=server.listen") { // the command line goes before the file
		t.Errorf("a flag was overruled:\n%s", p.logs)
	}
	reloaded("[server]\nname = \"Три\"\n[limits]\nmax-per-address = \"many\"\n", file+":4:19: limits.max-per-address")
	if p.logs.contains("Три") {
		t.Errorf("a wrong file has changed something:\n%s", p.logs)
	}
	balance := filepath.Join(dir, config.BalanceFile)
	if err := os.WriteFile(balance, []byte("[damage]\nfists = 5\n[death]\nrevive = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reloaded("[log]\nlevel = \"info\"\n", "key=damage.fists old=2 new=5", "key=death.revive old=5s new=1s")
	if err := os.WriteFile(balance, []byte("[damage]\nfist = 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reloaded("", balance+":2:1: damage.fist: unknown key, did you mean damage.fists?")
	if err := os.Remove(balance); err != nil {
		t.Fatal(err)
	}
	reloaded("[server]\nsave-every = \"9s\"\n[log]\nlevel = \"info\"\n",
		"counts after a restart\" key=server.save-every now=3s then=9s")
	// A server that makes no backups can be told to.
	reloaded("[backups]\nevery = \"1s\"\nkeep = 0\n[log]\nlevel = \"info\"\n", "msg=\"backed up\"")
	newest, err := data.NewestBackup(dir)
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := data.CheckFile(t.Context(), newest); err != nil || len(problems) > 0 {
		t.Errorf("the backup: %v, %v", problems, err)
	}
	// An operator may rename the logs.
	said := filepath.Join(dir, chatLogFile)
	if err := os.Rename(said, said+".taken"); err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGHUP)
	eventually(t, "a new chat log is begun", func() bool { return fileThere(said) })
	p.stop()
	if strings.Contains(p.logs.all(), "panic") {
		t.Errorf("%s", p.logs)
	}
}
