//go:build unix

package data

import "golang.org/x/sys/unix"

// FreeBytes is how much an ordinary user may still write on the disk of a folder, and how large that is.
func FreeBytes(folder string) (free, total uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), uint64(s.Blocks) * uint64(s.Bsize), nil
}
