package query

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"

	"sphereserver/packets/ase"
	"sphereserver/server/udp"
)

// A PortError is the fault of a protocol's port.
type PortError struct {
	Protocol string // [EyeProtocol] or [MinecraftProtocol]
	Err      error
}

// The names of the protocols.
const (
	EyeProtocol       = "All-Seeing Eye"
	MinecraftProtocol = "Minecraft Query"
)

// Error names the protocol.
func (e *PortError) Error() string { return fmt.Sprintf("query: %s: %v", e.Protocol, e.Err) }

// Unwrap returns what the system says.
func (e *PortError) Unwrap() error { return e.Err }

// Listen opens the ports that belong to a game's address and starts to answer. With both protocols off it listens
// nowhere. A port that cannot be used is a [*PortError].
func Listen(game netip.AddrPort, o Options, source Source) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if game.Port() == 0 {
		return nil, errors.New("query: the game has no port yet")
	}
	if o.Minecraft.HostIP == "" {
		o.Minecraft.HostIP = "0.0.0.0"
		if a := game.Addr().Unmap(); a.IsValid() && !a.IsUnspecified() {
			o.Minecraft.HostIP = a.WithZone("").String()
		}
	}
	s := new(Server)
	if !o.ASE.Off {
		if err := s.listenASE(game, &o, source); err != nil {
			return nil, err
		}
	}
	if !o.Minecraft.Off {
		conn, err := listenFirst(MinecraftProtocol, game.Addr(), cmp.Or(o.Minecraft.Port, int(game.Port())), 1)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.minecraft = newPort("minecraft", udp.New(conn), &o, newMinecraftResponder(&o, source).respond)
	}
	var own []uint16
	for _, p := range s.ports() {
		own = append(own, p.addr().Port())
	}
	for _, p := range s.ports() {
		p.own = own
		p.done.Go(p.serve)
	}
	return s, nil
}

// listenASE opens the port of the All-Seeing Eye: that of the options, or the first free one of the usual ones.
func (s *Server) listenASE(game netip.AddrPort, o *Options, source Source) error {
	first, ports := o.ASE.Port, 1
	if first == 0 {
		first, ports = int(game.Port())+ase.DefaultPortOffset, asePorts
	}
	conn, err := listenFirst(EyeProtocol, game.Addr(), first, ports)
	if err != nil {
		return err
	}
	s.ase = newPort("ase", udp.New(conn), o, newASEResponder(o, source).respond)
	if at := int(s.ASE().Port()); at != first {
		o.Log.Warn("the usual port of the All-Seeing Eye is taken", "usual", first, "instead", at)
	}
	return nil
}

// listenFirst listens on the first free one of some ports.
func listenFirst(protocol string, addr netip.Addr, first, ports int) (*net.UDPConn, error) {
	network := "udp"
	if addr.Is4() {
		network = "udp4" // package net would listen on IPv6 too, for 0.0.0.0
	}
	var failure error
	for port := first; port < first+ports; port++ {
		at := netip.AddrPortFrom(addr, uint16(port))
		if port > 0xFFFF {
			at = netip.AddrPortFrom(addr, 0) // a game on one of the last ports: the system chooses
		}
		conn, err := net.ListenUDP(network, net.UDPAddrFromAddrPort(at))
		if err == nil {
			return conn, nil
		}
		failure = cmp.Or(failure, err)
	}
	if ports > 1 {
		failure = fmt.Errorf("%d ports tried: %w", ports, failure)
	}
	return nil, &PortError{protocol, failure}
}
