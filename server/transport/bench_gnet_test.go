//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package transport

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"github.com/panjf2000/gnet/v2"
)

// barePinger is as little as gnet needs to answer pings.
type barePinger struct {
	gnet.BuiltinEventEngine
	booted chan gnet.Engine
}

func (p *barePinger) OnBoot(e gnet.Engine) gnet.Action {
	p.booted <- e
	return gnet.None
}

func (p *barePinger) OnTraffic(c gnet.Conn) gnet.Action {
	for c.InboundBuffered() >= pingSize {
		if _, err := c.Next(pingSize); err != nil {
			return gnet.Close
		}
		if _, err := c.Write(pong); err != nil {
			return gnet.Close
		}
	}
	return gnet.None
}

func init() {
	bareEcho = func(b *testing.B) string {
		l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
		if err != nil {
			b.Fatal(err)
		}
		addr := l.Addr().String()
		l.Close()
		p := &barePinger{booted: make(chan gnet.Engine, 1)}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := gnet.Run(p, "tcp://"+addr, gnet.WithMulticore(true), gnet.WithReusePort(true), gnet.WithReuseAddr(true),
				gnet.WithLogger(gnetLogger{slog.New(slog.DiscardHandler)})); err != nil {
				b.Error(err)
			}
		}()
		e := <-p.booted
		b.Cleanup(func() {
			_ = e.Stop(context.Background())
			<-done
		})
		for { // OnBoot comes before the other loops listen
			if c, err := net.Dial("tcp", addr); err == nil {
				c.Close()
				return addr
			}
		}
	}
}
