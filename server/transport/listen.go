package transport

import (
	"cmp"
	"fmt"
	"log/slog"
	"runtime"
)

// Listen binds addr, "host:port". Connections are accepted when Serve is called. An empty host means all
// addresses, IPv4 and IPv6; port 0 means a free one. A port that another server listens on is an error.
func Listen(addr string, h Handler, o Options, log *slog.Logger) (*Server, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	o.Network = cmp.Or(o.Network, defaultNetwork)
	o.Loops = cmp.Or(max(o.Loops, 0), runtime.GOMAXPROCS(0))
	o.MaxUnread = cmp.Or(max(o.MaxUnread, 0), defaultMaxUnread)
	o.closeWait = cmp.Or(o.closeWait, closeWait)
	s := &Server{
		handler: h, log: log, options: o,
		trouble: make(chan error, 1), failed: make(chan error, 1),
		stopping: make(chan struct{}), accepted: make(chan struct{}), stopped: make(chan struct{}),
	}
	var err error
	if o.Listener != nil {
		err = s.listenOn(o.Listener)
	} else {
		err = s.listen(addr)
	}
	if err != nil {
		return nil, err
	}
	switch o.Network {
	case "gnet":
		s.engine, err = newGnetEngine(s)
	case "net":
		s.engine = newNetEngine(s)
	default:
		err = fmt.Errorf("transport: network is %q, expected \"gnet\" or \"net\"", o.Network)
	}
	if err != nil {
		s.listener.Close()
		return nil, err
	}
	return s, nil
}
