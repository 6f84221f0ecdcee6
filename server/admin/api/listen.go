package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sphereserver/server/admin"
	"sphereserver/server/config"
	"sphereserver/server/passwords"
	gamesession "sphereserver/server/session"
	"sphereserver/server/webserver"
)

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
	if err := s.listenLocal(); err != nil {
		s.cancel()
		if page != nil {
			page.Close()
		}
		return nil, fmt.Errorf("control listener: %w", err)
	}
	s.serve(s.local.listener)
	if page != nil {
		s.running.Go(func() { s.meter.run(s.ctx) })
		s.running.Go(func() { s.stream.run(s.ctx) })
		s.serve(page)
	}
	return s, nil
}

type listenerKey struct{}

// newServer makes a server that does not listen and has no page.
func newServer(o Options) *Server {
	if o.listen == nil {
		o.listen = net.Listen
	}
	s := &Server{o: o, hosts: map[string]bool{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
		ConnContext: webserver.WithConn,
		BaseContext: func(l net.Listener) context.Context { return context.WithValue(s.ctx, listenerKey{}, l) }}
	return s
}

// listenLocal opens the listener for commands and tells of it in the control file.
func (s *Server) listenLocal() error {
	l, address, err := listenForCommands(s.o.listen, s.o.Store.Dir())
	if err != nil {
		return err
	}
	token, err := admin.WriteControlFile(s.o.Store.Dir(), address)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	s.local.listener = webserver.NewListener(l, maxLocalConnections, 0)
	s.local.token, s.local.host = sha256.Sum256([]byte(token)), admin.Address{Address: address}.Host()
	return nil
}

// listenForCommands opens a Unix socket that only the owner of the data folder may use, and where that cannot be,
// since the system has none or the path is too long for one, a free port of 127.0.0.1.
func listenForCommands(listen func(network, address string) (net.Listener, error), dir string) (l net.Listener,
	address string, err error) {
	path := filepath.Join(dir, admin.ControlSocket)
	if runtime.GOOS != "windows" {
		_ = os.Remove(path) // of a server that was killed: the folder is ours
		if l, err = listen("unix", path); err == nil {
			if err = os.Chmod(path, 0o600); err == nil {
				return l, admin.ControlSocket, nil
			}
			l.Close()
		}
	}
	if l, err = listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, "", err
	}
	return l, l.Addr().String(), nil
}

func (s *Server) listenPage() (net.Listener, error) {
	set := s.o.Settings
	l, err := s.o.listen("tcp", set.Listen)
	if err != nil {
		return nil, fmt.Errorf("admin page: %w%s", err, holder(set.Listen))
	}
	if err := s.makePage(l.Addr().(*net.TCPAddr).AddrPort()); err != nil {
		l.Close()
		return nil, fmt.Errorf("admin page: %w", err)
	}
	proxies, err := config.ParseNetworks(set.Proxies)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("admin.proxies: %w", err)
	}
	limited := webserver.NewListener(l, maxConnections, maxPerAddress, proxies...)
	if set.Cert == "" && set.Key == "" {
		return limited, nil
	}
	l, s.http.TLSConfig, err = webserver.Encrypt(limited, "admin", set.Cert, set.Key, s.o.Log)
	if err != nil {
		return nil, fmt.Errorf("admin page: %w", err)
	}
	return l, nil
}

// makePage makes the parts of the page, which listens on an address.
func (s *Server) makePage(addr netip.AddrPort) error {
	s.addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	for _, h := range s.o.Settings.Hosts {
		s.hosts[hostKey(h)] = true
	}
	var err error
	if s.networks, err = config.ParseNetworks(s.o.Settings.Networks); err != nil {
		return fmt.Errorf("admin.networks: %w", err)
	}
	s.sessions, s.hashing = newSessions(), newHashing(cmp.Or[gamesession.Passwords](s.o.Passwords, passwords.Here{}))
	s.guard = gamesession.NewLoginLimiter(s.o.Config.Settings().Game.Limits)
	s.meter = &meter{game: s.o.Game, wrote: s.o.Writes, past: openPast(s.o.Store.Dir(), time.Now(), s.o.Log),
		heat: newHeat(time.Now())}
	s.stream = newStream(&s.o, s.status)
	s.metrics = promhttp.HandlerFor(newRegistry(s), promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	return nil
}

func (s *Server) serve(l net.Listener) {
	s.serving.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.o.Log.Error("admin listener ended", "address", l.Addr().String(), "error", err)
		}
	})
}

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

// holder names the program that listens on a taken address, as far as that can be found out.
func holder(listen string) string {
	const how = "; choose another address with --admin-listen, or none with --admin-listen \"\""
	c := http.Client{Timeout: time.Second, Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	resp, err := c.Get("http://" + listen + "/healthz")
	if err != nil {
		return how
	}
	defer resp.Body.Close()
	if resp.Header.Get("Server") == webserver.ServerName {
		return ", a Sphere server" + how
	}
	return how
}
