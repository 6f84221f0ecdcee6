//go:build unix

package bot

import "syscall"

// RaiseDescriptors lets the process open as many files and connections as the system allows it, and returns how many
// that are; 0 if that cannot be told.
func RaiseDescriptors() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	if l.Cur < l.Max {
		raised := l
		raised.Cur = l.Max
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			l = raised
		}
	}
	const all = 1 << 30 // more than anybody needs: "unlimited" is the greatest number there is
	return int(min(uint64(l.Cur), all))
}
