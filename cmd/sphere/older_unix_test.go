//go:build unix

package main

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"sphereserver/data"
)

// Commands that only look, or change one thing, leave the database of an older program as it is.
func TestCommandsDoNotUpdateAnOlderDatabase(t *testing.T) {
	inTurn(t)
	l := commandLine{t, t.TempDir()}
	db, err := sql.Open("sqlite", filepath.Join(l.dir, data.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	migrations, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../../data/migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before := contents(t, l.dir)
	for _, args := range [][]string{{"account", "list"}, {"db", "check"}, {"account", "role", "вася", "helper"}} {
		l.fails(1, `"sphere serve" brings it up to date, after a backup`, args...)
	}
	if after := contents(t, l.dir); !slices.Equal(before, after) {
		t.Errorf("the folder had %q, and has %q", before, after)
	}
}

// contents are the files of a folder with their sums, but for the lock's.
func contents(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), data.LockFile) {
			return err
		}
		text, err := os.ReadFile(path)
		out = append(out, fmt.Sprintf("%s %x", path, sha256.Sum256(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
