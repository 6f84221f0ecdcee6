package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// withoutMonsters makes a server the reference of one that has them.
const withoutMonsters = "--monsters=false"

// measureStart is P11: from starting the real program to its line that says that it listens.
func measureStart(ctx context.Context, b *bench) error {
	dir, err := b.prepared(ctx, apart, b.sizes.accounts(apart), cheapHash)
	if err != nil {
		return err
	}
	program, err := b.program(ctx)
	if err != nil {
		return err
	}
	if dir, err = b.copied(dir); err != nil {
		return err
	}
	starts := func(flags ...string) measurement {
		return func() (took float64, err error) {
			err = withServer(ctx, program, dir, flags, func(ready time.Duration, _ int) error {
				took = ready.Seconds()
				return nil
			})
			return took, err
		}
	}
	// Once without counting: the program comes from the disk the first time.
	if _, err := starts()(); err != nil {
		return err
	}
	r, err := b.measure(fmt.Sprintf("start to listening, %s characters stored", thousands(b.sizes.accounts(apart))),
		seconds, figureAtMost(0.2, seconds), figureAtMost(0.15, seconds), starts(), starts(withoutMonsters))
	r.note("with all monsters that ship; the reference is the same without monsters")
	return err
}

// settlesWithin is after which time a server that nobody plays on has given back what only its start needed.
const settlesWithin = 10 * time.Second

// measureIdleServer is P21: the memory of the real program with a new data folder, when it has settled. It is one run:
// memory does not depend on other work of the machine.
func measureIdleServer(ctx context.Context, b *bench) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%w: it needs Linux", errNotHere)
	}
	program, err := b.program(ctx)
	if err != nil {
		return err
	}
	defer b.atMost(1)()
	holds := func(flags ...string) measurement {
		return func() (size float64, err error) {
			dir, err := os.MkdirTemp(b.dir, "idle-")
			if err != nil {
				return 0, err
			}
			err = withServer(ctx, program, dir, flags, func(_ time.Duration, pid int) error {
				if err := sleep(ctx, settlesWithin); err != nil {
					return err
				}
				resident, err := memoryOf(pid, "Rss")
				size = float64(resident)
				return err
			})
			return size, err
		}
	}
	r, err := b.measure("memory of a server with all monsters and nobody on", memory, figureAtMost(48<<20, memory),
		figureAtMost(40<<20, memory), holds(), holds(withoutMonsters))
	r.note("all that is resident, %v after the start; the reference is the same without monsters", settlesWithin)
	return err
}

// program is the program to measure.
func (b *bench) program(ctx context.Context) (string, error) {
	if b.sphere != "" {
		return b.sphere, nil
	}
	return b.built(ctx, "sphere", "build", "-trimpath", "sphereserver/cmd/sphere")
}

// built runs the go command so that it makes a program, once.
func (b *bench) built(ctx context.Context, name string, args ...string) (string, error) {
	path := filepath.Join(b.dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%w: it needs the go command", errNotHere)
	}
	b.progressf("building %s", name)
	args = slices.Insert(args, len(args)-1, "-o", path)
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s, for which this is to run inside its source: %w: %s", name, err, out)
	}
	return path, nil
}

// startTimeout is when a server that is not ready is given up.
const startTimeout = 30 * time.Second

// withServer starts the server, waits for its line, runs work, and stops it. ready is how long the line took.
func withServer(ctx context.Context, program, dir string, flags []string,
	work func(ready time.Duration, pid int) error) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	args := append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--log-level", "error"}, flags...)
	c := exec.CommandContext(ctx, program, args...)
	c.Cancel = func() error { return c.Process.Kill() }
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := c.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	ready := time.Since(began)
	switch {
	case err != nil:
	case !strings.HasPrefix(line, "ready "):
		err = fmt.Errorf("the server's first line is %q, expected ready", line)
	default:
		err = work(ready, c.Process.Pid)
	}
	if stop := c.Process.Signal(os.Interrupt); stop != nil { // where there are no signals
		_ = c.Process.Kill()
		_, _ = io.Copy(io.Discard, lines)
		_ = c.Wait()
		return err
	}
	_, _ = io.Copy(io.Discard, lines)
	return errors.Join(err, c.Wait())
}
