package passwords

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"sphereserver/data"
	"sphereserver/data/datatest"
)

func TestMain(m *testing.M) {
	if Called() {
		os.Exit(Main())
	}
	if os.Getenv(parentEnv) != "" {
		beParent()
	}
	data.DefaultHashParams = cheap
	goleak.VerifyTestMain(m)
}

// parentEnv makes this test binary a parent that is killed.
const parentEnv = "PASSWORDS_TEST_PARENT"

// beParent says which process its child is, has it work, and waits for its own end.
func beParent() {
	w := NewWorker(slog.New(slog.DiscardHandler))
	for w.child.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(w.child.Load().cmd.Process.Pid)
	for {
		_, _ = w.Hash(context.Background(), "пароль")
	}
}

// cheap makes tests quick.
var cheap = datatest.Cheap

func hashOf(t *testing.T, password string) string {
	t.Helper()
	hash, err := data.HashPassword(password, cheap)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// logged is a log that tests read.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logged) warnings() int { return strings.Count(l.String(), "level=WARN") }

// working is a worker of a program, this one unless said otherwise, with its log.
func working(t *testing.T, path ...string) (*Worker, *logged) {
	t.Helper()
	l := new(logged)
	program := os.Executable
	if len(path) > 0 {
		program = func() (string, error) { return path[0], nil }
	}
	w := newWorker(slog.New(slog.NewTextHandler(l, nil)), program)
	t.Cleanup(func() { _ = w.Close() })
	return w, l
}

// until waits for a condition.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// answering waits for another child than the last one.
func (w *Worker) answering(t *testing.T, last *child) *child {
	t.Helper()
	until(t, "a child answers", func() bool { c := w.child.Load(); return c != nil && c != last })
	return w.child.Load()
}

// check hashes and verifies with a worker.
func (w *Worker) check(t *testing.T) {
	t.Helper()
	hash, err := w.Hash(t.Context(), "пароль")
	if err != nil {
		t.Fatal(err)
	}
	if _, stale, err := data.VerifyPassword(hash, "пароль"); stale || err != nil {
		t.Errorf("the hash is stale: %v, %v", stale, err)
	}
	for password, want := range map[string]bool{"пароль": true, "Пароль": false, "": false} {
		if ok, err := w.Verify(t.Context(), hash, password); ok != want || err != nil {
			t.Errorf("%q: %v, %v", password, ok, err)
		}
	}
}

func TestAChildHashesAndVerifies(t *testing.T) {
	w, l := working(t)
	w.answering(t, nil)
	w.check(t)
	if ok, err := w.Verify(t.Context(), data.DecoyHash(), "decoy"); ok || err != nil {
		t.Errorf("the decoy: %v, %v", ok, err)
	}
	_, here := Here{}.Verify(t.Context(), "$secret", "p")
	if _, err := w.Verify(t.Context(), "$secret", "p"); err == nil || err.Error() != here.Error() {
		t.Errorf("a damaged hash: %v, expected %v", err, here)
	}
	if l.warnings() > 0 || strings.Contains(l.String(), "пароль") || strings.Contains(l.String(), "argon2") {
		t.Errorf("the log says\n%s", l)
	}
}

// A child gives the same answers as this process would, for any bytes.
func TestAnswersAreThoseOfThisProcess(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		some := rapid.SliceOfN(rapid.Byte(), 0, 300)
		password, other := string(some.Draw(r, "password")), string(some.Draw(r, "other"))
		hash, err := data.HashPassword(password, cheap)
		if err != nil {
			r.Fatal(err)
		}
		var questions, answers bytes.Buffer
		asked := []question{{ID: 1, Verify: true, Hash: hash, Password: password},
			{ID: 2, Verify: true, Hash: hash, Password: other}, {ID: 3, Password: password, Params: cheap},
			{ID: 4, Verify: true, Hash: other, Password: password}, {ID: 5, Password: password}}
		to := gob.NewEncoder(&questions)
		for _, q := range asked {
			if err := to.Encode(q); err != nil {
				r.Fatal(err)
			}
		}
		answered := &waitingWriter{Writer: &answers, all: make(chan struct{}), left: 1 + len(asked)}
		if err := serve(&waitingReader{&questions, answered.all}, answered); err != nil {
			r.Fatal(err)
		}
		from := gob.NewDecoder(&answers)
		var g greeting
		if err := from.Decode(&g); err != nil || g.Protocol != protocol {
			r.Fatalf("greeting %v: %v", g, err)
		}
		got := map[uint64]answer{}
		for range asked {
			var a answer
			if err := from.Decode(&a); err != nil {
				r.Fatal(err)
			}
			got[a.ID] = a
		}
		if !got[1].Right || got[2].Right != (other == password) || got[1].Fault+got[2].Fault != "" {
			r.Errorf("verified: %+v, %+v", got[1], got[2])
		}
		if ok, _, err := data.VerifyPassword(got[3].Hash, password); !ok || err != nil {
			r.Errorf("hashed: %+v", got[3])
		}
		if got[4].Fault == "" || got[4].Right || got[5].Fault == "" || got[5].Hash != "" {
			r.Errorf("no hash and no parameters: %+v, %+v", got[4], got[5])
		}
	})
}

// A waitingReader ends when all has been answered.
type waitingReader struct {
	io.Reader
	all chan struct{}
}

func (w *waitingReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.EOF {
		<-w.all
	}
	return n, err
}

// A waitingWriter counts messages: gob writes each value in one, after one for each new type.
type waitingWriter struct {
	io.Writer
	all  chan struct{}
	left int
	seen int
}

func (w *waitingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.seen++; w.seen == w.left+2 { // two types: greeting and answer
		close(w.all)
	}
	return n, err
}

func TestManyAskAtOnce(t *testing.T) {
	w, l := working(t)
	w.answering(t, nil)
	var all sync.WaitGroup
	for i := range 50 {
		password := fmt.Sprint("password ", i)
		hash := hashOf(t, password)
		all.Go(func() {
			for _, try := range []string{password, "another", password} {
				if ok, err := w.Verify(t.Context(), hash, try); ok != (try == password) || err != nil {
					t.Errorf("%q: %v, %v", try, ok, err)
				}
			}
		})
	}
	all.Wait()
	if c := w.child.Load(); c == nil || len(c.waiting) > 0 || l.warnings() > 0 {
		t.Errorf("not all was answered by the child:\n%s", l)
	}
}

// Without a child passwords are hashed all the same, and the log says so once.
func TestAChildThatCannotBeStarted(t *testing.T) {
	w, l := working(t, filepath.Join(t.TempDir(), "none"))
	until(t, "the failure is told", func() bool { return l.warnings() > 0 })
	w.check(t)
	if l.warnings() != 1 {
		t.Errorf("the log says\n%s", l)
	}
}

func TestAnotherProtocolIsRefused(t *testing.T) {
	var said bytes.Buffer
	if err := gob.NewEncoder(&said).Encode(greeting{protocol + 1}); err != nil {
		t.Fatal(err)
	}
	if err := new(child).greeted(gob.NewDecoder(&said)); err == nil || !strings.Contains(err.Error(), "replaced") {
		t.Errorf("found %v", err)
	}
}

func TestWhoGivesUpWaitsNoLonger(t *testing.T) {
	w, _ := working(t)
	w.answering(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Verify(ctx, data.DecoyHash(), "decoy"); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
	w.check(t)
}

func TestAClosedWorkerStillAnswers(t *testing.T) {
	w, l := working(t)
	c := w.answering(t, nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if c.cmd.ProcessState == nil || c.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("the child has ended with %v", c.cmd.ProcessState)
	}
	w.check(t)
	if l.warnings() > 0 {
		t.Errorf("the log says\n%s", l)
	}
}
