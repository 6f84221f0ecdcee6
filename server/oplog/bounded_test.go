package oplog

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func boundedFile(t *testing.T, most int64) (b *Bounded, path string, log *bytes.Buffer) {
	t.Helper()
	path, log = filepath.Join(t.TempDir(), "kept.log"), new(bytes.Buffer)
	return NewBounded(path, most, slog.New(slog.NewTextHandler(log, nil))), path, log
}

func has(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("it has %q, %v; expected %q", got, err, want)
	}
}

// A full file keeps its lines and takes no more, and begins anew when it has been removed.
func TestABoundedFileNeverGrowsBeyondItsSize(t *testing.T) {
	b, path, log := boundedFile(t, 10)
	for _, line := range []string{"one\n", "two\n", "three\n", strings.Repeat("x", 1<<20), "\n"} {
		_, err := b.Write([]byte(line))
		if full := len(line) > 4; errors.Is(err, errFull) != full {
			t.Errorf("%.10q: %v", line, err)
		}
	}
	has(t, path, "one\ntwo\n\n")
	if is, err := os.Stat(path); err != nil || is.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", is, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write([]byte("four\n")); err != nil {
		t.Error(err)
	}
	has(t, path, "four\n")
	if n := strings.Count(log.String(), "msg=\"kept for"); n != 1 {
		t.Errorf("the log tells %d times that something is kept:\n%s", n, log)
	}
	if n := strings.Count(log.String(), "are lost"); n != 1 {
		t.Errorf("the log tells %d times of what is lost:\n%s", n, log)
	}
}

// Where it cannot be written nothing happens but one line of the log, until it can.
func TestABoundedFileThatCannotBeWritten(t *testing.T) {
	b, path, log := boundedFile(t, 100)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if n, err := b.Write([]byte("lost\n")); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the log has %d lines:\n%s", n, log)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write([]byte("kept\n")); err != nil {
		t.Error(err)
	}
	has(t, path, "kept\n")
}
