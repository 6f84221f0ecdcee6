//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is how long this process has kept processors busy, for itself and in the kernel. The kernel counts that
// in microseconds, where /proc shows steps of 10 ms.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
