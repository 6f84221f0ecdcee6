// Package datatest gives tests stores that cost little: a copy of one migrated database, and cheap hashes of passwords.
// Only tests import it.
package datatest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sphereserver/data"
	_ "sphereserver/data/datatest/inmemory"
)

// Cheap is the cost of a hash of a password in tests: next to nothing.
var Cheap = data.HashParams{MemoryKiB: 8, Time: 1, Threads: 1}

func init() { data.DefaultHashParams = Cheap }

// template is the file of an empty database.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sphere-template")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	store, err := data.Open(context.Background(), dir, data.Options{})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, data.DatabaseFile))
})

// Fill puts an empty database into a folder.
func Fill(t testing.TB, dir string) {
	t.Helper()
	file, err := template()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, data.DatabaseFile), file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
