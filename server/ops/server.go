package ops

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/packets/capture/recording"
)

// A File is written by the server, so only the owner of the machine chooses its place.
var ownFileText = Text{"Место файла выбирает только владелец машины.",
	"Only the owner of the machine may choose where the file is."}

func (c *call) mayChoose(path string) error {
	if path != "" && c.by.Account != 0 {
		return refuse(ErrForbidden, ownFileText)
	}
	return nil
}

// backup copies the database to a file, by default one in the backup folder.
func (c *call) backup(f File) (File, error) {
	if err := c.mayChoose(f.Path); err != nil {
		return f, err
	}
	if f.Path == "" {
		f.Path = data.DefaultBackupPath(c.Store.Dir(), time.Now())
	}
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return f, invalid(fmt.Errorf("backup: %w", err))
	}
	save := func() error { return c.Store.Backup(c, path) }
	err = c.record(path, "", save)
	if errors.Is(err, data.ErrUnavailable) { // a database that cannot be written any more needs a backup most
		if c.Log != nil {
			c.Log.Warn("backup without an entry in the audit trail", "who", c.by.Name, "file", path, "error", err)
		}
		err = save()
	}
	return File{path}, err
}

var (
	noBackupText = Text{"Копии «%s» нет.", "There is no backup %q."}
	orderedText  = Text{"Копия %s назначена к восстановлению. Сначала отмените его.",
		"The backup %s is to be restored. Take that back first."}
	brokenBackupText = Text{"Копия %s не годится: %v", "The backup %s cannot be used: %v"}
)

// restoreBackup makes the next start of the server put a backup in the place of the database.
func (c *call) restoreBackup(b BackupName) (BackupName, error) {
	return b, c.withBackup(b, func() error {
		err := data.OrderRestore(c, c.Store.Dir(), b.File)
		if err != nil && c.Err() == nil {
			err = refuse(ErrInvalid, brokenBackupText, b.File, err)
		}
		return err
	})
}

// keepDatabase takes an order of restoreBackup back, and returns its backup.
func (c *call) keepDatabase(Empty) (BackupName, error) {
	file, err := data.OrderedRestore(c.Store.Dir())
	if err != nil || file == "" {
		return BackupName{}, err
	}
	return BackupName{file}, c.record(file, "", func() error { return data.CancelRestore(c.Store.Dir()) })
}

func (c *call) deleteBackup(b BackupName) (BackupName, error) {
	return b, c.withBackup(b, func() error {
		err := data.DeleteBackup(c.Store.Dir(), b.File)
		if errors.Is(err, data.ErrOrdered) {
			err = refuse(ErrInvalid, orderedText, b.File)
		}
		return err
	})
}

// withBackup does something with a file of the backup folder that is there.
func (c *call) withBackup(b BackupName, do func() error) error {
	if _, err := data.BackupPath(c.Store.Dir(), b.File); err != nil {
		return orElse(err, noBackupText, shortName(b.File))
	}
	return c.record(b.File, "", do)
}

func (c *call) check(Empty) (CheckResult, error) {
	problems, err := c.Store.Check(c)
	return CheckResult{Problems: problems}, err
}

// report has the counts of the store and, in a running server, its present state.
func (c *call) report(Empty) (Report, error) {
	stored, err := c.Store.Counts(c)
	if err != nil {
		return Report{}, err
	}
	r := Report{Stored: stored}
	if c.Status != nil {
		status := c.Status()
		r.Running, r.Status = true, &status
		r.FirstLink, err = c.firstLink(status.Page)
	}
	return r, err
}

// maxAuditShown is how many entries are shown at once, except to the owner of the machine.
const maxAuditShown = 1000

var (
	listedText       = Text{"Показать можно от 1 до %d строк, а не %d.", "Expected 1 to %d lines, not %d."}
	leastAuditedText = Text{"Показать можно не меньше 1 строки, а не %d.", "Expected 1 line or more, not %d."}
)

// usuallyListed is how many lines are shown where a search does not say.
const usuallyListed = 100

// listed notes how many lines are asked for where that is below none, which is as many as is usual, or above the most.
func (f *Faults) listed(limit, most int) {
	if limit < 0 || limit > most {
		f.Add("limit", listedText, most, limit)
	}
}

func (s AuditSearch) check(f *Faults) {
	if s.Limit < 0 {
		f.Add("limit", leastAuditedText, s.Limit)
	}
}

// audit lists the newest entries of the audit trail, a hundred unless the search says how many.
func (c *call) audit(s AuditSearch) ([]AuditEntry, error) {
	if c.by.Account != 0 { // the owner of the machine may read all of it
		var f Faults
		if f.listed(s.Limit, maxAuditShown); f != nil {
			return nil, f.Err()
		}
	}
	trail, err := c.Store.AuditTrail(c, data.AuditFilter{Target: s.Target, Who: s.Who, Action: s.Action, Since: s.Since,
		Before: s.Before}, cmp.Or(s.Limit, usuallyListed))
	out := make([]AuditEntry, 0, len(trail))
	for _, e := range trail {
		if told := c.Told(c.by.Role, e); s.Target == "" || told.Target != hidden { // a search tells nothing of hidden entries
			out = append(out, told)
		}
	}
	return out, err
}

// RecordingsFolder is the folder in a data folder in which recordings of sessions are made that are given no place.
const RecordingsFolder = "recordings"

func (c *call) recorder() (Recorder, error) {
	if c.Recorder == nil {
		return nil, fmt.Errorf("recording: %w", ErrNotRunning)
	}
	return c.Recorder, nil
}

// LongestRecording is how long sessions can be recorded that are recorded for a while.
const LongestRecording = 7 * 24 * time.Hour

var (
	recordedText = Text{"Нужно одно из трёх: все сеансы, учётная запись или игрок.",
		"expected one of all sessions, an account and a player"}
	recordedSpanText = Text{"Запись длится не дольше чем %v, а не %v с.", "expected a recording of at most %v, found %v s"}
)

func (o RecordingOrder) check(f *Faults) {
	wanted := 0
	for _, is := range []bool{o.All, o.Login != "", o.Session != 0} {
		if is {
			wanted++
		}
	}
	if wanted != 1 {
		f.Add("all", recordedText)
	}
	if !(o.Seconds >= 0 && o.Seconds <= LongestRecording.Seconds()) {
		f.Add("seconds", recordedSpanText, Span(LongestRecording), o.Seconds)
	}
}

// startRecording begins to record sessions; without a running server that is an error.
func (c *call) startRecording(order RecordingOrder) (Recording, error) {
	if err := c.mayChoose(order.Path); err != nil {
		return Recording{}, err
	}
	r, err := c.recorder()
	if err != nil {
		return Recording{}, err
	}
	if order.Path == "" {
		folder := filepath.Join(c.Store.Dir(), RecordingsFolder)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return Recording{}, fmt.Errorf("recording: %w", err)
		}
		order.Path = filepath.Join(folder, recording.FileName(time.Now()))
	}
	if order.Path, err = filepath.Abs(order.Path); err != nil {
		return Recording{}, invalid(fmt.Errorf("recording: %w", err))
	}
	if order.Login != "" {
		if _, err := c.account(AccountName{Login: order.Login}); err != nil {
			return Recording{}, err
		}
	}
	refusal := func(err error) error {
		if err != nil && !errors.Is(err, ErrRecording) {
			err = invalid(err)
		}
		return err
	}
	if err := refusal(r.MayRecord(order)); err != nil { // before the audit trail says that it began
		return Recording{}, err
	}
	var begun Recording
	err = c.record(order.target(), order.Path, func() (err error) {
		begun, err = r.BeginRecording(order)
		return refusal(err)
	})
	return begun, err
}

func (o *RecordingOrder) target() string {
	switch {
	case o.All:
		return allSessions
	case o.Login != "":
		return o.Login
	}
	return fmt.Sprintf(oneSession+"0x%04X", o.Session)
}

// NoSession is the refusal to record the session of an unknown player.
func NoSession(index uint16) *Refusal {
	return refuse(ErrNotInWorld, noSessionText, fmt.Sprintf("0x%04X", index))
}

var noSessionText = Text{"Игрока с номером %s сейчас нет.", "No player has the index %s now."}

// stopRecording ends the recording that goes on.
func (c *call) stopRecording(Empty) (Recording, error) {
	r, err := c.recorder()
	if err != nil {
		return Recording{}, err
	}
	state, _ := r.LastRecording()
	if !state.Running {
		return state, ErrNoRecording
	}
	err = c.record(state.Path, "", func() (err error) {
		state, err = r.EndRecording()
		return err
	})
	return state, err
}

// lastRecording tells of the recording that goes on, or the last one. The zero value is none.
func (c *call) lastRecording(Empty) (Recording, error) {
	r, err := c.recorder()
	if err != nil {
		return Recording{}, err
	}
	state, _ := r.LastRecording()
	return state, nil
}

// latestStop is how far ahead a stop can be planned.
const latestStop = 24 * time.Hour

var (
	stopTimeText = Text{"Остановку можно назначить не дальше чем через %v, а не через %v.",
		"expected a stop within the next %v, found %v"}
	noStopText = Text{"Остановка не назначена или уже началась.", "No stop is planned, or it has begun."}
)

func (o StopOrder) check(f *Faults) {
	switch {
	case o.Seconds == nil:
		f.Add("seconds", emptyText)
	case *o.Seconds < 0 || *o.Seconds > int(latestStop/time.Second):
		f.Add("seconds", stopTimeText, Span(latestStop), secondsText(*o.Seconds))
	}
	f.line("reason", o.Reason)
}

// stopServer stops the server in a while, of which players are told; a plan that there was is given up.
func (c *call) stopServer(o StopOrder) (PlannedStop, error) {
	if c.Runtime == nil {
		return PlannedStop{}, ErrNotRunning
	}
	wait := time.Duration(*o.Seconds) * time.Second
	p := PlannedStop{At: time.Now().Add(wait), Reason: fitted(o.Reason)}
	return p, c.record("", strings.TrimSuffix("in "+wait.String()+": "+p.Reason, ": "), func() error {
		c.Runtime.PlanStop(&p)
		return nil
	})
}

// cancelStop takes a planned stop back, and returns it.
func (c *call) cancelStop(Empty) (p PlannedStop, err error) {
	if c.Runtime == nil {
		return p, ErrNotRunning
	}
	err = c.record("", "", func() error {
		before := c.Runtime.PlanStop(nil)
		if before == nil {
			return refuse(ErrInvalid, noStopText)
		}
		p = *before
		return nil
	})
	return p, err
}

var unreadText = Text{"Настройки остались прежними: %s", "The configuration stays as it was: %s"}

// reloadConfiguration makes the running server read its configuration files again, or reports the changes that this
// would make. When anything is wrong in them nothing changes.
func (c *call) reloadConfiguration(o ReloadOrder) (Reloaded, error) {
	r := Reloaded{Changes: []SettingChange{}}
	if c.Reload == nil {
		return r, ErrNotRunning
	}
	read := func() error {
		changes, err := c.Reload(o.Check)
		r.Changes = append(r.Changes, changes...)
		var inBoth Localized
		switch {
		case errors.As(err, &inBoth):
			return refuse(ErrInvalid, unreadText, Text{inBoth.In(true), inBoth.In(false)})
		case err != nil:
			return refuse(ErrInvalid, unreadText, err)
		}
		return nil
	}
	if o.Check {
		return r, read()
	}
	return r, c.record("", "", read)
}
