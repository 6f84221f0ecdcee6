package query

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"

	"sphereserver/packets/ase"
)

// Listen opens the ports that belong to a game's address and starts to answer. With both protocols off it listens
// nowhere.
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
		conn, err := listenASE(game, o.ASE.Port)
		if err != nil {
			return nil, err
		}
		s.ase = newPort("ase", conn, &o, newASEResponder(&o, source).respond)
		if usual := int(game.Port()) + ase.DefaultPortOffset; o.ASE.Port == 0 && int(s.ASE().Port()) != usual {
			o.Log.Warn("the usual port of the All-Seeing Eye is taken", "usual", usual, "instead", s.ASE().Port())
		}
	}
	if !o.Minecraft.Off {
		at := o.Minecraft.Port
		if at == 0 {
			at = game.Port()
		}
		conn, err := listenUDP(netip.AddrPortFrom(game.Addr(), at))
		if err != nil {
			if s.ase != nil {
				_ = s.ase.conn.Close()
			}
			return nil, fmt.Errorf("query: Minecraft Query: %w", err)
		}
		s.minecraft = newPort("minecraft", conn, &o, newMinecraftResponder(&o, source).respond)
	}
	for _, p := range s.ports() {
		p.done.Go(p.serve)
	}
	return s, nil
}

// listenASE listens on a port, or on the usual one of the game, or on one of those behind it.
func listenASE(game netip.AddrPort, at uint16) (*net.UDPConn, error) {
	if at != 0 {
		conn, err := listenUDP(netip.AddrPortFrom(game.Addr(), at))
		if err != nil {
			return nil, fmt.Errorf("query: All-Seeing Eye: %w", err)
		}
		return conn, nil
	}
	first := int(game.Port()) + ase.DefaultPortOffset
	var failure error
	for n := first; n < first+asePorts; n++ {
		at := n
		if at > 0xFFFF {
			at = 0 // a game on one of the last ports: the system chooses
		}
		conn, err := listenUDP(netip.AddrPortFrom(game.Addr(), uint16(at)))
		if err == nil {
			return conn, nil
		}
		if failure == nil {
			failure = err
		}
	}
	return nil, fmt.Errorf("query: All-Seeing Eye, %d ports tried: %w", asePorts, failure)
}

func listenUDP(at netip.AddrPort) (*net.UDPConn, error) {
	network := "udp"
	if at.Addr().Is4() {
		network = "udp4" // package net would listen on IPv6 too, for 0.0.0.0
	}
	return net.ListenUDP(network, net.UDPAddrFromAddrPort(at))
}
