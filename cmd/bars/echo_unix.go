//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/panjf2000/gnet/v2"
)

// An echo is the reference for all that concerns connections: gnet with nothing around it, which answers each ping's worth of
// bytes with an answer's worth.
type echo struct {
	gnet.BuiltinEventEngine
	booted chan gnet.Engine
}

// OnBoot implements [gnet.EventHandler].
func (e *echo) OnBoot(engine gnet.Engine) gnet.Action {
	e.booted <- engine
	return gnet.None
}

// OnTraffic implements [gnet.EventHandler].
func (e *echo) OnTraffic(c gnet.Conn) gnet.Action {
	for c.InboundBuffered() >= pingBytes {
		if _, err := c.Next(pingBytes); err != nil {
			return gnet.Close
		}
		if _, err := c.Write(bareAnswer); err != nil {
			return gnet.Close
		}
	}
	return gnet.None
}

// serveEcho starts the reference.
func serveEcho([]byte) (*served, error) {
	e := &echo{booted: make(chan gnet.Engine, 1)}
	addr, err := runBare(e)
	if err != nil {
		return nil, err
	}
	engine := <-e.booted
	return &served{addr, func() map[string]uint64 { return nil }, engine.Stop}, nil
}

// runBare runs gnet on a free port, and returns when it listens.
func runBare(e gnet.EventHandler) (addr netip.AddrPort, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	if err != nil {
		return addr, err
	}
	addr = l.Addr().(*net.TCPAddr).AddrPort()
	if err := l.Close(); err != nil {
		return addr, err
	}
	go func() {
		if err := gnet.Run(e, "tcp://"+addr.String(), gnet.WithMulticore(true), gnet.WithReusePort(true), gnet.WithReuseAddr(true),
			gnet.WithLogger(silence{})); err != nil {
			fmt.Fprintf(os.Stderr, "bars: reference: %v\n", err)
			os.Exit(1)
		}
	}()
	return addr, waitListening(addr) // the loops listen only after gnet has booted
}

// silence takes what gnet has to say, which would go to standard output.
type silence struct{}

// Debugf implements gnet's logger.
func (silence) Debugf(string, ...any) {}

// Infof implements gnet's logger.
func (silence) Infof(string, ...any) {}

// Warnf implements gnet's logger.
func (silence) Warnf(string, ...any) {}

// Errorf implements gnet's logger.
func (silence) Errorf(string, ...any) {}

// Fatalf implements gnet's logger.
func (silence) Fatalf(string, ...any) {}

func waitListening(addr netip.AddrPort) error {
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", addr.String())
		if err == nil {
			return c.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}
