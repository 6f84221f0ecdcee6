//go:build !linux

package transport

import "time"

// RoundTrip is not known on this system.
func (c *conn) RoundTrip() (time.Duration, bool) { return 0, false }
