package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A machine describes the machine of the figures.
type machine struct {
	System    string `json:"system"` // linux/amd64
	Go        string `json:"go"`
	CPUs      int    `json:"cpus"`
	Processor string `json:"processor,omitempty"`
}

func thisMachine() machine {
	return machine{runtime.GOOS + "/" + runtime.GOARCH, runtime.Version(), runtime.NumCPU(), processor()}
}

// String is one line.
func (m machine) String() string {
	s := fmt.Sprintf("%s, %s, %d CPUs", m.System, m.Go, m.CPUs)
	if m.Processor != "" {
		s += " (" + m.Processor + ")"
	}
	return s
}

// commit is the one that is measured, "" where git knows none.
func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// processor is the name of the processor where the system tells it.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// residentBytes is the memory of a process that is no file's: memory that the program itself has used and not given
// back.
func residentBytes(pid int) (int64, error) { return memoryOf(pid, "Anonymous") }

// memoryOf is a line of what the system says of a process's memory, in bytes: of "Rss", all that is resident.
func memoryOf(pid int, line string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	return parseSmaps(string(text), line)
}

// parseSmaps reads one line of smaps_rollup.
func parseSmaps(text, want string) (int64, error) {
	for line := range strings.Lines(text) {
		var kib int64
		if _, err := fmt.Sscanf(line, want+": %d kB", &kib); err == nil {
			return kib * 1024, nil
		}
	}
	return 0, fmt.Errorf("smaps_rollup has no line %q", want)
}
