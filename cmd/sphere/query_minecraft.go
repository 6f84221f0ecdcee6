package main

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/packets/mcquery"
)

// minecraftQueryCommand is "sphere query minecraft".
func minecraftQueryCommand(env *environment) *cobra.Command {
	kind := "full"
	c := queryProtocolCommand(env, &cobra.Command{
		Use:   "minecraft HOST:PORT",
		Short: "Ask by the Minecraft Query protocol; the port is usually that of the game",
		Example: `  sphere query minecraft 127.0.0.1:25860
  sphere query minecraft 127.0.0.1:25860 --kind basic --json
  sphere query minecraft --read answer.hex`,
	}, func(c *cobra.Command) (*protocol, error) {
		if kind = strings.ToLower(kind); kind != "full" && kind != "basic" {
			return nil, usagef(c, "--kind: expected full or basic, found %q", kind)
		}
		return minecraftProtocol(kind), nil
	})
	c.Flags().StringVar(&kind, "kind", kind, "what to ask for: full or basic (no version, no players)")
	return c
}

// minecraftProtocol asks for a token, and with that for an answer, in one session, as some servers need it.
func minecraftProtocol(kind string) *protocol {
	session := rand.Uint32() & mcquery.SessionMask
	return &protocol{
		name:     "minecraft",
		requests: [][]byte{mcquery.AskToken(session).Append(nil)},
		binary: func(text []byte) bool {
			return len(text) > 0 && (text[0] == byte(mcquery.Status) || text[0] == byte(mcquery.Handshake))
		},
		follow: func(datagram []byte) ([][]byte, error) {
			if len(datagram) >= mcquery.HeaderBytes {
				if found := binary.BigEndian.Uint32(datagram[1:]); found != session {
					return nil, passedOver{failf("byte 1: session: expected %08X, found %08X", session, found)}
				}
				if mcquery.Kind(datagram[0]) == mcquery.Status {
					if n := mcquery.Part(datagram); n > 0 {
						return nil, passedOver{failf("part %d of an answer in several parts", n+1)}
					}
					return nil, nil
				}
			}
			var token mcquery.Token
			if err := mcquery.Decode(datagram, &token); err != nil {
				return nil, failf("token: %v", err)
			}
			number, err := token.Number()
			request := mcquery.AskBasic(session, number)
			if kind == "full" {
				request = mcquery.AskFull(session, number)
			}
			return [][]byte{request.Append(nil)}, err
		},
		decode: func(_ string, datagram []byte) (*answer, error) {
			a, damage := decodeMinecraft(kind, datagram)
			if damage == nil {
				return a, nil
			}
			unasked := map[string]string{"full": "basic", "basic": "full"}[kind]
			other, fault := decodeMinecraft(unasked, datagram)
			if _, counted := other.value("players").(int); counted && fault == nil {
				return other, nil
			}
			return a, damage
		},
	}
}

// basicPairs returns the values of a basic answer under the keys of a full one.
func basicPairs(m *mcquery.Basic) []mcquery.Pair {
	pairs := []mcquery.Pair{{Key: mcquery.KeyName, Value: m.MOTD}, {Key: mcquery.KeyType, Value: m.Type},
		{Key: mcquery.KeyMap, Value: m.Map}, {Key: mcquery.KeyPlayers, Value: m.Players},
		{Key: mcquery.KeySlots, Value: m.Slots}, {Key: mcquery.KeyIP, Value: m.IP}}
	if m.Port != 0 {
		pairs = append(pairs, mcquery.Pair{Key: mcquery.KeyPort, Value: strconv.Itoa(int(m.Port))})
	}
	return pairs
}

// decodeMinecraft reads an answer, up to the damage if there is one.
func decodeMinecraft(kind string, datagram []byte) (*answer, error) {
	var full mcquery.Full
	var damage error
	if kind == "full" {
		damage = mcquery.Decode(datagram, &full)
	} else {
		var m mcquery.Basic
		damage = mcquery.Decode(datagram, &m)
		full.Pairs = basicPairs(&m)
	}
	known := map[string]string{mcquery.KeyName: "", mcquery.KeyType: "", mcquery.KeyGame: "", mcquery.KeyVersion: "",
		mcquery.KeyPlugins: "", mcquery.KeyMap: "", mcquery.KeyPlayers: "", mcquery.KeySlots: "", mcquery.KeyPort: "",
		mcquery.KeyIP: ""}
	a := &answer{kind: kind}
	for _, p := range full.Pairs {
		if _, is := known[p.Key]; is {
			known[p.Key] = p.Value
		} else {
			a.foreign = append(a.foreign, pair{readable(p.Key), readable(p.Value)})
		}
	}
	name := readable(known[mcquery.KeyName])
	text := func(key string) any { return told(known[key]) }
	number := func(key string) any { return numberOrText(known[key]) }
	players, slots := number(mcquery.KeyPlayers), number(mcquery.KeySlots)
	a.facts = []fact{
		{"name", text(mcquery.KeyName), "server", cmp.Or(mcquery.WithoutFormatting(name), name)},
		{"game", text(mcquery.KeyGame), "game", nil}, {"type", text(mcquery.KeyType), "type", nil},
		{"map", text(mcquery.KeyMap), "map", nil}, {"version", text(mcquery.KeyVersion), "version", nil},
		{"plugins", text(mcquery.KeyPlugins), "plugins", nil}, {"players", players, "players", playersOf(players, slots)},
		{"slots", slots, "", nil}, {"port", number(mcquery.KeyPort), "", nil}, {"ip", text(mcquery.KeyIP), "host", nil},
		{"", nil, "port", textOf(number(mcquery.KeyPort))}}
	if a.foreign != nil {
		a.facts = append(a.facts, fact{key: "others", value: a.foreign})
	}
	names := each(full.Players, readable)
	a.list("list", names, each(names, func(name string) []string { return []string{mcquery.WithoutFormatting(name)} }),
		"PLAYER")
	if kind == "full" {
		a.named(len(names), players)
	}
	return a, damage
}
