package api

import (
	"net"
	"sync"
	"sync/atomic"
)

// A limitedListener closes connections beyond a number at once: nobody waits for a place.
type limitedListener struct {
	net.Listener
	most int32
	open atomic.Int32
}

// Accept returns the next connection that there is room for.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &limitedConn{Conn: c, free: sync.OnceFunc(func() { l.open.Add(-1) })}, nil
		}
		l.open.Add(-1)
		c.Close()
	}
}

// A limitedConn makes room when it is closed.
type limitedConn struct {
	net.Conn
	free func()
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	c.free()
	return c.Conn.Close()
}
