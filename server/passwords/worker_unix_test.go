//go:build unix

package passwords

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ps tells one column about a process; empty for one that has ended.
func ps(column string, pid int) string {
	out, _ := exec.Command("ps", "-o", column+"=", "-p", fmt.Sprint(pid)).Output() // fails for one that has ended
	return strings.TrimSpace(string(out))
}

// needPS skips where the system's list of processes cannot be asked.
func needPS(t *testing.T) {
	t.Helper()
	if ps("pid", os.Getpid()) == "" {
		t.Skip("there is no ps")
	}
}

// The child has a lower priority, a group of its own, and nothing in its arguments and its environment.
func TestAChildStandsApart(t *testing.T) {
	t.Setenv("SPHERE_SECRET", "secret")
	needPS(t)
	w, _ := working(t)
	c := w.answering(t, nil)
	pid := c.cmd.Process.Pid
	if got := ps("nice", pid); got != fmt.Sprint(niceness) {
		t.Errorf("nice %s, expected %d", got, niceness)
	}
	if got := ps("pgid", pid); got != fmt.Sprint(pid) {
		t.Errorf("group %s, expected its own, %d", got, pid)
	}
	if got := ps("args", pid); !strings.HasSuffix(got, " "+argument) {
		t.Errorf("arguments %q", got)
	}
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && len(env) > 0 {
		t.Errorf("environment %q", env)
	}
	// A signal from a terminal or a service manager to all does not end it.
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if err := c.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	w.check(t)
	if w.child.Load() != c {
		t.Error("a signal has ended the child")
	}
}

// stopped has a question waiting for a child that does not go on.
func stopped(t *testing.T, w *Worker) (c *child, answered chan bool) {
	t.Helper()
	c = w.answering(t, nil)
	hash := hashOf(t, "right")
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	answered = make(chan bool)
	for _, try := range []string{"right", "wrong"} {
		go func() {
			ok, err := w.Verify(t.Context(), hash, try)
			answered <- ok == (try == "right") && err == nil
		}()
	}
	until(t, "the questions wait", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.waiting) == 2 || w.child.Load() != c // it may have been given up already
	})
	return c, answered
}

func TestAChildThatIsKilledLosesNoAnswer(t *testing.T) {
	w, l := working(t)
	c, answered := stopped(t, w)
	c.kill()
	for range 2 {
		if !<-answered {
			t.Error("an answer is wrong")
		}
	}
	w.answering(t, c)
	w.check(t)
	if l.warnings() != 1 || !strings.Contains(l.String(), "killed") {
		t.Errorf("the log says\n%s", l)
	}
}

func TestAChildThatHangsIsEnded(t *testing.T) {
	defer func(d time.Duration) { answerWithin = d }(answerWithin)
	answerWithin = 50 * time.Millisecond
	w, _ := working(t)
	_, answered := stopped(t, w)
	for range 2 {
		if !<-answered {
			t.Error("an answer is wrong")
		}
	}
}

// A program that says something else is not taken for a child, and is not left running.
func TestAnotherProgramIsNoChild(t *testing.T) {
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip("there is no echo")
	}
	w, l := working(t, echo)
	until(t, "it is told", func() bool { return l.warnings() > 0 })
	w.check(t)
	if w.child.Load() != nil || !strings.Contains(l.String(), "greeting") {
		t.Errorf("the log says\n%s", l)
	}
}

func TestAKilledParentLeavesNoChild(t *testing.T) {
	needPS(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(exe)
	parent.Env = append(os.Environ(), parentEnv+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	_, err = fmt.Fscan(bufio.NewReader(out), &pid)
	_ = parent.Process.Kill()
	_ = parent.Wait() // killed
	if err != nil {
		t.Fatal(err)
	}
	// Nobody may have taken note of its end yet.
	until(t, "the child ends", func() bool { s := ps("stat", pid); return s == "" || s[0] == 'Z' })
}
