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

// measureStart is P11: from starting the real program to its line that says that it listens.
func measureStart(ctx context.Context, b *bench) error {
	dir, err := b.prepared(ctx, apart, b.sizes.accounts(apart), cheapHash)
	if err != nil {
		return err
	}
	program := b.sphere
	if program == "" {
		if program, err = b.built(ctx, "sphere", "build", "-trimpath", "sphereserver/cmd/sphere"); err != nil {
			return err
		}
	}
	if dir, err = b.copied(dir); err != nil {
		return err
	}
	// Once without counting: the program comes from the disk the first time.
	if _, err := timeToReady(ctx, program, dir); err != nil {
		return err
	}
	_, err = b.measure(fmt.Sprintf("start to listening, %s characters stored", thousands(b.sizes.accounts(apart))),
		seconds, figureAtMost(1, seconds), figureAtMost(0.2, seconds),
		func() (float64, error) { return timeToReady(ctx, program, dir) }, nil)
	return err
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

// timeToReady starts the server, waits for its line, and stops it.
func timeToReady(ctx context.Context, program, dir string) (took float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, program, "serve", "--data", dir, "--listen", "127.0.0.1:0",
		"--admin-listen", "127.0.0.1:0", "--log-level", "error")
	c.Cancel = func() error { return c.Process.Kill() }
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := c.Start(); err != nil {
		return 0, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	took = time.Since(began).Seconds()
	if err == nil && !strings.HasPrefix(line, "ready ") {
		err = fmt.Errorf("the server's first line is %q, expected ready", line)
	}
	if stop := c.Process.Signal(os.Interrupt); stop != nil { // where there are no signals
		_ = c.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait()
		return took, err
	}
	_, _ = io.Copy(io.Discard, out)
	return took, errors.Join(err, c.Wait())
}
