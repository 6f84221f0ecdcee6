package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sphereserver/data/atomicfile"
)

// markFile lies beside the database while a program writes to it, and after a program that has not ended in order. It
// holds the number that the database had at least: SQLite's user_version, which goes up with each program that writes
// and with each checkpoint. A database with a lower number has lost its log, or is another one.
//
// The number guards the other way round, too: a writer that finds another one than it has given is not alone.
const markFile = DatabaseFile + ".mark"

const (
	// lookEvery is how often a writer that has nothing to do looks whether its files are where they were.
	lookEvery = 5 * time.Second
	// checkpointEvery is how old something may get that stands in the log only.
	checkpointEvery = time.Minute
)

// readMark is 0 when there is none.
func readMark(dir string) int64 {
	text, _ := os.ReadFile(filepath.Join(dir, markFile))
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 32)
	return n
}

// examineMark refuses a database that is older than its mark.
func examineMark(ctx context.Context, path string, mark int64, withLog bool) error {
	if mark == 0 {
		return nil
	}
	db, err := openToLook(path, !withLog)
	if err != nil {
		return err
	}
	defer db.Close()
	n, err := readOne(ctx, db, single[int64], "PRAGMA user_version")
	if err == nil && n < mark {
		err = refuseOlder(path)
	}
	return err
}

func refuseOlder(path string) error {
	return refuse(path, nil, "it is older than what was last written to it: its log %s-wal has been removed, or another "+
		"file put in its place, after a program that did not end in order (to use it all the same, delete %s)",
		filepath.Base(path), filepath.Join(filepath.Dir(path), markFile))
}

// number is the database's number within the transaction.
func (t *tx) number() (int64, error) {
	return readOne(background, t, single[int64], "PRAGMA user_version")
}

// claim makes the database this writer's, when it is connected for the first time, and notes which log it writes to.
func (w *writer) claim() (err error) {
	if w.number == 0 {
		err = w.advance()
	} else {
		_, err = w.tx.number() // opens the log
	}
	if err != nil {
		return err
	}
	switch w.log.info, err = os.Stat(w.log.path); {
	case errors.Is(err, fs.ErrNotExist): // a disk on which there can be none
		return nil
	default:
		return err
	}
}

// advance gives the database the next number, and notes it in the mark as soon as it is on the disk: from then on the
// log cannot get lost unnoticed.
func (w *writer) advance() error {
	if err := w.tx.command("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	n, err := w.tx.number()
	if err != nil {
		return err
	}
	if w.number != 0 && n != w.number {
		return w.notAlone()
	}
	if _, err := w.tx.conn.ExecContext(background, fmt.Sprintf("PRAGMA user_version = %d", n+1)); err != nil {
		return err
	}
	if err := w.tx.command("COMMIT"); err != nil {
		return err
	}
	w.number = n + 1
	mark := filepath.Join(filepath.Dir(w.database.path), markFile)
	if err := atomicfile.Write(mark, []byte(strconv.FormatInt(w.number, 10)+"\n"), 0o600); err != nil {
		w.logger.Warn("cannot note what was written; the older mark stays", "error", err)
	}
	return nil
}

func (w *writer) notAlone() error {
	return &storageFailure{fmt.Errorf("data: %s: %w", w.database.path, errNotAlone)}
}

// still refuses to go on when another program has taken the database.
func (w *writer) still() error {
	n, err := w.tx.number()
	if err == nil && n != w.number {
		err = w.notAlone()
	}
	return err
}

// A placedFile is a file that was opened; info is nil before that.
type placedFile struct {
	path string
	info os.FileInfo
}

// inPlace reports whether the name still leads to the file.
func (f *placedFile) inPlace() bool {
	if f.info == nil {
		return true
	}
	now, err := os.Stat(f.path)
	return err == nil && os.SameFile(f.info, now)
}

// inPlace reports whether writes go where the next program will look for them: to files that have kept their names.
func (w *writer) inPlace() error {
	logInPlace := w.log.inPlace() // first: a folder that is moved between the two looks has moved the database as well
	switch {
	case !w.database.inPlace():
		return &storageFailure{fmt.Errorf("data: %s was removed, moved or replaced while it is in use: nothing is written "+
			"until it is back. \"sphere db backup FILE\" still saves what is in it", w.database.path)}
	case !logInPlace:
		return &storageFailure{fmt.Errorf("data: %s was removed while it is in use: nothing is written any more. Stop the "+
			"server in order, which saves all that was acknowledged, and start it again", w.log.path)}
	}
	return nil
}

// look is the writer's work from time to time: it finds out that its files have gone, that another program holds the
// database, or that it can write again, before the next write, and moves the contents of the log into the database.
func (w *writer) look(now time.Time) {
	switch err := w.inPlace(); {
	case err != nil:
		w.noteFailure(err)
	case w.failing.Load() != nil, w.changed && now.Sub(w.checkpointed) >= w.checkpointEvery:
		w.checkpoint(now)
	default:
		w.noteFailure(w.probe())
	}
}

// probe is why nothing can be written, nil when all is well. It takes the database and lets go of it, without a write.
func (w *writer) probe() error {
	if err := w.begin(); err != nil {
		return err
	}
	if err := w.tx.command("ROLLBACK"); err != nil {
		w.disconnect()
		return explain(w.database.path, err)
	}
	return nil
}

// checkpoint waits for no reader: pages that one still needs stay in the log until the next time. A log that has
// grown beyond its limit because of one is warned of, once.
func (w *writer) checkpoint(now time.Time) {
	err := w.connect()
	if err == nil {
		var busy, pages, moved int64
		row := w.tx.conn.QueryRowContext(background, "PRAGMA wal_checkpoint(PASSIVE)")
		if err = row.Scan(&busy, &pages, &moved); err == nil {
			held := moved < pages && fileSize(w.log.path) > logLimit
			if held && !w.held {
				w.logger.Warn("a program that reads the database keeps its log from shrinking", "log", w.log.path,
					"bytes", fileSize(w.log.path), "readers", cmp.Or(readersOf(w.database.path), "unknown"))
			}
			w.held = held
		}
	}
	if err == nil {
		err = w.advance()
	}
	if err != nil {
		w.disconnect()
		err = explain(w.database.path, err)
	} else {
		w.changed, w.checkpointed = false, now
	}
	w.noteFailure(err)
}

// removeMark says that the database holds all that was written to it, and is used by nobody.
func (w *writer) removeMark() error {
	switch {
	case !w.database.inPlace():
		return fmt.Errorf("data: %s was removed, moved or replaced while it was in use: what was written to it is not there",
			w.database.path)
	case fileSize(w.log.path) >= 0: // another program has it open, and will close it
		return nil
	}
	return removeAll(filepath.Join(filepath.Dir(w.database.path), markFile))
}
