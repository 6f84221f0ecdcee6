//go:build unix

package main

import (
	"path/filepath"
	"slices"
	"testing"

	"sphereserver/data"
)

// Commands that only look, or change one thing, leave the database of an older program as it is.
func TestCommandsDoNotUpdateAnOlderDatabase(t *testing.T) {
	l := populated(t)
	path := filepath.Join(l.dir, data.DatabaseFile)
	for _, statement := range []string{"DROP TABLE admin_tokens", "DELETE FROM goose_db_version WHERE version_id = 4"} {
		if err := execute(path, statement); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, l.dir)
	for _, args := range [][]string{{"account", "list"}, {"db", "check"}, {"account", "role", "вася", "helper"}} {
		l.fails(1, `"sphere serve" brings it up to date, after a backup`, args...)
	}
	if after := contents(t, l.dir); !slices.Equal(before, after) {
		t.Errorf("the folder had %q, and has %q", before, after)
	}
}
