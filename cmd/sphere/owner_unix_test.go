//go:build unix

package main

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/data"
)

// A container has no chown: a file that root restores there has to be the server's.
func TestRestoreByRootGivesTheDatabaseToItsOwner(t *testing.T) {
	inTurn(t)
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	l := populated(t)
	l.must("db", "backup")
	backup, err := data.NewestBackup(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	const stranger = 65532
	for _, path := range append(slices.Collect(maps.Keys(filesOf(l.dir))), l.dir) {
		if path != backup { // "docker cp" makes it root's
			if err := os.Chown(path, stranger, stranger); err != nil {
				t.Fatal(err)
			}
		}
	}
	l.must("db", "restore", backup)
	if _, others := ownersIn(l.dir); !slices.Equal(others, []string{backup}) {
		t.Errorf("of others: %v", others)
	}
}

// What root makes in the data folder of another user is that user's, who runs the server; what was root's before stays so.
func TestCommandsOfRootLeaveNoFilesOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	const stranger = 65534
	dir := t.TempDir()
	before, secret := filepath.Join(dir, "webhooks.toml"), filepath.Join(t.TempDir(), "secret")
	for _, path := range []string{before, secret} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(dir, stranger, stranger); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second replaces files
		if code := run([]string{"--data", dir, "config", "init", "--force"}, nil, io.Discard, io.Discard); code != 0 {
			t.Fatal(code)
		}
	}
	giveBack := keepOwners(dir)
	if err := errors.Join(os.Link(secret, filepath.Join(dir, "hard")), os.Symlink(secret, filepath.Join(dir, "soft")),
		os.Mkdir(filepath.Join(dir, data.BackupFolder), 0o700)); err != nil {
		t.Fatal(err)
	}
	giveBack()
	want := map[string]int{"webhooks.toml": 0, "sphere.toml": stranger, "balance.toml": stranger, "backups": stranger,
		"hard": 0, "soft": 0}
	found := map[string]int{}
	for path, owner := range filesOf(dir) {
		found[filepath.Base(path)] = owner
	}
	if !maps.Equal(found, want) {
		t.Errorf("owners %v, expected %v", found, want)
	}
	if _, others := ownersIn(dir); len(others) != 3 {
		t.Errorf("of others: %v", others)
	}
	text := plain(&fs.PathError{Op: "open", Path: filepath.Join(dir, "absent"), Err: fs.ErrPermission}).Error()
	if !strings.Contains(text, "permission denied; "+dir+" belongs to "+userName(stranger)+", this program runs as "+userName(0)) {
		t.Errorf("told %q", text)
	}
}

// A database that this user may not read is not damaged.
func TestAForeignDatabaseIsNotCalledDamaged(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	l := populated(t)
	if err := os.Chmod(filepath.Join(l.dir, data.DatabaseFile), 0); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"account", "list"}, {"doctor", "--listen", "127.0.0.1:0", "--admin-listen", ""}} {
		code, out, errs := l.do("", args...)
		if text := out + errs; code != 1 || !strings.Contains(text, "permission denied") || strings.Contains(text, "damaged") ||
			strings.Contains(text, "restore") {
			t.Errorf("%v: exit code %d, %s", args, code, text)
		}
	}
}
