package atomicfile

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
)

func expect(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; expected %q", filepath.Base(path), got, err, want)
	}
}

// alone fails if there is anything else in the folder: nothing half written is left behind.
func alone(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(want) {
		t.Fatalf("%v, %v; expected %v", entries, err, want)
	}
	for i, e := range entries {
		if e.Name() != want[i] {
			t.Errorf("%s, expected %s", e.Name(), want[i])
		}
	}
}

func TestWriteMakesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.toml")
	for i, text := range []string{"first", "the second one is longer", ""} {
		mode := []fs.FileMode{0o600, 0o644, 0o640}[i]
		if err := Write(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		expect(t, path, text)
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("mode %v, %v; expected %v", info.Mode(), err, mode)
		}
	}
	alone(t, dir, "a.toml")
}

func TestWhatCannotBeWrittenLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "missing", "a"), nil, 0o600); err == nil {
		t.Error("written into a folder that is not there")
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(folder, []byte("text"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	alone(t, dir, "folder")
	written := filepath.Join(dir, "written")
	if err := Replace(written, filepath.Join(dir, "b")); err == nil {
		t.Error("replaced by a file that is not there")
	}
	if err := SyncFolder(filepath.Join(dir, "missing")); err == nil && runtime.GOOS != "windows" {
		t.Error("synced a folder that is not there")
	}
}

func TestReplaceMovesAFile(t *testing.T) {
	dir := t.TempDir()
	path, written := filepath.Join(dir, "db"), filepath.Join(dir, "db.partial")
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Replace(written, path); err != nil {
			t.Fatal(err)
		}
		expect(t, path, text)
	}
	alone(t, dir, "db")
}

// TestReadersSeeOldOrNew reads while others write: never half of a text, never none.
func TestReadersSeeOldOrNew(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows refuses to replace a file that is being read")
	}
	path := filepath.Join(t.TempDir(), "a")
	texts := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<15)}
	if err := Write(path, texts[0], 0o600); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for _, text := range texts {
		writers.Go(func() {
			for range 20 {
				if err := Write(path, text, 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	over := make(chan struct{})
	go func() { writers.Wait(); close(over) }()
	for {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		select {
		case <-over:
			return
		default:
		}
	}
}

func TestFileSystemsThatCannotSyncFoldersWillDo(t *testing.T) {
	for _, v := range []struct {
		err   syscall.Errno
		fatal bool
	}{{syscall.EINVAL, false}, {syscall.ENOTSUP, false}, {syscall.EIO, true}, {syscall.ENOSPC, true}} {
		err := folderFault(&fs.PathError{Op: "sync", Path: "data", Err: v.err})
		if (err != nil) != v.fatal {
			t.Errorf("%v: %v", v.err, err)
		}
	}
	if err := folderFault(nil); err != nil {
		t.Error(err)
	}
}
