package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/config"
)

func TestUnknownZone(t *testing.T) {
	for name, want := range map[string]string{"": "", "UTC": "", "Europe/Moscow": "", ":Europe/Moscow": "",
		"/etc/localtime": "", "Europe/Moskow": "Europe/Moskow", "MSK-3": "MSK-3"} {
		t.Setenv("TZ", name)
		if got := unknownZone(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestDataInMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what a disk is can be told on Linux only")
	}
	if d := diskOf("/dev/shm"); !d.memory || d.network != "" {
		t.Skipf("/dev/shm is no memory here: %+v", d)
	}
	if d := diskOf(t.TempDir()); d.network != "" || d.readOnly {
		t.Errorf("the folder of this test is on %+v", d)
	}
	if d := diskOf("/no such folder"); d != (disk{}) {
		t.Errorf("no folder is on %+v", d)
	}
}

// Neither a log nor a sample of the configuration is written into a file that the server keeps itself.
func TestFilesOfTheServerAreNotWrittenOver(t *testing.T) {
	inTurn(t)
	l := populated(t)
	database := filepath.Join(l.dir, data.DatabaseFile)
	before, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "", "--log-file", database},
		{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "", "--log-file", filepath.Join(l.dir, "Chat.log")},
		{"config", "init", "--force", "--config", database},
		{"config", "init", "--force", "--config", filepath.Join(l.dir, config.BalanceFile)},
	} {
		if code, _, errs := l.do("", args...); code != 1 || !strings.Contains(errs, "is a file of the server's own: choose another name") {
			t.Errorf("%v: exit code %d, %s", args, code, errs)
		}
	}
	if after, err := os.ReadFile(database); err != nil || !bytes.Equal(before, after) {
		t.Error("the database has changed")
	}
	if code, _, errs := l.do("", "config", "init", "--config", filepath.Join(l.dir, "other.toml")); code != 0 {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// The first start makes the data folder before a log in it.
func TestALogInANewDataFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	p := &program{dir: dir}
	if err := p.openLog(config.Log{File: filepath.Join(dir, "sphere.log")}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}
