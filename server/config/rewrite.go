package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sphereserver/data/atomicfile"
)

// OldSuffix ends the name of the file that has the text of the balance file before it was last rewritten.
const OldSuffix = ".old"

// ErrChanged says that a file is no longer as it was when it was opened.
var ErrChanged = errors.New("the file has changed")

// Balance reads the balance file. sum identifies the text for [Live.RewriteBalance], "" where there is no file. Errors
// name the file without its folder: other machines need not know where it lies.
func (l *Live) Balance() (text []byte, sum string, err error) {
	text, sum, err = l.readBalance()
	return text, sum, withoutFolder(err)
}

func (l *Live) readBalance() (text []byte, sum string, err error) {
	path := l.sources.Balance
	if path == "" {
		return nil, "", ErrNoFile
	}
	text, err = readFile(path, func(text []byte) ([]byte, Problems) {
		if err := unreadable(text); err != nil {
			return nil, Problems{problem(0, 0, "", err)}
		}
		return text, nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	}
	of := sha256.Sum256(text)
	return text, hex.EncodeToString(of[:]), nil
}

// RewriteBalance puts a text in the place of the balance file and makes it count. The old text stays beside it under a
// name with [OldSuffix]. It refuses with ErrChanged when the file is not the one that had the sum, and with [Problems]
// when anything is wrong in the text; the file is as it was then. With check it only returns the changes. Errors name
// files without their folder.
func (l *Live) RewriteBalance(text []byte, sum string, check bool) ([]Change, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	changes, err := l.rewriteBalance(text, sum, check)
	return changes, withoutFolder(err)
}

func (l *Live) rewriteBalance(text []byte, sum string, check bool) ([]Change, error) {
	old, now, err := l.readBalance()
	switch {
	case err != nil:
		return nil, err
	case now != sum:
		return nil, ErrChanged
	}
	changes, err := l.previewBalance(text)
	if err != nil || check {
		return changes, err
	}
	path := l.sources.Balance
	if now != "" {
		if err := atomicfile.Write(path+OldSuffix, old, modeOf(path)); err != nil {
			return nil, err
		}
	}
	if err := replaceFile(path, text); err != nil {
		return nil, err
	}
	changes, err = l.Reload()
	switch {
	case err == nil:
		return changes, nil
	case now == "":
		return nil, errors.Join(err, os.Remove(path))
	}
	return nil, errors.Join(err, replaceFile(path, old))
}

// previewBalance returns the changes that a text of the balance file would make. What waits in the other file is none.
func (l *Live) previewBalance(text []byte) ([]Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := l.sources
	from.balance = text
	if from.balance == nil {
		from.balance = []byte{}
	}
	_, changes, err := l.read(from)
	return slices.DeleteFunc(changes, func(c Change) bool {
		return !slices.ContainsFunc(balance.keys, func(k *Key) bool { return k.Name == c.Key })
	}), err
}

// withoutFolder takes the folders from the names of files in an error.
func withoutFolder(err error) error {
	var problems Problems
	var of *fs.PathError
	var pair *os.LinkError
	switch {
	case errors.As(err, &problems):
		problems = slices.Clone(problems)
		for i := range problems {
			problems[i].File = filepath.Base(problems[i].File)
		}
		return problems
	case errors.As(err, &of):
		return &fs.PathError{Op: of.Op, Path: filepath.Base(of.Path), Err: of.Err}
	case errors.As(err, &pair):
		return &os.LinkError{Op: pair.Op, Old: filepath.Base(pair.Old), New: filepath.Base(pair.New), Err: pair.Err}
	}
	return err
}
