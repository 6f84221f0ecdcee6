package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"sphereserver/server/measure"
)

// A served has the requests that a server, in its own process, can be asked.
type served struct {
	addr netip.AddrPort
	fill func(*status)             // nil: there is nothing but the process
	save func(perSecond int) error // saves so many characters beside those of play; nil: there are none
	stop func(context.Context) error
}

// stopWithin is how long a server may take to stop.
const stopWithin = 20 * time.Second

// A status is a server's answer about its state.
type status struct {
	Processor     time.Duration        `json:"processor"` // time that it has kept processors busy
	Counters      map[string]uint64    `json:"counters,omitempty"`
	Ticks         measure.Distribution `json:"ticks"`
	HeapAndStacks uint64               `json:"heapAndStacks,omitempty"` // bytes in use, after a collection
}

// runServer is a server's process: it serves, and obeys the lines on its standard input until that ends. It returns
// the exit code.
func runServer(serve func([]byte) (*served, error), args []string) int {
	if err := obey(serve, args, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "bench: server: %v\n", err)
		return 1
	}
	return 0
}

func obey(serve func([]byte) (*served, error), args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("expected one argument, the settings as JSON")
	}
	s, err := serve([]byte(args[0]))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, s.addr)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var answer status
		switch command, argument, _ := strings.Cut(lines.Text(), " "); command {
		case "status":
			answer.Processor = processorTime()
			if s.fill != nil {
				s.fill(&answer)
			}
		case "collect":
			answer.HeapAndStacks = collected()
		case "save":
			n, wrong := strconv.Atoi(argument)
			if err = wrong; err == nil && s.save != nil {
				err = s.save(n)
			}
		case "profile":
			err = withFile(argument, func(f *os.File) error { return pprof.StartCPUProfile(f) }) // open until the process ends
		case "profiled":
			pprof.StopCPUProfile()
		case "heap":
			err = withFile(argument, func(f *os.File) error {
				return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
			})
		default:
			err = fmt.Errorf("unknown command %q", command)
		}
		if err != nil {
			return err
		}
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	return s.stop(ctx)
}

func withFile(path string, write func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return write(f)
}

// collected gives everything that is not in use back to the system, and returns the bytes of Go's heap and stacks that
// are.
func collected() uint64 {
	runtime.GC() // memory of finalizers and pools needs a second one, which follows
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// A child is a server in a process of its own.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	addr    string
}

// startChild starts this program again as a server, which ends at the latest when ctx does.
func startChild(ctx context.Context, kind string, settings any) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	c := &child{command: exec.CommandContext(ctx, program, kind, string(text))}
	c.command.Stderr = os.Stderr
	if c.in, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s did not start", kind), c.command.Wait())
	}
	c.addr = strings.TrimSpace(line)
	return c, nil
}

// ask sends a line and reads the answer.
func (c *child) ask(line string) (s status, err error) {
	if _, err = fmt.Fprintln(c.in, line); err != nil {
		return s, fmt.Errorf("server: %w", err)
	}
	answer, err := c.out.ReadBytes('\n')
	if err != nil {
		return s, fmt.Errorf("server: no answer to %q: %w", line, err)
	}
	return s, json.Unmarshal(answer, &s)
}

// profile writes a processor profile of the server to a file while work runs; no file means no profile.
func (c *child) profile(file string, work func() error) error {
	if file == "" {
		return work()
	}
	if _, err := c.ask("profile " + file); err != nil {
		return err
	}
	err := work()
	_, stopped := c.ask("profiled")
	return errors.Join(err, stopped)
}

// stop ends the server in order, and by force if that takes too long.
func (c *child) stop() error {
	_ = c.in.Close() // asks it to stop
	force := time.AfterFunc(stopWithin+time.Second, func() { _ = c.command.Process.Kill() })
	defer force.Stop()
	_, _ = io.Copy(io.Discard, c.out)
	return c.command.Wait()
}
