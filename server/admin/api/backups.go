package api

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
)

type backupsAnswer struct {
	Folder  string            `json:"folder"`
	Backups []data.BackupFile `json:"backups"` // newest first
	Made    uint64            `json:"made"`    // by the schedule, since the start
	Failed  uint64            `json:"failed"`
	Failure string            `json:"failure,omitempty"` // of the schedule's last try
	Restore string            `json:"restore,omitempty"` // the file that is restored at the next start
}

func backups(s *Server, _ *request) (any, error) {
	state, dir := s.o.Backups.State(), s.o.Store.Dir()
	all, err := data.Backups(dir)
	ordered, unread := data.OrderedRestore(dir)
	return backupsAnswer{filepath.Join(dir, data.BackupFolder), all, state.Made, state.Failed, state.Failure, ordered},
		errors.Join(err, unread)
}

// downloadBackup sends a backup, which has the hashes of all passwords: that it was taken is written down first.
func downloadBackup(s *Server, r *request) {
	file := r.PathValue("file")
	path, err := data.BackupPath(s.o.Store.Dir(), file)
	if errors.Is(err, data.ErrNotFound) {
		err = errNoSuch.with(file)
	}
	var f *os.File
	if err == nil {
		e := data.AuditEntry{Who: r.who.actor().Name, Action: "backup download", Target: file}
		err = s.o.Ops.Record(r.Context(), e, func() (err error) { f, err = os.Open(path); return err })
	}
	if err != nil {
		s.fail(r, err)
		return
	}
	defer f.Close()
	r.w.Header().Set("Content-Type", "application/vnd.sqlite3")
	r.w.Header().Set("Content-Disposition", `attachment; filename="`+filepath.Base(path)+`"`)
	r.w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(r.w, r.Request, "", time.Time{}, f)
}
