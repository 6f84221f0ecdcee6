package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"time"
)

// A machine is what the doctor asks of the system.
type machine struct {
	listen      func(network, address string) error // tries to listen, and stops at once
	addresses   func() ([]netip.Addr, error)        // of this machine
	freeBytes   func(dir string) (uint64, error)    // of the disk that a folder is on
	descriptors func() int                          // that the process may have; 0 for no limit
	holder      func(port uint16) string            // who has a TCP port; empty when that can't be said
	clockFault  func() (time.Duration, error)       // how far the clock is off, as the system thinks
}

func thisMachine() machine {
	return machine{listen: tryListening, addresses: ownAddresses, freeBytes: freeBytes, descriptors: descriptorLimit,
		holder:     portHolder,
		clockFault: clockFault}
}

// errNotKnown is the answer of a system that does not say.
var errNotKnown = errors.New("not known on this system")

func tryListening(network, address string) error {
	if network == "udp" {
		c, err := net.ListenPacket(network, address)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	l, err := net.Listen(network, address)
	if err == nil {
		err = l.Close()
	}
	return err
}

func ownAddresses() ([]netip.Addr, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of this machine: %w", err)
	}
	var out []netip.Addr
	for _, a := range all {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			out = append(out, prefix.Addr().Unmap())
		}
	}
	return out, nil
}

// existing is the nearest folder above a path that is there.
func existing(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return "."
	}
	for !isFolder(path) && filepath.Dir(path) != path {
		path = filepath.Dir(path)
	}
	return path
}
