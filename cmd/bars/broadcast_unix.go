//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/panjf2000/gnet/v2"
)

// A broadcast is the reference for movement: gnet, and a ticker that gathers for each client as many finished messages as it
// has others in sight, and writes them at once, with one call for each loop.
type broadcast struct {
	gnet.BuiltinEventEngine
	set    broadcastSettings
	booted chan gnet.Engine

	mu    sync.Mutex
	loops map[gnet.EventLoop][]gnet.Conn
}

// OnBoot implements [gnet.EventHandler].
func (b *broadcast) OnBoot(engine gnet.Engine) gnet.Action {
	b.booted <- engine
	return gnet.None
}

// OnOpen implements [gnet.EventHandler].
func (b *broadcast) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.loops[c.EventLoop()] = append(b.loops[c.EventLoop()], c)
	return nil, gnet.None
}

// OnClose implements [gnet.EventHandler]. The clients leave together, when nothing is measured any more.
func (b *broadcast) OnClose(gnet.Conn, error) gnet.Action {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.loops)
	return gnet.None
}

// OnTraffic implements [gnet.EventHandler].
func (b *broadcast) OnTraffic(c gnet.Conn) gnet.Action {
	_, _ = c.Discard(-1)
	return gnet.None
}

// run broadcasts until ctx ends.
func (b *broadcast) run(ctx context.Context) {
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
func (b *broadcast) send(loop gnet.EventLoop) {
	b.mu.Lock()
	conns := b.loops[loop]
	b.mu.Unlock()
	var gathered []byte
	for _, c := range conns {
		gathered = gathered[:0]
		for range b.set.Others {
			gathered = append(gathered, bareUpdate...)
		}
		_, _ = c.Write(gathered)
	}
}

// serveBroadcast starts the reference for movement.
func serveBroadcast(settings []byte) (*served, error) {
	b := &broadcast{booted: make(chan gnet.Engine, 1), loops: map[gnet.EventLoop][]gnet.Conn{}}
	if err := json.Unmarshal(settings, &b.set); err != nil {
		return nil, err
	}
	addr, err := runBare(b)
	if err != nil {
		return nil, err
	}
	engine := <-b.booted
	ctx, cancel := context.WithCancel(context.Background())
	go b.run(ctx)
	return &served{addr, func() map[string]uint64 { return nil }, func(ctx context.Context) error {
		cancel()
		return engine.Stop(ctx)
	}}, nil
}
