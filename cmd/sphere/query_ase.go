package main

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/packets/ase"
)

// eyeKinds are the kinds of answers of the All-Seeing Eye by name.
var eyeKinds = map[string]ase.Query{
	"eye1": ase.AskEYE1, "eye2": ase.AskEYE2, "eye3": ase.AskEYE3, "version": ase.AskVersion,
}

type eyePlayer struct {
	Name  string `json:"name"`
	Plain string `json:"plainName,omitempty"` // without codes for colours
	Team  string `json:"team,omitempty"`
	Skin  string `json:"skin,omitempty"`
	Score string `json:"score,omitempty"`
	Ping  string `json:"ping,omitempty"`
	Time  string `json:"time,omitempty"`
}

func (p eyePlayer) row() []string {
	return []string{cmp.Or(p.Plain, p.Name), p.Team, p.Skin, p.Score, p.Ping, p.Time}
}

// aseQueryCommand is "sphere query ase".
func aseQueryCommand(env *environment) *cobra.Command {
	kind := "eye1"
	c := queryProtocolCommand(env, &cobra.Command{
		Use:   "ase HOST:PORT",
		Short: "Ask by the All-Seeing Eye protocol; the port is usually 123 above that of the game",
		Example: `  sphere query ase 127.0.0.1:25983
  sphere query ase 127.0.0.1:25983 --kind eye2 --json
  sphere query ase --read answer.hex`,
	}, func(c *cobra.Command) (*protocol, error) {
		what, ok := eyeKinds[strings.ToLower(kind)]
		if !ok {
			return nil, usagef(c, "--kind: expected eye1, eye2, eye3 or version, found %q", kind)
		}
		return aseProtocol(what), nil
	})
	c.Flags().StringVar(&kind, "kind", kind,
		"what to ask for: eye1 (everything), eye2 (names only), eye3 (no players) or version")
	return c
}

func aseProtocol(what ase.Query) *protocol {
	p := &protocol{name: "ase", beside: ase.DefaultPortOffset, requests: [][]byte{what.Append(nil)}, decode: decodeEye}
	p.binary = func(text []byte) bool { return bytes.HasPrefix(text, []byte("EYE")) }
	if what == ase.AskVersion {
		p.binary = func([]byte) bool { return true }
		p.decode = func(_ string, text []byte) (*answer, error) {
			return &answer{kind: "version", facts: []fact{{"version", told(string(text)), "version", nil}}}, nil
		}
	}
	return p
}

// asEYE1 is an answer in the form of the full one, up to the damage if there is one. EYE2 and EYE3 have some values as
// bytes, which say nothing if the damage is before the list of players, and others behind the name of the map.
func asEYE1(m ase.Answer, damage error) (*ase.EYE1, ase.MapBlock) {
	var out *ase.EYE1
	var block ase.MapBlock
	var password byte
	switch m := m.(type) {
	case *ase.EYE1:
		return m, block
	case *ase.EYE2:
		out = &ase.EYE1{Game: m.Game, Port: m.Port, Name: m.Name, Type: m.Type, Map: m.Map.Map, Version: m.Version}
		out.List = each(m.Names, func(name string) ase.Player { return ase.Player{Name: name} })
		block, password = m.Map, m.Password
	case *ase.EYE3:
		out = &ase.EYE1{Game: m.Game, Name: m.Name, Type: m.Type, Map: m.Map.Map, Version: m.Version}
		block, password = m.Map, m.Password
	}
	var at *ase.Damage
	if !errors.As(damage, &at) || strings.HasPrefix(at.Field, "player ") {
		players, slots, _ := m.Counts()
		out.Players, out.Slots, out.Password = strconv.Itoa(players), strconv.Itoa(slots), strconv.Itoa(int(password))
	}
	return out, block
}

// decodeEye reads an answer, up to the damage if there is one.
func decodeEye(_ string, datagram []byte) (*answer, error) {
	m, damage := ase.Decode(datagram)
	if m == nil {
		return nil, damage
	}
	all, block := asEYE1(m, damage)
	var locked, needed any
	if all.Password != "" {
		if locked, needed = all.Locked(), (sentence{"no", nil}); all.Locked() {
			needed = sentence{"yes", nil}
		}
	}
	number := func(i ase.Fact) any {
		text, _ := block.Fact(i)
		return numberOrText(text)
	}
	var build any
	if kind, ok := block.Fact(ase.BuildType); ok {
		number, _ := block.Fact(ase.BuildNumber)
		build = readable(kind + "/" + number)
	}
	name, plain := readable(all.Name), readable(ase.WithoutColours(all.Game, all.Name))
	a := &answer{kind: m.Header()}
	a.facts = []fact{{"name", told(name), "server", cmp.Or(plain, name)},
		{"plain_name", told(other(plain, name)), "", nil},
		{"game", told(all.Game), "game", nil}, {"port", numberOrText(all.Port), "port", nil},
		{"type", told(all.Type), "type", nil}, {"map", told(all.Map), "map", nil},
		{"version", told(all.Version), "version", nil}, {"password", locked, "password", needed},
		{"players", numberOrText(all.Players), "players", playersOf(numberOrText(all.Players), numberOrText(all.Slots))},
		{"slots", numberOrText(all.Slots), "", nil}, {"build", build, "build", nil},
		{"uptime", number(ase.Uptime), "uptime", seconds(number(ase.Uptime))},
		{"http_port", number(ase.HTTPPort), "http port", nil}}
	rules := each(all.Rules, func(r ase.Rule) pair { return pair{readable(r.Key), readable(r.Value)} })
	a.list("rules", rules, each(rules, pair.row), "RULE", "VALUE")
	players := each(all.List, func(p ase.Player) eyePlayer {
		out := eyePlayer{Name: readable(p.Name), Team: readable(p.Team), Skin: readable(p.Skin), Score: readable(p.Score),
			Ping: readable(p.Ping), Time: readable(p.Time)}
		out.Plain = other(readable(ase.WithoutColours(all.Game, p.Name)), out.Name)
		return out
	})
	a.list("list", players, each(players, eyePlayer.row), "PLAYER", "TEAM", "SKIN", "SCORE", "PING", "TIME")
	if a.kind != "EYE3" {
		named := 0
		for _, p := range all.List {
			if p.Name != "" {
				named++
			}
		}
		a.named(named, a.value("players"))
	}
	return a, damage
}

// other is a text that differs from another one, and else empty.
func other(text, from string) string {
	if text == from {
		return ""
	}
	return text
}
