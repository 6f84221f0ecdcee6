package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/world"
)

// aSupervisor listens where systemd would.
func aSupervisor(t *testing.T) (*net.UnixConn, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no sockets of datagrams with names")
	}
	dir, err := os.MkdirTemp("", "sd") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "n")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, path
}

func TestTheSupervisorIsToldOfStates(t *testing.T) {
	c, path := aSupervisor(t)
	s := theSupervisor(func(name string) string { return map[string]string{"NOTIFY_SOCKET": path}[name] })
	for _, state := range []string{stateReady, stateStopping} {
		if err := s.tell(state); err != nil {
			t.Fatal(err)
		}
		var b [64]byte
		n, err := c.Read(b[:])
		if err != nil || string(b[:n]) != state {
			t.Errorf("%q, %v; expected %s", b[:n], err, state)
		}
	}
	if err := (supervisor{}).tell(stateReady); err != nil {
		t.Errorf("without a supervisor: %v", err)
	}
	if err := (supervisor{socket: path + "x"}).tell(stateReady); err == nil {
		t.Error("a supervisor that is not there was told")
	}
}

func TestWhichWatchdogIsOurs(t *testing.T) {
	own := strconv.Itoa(os.Getpid())
	for want, env := range map[time.Duration]map[string]string{
		30 * time.Second: {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": own},
		time.Second:      {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1000000"},
		0:                {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": own + "0"},
	} {
		if s := theSupervisor(func(name string) string { return env[name] }); s.watchdog != want {
			t.Errorf("%v: %v, expected %v", env, s.watchdog, want)
		}
	}
	for _, wrong := range []string{"", "x", "-1", "99999999999999999999", "9223372036854775807"} {
		env := map[string]string{"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": wrong}
		if s := theSupervisor(func(name string) string { return env[name] }); s.watchdog != 0 {
			t.Errorf("WATCHDOG_USEC=%q is a watchdog of %v", wrong, s.watchdog)
		}
	}
}

// A stepper is a world that ticks when it is told to and is not stuck.
type stepper struct {
	at    time.Time
	stuck bool
}

func (s *stepper) World() *world.Snapshot { return &world.Snapshot{At: s.at} }

func (s *stepper) Command(c world.Command) {
	if _, publish := c.(world.Publish); publish && !s.stuck {
		s.at = s.at.Add(time.Millisecond)
	}
}

// The watchdog is fed while the world ticks, also where nobody is in it, and not when it is stuck.
func TestTheWatchdogIsFedByTicks(t *testing.T) {
	w := &stepper{at: time.Now()}
	alive := ticks(w)
	for range 3 {
		if !alive() {
			t.Fatal("a world that ticks is taken for dead")
		}
	}
	w.stuck = true
	alive() // the tick that was asked for before
	for range 2 {
		if alive() {
			t.Fatal("a world that is stuck is taken for alive")
		}
	}
	if w.stuck = false; alive() {
		t.Fatal("it has not ticked yet")
	}
	if !alive() {
		t.Fatal("a world that ticks again is taken for dead")
	}
}

func TestTheWatchdogIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		ctx, stop := context.WithTimeout(t.Context(), 31*time.Second)
		defer stop()
		supervisor{socket: "/nonexistent", watchdog: 20 * time.Second}.feed(ctx, func() bool { asked++; return false })
		if asked != 3 {
			t.Errorf("asked %d times in 31 s, expected 3", asked)
		}
		supervisor{socket: "/nonexistent"}.feed(ctx, nil) // no watchdog: it ends
	})
}
