package passwords

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives a process no console, since its signals and its end would reach the process, and a lower priority.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS |
		windows.BELOW_NORMAL_PRIORITY_CLASS}
}

// lower has nothing to do: the process was started so.
func lower(int) error { return nil }

// leaveNoCore has nothing to do: the Go runtime asks Windows for no error reports.
func leaveNoCore() {}
