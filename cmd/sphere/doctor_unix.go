//go:build unix

package main

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// freeBytes is how much an ordinary user may still write.
func freeBytes(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(existing(dir), &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}

// descriptorLimit is the greatest that the program can give itself.
func descriptorLimit() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil || l.Max > 1<<30 {
		return 0
	}
	return int(l.Max)
}
