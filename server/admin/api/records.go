package api

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// What has happened: chat, log, audit trail, backups.

// hears says whether a role may read a line: what players say to one another in private is for game masters.
func hears(role data.Role, e chat.Entry) bool {
	return e.Channel != world.Private || role >= data.GameMaster
}

func chatTail(s *Server, r *request) (any, error) {
	out := []chatAnswer{}
	for _, e := range s.o.Game.Chat().Tail() {
		if hears(r.who.role, e) {
			out = append(out, describeChat(e))
		}
	}
	return out[max(0, len(out)-r.asked.number["limit"]):], nil
}

// logQuery asks for lines of a level and above; without one, for all.
var logQuery = []param{{name: "level", oneOf: []string{"", "debug", "info", "warn", "error"}}, limit(500, 2000)}

func logLines(s *Server, r *request) (any, error) {
	least := slog.LevelDebug
	_ = least.UnmarshalText([]byte(r.asked.text["level"])) // none leaves it
	lines, _ := s.o.Tail.From(0)
	out := slices.DeleteFunc(lines, func(l oplog.Line) bool { return l.Level < least })
	return append([]oplog.Line{}, out[max(0, len(out)-r.asked.number["limit"]):]...), nil
}

func audit(s *Server, r *request) (any, error) {
	all, err := perform(s, r, ops.Audit,
		ops.AuditSearch{Target: r.asked.text["target"], Limit: r.asked.number["limit"]})
	return append([]data.AuditEntry{}, all...), err
}

// backupAnswer is a backup in the folder for them.
type backupAnswer struct {
	File  string    `json:"file"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
}

type backupsAnswer struct {
	Folder  string         `json:"folder"`
	Backups []backupAnswer `json:"backups"` // newest first
	Made    uint64         `json:"made"`    // by the schedule, since the start
	Failed  uint64         `json:"failed"`
	Failure string         `json:"failure,omitempty"` // of the schedule's last try
}

func backups(s *Server, _ *request) (any, error) {
	state := s.o.Backups.State()
	a := backupsAnswer{Folder: filepath.Join(s.o.Store.Dir(), data.BackupFolder), Backups: []backupAnswer{},
		Made: state.Made, Failed: state.Failed, Failure: state.Failure}
	entries, err := os.ReadDir(a.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ".db") {
			continue
		}
		a.Backups = append(a.Backups, backupAnswer{e.Name(), info.Size(), info.ModTime().UTC()})
	}
	slices.SortFunc(a.Backups, func(x, y backupAnswer) int { return y.At.Compare(x.At) })
	return a, nil
}

func backupRequest(*Server, *request, *nothing) (ops.File, error) { return ops.File{}, nil }

func describeBackup(made ops.File, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(made.Path)
	if err != nil {
		return nil, err
	}
	return backupAnswer{filepath.Base(made.Path), info.Size(), info.ModTime().UTC()}, nil
}

// plain answers with one line.
func (r *request) plain(status int, line string) {
	r.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	r.w.Header().Set("Cache-Control", "no-store")
	r.w.WriteHeader(status)
	_, _ = r.w.Write([]byte(line + "\n"))
}

func healthz(_ *Server, r *request) { r.plain(http.StatusOK, "ok") }

// notReady says why players cannot come in, or what they do does not get to the disk; empty when all is well.
func (s *Server) notReady() string {
	switch {
	case s.o.Game.Stopping():
		return "stopping"
	case !s.ready.Load():
		return "starting"
	case !s.meter.saving(time.Now()):
		return "saving fails"
	}
	return ""
}

func readyz(s *Server, r *request) {
	if why := s.notReady(); why != "" {
		r.plain(http.StatusServiceUnavailable, why)
		return
	}
	r.plain(http.StatusOK, "ready")
}
