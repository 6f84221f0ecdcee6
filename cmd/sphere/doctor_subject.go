package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
	"sphereserver/server/config"
)

// A finding is the report of "sphere doctor" on one matter.
type finding struct {
	Matter string `json:"matter"` // "port", "database", …
	State  string `json:"state"`  // "ok", "note", "warning" or "wrong"
	Text   string `json:"text"`
	Do     string `json:"do,omitempty"` // advice to the operator
}

// The states of a finding. A warning may be wanted; a fault keeps players out, or loses something.
const (
	fine    = "ok"
	noted   = "note"
	warned  = "warning"
	isWrong = "wrong"
)

// A subject is the patient of the doctor. Facts of the machine are functions, so that tests can make faults up.
type subject struct {
	findings []finding

	dataDir string
	file    string // of the configuration
	config  *config.Config
	fault   error // of the configuration
	damaged bool  // the database is
	now     time.Time
	russian bool
	machine machine

	serverRuns bool // its own report is newer than the store
}

// find adds a finding; do is empty where there is nothing to be done.
func (p *subject) find(matter, state, text, do string) {
	p.findings = append(p.findings, finding{matter, state, text, do})
}

// say chooses the language of a sentence.
func (p *subject) say(english, russian string, args ...any) string {
	if p.russian {
		english = russian
	}
	return fmt.Sprintf(english, args...)
}

// saying is the text of an error.
func (p *subject) saying(err error) string {
	if p.russian {
		return russianOf(err)
	}
	return plain(err).Error()
}

// A machine has the doctor's questions to the system.
type machine struct {
	listen      func(network, address string) error              // tries to listen, and stops at once
	addresses   func() ([]netip.Addr, error)                     // of this machine
	freeBytes   func(dir string) (uint64, error)                 // of the disk that a folder is on
	descriptors func() int                                       // that the process may have; 0 for no limit
	holder      func(port uint16) string                         // the program that has a TCP port; "" if unknown
	clockFault  func() (time.Duration, error)                    // how far the clock is off, as the system thinks
	disk        func(dir string) disk                            // that a folder is on
	unknownZone func() string                                    // that the environment names
	ownersIn    func(dir string) (owner string, others []string) // of a data folder, and its files of others
	greet       func(ctx context.Context, address string) (head [4]byte, err error)
}

func thisMachine() machine {
	return machine{listen: tryListening, addresses: ownAddresses, descriptors: descriptorLimit, holder: portHolder,
		clockFault: clockFault, unknownZone: unknownZone, greet: greet, ownersIn: ownersIn,
		disk: func(dir string) disk { return diskOf(existing(dir)) },
		freeBytes: func(dir string) (uint64, error) {
			free, _, err := data.FreeBytes(existing(dir))
			return free, err
		}}
}

// errNotKnown is the answer of a system that does not say.
var errNotKnown = errors.New("not known on this system")

func tryListening(network, address string) error {
	var c io.Closer
	var err error
	if network == "udp" {
		c, err = net.ListenPacket(network, address)
	} else {
		c, err = net.Listen(network, address)
	}
	if err != nil {
		return err
	}
	return c.Close()
}

func ownAddresses() ([]netip.Addr, error) {
	networks, err := ownNetworks()
	return each(networks, func(n netip.Prefix) netip.Addr { return n.Addr().Unmap() }), err
}

// ownNetworks are the addresses of this machine, each with its network.
func ownNetworks() (out []netip.Prefix, err error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of this machine: %w", err)
	}
	for _, a := range all {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			out = append(out, prefix)
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
