package transport

import (
	"io"
	"net"
	"sync"
	"testing"
)

// The sizes of a client's ping and of its answer.
const (
	pingSize = 38
	pongSize = 18
)

var pong = make([]byte, pongSize)

// bareEcho serves pings without this package, as the yardstick, and returns its address. It is nil where there
// is none.
var bareEcho func(b *testing.B) (addr string)

// BenchmarkEcho measures answers to pings of 100 connections, each of which waits for its answer before it
// sends the next ping.
func BenchmarkEcho(b *testing.B) {
	for _, network := range networks {
		b.Run(network, func(b *testing.B) {
			s, err := Listen("127.0.0.1:0", funcs{traffic: func(c Conn, in []byte) (used int) {
				for ; len(in)-used >= pingSize; used += pingSize {
					c.Write(pong)
				}
				return used
			}}, Options{Network: network}, nil)
			if err != nil {
				b.Fatal(err)
			}
			go func() { _ = s.Serve() }()
			defer func() { _ = s.Stop(b.Context()) }()
			pingAll(b, s.Addr().String())
		})
	}
	if bareEcho != nil {
		b.Run("bare-gnet", func(b *testing.B) { pingAll(b, bareEcho(b)) })
	}
}

// pingAll pings with few goroutines, so that the server's cost stands out from ours.
func pingAll(b *testing.B, addr string) {
	const conns, goroutines = 100, 4
	var groups [goroutines][]net.Conn
	for i := range conns {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		groups[i%goroutines] = append(groups[i%goroutines], c)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var all sync.WaitGroup
	for _, group := range groups {
		all.Go(func() {
			ping, answer := make([]byte, pingSize), make([]byte, pongSize)
			for n := b.N / goroutines; n >= 0; n -= len(group) {
				for _, c := range group {
					if _, err := c.Write(ping); err != nil {
						b.Error(err)
						return
					}
				}
				for _, c := range group {
					if _, err := io.ReadFull(c, answer); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
}

// BenchmarkExecute measures the cost of handing a function to a loop.
func BenchmarkExecute(b *testing.B) {
	for _, network := range networks {
		b.Run(network, func(b *testing.B) {
			opened := make(chan Conn, 1)
			s, err := Listen("127.0.0.1:0", funcs{opened: func(c Conn) bool { opened <- c; return true }},
				Options{Network: network}, nil)
			if err != nil {
				b.Fatal(err)
			}
			go func() { _ = s.Serve() }()
			defer func() { _ = s.Stop(b.Context()) }()
			c, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			loop := (<-opened).Loop()
			ran := 0
			done := make(chan struct{})
			b.ReportAllocs()
			for b.Loop() {
				_ = loop.Execute(func() { ran++ })
			}
			_ = loop.Execute(func() { close(done) })
			<-done
		})
	}
}
