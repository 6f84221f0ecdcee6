package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"sphereserver/data/atomicfile"
)

// LockFile is the name of the file within a data folder that is locked while a process has the folder.
const LockFile = "sphere.lock"

// holderFile names that process.
const holderFile = "sphere.lock.info"

// A Holder is the process that has locked a data folder, as it has described itself.
type Holder struct {
	PID     int       `json:"pid"`
	Address string    `json:"address"` // where it listens; "" before it does, and for commands that only borrow the folder
	Since   time.Time `json:"since"`
}

// A LockedError is the error of [Lock] when another process has the folder.
type LockedError struct {
	Dir    string
	Holder Holder // zero when it has not announced itself
}

// Error names the folder and, if it has announced itself, the process that has it, with its address.
func (e *LockedError) Error() string {
	switch {
	case e.Holder.PID == 0:
		return fmt.Sprintf("data: %s is in use by another process", e.Dir)
	case e.Holder.Address == "":
		return fmt.Sprintf("data: %s is in use by process %d, since %s", e.Dir, e.Holder.PID,
			e.Holder.Since.Local().Format(time.DateTime))
	}
	return fmt.Sprintf("data: %s is in use by process %d, a server that listens on %s since %s",
		e.Dir, e.Holder.PID, e.Holder.Address, e.Holder.Since.Local().Format(time.DateTime))
}

// A FolderLock is the exclusive right to a data folder. The operating system ends it with the process, however that
// ends.
type FolderLock struct {
	dir  string
	lock *flock.Flock
}

// Lock takes the exclusive right to a data folder, which it creates if there is none. It does not wait: a folder that
// another process has is a [LockedError].
func Lock(dir string) (*FolderLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data: create the data folder: %w", err)
	}
	l := &FolderLock{dir: dir, lock: flock.New(filepath.Join(dir, LockFile))}
	ok, err := l.lock.TryLock()
	if errors.Is(err, syscall.EROFS) {
		return nil, readOnlyFolder(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("data: lock %s: %w", dir, err)
	}
	if !ok {
		return nil, &LockedError{Dir: dir, Holder: HolderOf(dir)}
	}
	if err := l.Announce(""); err != nil {
		l.Unlock()
		if errors.Is(err, syscall.EROFS) {
			err = readOnlyFolder(dir)
		}
		return nil, err
	}
	return l, nil
}

// readOnlyFolder names the folder and not the file in it that was tried first.
func readOnlyFolder(dir string) error {
	return fmt.Errorf("data: lock %s: the folder is read-only: make it writable, or work on a copy of it (%w)", dir,
		syscall.EROFS)
}

// Announce notes this process, listening on address, as the holder of the folder, for processes that find it locked.
func (l *FolderLock) Announce(address string) error {
	text, err := json.Marshal(Holder{PID: os.Getpid(), Address: address, Since: time.Now().UTC().Truncate(time.Second)})
	if err == nil {
		err = atomicfile.Write(filepath.Join(l.dir, holderFile), append(text, '\n'), 0o600)
	}
	return wrap(err, "lock %s", l.dir)
}

// Unlock gives the folder back. The file stays: removing it would let two processes lock two files of one name.
func (l *FolderLock) Unlock() error {
	os.Remove(filepath.Join(l.dir, holderFile))
	return wrap(l.lock.Unlock(), "unlock %s", l.dir)
}

// withLock does something while the folder is locked. If it fails in a folder that was new, there is none afterwards.
func withLock(dir string, do func() error) error {
	_, none := os.Stat(dir)
	_, free := os.Stat(filepath.Join(dir, LockFile))
	lock, err := Lock(dir)
	if err != nil {
		return err
	}
	err = do()
	if err != nil && errors.Is(free, fs.ErrNotExist) {
		os.Remove(filepath.Join(dir, LockFile))
	}
	err = errors.Join(err, lock.Unlock())
	if err != nil && errors.Is(none, fs.ErrNotExist) {
		os.Remove(dir) // fails if there is anything in it
	}
	return err
}

// HolderOf is the process that has announced itself in a data folder; the zero Holder when nothing sensible is written.
// A process that was killed may have left it.
func HolderOf(dir string) Holder {
	text, _ := os.ReadFile(filepath.Join(dir, holderFile))
	var h Holder
	if json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}
