// Package api is what operators reach by HTTP: a page for browsers, JSON for the page and for programs, a stream of events, metrics,
// and whether the server is well.
//
// What is done to accounts, characters and the database is done by [admin.Ops], as for commands; this package decides who may
// ask for it. All requests stand in one table, routes.go, with the role that each needs.
package api

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
)

// Limits of the listener. Few operators come at a time, but anybody may knock.
const (
	maxConnections = 256
	maxHeader      = 16 << 10
	maxBody        = 64 << 10
	headerTimeout  = 5 * time.Second
	readTimeout    = 15 * time.Second // for the whole request
	idleTimeout    = 2 * time.Minute
	answerTimeout  = 30 * time.Second // unless a route says otherwise
)

// Options say what the interface is about.
type Options struct {
	Settings config.Admin
	Version  string
	Ops      *admin.Ops // with Live
	Game     *game.Server
	Config   *config.Live
	Backups  *data.BackupSchedule
	Tail     *oplog.Tail
	Log      *slog.Logger
	// Listeners are the addresses of the other listeners by name, "game", "ase" and "minecraft"; those that are off are missing.
	Listeners map[string]string
	// Queries returns what the answers to server browsers have counted; nil for none.
	Queries func() map[string]uint64
	// Writes are the times that writes to the store have taken.
	Writes *measure.Histogram

	headerTimeout, readTimeout time.Duration // tests wait less
}

// A Server answers operators until it is closed.
type Server struct {
	o        Options
	addr     netip.AddrPort
	http     *http.Server
	served   chan struct{}
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	running  sync.WaitGroup
	hosts    map[string]bool
	networks []netip.Prefix

	sessions *sessions
	guard    *game.LoginGuard
	hashing  hashing
	meter    *meter
	stream   *stream
	metrics  http.Handler
	ready    atomic.Bool
}

// Listen opens the listener and begins to answer.
func Listen(o Options) (*Server, error) {
	l, err := net.Listen("tcp", o.Settings.Listen)
	if err != nil {
		return nil, fmt.Errorf("admin page: %w%s", err, holder(o.Settings.Listen, err))
	}
	s, err := newServer(o, l.Addr().(*net.TCPAddr).AddrPort())
	if err != nil {
		l.Close()
		return nil, err
	}
	if o.Settings.Cert != "" || o.Settings.Key != "" {
		pair, err := loadCertificate(o.Settings.Cert, o.Settings.Key, o.Log)
		if err != nil {
			l.Close()
			s.cancel()
			return nil, fmt.Errorf("admin page: %w", err)
		}
		s.http.TLSConfig = &tls.Config{GetCertificate: pair.get, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
		l = tls.NewListener(l, s.http.TLSConfig)
	}
	s.running.Go(func() { s.meter.run(s.ctx) })
	s.running.Go(func() { s.stream.run(s.ctx) })
	go func() {
		defer close(s.served)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			o.Log.Error("admin page ended", "error", err)
		}
	}()
	return s, nil
}

// newServer makes a server that does not listen.
func newServer(o Options, addr netip.AddrPort) (*Server, error) {
	if o.headerTimeout == 0 {
		o.headerTimeout, o.readTimeout = headerTimeout, readTimeout
	}
	s := &Server{o: o, addr: netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port()), served: make(chan struct{}), hosts: map[string]bool{},
		sessions: newSessions(), guard: game.NewLoginGuard(o.Config.Settings().Game.Limits), hashing: newHashing()}
	for _, h := range o.Settings.Hosts {
		s.hosts[hostKey(h)] = true
	}
	for _, n := range o.Settings.Networks {
		p, err := config.ParseNetwork(n)
		if err != nil {
			return nil, fmt.Errorf("admin page: admin.networks: expected a network, found %q", n)
		}
		s.networks = append(s.networks, p)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.meter = newMeter(s)
	s.stream = newStream(s)
	s.metrics = newMetrics(s)
	var connections atomic.Int32
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: o.headerTimeout, ReadTimeout: o.readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ConnState: func(conn net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if connections.Add(1) > maxConnections {
					conn.Close()
				}
			case http.StateClosed, http.StateHijacked:
				connections.Add(-1)
			}
		}}
	return s, nil
}

// Addr is the address that it listens on; the zero value for a nil server, which is one that is off.
func (s *Server) Addr() netip.AddrPort {
	if s == nil {
		return netip.AddrPort{}
	}
	return s.addr
}

// Ready says that the game is served from now on.
func (s *Server) Ready() {
	if s != nil {
		s.ready.Store(true)
	}
}

// Close ends the streams, lets requests that are being worked on finish until ctx ends, and stops.
func (s *Server) Close(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.stream.end()
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	s.cancel()
	<-s.served
	s.running.Wait()
	return err
}

// holder says who listens on an address that is taken, as far as that can be found out.
func holder(listen string, err error) string {
	const how = "; choose another address with --admin-listen, or none with --admin-listen \"\""
	conn, dialErr := net.DialTimeout("tcp", listen, time.Second)
	if dialErr != nil {
		return how
	}
	conn.Close()
	c := http.Client{Timeout: time.Second, Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	resp, getErr := c.Get("http://" + listen + "/healthz")
	if getErr != nil {
		return how
	}
	defer resp.Body.Close()
	if resp.Header.Get("Server") == serverHeader {
		return ": another Sphere server has it" + how
	}
	return ": another program has it" + how
}

const serverHeader = "sphere"
