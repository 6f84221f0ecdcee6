package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data/content/clientfiles"
)

func TestPointingTheClientAtAServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "servers.cfg")
	original := "// серверы\r\nSRV00 \"game.example\"\r\nCNTR0001 1\r\nCNTR0002 3\r\n"
	file, err := clientfiles.PackParams([]byte(original))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	sphere := func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(append([]string{"client", "servers-cfg"}, args...), nil, &out, &errs); code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, errs.String())
		}
		return out.String(), errs.String()
	}
	if got, _ := sphere(0, path); got != original {
		t.Errorf("shows %q", got)
	}
	sphere(0, path, "127.0.0.1")
	if got, _ := sphere(0, path); got != strings.Replace(original, "game.example", "127.0.0.1", 1) {
		t.Errorf("shows %q", got)
	}
	sphere(0, path, "10.0.0.1")
	if got, _ := sphere(0, path+".old"); got != original {
		t.Errorf("the client's own file is kept as %q", got)
	}
	fresh := filepath.Join(t.TempDir(), "servers.cfg")
	sphere(0, fresh, "localhost")
	if got, _ := sphere(0, fresh); !strings.HasPrefix(got, "SRV00 \"localhost\"\r\n") {
		t.Errorf("a new file shows %q", got)
	}

	for _, args := range [][]string{{}, {path, "a b"}, {path, "x", "y"}} {
		if _, errs := sphere(2, args...); strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %q", args, errs)
		}
	}
	broken := filepath.Join(t.TempDir(), "servers.cfg")
	if err := os.WriteFile(broken, []byte("SRV00 \"plain text\""), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs := sphere(1, broken); !strings.Contains(errs, "SPHR") {
		t.Errorf("a file that is not packed: %q", errs)
	}
	if _, errs := sphere(0, broken, "127.0.0.1"); !strings.Contains(errs, "SPHR") {
		t.Errorf("a file that is made anew: %q", errs)
	}
	if got, _ := sphere(0, broken); got != "SRV00 \"127.0.0.1\"\r\nCNTR0001 1\r\n" {
		t.Errorf("a damaged file becomes %q", got)
	}
	if got, err := os.ReadFile(broken + ".old"); err != nil || string(got) != "SRV00 \"plain text\"" {
		t.Errorf("the damaged file is kept as %q, %v", got, err)
	}
	if err := os.WriteFile(path, file[:len(file)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	sphere(0, path, "10.0.0.2")
	if got, _ := sphere(0, path); got != strings.Replace(original, "game.example", "10.0.0.2", 1) {
		t.Errorf("of the copy comes %q", got)
	}
}
