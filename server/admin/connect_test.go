package admin_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/admin/api"
	"sphereserver/server/ops"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

func TestConnectFindsTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ctx := t.Context()
	var warnings []string
	o := admin.Options{Who: "test", Patience: 100 * time.Millisecond, Warn: func(s string) { warnings = append(warnings, s) }}

	// No database: only a command that creates one makes one.
	if _, err := admin.Connect(ctx, dir, o); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("found %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("expected no folder to be made, found %v", err)
	}
	o.Create = true
	c, err := admin.Connect(ctx, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Do(ctx, c, ops.ListAccounts, ops.Search{}); err != nil {
		t.Error(err)
	}

	// Somebody has the folder and takes no commands.
	var busy *data.LockedError
	if _, err := admin.Connect(ctx, dir, o); !errors.As(err, &busy) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("found %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	// A server that was killed has left its control file.
	path := filepath.Join(dir, admin.ControlFile)
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = admin.Connect(ctx, dir, o)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "was stale") {
		t.Fatalf("%v, %v", err, warnings)
	}
	if c.Remote() {
		t.Error("expected the work to be done here")
	}
	// The same while somebody else has the folder.
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Connect(ctx, dir, o); !errors.As(err, &busy) || !strings.Contains(err.Error(), "is stale: process 77") {
		t.Errorf("found %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	// A server runs, started while the command was waiting.
	lock, err := data.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	o.Patience = time.Minute
	started := make(chan *api.Server, 1)
	time.AfterFunc(100*time.Millisecond, func() {
		s, err := api.Listen(api.Options{Store: store, Ops: &ops.Service{Store: store}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Error(err)
		}
		started <- s
	})
	c, err = admin.Connect(ctx, dir, o)
	s := <-started
	defer s.Close(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !c.Remote() {
		t.Error("expected a server to be asked")
	}
	if _, err := admin.Do(ctx, c, ops.GetReport, ops.Empty{}); err != nil {
		t.Error(err)
	}
}
