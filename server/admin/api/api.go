// Package api is what operators reach by HTTP: a page for browsers, JSON for the page, for programs and for the
// command line, a stream of events, metrics, and whether the server is well.
//
// What is done to accounts, characters and the database is done by the verbs of package ops, as in the chat; this
// package finds out who asks. All requests stand in one table, routes.go, with the verb or the role that each needs.
// There are two listeners: that of the page, which may be off, and one on 127.0.0.1 for the command line, see
// local.go.
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
	"sphereserver/server/ops"
	gamesession "sphereserver/server/session"
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
	Store    *data.Store
	Ops      *ops.Service // of the running server
	Game     *game.Server
	Config   *config.Live
	Backups  *data.BackupSchedule
	Tail     *oplog.Tail
	Log      *slog.Logger
	// Listeners are the addresses of the other listeners by name, "game", "ase" and "minecraft"; those that are off are
	// missing.
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
	addr     netip.AddrPort // of the page; the zero value when it is off
	local    *local
	http     *http.Server
	serving  sync.WaitGroup
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	running  sync.WaitGroup
	hosts    map[string]bool
	networks []netip.Prefix

	sessions *sessions
	guard    *gamesession.LoginGuard
	hashing  hashing
	meter    *meter
	stream   *stream
	metrics  http.Handler
	ready    atomic.Bool
}

// Listen opens the listeners and begins to answer. The server holds the lock of the store's folder.
func Listen(o Options) (*Server, error) {
	s := newServer(o)
	var page net.Listener
	var err error
	if o.Settings.Listen != "" {
		if page, err = s.listenPage(); err != nil {
			s.cancel()
			return nil, err
		}
	}
	commands, err := s.listenLocal()
	if err != nil {
		s.cancel()
		if page != nil {
			page.Close()
		}
		return nil, err
	}
	s.serve(commands)
	if page != nil {
		s.running.Go(func() { s.meter.run(s.ctx) })
		s.running.Go(func() { s.stream.run(s.ctx) })
		s.serve(page)
	}
	return s, nil
}

// listenPage opens the page's listener.
func (s *Server) listenPage() (net.Listener, error) {
	set := s.o.Settings
	l, err := net.Listen("tcp", set.Listen)
	if err != nil {
		return nil, fmt.Errorf("admin page: %w%s", err, holder(set.Listen, err))
	}
	if err := s.makePage(l.Addr().(*net.TCPAddr).AddrPort()); err != nil {
		l.Close()
		return nil, fmt.Errorf("admin page: %w", err)
	}
	limited := &limitedListener{Listener: l, most: maxConnections}
	if set.Cert == "" && set.Key == "" {
		return limited, nil
	}
	pair, err := loadCertificate(set.Cert, set.Key, s.o.Log)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("admin page: %w", err)
	}
	s.http.TLSConfig = &tls.Config{GetCertificate: pair.get, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"}}
	return tls.NewListener(limited, s.http.TLSConfig), nil
}

func (s *Server) serve(l net.Listener) {
	s.serving.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.o.Log.Error("admin listener ended", "address", l.Addr().String(), "error", err)
		}
	})
}

// newServer makes a server that does not listen and has no page.
func newServer(o Options) *Server {
	if o.headerTimeout == 0 {
		o.headerTimeout, o.readTimeout = headerTimeout, readTimeout
	}
	s := &Server{o: o, hosts: map[string]bool{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: o.headerTimeout, ReadTimeout: o.readTimeout,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
		BaseContext: func(l net.Listener) context.Context { return context.WithValue(s.ctx, listenerKey{}, l) }}
	return s
}

// makePage makes what the page needs that listens on an address.
func (s *Server) makePage(addr netip.AddrPort) error {
	s.addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	for _, h := range s.o.Settings.Hosts {
		s.hosts[hostKey(h)] = true
	}
	for _, n := range s.o.Settings.Networks {
		p, err := config.ParseNetwork(n)
		if err != nil {
			return fmt.Errorf("admin.networks: expected a network, found %q", n)
		}
		s.networks = append(s.networks, p)
	}
	s.sessions, s.guard, s.hashing = newSessions(), gamesession.NewLoginGuard(s.o.Config.Settings().Game.Limits), newHashing()
	s.meter = newMeter(s)
	s.stream = newStream(s)
	s.metrics = newMetrics(s)
	return nil
}

// Addr is the address of the page; the zero value when it is off.
func (s *Server) Addr() netip.AddrPort { return s.addr }

// Ready says that the game is served from now on.
func (s *Server) Ready() { s.ready.Store(true) }

// Close ends the streams, lets requests that are being worked on finish until ctx ends, and stops.
func (s *Server) Close(ctx context.Context) error {
	removed := admin.RemoveControlFile(s.o.Store.Dir())
	if s.stream != nil {
		s.stream.end()
	}
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	s.cancel()
	s.serving.Wait()
	s.running.Wait()
	return errors.Join(err, removed)
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
