package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/ase"
	"sphereserver/packets/mcquery"
	"sphereserver/packets/w3gs"
)

// queryCommand is "sphere query": the queries of server browsers, to our servers and to others'.
func queryCommand(env *environment) *cobra.Command {
	return group("query", "Ask a game server who it is and who plays there",
		aseQueryCommand(env), minecraftQueryCommand(env), w3gsQueryCommand(env), lanQueryCommand(env))
}

// A lanServer is a server that has answered on the local network.
type lanServer struct {
	Protocol string `json:"protocol"`
	Address  string `json:"address"` // of the game
	Name     string `json:"name"`
	Game     string `json:"game"`
	Map      string `json:"map,omitempty"`
	Version  string `json:"version,omitempty"`
	Players  any    `json:"players,omitempty"`
	Slots    any    `json:"slots,omitempty"`
}

// A lanResult is all that has answered.
type lanResult struct {
	Warcraft []warcraftGame `json:"warcraft"`
	Servers  []lanServer    `json:"servers"`
}

// A lanSearch looks for games and servers on the local network.
type lanSearch struct {
	env                *environment
	timeout            time.Duration
	retries            int
	to                 []string
	warcraft, ase, mcq uint16 // ports
	search             warcraftSearch

	addresses []netip.Addr
	own       map[netip.Addr]bool

	mu     sync.Mutex
	result lanResult
	seen   map[string]bool
	notes  map[string]bool // faults, once for each address
}

// lanQueryCommand is "sphere query lan".
func lanQueryCommand(env *environment) *cobra.Command {
	s := &lanSearch{env: env, seen: map[string]bool{}, notes: map[string]bool{}}
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
	env.addJSONFlag(c)
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
	searches, err := s.search.packets(c)
	if err != nil {
		return err
	}
	networks, _ := ownNetworks() // without them everybody is asked by one interface
	networks = slices.DeleteFunc(networks, func(p netip.Prefix) bool { return !p.Addr().Is4() || p.Addr().IsLoopback() })
	s.own = map[netip.Addr]bool{}
	for _, n := range networks {
		s.own[n.Addr()] = true
	}
	for _, text := range s.to {
		a, err := netip.ParseAddr(text)
		if err != nil || !a.Is4() {
			return usagef(c, "--to: expected an IPv4 address, found %q", text)
		}
		s.addresses = append(s.addresses, a)
	}
	if len(s.to) == 0 {
		s.addresses = everybody(networks)
	}
	ctx, cancel := context.WithTimeout(c.Context(), s.timeout)
	defer cancel()
	var asking sync.WaitGroup
	asks := []struct {
		port     uint16
		requests [][]byte
		hear     hearer
		err      error
	}{
		{s.warcraft, searches, s.hearWarcraft, nil},
		{s.ase, [][]byte{ase.AskEYE1.Append(nil)}, s.hearEye, nil},
		{s.mcq, [][]byte{mcquery.AskToken(rand.Uint32() & mcquery.SessionMask).Append(nil)}, s.hearMinecraft, nil},
	}
	for i := range asks {
		if a := &asks[i]; a.port != 0 {
			asking.Go(func() { a.err = s.ask(ctx, a.port, a.requests, a.hear) })
		}
	}
	asking.Wait()
	if c.Context().Err() != nil {
		return failf("interrupted")
	}
	return s.show(errors.Join(asks[0].err, asks[1].err, asks[2].err))
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

// A hearer takes a received datagram, and returns its fault; it may answer on conn.
type hearer func(conn *net.UDPConn, from netip.AddrPort, datagram []byte) error

// ask sends requests to a port of every address, several times until the time is over, and gives the answers to hear.
func (s *lanSearch) ask(ctx context.Context, port uint16, requests [][]byte, hear hearer) error {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		return err
	}
	defer conn.Close()
	var listening sync.WaitGroup
	listening.Go(func() {
		buf := make([]byte, maxAnswer)
		for {
			n, from, err := conn.ReadFromUDPAddrPort(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				s.mu.Lock()
				from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
				if err := hear(conn, from, buf[:n]); err != nil {
					s.notes[fmt.Sprintf("answer of %s: %v", from, err)] = true
				}
				s.mu.Unlock()
			}
		}
	})
	sent := 0
	var failure error
	for i := range 1 + s.retries {
		for _, a := range s.addresses {
			for _, r := range requests {
				if _, err := conn.WriteToUDPAddrPort(r, netip.AddrPortFrom(a, port)); err != nil {
					failure = err
				} else {
					sent++
				}
			}
		}
		wait := s.timeout / time.Duration(1+s.retries)
		if i == s.retries {
			wait = s.timeout // until ctx ends
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	conn.Close()
	listening.Wait()
	if sent > 0 {
		return nil // some networks may well be unreachable
	}
	return failure
}

// place is an address of a game. This machine has several addresses and is one place.
func (s *lanSearch) place(from netip.Addr, port string) string {
	if s.own[from] {
		from = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return net.JoinHostPort(from.String(), port)
}

// first says whether something is heard for the first time.
func (s *lanSearch) first(what string) bool {
	before := len(s.seen)
	s.seen[what] = true
	return len(s.seen) > before
}

func (s *lanSearch) hearWarcraft(_ *net.UDPConn, from netip.AddrPort, datagram []byte) error {
	m, err := warcraftInfo(datagram)
	if err != nil {
		return err
	}
	g := describeWarcraft(m, s.place(from.Addr(), "0"))
	if s.first(fmt.Sprintf("w3gs %s %d %d", g.Address, g.Game, g.Key)) {
		s.result.Warcraft = append(s.result.Warcraft, g)
	}
	return nil
}

func (s *lanSearch) hearEye(_ *net.UDPConn, from netip.AddrPort, datagram []byte) error {
	m, err := ase.Decode(datagram)
	eye, ok := m.(*ase.EYE1)
	if !ok {
		return cmp.Or(err, failf("expected EYE1"))
	}
	var result eyeResult
	result.fill(eye, err)
	s.add(lanServer{Protocol: "ase", Address: s.place(from.Addr(), eye.Port), Name: cmp.Or(result.Plain, result.Name),
		Game: result.Game, Map: result.Map, Version: result.Version, Players: result.Players, Slots: result.Slots})
	return err
}

func (s *lanSearch) hearMinecraft(conn *net.UDPConn, from netip.AddrPort, datagram []byte) error {
	var token mcquery.Token
	if err := mcquery.Decode(datagram, &token); err == nil {
		if number, err := token.Number(); err == nil {
			full := mcquery.AskFull(token.Session, number).Append(nil)
			_, _ = conn.WriteToUDPAddrPort(full, from) // asked again if it is lost
		}
		return nil
	}
	var full mcquery.Full
	if err := mcquery.Decode(datagram, &full); err != nil {
		return err
	}
	var result minecraftResult
	result.fillFull(&full)
	s.add(lanServer{Protocol: "minecraft", Address: s.place(from.Addr(), textOf(result.Port)),
		Name: mcquery.WithoutFormatting(result.Name), Game: result.Game, Map: result.Map, Version: result.Version,
		Players: result.Players, Slots: result.Slots})
	return nil
}

// add keeps a server. One that answers both protocols is shown once, as the All-Seeing Eye has it, which tells its
// game.
func (s *lanSearch) add(v lanServer) {
	if !s.first(v.Protocol + " " + v.Address) {
		return
	}
	i := slices.IndexFunc(s.result.Servers, func(other lanServer) bool { return other.Address == v.Address })
	switch {
	case i < 0:
		s.result.Servers = append(s.result.Servers, v)
	case v.Protocol == "ase":
		s.result.Servers[i] = v
	}
}

// show prints the answers; err says why a request could not be sent.
func (s *lanSearch) show(err error) error {
	for _, text := range slices.Sorted(maps.Keys(s.notes)) {
		s.env.note("%v", errors.New(visible(text)))
	}
	r := &s.result
	if len(r.Warcraft)+len(r.Servers) == 0 {
		if err != nil {
			return err
		}
		return failf("nobody has answered in %v", s.timeout)
	}
	slices.SortFunc(r.Warcraft, func(a, b warcraftGame) int {
		return cmp.Or(strings.Compare(a.Address, b.Address), cmp.Compare(a.Game, b.Game))
	})
	slices.SortFunc(r.Servers, func(a, b lanServer) int { return strings.Compare(a.Address, b.Address) })
	return printResult(s.env, r)
}

func (r *lanResult) report(out *report) {
	out.list(each(r.Warcraft, func(g warcraftGame) []string {
		return []string{g.Name, g.Host, out.playersOf(g.Players, g.Seats), g.Map,
			productTitle(g.Product) + " " + g.Version, g.Address}
	}), "WARCRAFT III", "HOST", "PLAYERS", "MAP", "VERSION", "ADDRESS")
	out.list(each(r.Servers, func(v lanServer) []string {
		return []string{v.Name, v.Game, out.playersOf(v.Players, v.Slots), v.Map, v.Version, v.Address}
	}), "SERVER", "GAME", "PLAYERS", "MAP", "VERSION", "ADDRESS")
}
