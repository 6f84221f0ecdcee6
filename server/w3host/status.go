package w3host

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"time"

	"sphereserver/packets/w3gs"
)

// A Status is the state of a host.
type Status struct {
	Started  time.Time         `json:"started"`
	TCP      string            `json:"tcp"`
	UDP      string            `json:"udp"`
	Games    []GameStatus      `json:"games"`
	Sessions int               `json:"sessions"` // connections, those that have not joined included
	Counters map[string]uint64 `json:"counters"`
	Ends     map[string]uint64 `json:"ends"` // connections that have ended, by reason
}

// A GameStatus is a game as it is now.
type GameStatus struct {
	Game     uint32         `json:"game"` // host counter
	EntryKey uint32         `json:"entry_key"`
	Name     string         `json:"name"`
	Map      string         `json:"map"`
	State    string         `json:"state"`
	Created  time.Time      `json:"created"`
	Ticks    int            `json:"ticks"` // sent
	Slots    []w3gs.Slot    `json:"slots"`
	Players  []PlayerStatus `json:"players"`
}

// A PlayerStatus is a player as it is now.
type PlayerStatus struct {
	Player  w3gs.PlayerID `json:"player"`
	Name    string        `json:"name"`
	Address string        `json:"address"`
	Slot    int           `json:"slot"` // counted from 0
	Ready   bool          `json:"ready"`
	Loaded  bool          `json:"loaded"`
	Latency float64       `json:"latency_ms"`
	Ticks   int           `json:"ticks"` // answered
	Lagging bool          `json:"lagging"`
}

// status is a copy of the public values.
func (g *game) status() GameStatus {
	s := GameStatus{Game: g.counter, EntryKey: g.key, Name: g.options.Name, Map: g.options.Map.Path,
		State: g.state.String(), Ticks: g.ticks, Slots: slices.Clone(g.slots), Players: make([]PlayerStatus, len(g.players))}
	for i, p := range g.players {
		s.Players[i] = PlayerStatus{Player: p.id, Name: p.name, Address: p.address.String(), Slot: p.slot, Ready: p.ready(),
			Loaded: p.loaded, Latency: float64(p.latency) / float64(time.Millisecond), Ticks: p.ticks, Lagging: p.lagging}
	}
	return s
}

// Status returns the state of the host.
func (h *Host) Status() Status {
	s := Status{Started: h.started, TCP: h.Addr().String(), UDP: h.SearchAddr().String(), Games: []GameStatus{},
		Counters: h.Counters(), Ends: h.ended.Counts()}
	h.sessionsMu.Lock()
	s.Sessions = len(h.sessions)
	h.sessionsMu.Unlock()
	for _, r := range h.allRooms() {
		s.Games = append(s.Games, *r.status.Load())
	}
	slices.SortFunc(s.Games, func(a, b GameStatus) int { return cmp.Compare(a.Game, b.Game) })
	return s
}

// Addr is the TCP address of the games.
func (h *Host) Addr() netip.AddrPort { return h.transport.Addr() }

// SearchAddr is the UDP address that answers searches.
func (h *Host) SearchAddr() netip.AddrPort { return h.udp.LocalAddr().(*net.UDPAddr).AddrPort() }

// Counters returns all counts, by name.
func (h *Host) Counters() map[string]uint64 {
	c := &h.count
	return map[string]uint64{"connections_accepted": c.accepted.Load(), "connections_refused": c.refused.Load(),
		"packets_in": c.packetsIn.Load(), "bytes_in": c.bytesIn.Load(), "bytes_out": c.bytesOut.Load(),
		"games_created": c.games.Load(), "searches": c.searches.Load(), "searches_answered": c.answers.Load(),
		"searches_strange": c.searchesStrange.Load(), "searches_other_version": c.searchesOther.Load(),
		"searches_limited": c.searchesLimited.Load(), "announcements": c.announced.Load(),
		"announcements_failed": c.announceFailed.Load(), "panics": c.panics.Load()}
}
