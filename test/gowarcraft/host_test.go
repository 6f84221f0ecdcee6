package gowarcraft

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const patience = time.Minute

// program is the built server.
var program string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if program = os.Getenv("SPHERE_BINARY"); program == "" {
		dir, err := os.MkdirTemp("", "sphere")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "sphere")
		build := exec.Command("go", "build", "-o", program, "./cmd/sphere")
		build.Dir = "../.."
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "cannot build the server:", err)
			return 1
		}
	}
	return m.Run()
}

// A host is a process of "sphere w3host".
type host struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Writer
	log logBuffer
	tcp string
	udp string

	lines chan string // of its standard output
}

// A logBuffer keeps what the process logs, to be shown when a test fails.
type logBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startHost starts a host on free ports and waits until it is ready.
func startHost(t *testing.T, args ...string) *host {
	t.Helper()
	h := &host{t: t, lines: make(chan string, 100)}
	h.cmd = exec.Command(program, append([]string{"w3host", "--listen", "127.0.0.1:0", "--map-path", `Maps\Test\(2)Tiny.w3x`,
		"--map-size", "4096", "--map-crc", "0xCAFEBABE", "--map-xoro", "0xDEADBEEF", "--map-sha1", strings.Repeat("ab", 20), "--map-dims", "64x96"}, args...)...)
	h.cmd.Stderr = &h.log
	in, err := h.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.in = in
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		s := bufio.NewScanner(out)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			h.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		if err := h.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		defer time.AfterFunc(patience, func() { _ = h.cmd.Process.Kill() }).Stop()
		<-read
		if err := h.cmd.Wait(); err != nil {
			t.Errorf("the host did not end in order: %v", err)
		}
		if t.Failed() {
			t.Logf("the host's log:\n%s", h.log.String())
		}
	})
	if _, err := fmt.Sscanf(h.line(), "ready games=1 tcp=%s udp=%s", &h.tcp, &h.udp); err != nil {
		t.Fatalf("the ready line: %v", err)
	}
	return h
}

// line is the next line of the host's output.
func (h *host) line() string {
	h.t.Helper()
	select {
	case l := <-h.lines:
		return l
	case <-time.After(patience):
		h.t.Fatalf("the host says nothing more:\n%s", h.log.String())
		return ""
	}
}

// tell types a command and returns the answer.
func (h *host) tell(command string) string {
	h.t.Helper()
	if _, err := io.WriteString(h.in, command+"\n"); err != nil {
		h.t.Fatal(err)
	}
	return h.line()
}

// A status is what the host knows.
type status struct {
	Games []struct {
		Game     uint32
		EntryKey uint32 `json:"entry_key"`
		Name     string
		State    string
		Ticks    int
		Slots    []struct {
			Player, Download, State, Computer, Team, Colour, Race, Level, Handicap uint8
		}
		Players []struct {
			Player  uint8
			Name    string
			Slot    int
			Ready   bool
			Latency float64 `json:"latency_ms"`
			Ticks   int
		}
	}
	Ends map[string]int
}

func (h *host) status() status {
	h.t.Helper()
	var s status
	if err := json.Unmarshal([]byte(h.tell("status")), &s); err != nil {
		h.t.Fatal(err)
	}
	return s
}

// until waits until something is so.
func (h *host) until(what string, so func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("waited in vain until %s: %+v", what, h.status())
		}
	}
}
