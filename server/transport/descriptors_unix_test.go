//go:build unix

package transport

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// childEnv holds the network that a child process is to serve with few descriptors.
const childEnv = "TRANSPORT_TEST_CHILD"

const childDescriptors = 64

// runChild echoes until its standard input ends.
func runChild(network string) int {
	limit := syscall.Rlimit{Cur: childDescriptors, Max: childDescriptors}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		fmt.Println(err)
		return 1
	}
	s, err := Listen("127.0.0.1:0", funcs{traffic: echo}, Options{Network: network},
		slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(s.Addr())
	failed := make(chan error, 1)
	go func() { failed <- s.Serve() }()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		failed <- nil
	}()
	if err := <-failed; err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func descriptors() int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(dir); err == nil {
			return len(entries)
		}
	}
	return 0
}

// Out of descriptors, a server goes on serving those inside, and takes new ones as soon as it can.
func TestOutOfDescriptors(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childEnv+"="+network)
		logs := new(syncBuffer)
		child.Stderr = logs
		in, err := child.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			in.Close()
			if err := child.Wait(); err != nil {
				t.Errorf("the server's process ended with %v\n%s", err, logs.b.String())
			}
		}()
		lines := bufio.NewReader(out)
		addr, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(addr, err)
		}
		addr = strings.TrimSpace(addr)

		inside := dial(t, addr)
		inside.send("hello")
		inside.expect("hello")
		var crowd []net.Conn
		defer func() {
			for _, c := range crowd {
				c.Close()
			}
		}()
		for range 4 * childDescriptors {
			c, err := net.DialTimeout("tcp", addr, patience)
			if err != nil {
				t.Fatal(err) // the kernel takes them without the server
			}
			crowd = append(crowd, c)
		}
		eventually(t, "the server complains", func() bool {
			inside.send("still here?")
			inside.expect("still here?")
			return logs.contains("too many open files")
		})
		for range 100 {
			inside.send("still here?")
			inside.expect("still here?")
			time.Sleep(time.Millisecond)
		}

		for _, c := range crowd {
			c.Close()
		}
		for deadline := time.Now().Add(patience); ; { // one or two of those that still waited may find no room
			c := dial(t, addr)
			answer := make([]byte, 12)
			_, _ = c.Write([]byte("room for me?"))
			if _, err := io.ReadFull(c, answer); err == nil && string(answer) == "room for me?" {
				break
			}
			c.Close()
			if time.Now().After(deadline) {
				t.Fatal("there is no room although the crowd has gone")
			}
		}
		if n := strings.Count(logs.b.String(), "\n"); n > 5 {
			t.Errorf("%d lines are logged:\n%s", n, logs.b.String())
		}
		inside.send("still here?")
		inside.expect("still here?")
	})
}
