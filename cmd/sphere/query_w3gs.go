package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/w3gs"
)

// A warcraftGame has the values of an answer to a search.
type warcraftGame struct {
	Address string `json:"address,omitempty"` // where to join
	Game    uint32 `json:"game"`              // host counter
	Key     uint32 `json:"entryKey"`
	Name    string `json:"name"`
	Host    string `json:"host"`
	Product string `json:"product"`
	Version string `json:"version"`
	Map     string `json:"map"`
	Width   uint16 `json:"width"`
	Height  uint16 `json:"height"`
	Check   string `json:"mapXoro"`
	SHA1    string `json:"mapSHA1,omitempty"`
	// Settings and Flags are as the protocol has them.
	Settings string `json:"settings"`
	Flags    string `json:"flags"`
	Players  uint32 `json:"players"` // the host counted, computers not
	Seats    uint32 `json:"seats"`   // for people
	Slots    uint32 `json:"slots"`   // in all
	Uptime   uint32 `json:"uptime"`  // seconds
}

// A warcraftResult has the answers of a host of Warcraft III: a packet for each of its games.
type warcraftResult struct {
	heard
	Games []warcraftGame `json:"games"`
}

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

// packets are the searches: a host answers only that for its own product and version.
func (s *warcraftSearch) packets(c *cobra.Command) ([][]byte, error) {
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
	var out [][]byte
	for v := last; v >= first; v-- {
		for _, p := range products {
			packet, err := w3gs.Append(nil, &w3gs.Search{Product: p, Version: w3gs.Version(v), Game: s.game})
			if err != nil {
				return nil, err
			}
			out = append(out, packet)
		}
	}
	return out, nil
}

// w3gsQueryCommand is "sphere query w3gs".
func w3gsQueryCommand(env *environment) *cobra.Command {
	q := &inquiry{env: env}
	search := &warcraftSearch{}
	c := q.command(&cobra.Command{
		Use:   "w3gs HOST:PORT",
		Short: "Ask a Warcraft III host for its games; the port is usually 6112",
		Example: `  sphere query w3gs 192.168.0.10:6112
  sphere query w3gs 192.168.0.10:6112 --version 26 --json
  sphere query w3gs --read answer.hex`,
		RunE: func(c *cobra.Command, args []string) error {
			packets, err := search.packets(c)
			if err != nil {
				return err
			}
			replies, err := q.askWarcraft(c.Context(), args, packets)
			if err != nil {
				return err
			}
			result := warcraftResult{heard: q.heard("w3gs", "game information", replies[0], nil)}
			result.Bytes = 0
			for _, r := range replies {
				result.Bytes += len(r.bytes)
				m, err := warcraftInfo(r.bytes)
				if err != nil {
					return failf("answer of %s: %v", r.from, err)
				}
				result.Games = append(result.Games, describeWarcraft(m, r.from))
			}
			return q.show(replies[0], &result, nil)
		},
	})
	search.addFlags(c)
	c.Flags().Uint32Var(&search.game, "game", 0, "number of the game at its host; 0 for any")
	return c
}

// gamesOfOneHost is how many games of a host are listened to.
const gamesOfOneHost = 64

// askWarcraft sends searches and returns the answers: at least one, and others that follow it closely.
func (q *inquiry) askWarcraft(ctx context.Context, args []string, searches [][]byte) ([]reply, error) {
	var all []reply
	var took time.Duration // to the first answer
	first, err := q.reply(ctx, args, func(text []byte) bool {
		return len(text) > 0 && text[0] == w3gs.Mark
	}, func(l *line) ([]byte, error) {
		began := time.Now()
		for _, s := range searches {
			if err := l.send(s); err != nil {
				return nil, err
			}
		}
		answer, err := l.receive()
		if err != nil {
			return nil, err
		}
		took = time.Since(began)
		answer = bytes.Clone(answer)
		if err := l.conn.SetReadDeadline(time.Now().Add(min(q.timeout, 200*time.Millisecond))); err != nil {
			return nil, err
		}
		for len(all) < gamesOfOneHost {
			more, err := l.conn.Read(l.buf)
			if err != nil {
				break // no more of them
			}
			all = append(all, reply{from: args[0], bytes: bytes.Clone(l.buf[:more])})
		}
		return answer, nil
	})
	first.took = took
	return append([]reply{first}, all...), err
}

// warcraftInfo reads an answer to a search.
func warcraftInfo(datagram []byte) (*w3gs.GameInfo, error) {
	m, err := w3gs.Decode(datagram)
	if err != nil {
		return nil, err
	}
	info, ok := m.(*w3gs.GameInfo)
	if !ok {
		return nil, failf("byte 1: expected game information (0x30), found %s", w3gs.OpcodeOf(m))
	}
	return info, nil
}

// describeWarcraft puts an answer that came from an address into words.
func describeWarcraft(m *w3gs.GameInfo, from string) warcraftGame {
	g := warcraftGame{
		Game: m.Game, Key: m.EntryKey, Name: readable(m.Name), Host: readable(m.Stat.Host),
		Product: m.Product.String(), Version: m.Version.String(),
		Map: readable(m.Stat.Path), Width: m.Stat.Width, Height: m.Stat.Height,
		Check:    fmt.Sprintf("0x%08X", m.Stat.Check),
		Settings: fmt.Sprintf("0x%X", uint32(m.Stat.Settings)), Flags: fmt.Sprintf("0x%X", uint32(m.Flags)),
		Players: m.Players, Seats: m.Seats, Slots: m.Slots, Uptime: m.Seconds,
	}
	if !m.Stat.NoSHA1 {
		g.SHA1 = hex.EncodeToString(m.Stat.SHA1[:])
	}
	if i := strings.LastIndex(from, ":"); i >= 0 {
		g.Address = fmt.Sprintf("%s:%d", from[:i], m.Port)
	}
	return g
}

// productTitle is the name of a product that travels as four letters.
func productTitle(letters string) string {
	for _, p := range []w3gs.Product{w3gs.FrozenThrone, w3gs.ReignOfChaos, w3gs.Demonstration} {
		if p.String() == letters {
			return p.Title()
		}
	}
	return letters
}

func (g *warcraftGame) facts(out *report) [][]string {
	size := ""
	if g.Width > 0 || g.Height > 0 {
		size = fmt.Sprintf("%d × %d", g.Width, g.Height)
	}
	return [][]string{{"game", fmt.Sprint(g.Game)}, {"name", g.Name}, {"host", g.Host},
		{"version", productTitle(g.Product) + " " + g.Version}, {"players", out.playersOf(g.Players, g.Seats)},
		{"slots", fmt.Sprint(g.Slots)}, {"map", g.Map}, {"map size", size}, {"map xoro", g.Check}, {"map SHA-1", g.SHA1},
		{"settings", g.Settings}, {"flags", g.Flags}, {"uptime", out.seconds(int(g.Uptime))},
		{"entry key", fmt.Sprintf("0x%08X", g.Key)}, {"join at", g.Address}}
}

func (r *warcraftResult) report(out *report) {
	for i := range r.Games {
		facts := r.Games[i].facts(out)
		if i == len(r.Games)-1 {
			facts = append(facts, r.row(out))
		}
		out.facts(facts)
	}
}
