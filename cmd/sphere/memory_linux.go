package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// dropProgram unmaps the pages of the program's own file that have been looked at: the start needs most of them once
// only. What is needed again is still in the system's cache. Where pages were written, as by a debugger, all stay.
func dropProgram() {
	own, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range unwritten(string(maps), own) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED) // where it fails, all stays
	}
}

// A mapping is a range of addresses.
type mapping struct{ from, to uintptr }

// unwritten finds the mappings of a file in /proc/PID/smaps that cannot be written, and have no page that ever was: as
// those of addresses that the loader fills in.
func unwritten(maps, file string) (all []mapping) {
	var m mapping
	for line := range strings.Lines(maps) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		switch fields[0] {
		case "Anonymous:", "Swap:":
			if fields[1] != "0" {
				m = mapping{}
			}
		case "VmFlags:": // the last line of each
			if m.to > m.from {
				all = append(all, m)
			}
			m = mapping{}
		default:
			from, to, is := strings.Cut(fields[0], "-")
			if !is || !strings.HasSuffix(line, " "+file) || !strings.HasPrefix(fields[1], "r-") {
				continue
			}
			first, err := strconv.ParseUint(from, 16, strconv.IntSize)
			last, wrong := strconv.ParseUint(to, 16, strconv.IntSize)
			if err == nil && wrong == nil {
				m = mapping{uintptr(first), uintptr(last)}
			}
		}
	}
	return all
}
