package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"sphereserver/world"
)

// A supervisor is the service manager that has started the program and wants to be told how it does: systemd, with
// Type=notify. The zero value is none, and is told nothing.
type supervisor struct {
	socket   string        // of datagrams; a name that begins with @ is an abstract one
	watchdog time.Duration // a program that is silent for so long is killed; 0: none is
}

// theSupervisor is the one that the environment tells of.
func theSupervisor(env func(name string) string) supervisor {
	s := supervisor{socket: env("NOTIFY_SOCKET")}
	if pid := env("WATCHDOG_PID"); s.socket == "" || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return s // the watchdog is that of another process
	}
	if n, err := strconv.ParseInt(env("WATCHDOG_USEC"), 10, 53); err == nil && n > 0 {
		s.watchdog = time.Duration(n) * time.Microsecond
	}
	return s
}

// The states that a supervisor is told of.
const (
	stateReady    = "READY=1"
	stateStopping = "STOPPING=1"
	stateAlive    = "WATCHDOG=1"
)

// tell sends a state.
func (s supervisor) tell(state string) error {
	if s.socket == "" {
		return nil
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("service manager: %w", err)
	}
	defer c.Close()
	if _, err := c.Write([]byte(state)); err != nil {
		return fmt.Errorf("service manager: %w", err)
	}
	return nil
}

// feed tells twice within the time of the watchdog that the program lives, as long as alive says so, until ctx ends.
func (s supervisor) feed(ctx context.Context, alive func() bool) {
	if s.socket == "" || s.watchdog <= 0 {
		return
	}
	t := time.NewTicker(s.watchdog / 2)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if alive() {
				_ = s.tell(stateAlive) // a manager that cannot be told will say so by killing
			}
		}
	}
}

// A ticking world is watched by a watchdog.
type ticking interface {
	World() *world.Snapshot
	Command(world.Command)
}

// ticks gives a function that reports whether the world has ticked since it was asked before: each time it is asked
// for a snapshot, which only a tick makes, also where nobody is in it.
func ticks(w ticking) func() bool {
	before := w.World().At
	w.Command(world.Publish{})
	return func() bool {
		now := w.World().At
		w.Command(world.Publish{})
		has := now.After(before)
		before = now
		return has
	}
}
