package main

import (
	"bytes"
	"io"
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
	if _, errs := sphere(1, filepath.Join(t.TempDir(), "none", "servers.cfg"), "localhost"); !strings.Contains(errs, "no folder") ||
		strings.Contains(errs, ".tmp") {
		t.Errorf("a folder that is not there: %q", errs)
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

// A mistyped name makes no file that the client would never read.
func TestAMistypedServersFileIsNotMade(t *testing.T) {
	empty, full := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "Servers.CFG"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(empty, "servrs.cfg"): "expected the client's file servers.cfg",
		filepath.Join(empty, "params"):     "expected the client's file servers.cfg",
		filepath.Join(full, "servrs.cfg"):  "did you mean " + filepath.Join(full, "Servers.CFG"),
		filepath.Join(full, "servers.cfg"): "did you mean " + filepath.Join(full, "Servers.CFG"),
	} {
		if _, err := os.Stat(path); err == nil {
			continue // the file system does not tell large letters from small ones
		}
		var errs bytes.Buffer
		code := run([]string{"client", "servers-cfg", path, "192.0.2.1"}, nil, io.Discard, &errs)
		if code != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q; expected %q", path, code, errs.String(), want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
}

func TestWhatCanBeNoServerIsNotWritten(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.300": "four numbers", "1.2.3": "four numbers", "1.2.3.4.5": "four numbers",
		"192.0.2.1:25860":      "without a port",
		"sphere.example:25860": "without a port", "http://192.0.2.1": "mean 192.0.2.1", "http://a b": "alone",
		"0x10": "four numbers", "0x7f000001": "four numbers", "a.0x1": "four numbers", "010.0.0.1": "mean 10.0.0.1",
		"0.0.0.0":         "one machine",
		"255.255.255.255": "one machine", "224.0.0.1": "one machine", "fd99::1": "no IPv6", "::1": "no IPv6",
		"[fd99::1]:25860": "without a port", "a b": "or a name", "": "or a name", "пример.рф": "xn--e1afmkfd", "a_b": "or a name",
		"-a": "or a name", "a..b": "or a name", "a\"b": "or a name", strings.Repeat("a.", 127) + "a": "or a name",
		"192.168.0.10": "", "localhost": "", "sphere.example": "", "xn--80aesfpebagmfblc0a.xn--p1ai": "", "10.0.0.1": "",
	} {
		if err := noServer(text); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
