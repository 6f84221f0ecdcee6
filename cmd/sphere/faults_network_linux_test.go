//go:build system

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sphereserver/server/bot"
)

// ownNetwork says that this process is alone in a network namespace.
const ownNetwork = "SPHERE_FAULTS_OWN_NETWORK"

// setLoopback switches the loopback of the network namespace on or off. Off, every packet is lost, and nobody is told.
func setLoopback(on bool) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	r, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if on {
		r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOOPBACK)
	} else {
		r.SetUint16(unix.IFF_LOOPBACK)
	}
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, r)
}

// Fault case 31, with a network that dies: no FIN, no reset, every packet is lost. The server notices by itself, in
// every state, with its own limits. Only in the full size, for it takes a minute and a half.
func TestFaultDeadNetworkIsNoticed(t *testing.T) {
	if os.Getenv(ownNetwork) != "" {
		dieInside(t)
		return
	}
	if !full {
		t.Skip("takes a minute and a half: only with the tag full")
	}
	forEachTransport(t, func(t *testing.T, transport string) {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestFaultDeadNetworkIsNoticed$", "-test.v", "-test.timeout=5m")
		cmd.Env = append(os.Environ(), ownNetwork+"="+transport)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
		out, err := cmd.CombinedOutput()
		if cmd.Process == nil {
			t.Skipf("no network namespace can be made: %v", err)
		}
		for line := range strings.Lines(string(out)) {
			if i := strings.Index(line, "FIGURE"); i >= 0 {
				t.Log(strings.TrimSpace(line[i:]))
			}
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// dieInside is the test within its own network.
func dieInside(t *testing.T) {
	transport := os.Getenv(ownNetwork)
	if err := setLoopback(true); err != nil {
		t.Fatal(err)
	}
	const each = 10
	p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2")
	clients := make([]*bot.Client, 2*each)
	all(t, len(clients), func(i int) (err error) {
		if clients[i], err = connect(t.Context(), p.game, bot.Options{Manual: true}); err != nil {
			return err
		}
		name := fmt.Sprint("Немой", i)
		if i%2 == 0 { // the others stay on the character screen, where the protocol has no limit
			return settleIn(patient(t), clients[i], name, 0, name)
		}
		_, err = clients[i].Login(patient(t), name, password)
		return err
	})
	if err := setLoopback(false); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	ended := map[string][]time.Duration{}
	gone := regexp.MustCompile(`msg=disconnected .*reason=("[^"]*"|\S+) .*state=("[^"]*"|\S+) `)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for told := 0; told < len(clients); time.Sleep(100 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("%d of %d are gone: %v", told, len(clients), ended)
		}
		lines := gone.FindAllStringSubmatch(p.logs.all(), -1)
		for _, m := range lines[told:] {
			what := m[1] + " in state " + m[2]
			ended[what] = append(ended[what], time.Since(begin))
		}
		told = len(lines)
	}
	if err := setLoopback(true); err != nil {
		t.Error(err)
	}
	for what, times := range ended {
		s := summary(times)
		if s.max > 90*time.Second || times[0] < 55*time.Second {
			t.Errorf("%s: after %v to %v", what, times[0], s.max)
		}
		figure(t, "31", "%s: the network dies: %d × %s after %v to %v", transport, len(times), what,
			times[0].Round(time.Second), s.max.Round(time.Second))
	}
	p.stop()
}
