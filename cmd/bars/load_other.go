//go:build !linux

package main

import (
	"fmt"
	"net"
)

// A load exists on Linux only, which has the means to drive thousands of sockets at the cost of few.
type load struct{}

func newLoad() (*load, error) { return nil, fmt.Errorf("%w: its load needs epoll", errNotHere) }

func (*load) take(net.Conn, [2][]byte, []byte) error { return errNotHere }
func (*load) closedLoop()                            {}
func (*load) openLoop(float64)                       {}
func (*load) stand(float64)                          {}
func (*load) idle()                                  {}
func (*load) counts() (answers, sent uint64)         { return 0, 0 }
func (*load) updates() uint64                        { return 0 }
func (*load) err() error                             { return errNotHere }
func (*load) close()                                 {}

func descriptors() int { return 0 }
