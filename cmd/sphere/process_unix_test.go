//go:build system && unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// Helpers of the tests of faults and of whole lives: the server as a process of its own, and players in it.
//
// Each has two sizes: a short one for every day, and the size of docs/reliability.md, which prints its figures.

// size is how many there are to be of something.
func size(short, whole int) int {
	if full {
		return whole
	}
	return short
}

// unhurried lengthens a limit where nothing is measured: on a busy machine all takes several times as long.
func unhurried(d time.Duration) time.Duration {
	return d * time.Duration(timesPatient())
}

// timesPatient is how many times as long as elsewhere something may take where nothing is measured.
func timesPatient() int { return size(12, 1) }

// figure prints a line for docs/reliability.md.
func figure(t *testing.T, fault, format string, args ...any) {
	t.Helper()
	word := "FIGURE"
	if !full {
		word = "in the short size,"
	}
	t.Logf("%s case %s: %s", word, fault, fmt.Sprintf(format, args...))
}

// besideOthers makes a test run beside others, where nothing is measured: most of them mostly wait.
func besideOthers(t *testing.T) {
	if !full {
		t.Parallel()
	}
}

// childEnv makes this test binary be the program sphere. It may hold limits for it: "files=256".
const childEnv = "SPHERE_FAULTS_CHILD"

// lifeline is a pipe of which only this process has the end for writing: readers of the other end, its children,
// see its end when this process ends, however it does.
var lifeline = sync.OnceValue(func() (pipe [2]*os.File) {
	var err error
	if pipe[0], pipe[1], err = os.Pipe(); err != nil {
		panic(err)
	}
	return pipe
})

// asSphere makes a command of this test binary be the program sphere, which ends when the tests do.
func asSphere(c *exec.Cmd, settings string) {
	c.Env = append(c.Env, childEnv+"="+settings)
	c.ExtraFiles = []*os.File{lifeline()[0]}
}

// endWithTests ends this child with the tests that have started it.
func endWithTests() {
	const first = 3 // of ExtraFiles
	syscall.CloseOnExec(first)
	_, _ = os.NewFile(first, "lifeline").Read(make([]byte, 1))
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

func init() {
	beforeTests = func() {
		if settings, ok := os.LookupEnv(childEnv); ok {
			os.Exit(beSphere(settings))
		}
		if !full {
			_ = flag.Set("test.parallel", "4") // the command line can still say otherwise
		}
	}
}

// beSphere does the work of main, with two signals more. SIGUSR1 collects garbage, so that the memory in use can be
// measured. SIGUSR2 breaks the sockets that listen, but for the operators' one, as a defect of the system would.
func beSphere(settings string) int {
	os.Unsetenv(childEnv)
	go endWithTests()
	var files uint64
	if n, _ := fmt.Sscanf(settings, "files=%d", &files); n == 1 {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: files, Max: files}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 3
		}
	}
	signal.Ignore(syscall.SIGXFSZ) // a file that may not grow is an error then, as on a full disk
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for s := range signals {
			if s == syscall.SIGUSR1 {
				debug.FreeOSMemory()
				fmt.Println("collected")
				continue
			}
			breakListener(os.Args)
		}
	}()
	return run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// breakListener makes accept fail on the address of the game, which the last argument names.
func breakListener(args []string) {
	for fd := range 64 {
		at, err := syscall.Getsockname(fd)
		if err != nil {
			continue
		}
		listens, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN)
		if in, ok := at.(*syscall.SockaddrInet4); err == nil && listens == 1 && ok &&
			strings.HasSuffix(args[len(args)-1], fmt.Sprintf(":%d", in.Port)) {
			_ = syscall.Shutdown(fd, syscall.SHUT_RDWR)
		}
	}
}

// A process is a running server.
type process struct {
	t     *testing.T
	dir   string
	args  []string
	game  string // address
	cmd   *exec.Cmd
	lines chan string // of its standard output
	logs  *logs
	done  chan struct{}
	ended time.Time // set before done is closed
	limit string
}

// serveIn starts a server in a data folder, on a free port. On a machine that is busy with other things players take
// their time to log in, and say nothing while the others of their test come in.
func serveIn(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	long := (5 * patience).String()
	return start(t, "", dir, append([]string{"--listen", "127.0.0.1:0", "--handshake-timeout", long,
		"--login-timeout", long, "--entering-timeout", long, "--silence-timeout", long}, args...))
}

// start starts a server and waits until it is ready.
func start(t *testing.T, limit, dir string, args []string) *process {
	t.Helper()
	p := launch(t, limit, dir, args)
	select {
	case line := <-p.lines:
		for _, word := range strings.Fields(line) {
			if at, ok := strings.CutPrefix(word, "game="); ok {
				p.game = at
			}
		}
		if p.game == "" {
			t.Fatalf("the server says %q", line)
		}
	case <-p.done:
		t.Fatalf("the server has ended with %d:\n%s", p.code(), p.logs)
	case <-time.After(patience):
		t.Fatalf("the server is not ready after %v:\n%s", patience, p.logs)
	}
	return p
}

// launch starts a server and waits for nothing.
func launch(t *testing.T, limit, dir string, args []string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, dir: dir, args: args, lines: make(chan string, 16), logs: new(logs), done: make(chan struct{}),
		limit: limit}
	p.cmd = exec.Command(exe, append([]string{"--data", dir, "serve", "--admin-listen", "127.0.0.1:0",
		"--newcomers-dungeon=false"}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SPHERE_") {
			p.cmd.Env = append(p.cmd.Env, v)
		}
	}
	asSphere(p.cmd, limit)
	p.cmd.Stderr = p.logs
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = in
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	go func() {
		defer out.Close()
		for s := bufio.NewScanner(out); s.Scan(); {
			select {
			case p.lines <- s.Text():
			default:
			}
		}
	}()
	go func() {
		_ = p.cmd.Wait() // the exit code is in the process's state
		p.ended = time.Now()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if p.logs.contains("panicked") || p.logs.contains("cannot encode") || p.logs.contains("goroutine ") {
			t.Error("the server's log tells of a defect")
		}
		if t.Failed() {
			t.Logf("the end of the server's log:\n%s", p.logs)
		}
	})
	return p
}

// again starts the server once more, on the same port and folder, and says how long that took.
func (p *process) again() (*process, time.Duration) {
	p.t.Helper()
	begin := time.Now()
	q := start(p.t, p.limit, p.dir, append(slices.Clone(p.args), "--listen", p.game))
	took := time.Since(begin)
	q.args = p.args
	return q, took
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// code is the exit code of a process that has ended.
func (p *process) code() int { return p.cmd.ProcessState.ExitCode() }

// ends waits for the end of the process and returns its exit code.
func (p *process) ends(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(within):
		p.t.Fatalf("the server runs on after %v", within)
	}
	return p.code()
}

// stop ends the server in order, which has to succeed.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	if code := p.ends(unhurried(15 * time.Second)); code != 0 {
		p.t.Errorf("the server ended with %d", code)
	}
}

// operate runs a command for operators on the server's folder and reads its JSON.
func operate[T any](p *process, args ...string) (v T) {
	p.t.Helper()
	code, text, errs := commandLine{p.t, p.dir}.do("", append(args, "--json")...)
	if code != 0 && code != notRunning || errs != "" {
		p.t.Fatalf("%q: exit code %d, %s%s", args, code, errs, text)
	}
	if err := readJSON(text, &v); err != nil {
		p.t.Fatalf("%q: %v in %s", args, err, text)
	}
	return v
}

// status is the status of the running server.
func (p *process) status() ops.Status {
	p.t.Helper()
	r := operate[ops.Report](p, "status")
	if r.Status == nil {
		p.t.Fatal("the server does not run")
	}
	return *r.Status
}

// check has to find nothing wrong with the database.
func (p *process) check() {
	p.t.Helper()
	if code, out, err := (commandLine{p.t, p.dir}).do("", "db", "check"); code != 0 {
		p.t.Errorf("db check: %s%s", out, err)
	}
}

// left has look see a copy of the database that an ended server has left: the server itself begins on the original.
func (p *process) left(look func(*data.Store)) {
	p.t.Helper()
	dir := p.t.TempDir()
	copyDatabase(p.t, p.dir, dir)
	s, err := data.Open(p.t.Context(), dir, data.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	look(s)
}

// copyDatabase copies a database with its log, if there is one.
func copyDatabase(t *testing.T, from, to string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(filepath.Join(from, data.DatabaseFile+suffix))
		if suffix != "" && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, data.DatabaseFile+suffix), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// rest has the resources of a server without garbage: bytes of heap, goroutines, open files (-1 where that cannot be
// seen).
type rest struct{ heap, goroutines, files, sessions int }

func (p *process) rest() rest {
	p.t.Helper()
	p.signal(syscall.SIGUSR1)
	select {
	case <-p.lines:
	case <-time.After(patience):
		p.t.Fatal("no garbage is collected")
	}
	s := p.status()
	r := rest{int(s.HeapBytes), s.Goroutines, -1, s.Sessions}
	if entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid)); err == nil {
		r.files = len(entries)
	}
	return r
}

// settled waits until no more are connected than before and the server has freed its memory for the others: all but
// so much heap, few goroutines, no files.
func (p *process) settled(before rest, heap int) rest {
	p.t.Helper()
	var now rest
	const slack = 12 // of goroutines: of the listeners, of connections for this question
	// Connections to the database that were opened to read stay, with two files each.
	files := before.files + 4 + 2*max(2, runtime.NumCPU())
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if p.status().Sessions > before.sessions {
			continue
		}
		if now = p.rest(); now.heap <= before.heap+heap && now.goroutines <= before.goroutines+slack &&
			now.files <= files {
			return now
		}
	}
	p.t.Errorf("before %+v, after it %+v, now %d sessions", before, now, p.status().Sessions)
	return now
}

// logs has the end of a process's log, and reports whether certain words were in it.
type logs struct {
	mu   sync.Mutex
	text []byte
	gone bool // nobody reads any more
}

const logKept = 8 << 20

// Write keeps the words of the process.
func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return 0, io.ErrClosedPipe // which has package exec close the pipe
	}
	if l.text = append(l.text, b...); len(l.text) > 2*logKept {
		l.text = append([]byte(nil), l.text[len(l.text)-logKept:]...)
	}
	return len(b), nil
}

func (l *logs) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

func (l *logs) contains(text string) bool { return l.count(text) > 0 }

func (l *logs) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.text, []byte(text))
}

// String returns the last lines.
func (l *logs) String() string {
	lines := strings.Split(strings.TrimSpace(l.all()), "\n")
	return strings.Join(lines[max(0, len(lines)-25):], "\n")
}

func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

const password = "пароль7"

// connect connects and waits for the credentials.
func connect(ctx context.Context, addr string, o bot.Options) (*bot.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return bot.Dial(ctx, addr, o)
}

// comeIn connects, logs in and enters with the character of a slot, which it makes if the slot is empty and there is a
// name for it.
func comeIn(ctx context.Context, addr string, o bot.Options, login string, slot int, name string) (*bot.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	o.Patience = timesPatient()
	c, err := bot.Dial(ctx, addr, o)
	if err != nil {
		return nil, err
	}
	if err := settleIn(ctx, c, login, slot, name); err != nil {
		c.Abort()
		return nil, err
	}
	return c, nil
}

func settleIn(ctx context.Context, c *bot.Client, login string, slot int, name string) error {
	screen, err := c.Login(ctx, login, password)
	if err != nil {
		return err
	}
	if screen.Characters[slot].Empty && name != "" {
		_, err = c.Create(ctx, slot, bot.NewCharacter{Name: name})
	} else {
		_, err = c.Select(ctx, slot)
	}
	if err != nil {
		return err
	}
	return c.Enter(ctx)
}

// player is comeIn for one that the whole test needs.
func (p *process) player(login string, slot int, name string) *bot.Client {
	p.t.Helper()
	c, err := comeIn(p.t.Context(), p.game, bot.Options{}, login, slot, name)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(c.Abort)
	return c
}

// all runs work for 0 to n-1 at once, and fails the test with the first errors.
func all(t *testing.T, n int, work func(i int) error) {
	t.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = work(i) })
	}
	wg.Wait()
	told := 0
	for i, err := range errs {
		if err == nil {
			continue
		}
		if told++; told <= 5 {
			t.Errorf("%d: %v", i, err)
		}
	}
	if told > 0 {
		t.Fatalf("%d of %d failed", told, n)
	}
}

// near is a place a few steps from another.
func near(p coords.Position, step int) coords.Position {
	p.X += float32(step%7) + 0.25
	p.Z -= float32(step%5) + 0.5
	p.Yaw = float32(step%6) + 0.125
	return p
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	within(t, patience, what, so)
}

// dialRaw opens a connection that speaks as the test wants.
func dialRaw(addr string) (*net.TCPConn, error) {
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

// dialFrom opens a connection from another address of this machine: 127.0.x.y is the test's number for it.
func dialFrom(ctx context.Context, from netip.Addr, addr string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from.AsSlice()}}
	return d.DialContext(ctx, "tcp", addr)
}

// readAll reads until the server closes, at most for a while, and returns the bytes and whether it has closed.
func readAll(c net.Conn, within time.Duration) (got []byte, closed bool) {
	_ = c.SetReadDeadline(time.Now().Add(within))
	return readToEnd(c)
}

// readToEnd reads until the connection ends or its deadline is over.
func readToEnd(c net.Conn) (got []byte, closed bool) {
	got, err := io.ReadAll(c)
	var timeout net.Error
	return got, !(errors.As(err, &timeout) && timeout.Timeout())
}

// firstError does one thing after the other, up to the first that fails.
func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
