//go:build unix

package passwords

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// niceness leaves a child about a tenth of a processor that others want the whole of, and all of one that nobody does.
const niceness = 10

// detach gives a process a group of its own, which no signal of the terminal reaches. A session of its own would not
// do: where Linux shares the processors out by session, priorities count within one only.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// lower lowers the priority of a detached process. By its group: on Linux the priority of a process is the
// priority of one of its threads.
func lower(pid int) error { return unix.Setpriority(unix.PRIO_PGRP, pid, niceness) }

// leaveNoCore keeps passwords out of core dumps.
func leaveNoCore() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
