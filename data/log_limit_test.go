package data

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// grow writes as much to a database as its log takes in before it is beyond its limit.
func grow(t *testing.T, s *Store) {
	t.Helper()
	err := s.do(t.Context(), func(x *tx) error {
		if err := x.command("CREATE TABLE IF NOT EXISTS growth (bytes BLOB)"); err != nil {
			return err
		}
		return x.command("INSERT INTO growth VALUES (zeroblob(?))", logLimit+1<<20)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// warned is a log that counts the warnings of a reader that stays, which is this process.
type warned struct{ n atomic.Int64 }

func (w *warned) Write(line []byte) (int, error) {
	reader := fmt.Sprintf("(%d)", os.Getpid())
	if _, err := os.ReadFile("/proc/locks"); err != nil {
		reader = "unknown"
	}
	if bytes.Contains(line, []byte("keeps its log from shrinking")) && bytes.Contains(line, []byte(reader)) {
		w.n.Add(1)
	}
	return len(line), nil
}

func (w *warned) warnings() int { return int(w.n.Load()) }

// A reader that stays keeps the log from being used anew; it is warned of, and the log shrinks again when it has gone.
func TestTheLogShrinksAgain(t *testing.T) {
	var said warned
	dir := t.TempDir()
	s := open(t, dir, Options{Logger: slog.New(slog.NewTextHandler(&said, nil)), lookEvery: time.Millisecond,
		checkpointEvery: time.Millisecond})
	log := filepath.Join(dir, DatabaseFile+"-wal")
	must(s.CreateAccount(t.Context(), "one", "hash", Player))(t)
	reader, err := s.reads.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow("SELECT count(*) FROM accounts").Scan(&n); err != nil {
		t.Fatal(err)
	}
	grow(t, s)
	grow(t, s)
	if size := fileSize(log); size < logLimit {
		t.Fatalf("the log has %d bytes", size)
	}
	until(t, "it is warned of", func() bool { return said.warnings() > 0 })
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	i := 0
	until(t, "the log shrinks", func() bool {
		i++
		_ = s.SetRole(t.Context(), 1, Role(i%2))
		return fileSize(log) <= logLimit
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := said.warnings(); n != 1 {
		t.Errorf("warned %d times", n)
	}
}

// However long a reader takes for an export, the database goes on without it.
func TestAnExportHoldsNothingWhileItIsRead(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	for range 200 { // more than a pipe takes at once
		must(s.CreateAccount(t.Context(), strings.Repeat("a", 8)+time.Now().Format("150405.000000000"), "hash", Player))(t)
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := s.Export(context.Background(), w)
		done <- err
		w.Close()
	}()
	head := make([]byte, 10)
	if _, err := io.ReadFull(r, head); err != nil {
		t.Fatal(err)
	}
	grow(t, s)
	var busy, pages, moved int
	until(t, "the export lets go of the database", func() bool {
		err := s.reads.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved)
		return err == nil && pages == moved && pages > 0
	})
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
