package oplog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

const (
	pieceBytes = 64 << 20
	oldPieces  = 10
	// fileLook is how often a file looks whether its name still leads to it.
	fileLook = time.Second
)

// A File is a log in pieces of 64 MiB, of which the last ten stay: log, log.1, log.2 and so on to the oldest. Where the
// disk is short of room none but the first stays, and that begins anew when it is full. A piece that cannot be renamed
// grows on. When somebody removes or renames the file, the next line begins a new one.
type File struct {
	path  string
	mode  fs.FileMode
	short func() bool // of room; nil: never
	piece int64       // bytes

	mu     sync.Mutex
	out    *os.File // nil when it could not be opened
	size   int64
	looked time.Time
}

// OpenFile opens a log, whose lines are appended. short reports whether the disk is short of room, and is asked at each
// new piece; nil: it never is.
func OpenFile(path string, mode fs.FileMode, short func() bool) (*File, error) {
	f := &File{path: path, mode: mode, short: short, piece: pieceBytes}
	return f, f.open()
}

func (f *File) open() error {
	out, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, f.mode)
	if err != nil {
		return err
	}
	f.out = out
	return f.measure()
}

// measure asks how long the file is: another program may have cut it.
func (f *File) measure() error {
	info, err := f.out.Stat()
	if err == nil {
		f.size = info.Size()
	}
	return err
}

// Write appends a line.
func (f *File) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); f.out == nil || now.Sub(f.looked) > fileLook {
		f.looked = now
		if err := f.look(); err != nil {
			return 0, err
		}
	}
	if f.size > 0 && f.size+int64(len(line)) > f.piece {
		if err := f.turn(); f.out == nil {
			return 0, err
		}
	}
	n, err := f.out.Write(line)
	f.size += int64(n)
	return n, err
}

// look makes sure that the open file is the one that has the name.
func (f *File) look() error {
	if f.out != nil {
		is, err := f.out.Stat()
		if named, missing := os.Stat(f.path); err == nil && missing == nil && os.SameFile(is, named) {
			f.size = is.Size()
			return nil
		}
	}
	return errors.Join(f.close(), f.open())
}

// turn begins a new piece.
func (f *File) turn() error {
	err := f.close()
	if f.short != nil && f.short() {
		err = errors.Join(err, os.Truncate(f.path, 0))
		for n := 1; n <= oldPieces; n++ {
			if e := os.Remove(f.old(n)); !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
		return errors.Join(err, f.open())
	}
	// Pieces move on up to the first gap, so that one that cannot costs no others, however often it is tried.
	gap := 1
	for gap < oldPieces && exists(f.old(gap)) {
		gap++
	}
	for n := gap - 1; n >= 0 && err == nil; n-- {
		if e := os.Rename(f.old(n), f.old(n+1)); !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	return errors.Join(err, f.open())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// old is the name of the n-th piece before this one, which is number 0.
func (f *File) old(n int) string {
	if n == 0 {
		return f.path
	}
	return fmt.Sprint(f.path, ".", n)
}

// Reopen begins a new file if the old one has been renamed, as programs do that keep logs.
func (f *File) Reopen() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.look()
}

// Close closes the log. A later line opens it again.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.close()
}

func (f *File) close() error {
	if f.out == nil {
		return nil
	}
	err := f.out.Close()
	f.out = nil
	return err
}
