package main

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/packets/mcquery"
)

// A minecraftResult has the values of an answer of Minecraft Query. A number that was sent as another text is that
// text.
type minecraftResult struct {
	heard
	Name    string   `json:"name,omitempty"`
	Type    string   `json:"type,omitempty"`
	Game    string   `json:"game,omitempty"`
	Version string   `json:"version,omitempty"`
	Plugins string   `json:"plugins,omitempty"`
	Map     string   `json:"map,omitempty"`
	Players any      `json:"players,omitempty"`
	Slots   any      `json:"slots,omitempty"`
	Port    any      `json:"port,omitempty"`
	IP      string   `json:"ip,omitempty"`
	Others  []pair   `json:"others,omitempty"` // keys that the protocol does not know
	List    []string `json:"list,omitempty"`
}

// minecraftQueryCommand is "sphere query minecraft".
func minecraftQueryCommand(env *environment) *cobra.Command {
	q := &inquiry{env: env}
	kind := "full"
	c := q.command(&cobra.Command{
		Use:   "minecraft HOST:PORT",
		Short: "Ask by the Minecraft Query protocol; the port is usually that of the game",
		Example: `  sphere query minecraft 127.0.0.1:25860
  sphere query minecraft 127.0.0.1:25860 --kind basic --json
  sphere query minecraft --read answer.hex`,
		RunE: func(c *cobra.Command, args []string) error {
			if kind = strings.ToLower(kind); kind != "full" && kind != "basic" {
				return usagef(c, "--kind: expected full or basic, found %q", kind)
			}
			r, err := q.reply(c.Context(), args, func(text []byte) bool {
				return len(text) > 0 && (text[0] == 0 || text[0] == byte(mcquery.Handshake))
			}, func(l *line) ([]byte, error) { return l.askMinecraft(kind == "full") })
			if err != nil {
				return err
			}
			var result minecraftResult
			var damage error
			if kind == "full" {
				var m mcquery.Full
				damage = mcquery.Decode(r.bytes, &m)
				result.fillFull(&m)
			} else {
				var m mcquery.Basic
				damage = mcquery.Decode(r.bytes, &m)
				result.fillBasic(&m)
			}
			result.heard = q.heard("minecraft", kind, r, damage)
			return q.show(r, &result, damage)
		},
	})
	c.Flags().StringVar(&kind, "kind", kind, "what to ask for: full or basic (no version, no players)")
	return c
}

// askMinecraft gets a token, and the answer for it.
func (l *line) askMinecraft(full bool) ([]byte, error) {
	session := rand.Uint32() & mcquery.SessionMask // one for both requests, as some servers need it
	if err := l.send(mcquery.AskToken(session).Append(nil)); err != nil {
		return nil, err
	}
	answer, err := l.minecraft(mcquery.Handshake, session)
	if err != nil {
		return nil, err
	}
	var token mcquery.Token
	if err := mcquery.Decode(answer, &token); err != nil {
		return nil, failf("token: %v", err)
	}
	number, err := token.Number()
	if err != nil {
		return nil, err
	}
	request := mcquery.AskBasic(session, number)
	if full {
		request = mcquery.AskFull(session, number)
	}
	if err := l.send(request.Append(nil)); err != nil {
		return nil, err
	}
	return l.minecraft(mcquery.Status, session)
}

// minecraft receives the answer of a kind for a session. Others are late answers to earlier requests, and are
// ignored.
func (l *line) minecraft(want mcquery.Kind, session uint32) ([]byte, error) {
	for {
		answer, err := l.receive()
		if err != nil {
			return nil, err
		}
		if len(answer) < mcquery.HeaderBytes {
			return answer, nil // decoding it tells the fault
		}
		kind, found := mcquery.Kind(answer[0]), binary.BigEndian.Uint32(answer[1:])
		switch {
		case kind == want && found == session:
			return answer, nil
		case kind == want:
			l.last = failf("byte 1: session: expected %08X, found %08X", session, found)
		case kind != mcquery.Handshake && kind != mcquery.Status:
			return answer, nil
		}
	}
}

func (r *minecraftResult) fillBasic(m *mcquery.Basic) {
	*r = minecraftResult{Name: readable(m.MOTD), Type: readable(m.Type), Map: readable(m.Map),
		Players: numberOrText(m.Players), Slots: numberOrText(m.Slots), IP: readable(m.IP)}
	if m.Port != 0 {
		r.Port = m.Port
	}
}

func (r *minecraftResult) fillFull(m *mcquery.Full) {
	texts := map[string]*string{mcquery.KeyName: &r.Name, mcquery.KeyType: &r.Type, mcquery.KeyGame: &r.Game,
		mcquery.KeyVersion: &r.Version, mcquery.KeyPlugins: &r.Plugins, mcquery.KeyMap: &r.Map, mcquery.KeyIP: &r.IP}
	numbers := map[string]*any{
		mcquery.KeyPlayers: &r.Players, mcquery.KeySlots: &r.Slots, mcquery.KeyPort: &r.Port}
	for _, p := range m.Pairs {
		if text, ok := texts[p.Key]; ok {
			*text = readable(p.Value)
		} else if number, ok := numbers[p.Key]; ok {
			*number = numberOrText(p.Value)
		} else {
			r.Others = append(r.Others, pair{readable(p.Key), readable(p.Value)})
		}
	}
	r.List = each(m.Players, readable)
}

func (r *minecraftResult) report(out *report) {
	facts := [][]string{{"server", mcquery.WithoutFormatting(r.Name)}, {"game", r.Game}, {"type", r.Type}, {"map", r.Map},
		{"version", r.Version}, {"plugins", r.Plugins}, {"players", out.playersOf(r.Players, r.Slots)}, {"host", r.IP},
		{"port", textOf(r.Port)}}
	out.facts(append(facts, r.row(out)), each(r.Others, pair.row)...)
	out.list(each(r.List, func(name string) []string { return []string{mcquery.WithoutFormatting(name)} }), "PLAYER")
	if r.Kind == "full" {
		out.named(len(r.List), r.Players)
	}
}
