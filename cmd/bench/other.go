//go:build !linux

package main

import (
	"fmt"
	"net"
	"time"
)

// A load exists on Linux only, which has the means to drive thousands of sockets at the cost of few; so do the
// reference for it and its measurements.
type load struct{}

func newLoad() (*load, error) { return nil, fmt.Errorf("%w: its load needs epoll", errNotHere) }

func (*load) take(net.Conn, [2][]byte, []byte) error { return errNotHere }
func (*load) set(pace)                               {}
func (*load) counts() (n loadCounts)                 { return n }
func (*load) err() error                             { return errNotHere }
func (*load) close()                                 {}

func descriptors() int                  { return 0 }
func processorTime() time.Duration      { return 0 }
func serveBare([]byte) (*served, error) { return nil, errNotHere }
