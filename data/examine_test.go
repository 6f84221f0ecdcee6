package data

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExamineReadsAndLeavesEverythingAsItIs(t *testing.T) {
	dir := t.TempDir()
	_, err := Examine(t.Context(), dir)
	wantError(t, err, ErrNotFound)
	s := open(t, dir, Options{})
	must(s.CreateAccount(t.Context(), "a", must(HashPassword("пароль", HashParams{MemoryKiB: 8, Time: 1,
		Threads: 1}))(t), Player))(t)
	for _, running := range []bool{true, false} {
		if !running {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		before := must(os.ReadDir(dir))(t)
		found := must(Examine(t.Context(), dir))(t)
		if len(found.Problems) > 0 || found.Counts.Accounts != 1 || found.Schema == 0 || found.Schema != found.Newest {
			t.Errorf("running %v: %+v", running, found)
		}
		if after := must(os.ReadDir(dir))(t); len(after) != len(before) {
			t.Errorf("running %v: before %v, after %v", running, before, after)
		}
	}
}

func TestExamineKnowsOlderDatabases(t *testing.T) {
	dir := t.TempDir()
	m := loadMigrations(nil)
	db := must(sql.Open("sqlite", filepath.Join(dir, DatabaseFile)))(t)
	if err := m.up(context.Background(), db, 1); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if found := must(Examine(t.Context(), dir))(t); found.Schema != 1 || found.Newest < 2 || len(found.Problems) > 0 {
		t.Errorf("found %+v", found)
	}
	if problems := must(CheckFile(t.Context(), filepath.Join(dir, DatabaseFile)))(t); len(problems) > 0 {
		t.Errorf("found %v", problems)
	}
	if err := os.WriteFile(filepath.Join(dir, DatabaseFile), []byte(strings.Repeat("x", 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Examine(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("garbage: %v", err)
	}
}
