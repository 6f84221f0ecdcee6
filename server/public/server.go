// Package public is a page for players and newcomers: the state of the server, the players in the world as far as the
// operator shows them, the map, and the best characters. There is no login, and nothing can be changed.
//
// One table has all answers and how long each holds: an answer is made once for all requests meanwhile. No verb of
// operators can be reached from here, since none is behind this listener.
package public

import (
	"context"
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
	"sphereserver/server/config"
	"sphereserver/server/tiles"
	"sphereserver/server/webserver"
	"sphereserver/world"
)

// Limits of the listener.
const (
	maxConnections = 256
	maxPerAddress  = 16
	maxHeader      = 8 << 10
	maxStreams     = 32 // requests of one connection at once
	headerTimeout  = 5 * time.Second
	writeTimeout   = 30 * time.Second
	idleTimeout    = 30 * time.Second
)

// A Game is the running server, as far as the page tells of it.
type Game interface {
	World() *world.Snapshot
	Started() time.Time
	Sessions() int
	UnderMaintenance() bool
}

// A Store has the characters.
type Store interface {
	Leaders(ctx context.Context, by data.Ranking, most int) ([]data.Leader, error)
}

// Options are the sources of the page.
type Options struct {
	Settings *config.Settings
	Version  string
	Game     Game
	Port     uint16 // of the game
	Store    Store
	Maps     *tiles.Service
	Log      *slog.Logger

	headerTimeout time.Duration // tests wait less
}

// A Server answers all requests until it is closed.
type Server struct {
	o        Options
	addr     netip.AddrPort
	http     *http.Server
	running  sync.WaitGroup
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	settings atomic.Pointer[config.Settings]
	answers  map[string]*cached // by path
	limits   limiter
	pictures pictures
	crowd    crowd
	ready    atomic.Bool

	requests, tooMany atomic.Uint64
}

// Listen opens the page; the settings have an address for it.
func Listen(o Options) (*Server, error) {
	s := newServer(o)
	set := &o.Settings.Public
	proxies, err := config.ParseNetworks(set.Proxies)
	if err != nil {
		return nil, fmt.Errorf("public.proxies: %w", err)
	}
	l, err := net.Listen("tcp", set.Listen)
	if err != nil {
		return nil, fmt.Errorf("public page: %w; choose another address with --public-listen", err)
	}
	s.addr = l.Addr().(*net.TCPAddr).AddrPort()
	s.addr = netip.AddrPortFrom(s.addr.Addr().Unmap(), s.addr.Port())
	l = webserver.NewListener(l, maxConnections, maxPerAddress, proxies...)
	if set.Cert != "" || set.Key != "" {
		if l, s.http.TLSConfig, err = webserver.Encrypt(l, "public", set.Cert, set.Key, o.Log); err != nil {
			return nil, fmt.Errorf("public page: %w", err)
		}
	}
	s.running.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			o.Log.Error("public listener ended", "address", s.addr.String(), "error", err)
		}
	})
	s.running.Go(func() { s.watch(s.ctx) })
	return s, nil
}

// newServer makes a server that does not listen.
func newServer(o Options) *Server {
	if o.headerTimeout == 0 {
		o.headerTimeout = headerTimeout
	}
	s := &Server{o: o, limits: newLimiter(perSecond, burst), pictures: newPictures(o.Maps)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.settings.Store(o.Settings)
	s.answers = s.table()
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: o.headerTimeout,
		ReadTimeout: o.headerTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), ConnContext: webserver.WithConn}
	return s
}

// Addr is the address of the page.
func (s *Server) Addr() netip.AddrPort { return s.addr }

// Counters tells how many requests have come, and how many of these were refused since their addresses asked too often.
func (s *Server) Counters() map[string]uint64 {
	return map[string]uint64{"requests": s.requests.Load(), "too_many": s.tooMany.Load()}
}

// Ready says that the game is served from now on.
func (s *Server) Ready() { s.ready.Store(true) }

// Change applies other settings: newly hidden facts are gone with the next request.
func (s *Server) Change(set config.Settings) {
	s.settings.Store(&set)
	for _, c := range s.answers {
		if c.life > 0 {
			c.forget()
		}
	}
}

// Close lets requests that are being answered finish until ctx ends, and stops.
func (s *Server) Close(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	s.cancel()
	s.running.Wait()
	return err
}
