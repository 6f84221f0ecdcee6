package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/ase"
	"sphereserver/packets/w3gs"
)

// A lanSearch looks for games and servers on the local network.
type lanSearch struct {
	env                *environment
	timeout            time.Duration
	retries            int
	to                 []string
	warcraft, ase, mcq uint16 // ports
	search             warcraftSearch
}

// lanQueryCommand is "sphere query lan".
func lanQueryCommand(env *environment) *cobra.Command {
	s := &lanSearch{env: env}
	c := &cobra.Command{
		Use:   "lan",
		Short: "Find Warcraft III games and game servers on the local network",
		Long: "Ask everybody on the local network, and this machine, for Warcraft III games, " +
			"and for servers that answer the All-Seeing Eye or\n" +
			"Minecraft Query at the ports of a Sphere server.",
		Example: "  sphere query lan\n  sphere query lan --version 26 --json\n  sphere query lan --to 192.168.0.255",
		Args:    expect(0),
		RunE:    func(c *cobra.Command, _ []string) error { return s.run(c) },
	}
	env.withJSON(c)
	f := c.Flags()
	f.DurationVar(&s.timeout, "timeout", askTimeout, "how long to listen in all")
	f.IntVar(&s.retries, "retries", askRetries, "how often to ask again in that time")
	f.StringArrayVar(&s.to, "to", nil,
		"ask this `ADDRESS`, of a machine or a whole network, instead of everybody; can be repeated")
	f.Uint16Var(&s.warcraft, "warcraft-port", w3gs.DefaultPort, "UDP port of Warcraft III; 0 does not look for it")
	f.Uint16Var(&s.ase, "ase-port", 25983, "UDP port of the All-Seeing Eye; 0 does not look for it")
	f.Uint16Var(&s.mcq, "minecraft-port", 25860, "UDP port of Minecraft Query; 0 does not look for it")
	s.search.addFlags(c)
	return c
}

func (s *lanSearch) run(c *cobra.Command) error {
	if err := checkPatience(c, s.timeout, s.retries); err != nil {
		return err
	}
	warcraft, err := s.search.protocol(c)
	if err != nil {
		return err
	}
	networks, _ := ownNetworks() // without them everybody is asked by one interface
	networks = slices.DeleteFunc(networks, func(p netip.Prefix) bool { return !p.Addr().Is4() || p.Addr().IsLoopback() })
	addresses := everybody(networks)
	if len(s.to) > 0 {
		addresses = nil
	}
	for _, text := range s.to {
		a, err := netip.ParseAddr(text)
		if err != nil || !a.Is4() {
			return usagef(c, "--to: expected an IPv4 address, found %q", text)
		}
		addresses = append(addresses, a)
	}
	ctx, cancel := context.WithTimeout(c.Context(), s.timeout)
	defer cancel()
	asks := []*lanAsk{{protocol: warcraft, port: s.warcraft}, {protocol: aseProtocol(ase.AskEYE1), port: s.ase},
		{protocol: minecraftProtocol("full"), port: s.mcq}}
	var asking sync.WaitGroup
	for _, a := range asks {
		if a.port != 0 {
			asking.Go(func() { a.failure = a.ask(ctx, addresses, s.timeout, s.retries) })
		}
	}
	asking.Wait()
	if c.Context().Err() != nil {
		return failf("interrupted")
	}
	return s.show(asks, networks)
}

// everybody is this machine and all others of the local network: the broadcast address, which leaves by one
// interface, and those of each network.
func everybody(networks []netip.Prefix) []netip.Addr {
	out := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.AddrFrom4([4]byte{255, 255, 255, 255})}
	for _, p := range networks {
		if p.Bits() >= 31 {
			continue
		}
		last := p.Addr().As4()
		for bit := p.Bits(); bit < 32; bit++ {
			last[bit/8] |= 0x80 >> (bit % 8)
		}
		if a := netip.AddrFrom4(last); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// mostOnLAN is how many answers by a protocol are kept.
const mostOnLAN = 1024

// A lanAsk asks everybody by one protocol.
type lanAsk struct {
	*protocol
	port    uint16
	heard   []lanDatagram
	failure error // to send
}

// A lanDatagram is an answer, or the fault of one.
type lanDatagram struct {
	from  netip.AddrPort
	bytes []byte
	fault error
}

// ask sends the requests to every address, several times until the time is over, and keeps what is heard. It returns
// why nothing could be sent.
func (a *lanAsk) ask(ctx context.Context, addresses []netip.Addr, timeout time.Duration, retries int) error {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	sent, buf := 0, make([]byte, maxAnswer)
	for range 1 + retries {
		for _, to := range addresses {
			for _, r := range a.requests {
				if _, fault := conn.WriteToUDPAddrPort(r, netip.AddrPortFrom(to, a.port)); fault != nil {
					err = fault
				} else {
					sent++
				}
			}
		}
		_ = conn.SetReadDeadline(time.Now().Add(timeout / time.Duration(1+retries)))
		for {
			n, from, fault := conn.ReadFromUDPAddrPort(buf)
			if errors.Is(fault, net.ErrClosed) || errors.Is(fault, os.ErrDeadlineExceeded) {
				break
			}
			if fault == nil {
				a.hear(conn, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), buf[:n])
			}
		}
	}
	if sent > 0 {
		return nil // some networks may well be unreachable
	}
	return err
}

// hear keeps an answer, or sends the request that follows it, which is sent again with the others if it is lost.
func (a *lanAsk) hear(conn *net.UDPConn, from netip.AddrPort, datagram []byte) {
	next, err := a.next(datagram)
	var passed passedOver
	switch {
	case errors.As(err, &passed):
	case next != nil && err == nil:
		_, _ = conn.WriteToUDPAddrPort(next[0], from)
	case len(a.heard) < mostOnLAN:
		a.heard = append(a.heard, lanDatagram{from, bytes.Clone(datagram), err})
	}
}

// distinct are the answers, each once, and the faults of others. A server that answers both protocols is told as the
// All-Seeing Eye has it, which tells its game. This machine has several addresses, and is one place.
func distinct(asks []*lanAsk, own []netip.Prefix) (games, servers []*answer, faults map[string]bool) {
	games, servers, faults = []*answer{}, []*answer{}, map[string]bool{}
	seen := map[string]bool{}
	for _, a := range asks {
		for _, d := range a.heard {
			host := d.from.Addr().String()
			if slices.ContainsFunc(own, func(p netip.Prefix) bool { return p.Addr() == d.from.Addr() }) {
				host = "127.0.0.1"
			}
			var found *answer
			if d.fault == nil {
				found, d.fault = a.decode(host, d.bytes)
			}
			if d.fault != nil {
				faults[fmt.Sprintf("answer of %s: %v", d.from, d.fault)] = true
			}
			if found == nil {
				continue
			}
			key := fmt.Sprint(found.value("address"), found.value("game"), found.value("entry_key"))
			all := &games
			if !a.several {
				key = net.JoinHostPort(host, textOf(found.value("port")))
				found, all = found.asServer(a.name, key), &servers
			}
			if !seen[key] {
				*all = append(*all, found)
			}
			seen[key] = true
		}
	}
	return games, servers, faults
}

// show prints the answers.
func (s *lanSearch) show(asks []*lanAsk, own []netip.Prefix) error {
	games, servers, faults := distinct(asks, own)
	for _, text := range slices.Sorted(maps.Keys(faults)) {
		s.env.note("%v", errors.New(visible(text)))
	}
	if len(games)+len(servers) == 0 {
		return cmp.Or(errors.Join(asks[0].failure, asks[1].failure, asks[2].failure),
			failf("nobody has answered in %v", s.timeout))
	}
	byAddress := func(a, b *answer) int {
		return strings.Compare(textOf(a.value("address")), textOf(b.value("address")))
	}
	slices.SortStableFunc(servers, byAddress)
	slices.SortStableFunc(games, func(a, b *answer) int {
		return cmp.Or(byAddress(a, b), cmp.Compare(a.value("game").(uint32), b.value("game").(uint32)))
	})
	r := &answer{facts: []fact{{key: "warcraft", value: games}, {key: "servers", value: servers}}}
	return s.env.print(r, func(w printer) {
		r.table(w, games, []string{"name", "host", "players", "map", "version", "join at"}, "WARCRAFT III", "HOST")
		r.table(w, servers, []string{"server", "game", "players", "map", "version", "join at"}, "SERVER", "GAME")
		r.print(w)
	})
}

// asServer is the part of an answer that is shown of a server among others.
func (a *answer) asServer(protocol, address string) *answer {
	out := &answer{facts: []fact{{"protocol", protocol, "", nil}, {"address", address, "join at", nil}}}
	for _, f := range a.facts {
		if !slices.Contains([]string{"name", "game", "map", "version", "players", "slots"}, f.key) {
			continue
		}
		if f.key == "name" && f.value != nil {
			f.value = f.shown
		}
		out.facts = append(out.facts, f)
	}
	return out
}

// table lists the facts of others with these labels; the last four columns are always the same.
func (a *answer) table(w printer, others []*answer, labels []string, headings ...string) {
	if len(others) > 0 {
		a.lists = append(a.lists, listing{append(headings, "PLAYERS", "MAP", "VERSION", "ADDRESS"),
			each(others, func(o *answer) []string { return o.cells(w, labels...) })})
	}
}
