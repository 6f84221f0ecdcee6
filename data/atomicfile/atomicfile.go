// Package atomicfile replaces files so that a reader, also one after a power failure, finds the old or the new text
// and never half of one.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Write makes or replaces a file, which has the mode afterwards.
func Write(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when all went well: it has another name then
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return rename(f.Name(), path)
}

// Replace puts a file that was written under another name of the same folder, and is closed, into its place.
func Replace(written, path string) error {
	f, err := os.OpenFile(written, os.O_RDWR, 0) // Windows syncs only files that may be written
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return rename(written, path)
}

func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(to))
}

// SyncFolder makes renames in a folder last. Windows has no such thing and needs none; some file systems, such as those
// of shares, have none either, and nothing more can be done there.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folderFault(f.Sync()), f.Close())
}

// folderFault drops the errors of a file system that cannot sync folders.
func folderFault(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) { // ENOTSUP and its like
		return nil
	}
	return err
}
