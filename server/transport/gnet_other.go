//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package transport

import (
	"errors"
	"runtime"
)

const defaultNetwork = "net"

// newGnetEngine refuses: gnet on Windows is for development only, says its README, and a peer that does not
// read blocks a whole loop there.
func newGnetEngine(*Server) (engine, error) {
	return nil, errors.New("transport: network \"gnet\" does not exist on " + runtime.GOOS + ", use \"net\"")
}
