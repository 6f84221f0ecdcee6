//go:build unix

package session

import "syscall"

// descriptors is how many files and sockets the process may have open; 0 if it is not known. Go has raised it as far as
// the system allows without asking.
func descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
