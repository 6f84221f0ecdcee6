//go:build !linux

package transport

import (
	"net"
	"time"
)

// setDeadTimeout does nothing: Windows gives up after some 20 s by itself, and elsewhere the silence limit of
// the sessions has to do.
func setDeadTimeout(*net.TCPConn, time.Duration) error { return nil }

// roundTrip is not known on this system.
func roundTrip(int) (time.Duration, bool) { return 0, false }
