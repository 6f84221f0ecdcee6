package main

import (
	"encoding/hex"
	"fmt"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"sphereserver/packets/w3gs"
)

// warcraftSearch has the values of the searches of both commands.
type warcraftSearch struct {
	product string
	version int
	game    uint32
}

func (s *warcraftSearch) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&s.product, "product", "any", "tft for The Frozen Throne, roc for Reign of Chaos, any for both")
	c.Flags().IntVar(&s.version, "version", 0,
		"minor version of the game, 26 for 1.26; 0 asks for each of those that answer searches")
}

// The versions that are asked for when none is given. Older ones are not played any more, newer ones do not answer.
//
// Source: protocol w3gs 9.
const (
	firstWarcraft = 20
	lastWarcraft  = 29
)

// protocol has the searches: a host answers only that for its own product and version.
func (s *warcraftSearch) protocol(c *cobra.Command) (*protocol, error) {
	var products []w3gs.Product
	switch p, ok := w3products[s.product]; {
	case ok:
		products = []w3gs.Product{p}
	case s.product == "any":
		products = []w3gs.Product{w3gs.FrozenThrone, w3gs.ReignOfChaos}
	default:
		return nil, usagef(c, "--product: expected tft, roc or any, found %q", s.product)
	}
	first, last := s.version, s.version
	switch {
	case s.version == 0:
		first, last = firstWarcraft, lastWarcraft
	case s.version < 0:
		return nil, usagef(c, "--version: expected a minor version like 26, found %d", s.version)
	}
	out := &protocol{name: "w3gs", several: true, decode: decodeWarcraft}
	out.binary = func(text []byte) bool { return len(text) > 0 && text[0] == w3gs.Mark }
	for v := last; v >= first; v-- {
		for _, p := range products {
			packet, err := w3gs.Append(nil, &w3gs.Search{Product: p, Version: w3gs.Version(v), Game: s.game})
			if err != nil {
				return nil, err
			}
			out.requests = append(out.requests, packet)
		}
	}
	return out, nil
}

// w3gsQueryCommand is "sphere query w3gs".
func w3gsQueryCommand(env *environment) *cobra.Command {
	search := &warcraftSearch{}
	c := queryProtocolCommand(env, &cobra.Command{
		Use:   "w3gs HOST:PORT",
		Short: "Ask a Warcraft III host for its games; the port is usually 6112",
		Example: `  sphere query w3gs 192.168.0.10:6112
  sphere query w3gs 192.168.0.10:6112 --version 26 --json
  sphere query w3gs --read answer.hex`,
	}, search.protocol)
	search.addFlags(c)
	c.Flags().Uint32Var(&search.game, "game", 0, "number of the game at its host; 0 for any")
	return c
}

// decodeWarcraft reads the answer of a host to a search.
func decodeWarcraft(host string, datagram []byte) (*answer, error) {
	found, err := w3gs.Decode(datagram)
	if err != nil {
		return nil, err
	}
	m, ok := found.(*w3gs.GameInfo)
	if !ok {
		return nil, failf("byte 1: expected game information (0x30), found %s", word(w3gs.OpcodeOf(found).String()))
	}
	size, sum, join := "", any(nil), any(nil)
	if m.Stat.Width > 0 || m.Stat.Height > 0 {
		size = fmt.Sprintf("%d × %d", m.Stat.Width, m.Stat.Height)
	}
	if !m.Stat.NoSHA1 {
		sum = hex.EncodeToString(m.Stat.SHA1[:])
	}
	if host != "" {
		join = net.JoinHostPort(host, strconv.Itoa(int(m.Port)))
	}
	return &answer{kind: "game information", facts: []fact{
		{"address", join, "", nil}, {"game", m.Game, "game", nil}, {"entry_key", m.EntryKey, "", nil},
		{"name", readable(m.Name), "name", nil}, {"host", readable(m.Stat.Host), "host", nil},
		{"product", m.Product.String(), "", nil},
		{"version", m.Version.String(), "version", m.Product.Title() + " " + m.Version.String()},
		{"players", m.Players, "players", playersOf(m.Players, m.Seats)}, // the host counted, computers not
		{"seats", m.Seats, "", nil}, {"slots", m.Slots, "slots", nil},    // for people, and in all
		{"map", readable(m.Stat.Path), "map", nil}, {"width", m.Stat.Width, "map size", size},
		{"height", m.Stat.Height, "", nil}, {"map_xoro", fmt.Sprintf("0x%08X", m.Stat.Check), "map xoro", nil},
		{"map_sha1", sum, "map SHA-1", nil},
		{"settings", fmt.Sprintf("0x%X", uint32(m.Stat.Settings)), "settings", nil},
		{"flags", fmt.Sprintf("0x%X", uint32(m.Flags)), "flags", nil},
		{"uptime", m.Seconds, "uptime", seconds(int(m.Seconds))},
		{"", nil, "entry key", fmt.Sprintf("0x%08X", m.EntryKey)}, {"", nil, "join at", join}}}, nil
}
