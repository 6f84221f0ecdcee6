package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/panjf2000/gnet/v2"
	"go.uber.org/zap"
)

// A bare server is the reference for all that concerns connections: gnet with nothing around it, which answers each
// ping's worth of bytes with an answer's worth. For movement it has a ticker that gathers for each client as many
// finished messages as it has others in sight, and writes them at once, with one call for each loop.
type bare struct {
	gnet.BuiltinEventEngine
	set    bareSettings
	booted chan gnet.Engine

	mu    sync.Mutex
	loops map[gnet.EventLoop][]gnet.Conn
}

// OnBoot implements [gnet.EventHandler].
func (b *bare) OnBoot(engine gnet.Engine) gnet.Action {
	b.booted <- engine
	return gnet.None
}

// OnOpen implements [gnet.EventHandler].
func (b *bare) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.set.Rate > 0 {
		b.loops[c.EventLoop()] = append(b.loops[c.EventLoop()], c)
	}
	return nil, gnet.None
}

// OnClose implements [gnet.EventHandler].
func (b *bare) OnClose(c gnet.Conn, _ error) gnet.Action {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.set.Rate > 0 {
		own := func(other gnet.Conn) bool { return other == c }
		b.loops[c.EventLoop()] = slices.DeleteFunc(b.loops[c.EventLoop()], own)
	}
	return gnet.None
}

// OnTraffic implements [gnet.EventHandler].
func (b *bare) OnTraffic(c gnet.Conn) gnet.Action {
	for c.InboundBuffered() >= pingBytes {
		if _, err := c.Next(pingBytes); err != nil {
			return gnet.Close
		}
		if b.set.Rate > 0 {
			continue
		}
		if _, err := c.Write(bareAnswer); err != nil {
			return gnet.Close
		}
	}
	return gnet.None
}

// broadcast tells everybody of the others until ctx ends.
func (b *bare) broadcast(ctx context.Context) {
	each := time.NewTicker(time.Second / time.Duration(b.set.Rate))
	defer each.Stop()
	for {
		select {
		case <-each.C:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		for loop := range b.loops {
			_ = loop.Execute(ctx, gnet.RunnableFunc(func(context.Context) error {
				b.send(loop)
				return nil
			}))
		}
		b.mu.Unlock()
	}
}

// send writes to all clients of a loop, on that loop.
func (b *bare) send(loop gnet.EventLoop) {
	b.mu.Lock()
	conns := b.loops[loop]
	b.mu.Unlock()
	var gathered []byte
	for _, c := range slices.Backward(conns) { // a write that fails takes its own connection out of them
		gathered = gathered[:0]
		for range b.set.Others {
			gathered = append(gathered, bareUpdate...)
		}
		_, _ = c.Write(gathered)
	}
}

// serveBare starts the reference on a free port, and returns when it listens.
func serveBare(settings []byte) (*served, error) {
	b := &bare{booted: make(chan gnet.Engine, 1), loops: map[gnet.EventLoop][]gnet.Conn{}}
	if err := json.Unmarshal(settings, &b.set); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	if err != nil {
		return nil, err
	}
	addr := l.Addr().(*net.TCPAddr).AddrPort()
	if err := l.Close(); err != nil {
		return nil, err
	}
	go func() {
		if err := gnet.Run(b, "tcp://"+addr.String(), gnet.WithMulticore(true), gnet.WithReusePort(true),
			gnet.WithReuseAddr(true), gnet.WithLogger(zap.NewNop().Sugar())); err != nil { // else it writes to standard output
			fmt.Fprintf(os.Stderr, "bench: reference: %v\n", err)
			os.Exit(1)
		}
	}()
	// the loops listen only after gnet has booted
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		c, err := net.Dial("tcp", addr.String())
		if err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(deadline) {
			return nil, err
		}
	}
	engine := <-b.booted
	ctx, cancel := context.WithCancel(context.Background())
	if b.set.Rate > 0 {
		go b.broadcast(ctx)
	}
	return &served{addr, nil, nil, func(ctx context.Context) error {
		cancel()
		return engine.Stop(ctx)
	}}, nil
}
