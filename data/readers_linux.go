package data

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// SQLite keeps the locks of snapshots in the bytes 123 to 127 of the file beside the log whose name ends with -shm, see
// its walindexformat.html.
const firstReadLock, lastReadLock = 123, 127

// readersOf names the processes that hold a snapshot of a database, as "sqlite3 (1234)"; empty if none is known.
func readersOf(database string) string {
	var shm unix.Stat_t
	if unix.Stat(database+"-shm", &shm) != nil {
		return ""
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	pids := lockHolders(string(locks), shm.Ino, firstReadLock, lastReadLock)
	if len(pids) > 1 { // this one is told of only if no other holds it up
		pids = slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() })
	}
	var names []string
	for _, pid := range pids {
		name := strconv.Itoa(pid)
		if comm, err := os.ReadFile("/proc/" + name + "/comm"); err == nil {
			name = fmt.Sprintf("%s (%s)", strings.TrimSpace(string(comm)), name)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// lockHolders finds the processes in /proc/locks that hold a lock within a range of bytes of a file. A line is like
// "3: POSIX  ADVISORY  READ 1234 08:02:6291 124 124". The number of the device is that of the file system, which for
// some is not the one that stat tells, so that the inode alone counts.
func lockHolders(locks string, inode uint64, first, last int) (pids []int) {
	for line := range strings.Lines(locks) {
		f := strings.Fields(line)
		if len(f) != 8 || f[1] != "POSIX" { // a line of eight words is no waiting one, which has an arrow
			continue
		}
		pid, err1 := strconv.Atoi(f[4])
		from, err2 := strconv.Atoi(f[6])
		if err1 != nil || err2 != nil || pid <= 0 || from < first || from > last ||
			!strings.HasSuffix(f[5], ":"+strconv.FormatUint(inode, 10)) || slices.Contains(pids, pid) {
			continue
		}
		pids = append(pids, pid)
	}
	return pids
}
