package oplog

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
)

// A Bounded is a file of lines that never grows beyond a size: when it is full new lines are dropped, so that a flood
// cannot push out earlier lines. Once the file has been removed a new one begins. It is not for several goroutines at
// once.
type Bounded struct {
	path string
	most int64 // bytes
	log  *slog.Logger

	begun  bool // the log has been told of the first line
	failed bool // and of the last failure
}

var errFull = errors.New("the file is full")

// NewBounded makes a file of at most so many bytes for its owner alone. The log is told when the first line has come,
// and why lines are lost. The file is made by its first line.
func NewBounded(path string, most int64, log *slog.Logger) *Bounded {
	return &Bounded{path: path, most: most, log: log}
}

// Write appends a whole line or nothing.
func (b *Bounded) Write(line []byte) (int, error) {
	err := b.append(line)
	switch {
	case err == nil:
		b.failed = false
		if !b.begun {
			b.begun = true
			b.log.Info("kept for whoever can make sense of it", "file", b.path)
		}
		return len(line), nil
	case !b.failed:
		b.failed = true
		b.log.Warn("lines of a file are lost", "file", b.path, "error", err)
	}
	return 0, err
}

// append opens the file for one line: lines are rare, and a file that was removed is made again.
func (b *Bounded) append(line []byte) error {
	const ownerAlone fs.FileMode = 0o600
	f, err := os.OpenFile(b.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, ownerAlone)
	if err != nil {
		return err
	}
	is, err := f.Stat()
	if err == nil && is.Size()+int64(len(line)) > b.most {
		err = errFull
	}
	if err == nil {
		if _, err = f.Write(line); err != nil {
			err = errors.Join(err, f.Truncate(is.Size())) // a disk may have had room for a part
		}
	}
	return errors.Join(err, f.Close())
}
