package passwords

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
)

const (
	greetWithin = 30 * time.Second // the start of a child, on a busy machine
	endWithin   = 5 * time.Second

	// A child that has died is started again at once if it has lived for steady, otherwise after a pause that doubles.
	steady     = 10 * time.Second
	firstPause = time.Second
	mostPause  = time.Minute
)

// answerWithin is how long one hash may take, with a tenth of a processor and some others before it. Tests wait less.
var answerWithin = 30 * time.Second

// A Worker hashes passwords in a child process of lower priority, which it starts again when it dies. Passwords that
// a child does not answer are hashed here. Any goroutine may ask.
type Worker struct {
	log    *slog.Logger
	path   func() (string, error) // of the program
	child  atomic.Pointer[child]  // nil for none that answers
	ctx    context.Context        // ends with Close
	cancel context.CancelFunc
	ended  chan struct{}
}

// NewWorker starts a worker, which is to be closed.
func NewWorker(log *slog.Logger) *Worker { return newWorker(log, os.Executable) }

func newWorker(log *slog.Logger, path func() (string, error)) *Worker {
	w := &Worker{log: log, path: path, ended: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	go w.keep()
	return w
}

// Close ends the child, and waits for that.
func (w *Worker) Close() error {
	w.cancel()
	<-w.ended
	return nil
}

// Hash makes the hash that an account stores.
func (w *Worker) Hash(ctx context.Context, password string) (string, error) {
	a, err := w.ask(ctx, question{Password: password, Params: data.DefaultHashParams})
	if errors.Is(err, errNoAnswer) {
		return Here{}.Hash(ctx, password)
	}
	return a.Hash, err
}

// Verify reports whether a password fits a hash.
func (w *Worker) Verify(ctx context.Context, hash, password string) (bool, error) {
	a, err := w.ask(ctx, question{Password: password, Verify: true, Hash: hash})
	if errors.Is(err, errNoAnswer) {
		return Here{}.Verify(ctx, hash, password)
	}
	return a.Right, err
}

var errNoAnswer = errors.New("no process that hashes passwords answers")

func (w *Worker) ask(ctx context.Context, q question) (answer, error) {
	c := w.child.Load()
	if c == nil {
		return answer{}, errNoAnswer
	}
	a, err := c.ask(ctx, q)
	if err == nil && a.Fault != "" {
		err = errors.New(a.Fault)
	}
	return a, err
}

// keep has a child until the worker is closed. A failure is said once, until a child answers again.
func (w *Worker) keep() {
	defer close(w.ended)
	var pause time.Duration
	told := false
	for {
		began := time.Now()
		greeted, err := w.live()
		if w.ctx.Err() != nil {
			return
		}
		if greeted || !told {
			w.log.Warn("passwords are hashed in the server itself, until the process for them is there again", "error", err)
			told = true
		}
		if pause = min(max(2*pause, firstPause), mostPause); time.Since(began) >= steady {
			pause = 0
		}
		select {
		case <-time.After(pause):
		case <-w.ctx.Done():
			return
		}
	}
}

// live is the life of a child, until it ends or the worker is closed. greeted says that it has answered.
func (w *Worker) live() (greeted bool, err error) {
	c, from, err := start(w.path)
	if err != nil {
		return false, err
	}
	defer func() {
		w.child.Store(nil)
		err = errors.Join(err, c.end())
	}()
	defer context.AfterFunc(w.ctx, c.close)()
	if err := lower(c.cmd.Process.Pid); err != nil {
		w.log.Warn("passwords are hashed at the same priority as all else", "error", err)
	}
	if err := c.greeted(from); err != nil {
		return false, err
	}
	w.log.Info("passwords are hashed in a process of their own", "process", c.cmd.Process.Pid)
	w.child.Store(c)
	return true, c.hear(from)
}

// A child is the process, seen from its parent.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	ended   chan struct{} // no answer comes any more
	sending sync.Mutex    // of questions
	to      *gob.Encoder

	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan<- answer
}

// start starts this program once more. It gets no environment, since variables may be secrets, or settings of the Go
// runtime that are meant for the server, and its errors, which could quote a password, are dropped.
func start(path func() (string, error)) (c *child, from *gob.Decoder, err error) {
	if Called() { // by a program that does not look: it would start itself without end
		return nil, nil, errors.New("this process was started to hash passwords itself")
	}
	program, err := path()
	if err != nil {
		return nil, nil, err
	}
	c = &child{cmd: exec.Command(program, argument), ended: make(chan struct{}), waiting: map[uint64]chan<- answer{}}
	c.cmd.Env = []string{}
	detach(c.cmd)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, nil, err
	}
	c.to = gob.NewEncoder(c.in)
	return c, gob.NewDecoder(c.out), nil
}

// close tells the child to end, and sees to it.
func (c *child) close() {
	c.in.Close()
	time.AfterFunc(endWithin, c.kill)
}

func (c *child) kill() { _ = c.cmd.Process.Kill() } // which has no effect on one that has ended

// end frees all waiting callers, and returns how the process has ended.
func (c *child) end() error {
	close(c.ended)
	c.close()
	return c.cmd.Wait()
}

// greeted waits for the child's first words.
func (c *child) greeted(from *gob.Decoder) error {
	defer time.AfterFunc(greetWithin, c.kill).Stop()
	var g greeting
	if err := from.Decode(&g); err != nil {
		return fmt.Errorf("its greeting: %w", err)
	}
	if g.Protocol != protocol {
		return fmt.Errorf("its greeting: expected protocol %d, found %d; was the program replaced?", protocol, g.Protocol)
	}
	return nil
}

// hear hands answers to the callers that wait for them, until there are no more.
func (c *child) hear(from *gob.Decoder) error {
	for {
		var a answer
		if err := from.Decode(&a); err != nil {
			return err
		}
		c.mu.Lock()
		if to := c.waiting[a.ID]; to != nil {
			to <- a // has room for it
		}
		delete(c.waiting, a.ID)
		c.mu.Unlock()
	}
}

// ask waits for the answer. [errNoAnswer] is the error of a child that ends first, or that takes too long and is ended.
func (c *child) ask(ctx context.Context, q question) (answer, error) {
	got := make(chan answer, 1)
	c.mu.Lock()
	c.last++
	q.ID = c.last
	c.waiting[q.ID] = got
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, q.ID)
		c.mu.Unlock()
	}()
	defer time.AfterFunc(answerWithin, c.kill).Stop()
	c.sending.Lock()
	err := c.to.Encode(q)
	c.sending.Unlock()
	if err != nil {
		return answer{}, errNoAnswer
	}
	select {
	case a := <-got:
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	case <-c.ended:
	}
	select {
	case a := <-got:
		return a, nil
	default:
		return answer{}, errNoAnswer
	}
}
