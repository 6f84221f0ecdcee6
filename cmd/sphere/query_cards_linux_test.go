//go:build system

package main

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ownCards says that this process is alone in a network namespace, where it may make network cards.
const ownCards = "SPHERE_TEST_OWN_CARDS"

// Answers over UDP leave from the address that was asked, of which a card has two of each kind and a machine two cards,
// and games of Warcraft III are announced on both. Another machine asks, so that the answers take a route.
func TestAnswersOfSeveralCards(t *testing.T) {
	if os.Getenv(ownCards) != "" {
		askAllCards(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip, of iproute2")
	}
	cmd := exec.Command(exe, "-test.run=^TestAnswersOfSeveralCards$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), ownCards+"=yes")
	one := func(id int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: one(os.Getuid()), GidMappings: one(os.Getgid()), Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	switch _, why, skipped := strings.Cut(string(out), "SKIP: "); {
	case cmd.Process == nil:
		t.Skipf("no namespace of users and networks can be made: %v", err)
	case skipped:
		t.Skip(strings.SplitN(why, "\n", 2)[0])
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
}

// A neighbour is another machine: a thread in a network namespace of its own, which does the work that it is given.
type neighbour struct {
	thread int
	do     chan func()
}

func newNeighbour(t *testing.T) *neighbour {
	n, made := &neighbour{do: make(chan func())}, make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		n.thread = unix.Gettid()
		made <- unix.Unshare(unix.CLONE_NEWNET)
		for f := range n.do {
			f()
		}
	}()
	if err := <-made; err != nil { // some systems give a namespace of users without the right to anything
		fmt.Println("SKIP: no second network can be made:", err)
		t.SkipNow()
	}
	t.Cleanup(func() { close(n.do) })
	return n
}

// on does something on the other machine.
func (n *neighbour) on(f func()) {
	done := make(chan struct{})
	n.do <- func() { defer close(done); f() }
	<-done
}

// sphere runs the program there.
func (n *neighbour) sphere(t *testing.T, args ...string) (out string, err error) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	n.on(func() {
		cmd := exec.Command(exe, args...)
		cmd.Env = os.Environ()
		asSphere(cmd, "")
		var text []byte
		text, err = cmd.CombinedOutput()
		out = string(text)
	})
	return out, err
}

// A card has two addresses of each kind, which end in 1 and 2 here and in 9 on the other machine.
type card struct{ name, v4, v6 string }

var cards = []card{{"one", "10.11.1.", "fd00:1::"}, {"two", "10.11.2.", "fd00:2::"}}

// connectCards makes cards that lead to the other machine.
func connectCards(t *testing.T, far *neighbour) {
	ip := func(words string) {
		t.Helper()
		if out, err := exec.Command("ip", strings.Fields(words)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v\n%s", words, err, out)
		}
	}
	ip("link set lo up")
	for _, c := range cards {
		if out, err := exec.Command("ip", "link", "add", c.name, "type", "veth", "peer", "name", "far").CombinedOutput(); err != nil {
			fmt.Println("SKIP: no pair of cards can be made:", err, strings.TrimSpace(string(out)))
			t.SkipNow()
		}
		ip("link set far netns " + strconv.Itoa(far.thread))
		for _, last := range []string{"1", "2"} {
			ip("addr add " + c.v4 + last + "/24 broadcast + dev " + c.name)
			ip("addr add " + c.v6 + last + "/64 dev " + c.name + " nodad")
		}
		ip("link set " + c.name + " up")
		far.on(func() {
			ip("link set far name " + c.name)
			ip("addr add " + c.v4 + "9/24 broadcast + dev " + c.name)
			ip("addr add " + c.v6 + "9/64 dev " + c.name + " nodad")
			ip("link set " + c.name + " up")
		})
	}
}

// askAllCards is the test within its own network.
func askAllCards(t *testing.T) {
	far := newNeighbour(t)
	connectCards(t, far)
	p := launch(t, "", t.TempDir(), []string{"--listen", ":25860"})
	if line := <-p.lines; !strings.HasPrefix(line, "ready ") {
		t.Fatalf("%q\n%s", line, p.logs)
	}
	var heard []*net.UDPConn
	far.on(func() {
		for _, c := range cards {
			l, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(c.v4+"255:6112")))
			if err != nil {
				t.Error(err)
				return
			}
			heard = append(heard, l)
		}
	})
	startHosting(t, append([]string{"--listen", ":6112", "--broadcast"}, tinyMap...)...)
	for _, c := range cards {
		for _, at := range []string{c.v4 + "1", c.v4 + "2", c.v6 + "1", c.v6 + "2"} {
			addr := netip.MustParseAddr(at)
			for kind, port := range map[string]uint16{"ase": 25983, "minecraft": 25860, "w3gs": 6112} {
				if kind == "w3gs" && addr.Is6() {
					continue
				}
				if out, err := far.sphere(t, "query", kind, netip.AddrPortFrom(addr, port).String()); err != nil {
					t.Errorf("query %s %s: %v\n%s", kind, at, err, out)
				}
			}
		}
	}
	for i, l := range heard {
		if err := l.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if _, from, err := l.ReadFromUDPAddrPort(make([]byte, 1500)); err != nil || from.Port() != 6112 {
			t.Errorf("on card %s the announcement is from %v: %v", cards[i].name, from, err)
		}
		l.Close()
	}
	p.stop()
}
