package main

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/packets/ase"
)

// eyeKinds are the kinds of answers of the All-Seeing Eye by name.
var eyeKinds = map[string]ase.Query{
	"eye1": ase.AskEYE1, "eye2": ase.AskEYE2, "eye3": ase.AskEYE3, "version": ase.AskVersion,
}

// An eyeResult has the values of an answer of the All-Seeing Eye. A number that was sent as another text is that
// text.
type eyeResult struct {
	heard
	Game    string      `json:"game,omitempty"`
	Name    string      `json:"name,omitempty"`
	Plain   string      `json:"plainName,omitempty"` // without codes for colours
	Port    any         `json:"port,omitempty"`
	Type    string      `json:"type,omitempty"`
	Map     string      `json:"map,omitempty"`
	Version string      `json:"version,omitempty"`
	Locked  *bool       `json:"password,omitempty"` // whether one is needed
	Players any         `json:"players,omitempty"`
	Slots   any         `json:"slots,omitempty"`
	Uptime  any         `json:"uptime,omitempty"` // seconds
	Build   string      `json:"build,omitempty"`
	HTTP    any         `json:"httpPort,omitempty"`
	Rules   []pair      `json:"rules,omitempty"`
	List    []eyePlayer `json:"list,omitempty"`
}

type eyePlayer struct {
	Name  string `json:"name"`
	Plain string `json:"plainName,omitempty"`
	Team  string `json:"team,omitempty"`
	Skin  string `json:"skin,omitempty"`
	Score string `json:"score,omitempty"`
	Ping  string `json:"ping,omitempty"`
	Time  string `json:"time,omitempty"`
}

// asePort is how far above its own port a game usually answers. Source: protocol ase 1.
const asePort = 123

// aseQueryCommand is "sphere query ase".
func aseQueryCommand(env *environment) *cobra.Command {
	q := &inquiry{env: env, beside: asePort}
	kind := "eye1"
	c := q.command(&cobra.Command{
		Use:   "ase HOST:PORT",
		Short: "Ask by the All-Seeing Eye protocol; the port is usually 123 above that of the game",
		Example: `  sphere query ase 127.0.0.1:25983
  sphere query ase 127.0.0.1:25983 --kind eye2 --json
  sphere query ase --read answer.hex`,
		RunE: func(c *cobra.Command, args []string) error {
			what, ok := eyeKinds[strings.ToLower(kind)]
			if !ok {
				return usagef(c, "--kind: expected eye1, eye2, eye3 or version, found %q", kind)
			}
			r, err := q.reply(c.Context(), args, func(text []byte) bool {
				return what == ase.AskVersion || bytes.HasPrefix(text, []byte("EYE"))
			}, func(l *line) ([]byte, error) {
				if err := l.send(what.Append(nil)); err != nil {
					return nil, err
				}
				return l.receive()
			})
			if err != nil {
				return err
			}
			if what == ase.AskVersion {
				result := &eyeResult{heard: q.heard("ase", "version", r, nil), Version: readable(string(r.bytes))}
				return q.show(r, result, nil)
			}
			m, damage := ase.Decode(r.bytes)
			if m == nil {
				return failf("answer of %s is damaged at %v", r.from, damage)
			}
			result := &eyeResult{heard: q.heard("ase", m.Header(), r, damage)}
			result.fill(m, damage)
			return q.show(r, result, damage)
		},
	})
	c.Flags().StringVar(&kind, "kind", kind,
		"what to ask for: eye1 (everything), eye2 (names only), eye3 (no players) or version")
	return c
}

// fill takes the values of an answer, up to the damage if there is one.
func (r *eyeResult) fill(m ase.Answer, damage error) {
	var names []string
	switch m := m.(type) {
	case *ase.EYE1:
		r.Game, r.Name, r.Type, r.Map, r.Version = m.Game, m.Name, m.Type, m.Map, m.Version
		r.Port, r.Players, r.Slots = numberOrText(m.Port), numberOrText(m.Players), numberOrText(m.Slots)
		if m.Password != "" {
			r.lock(m.Locked())
		}
		for _, rule := range m.Rules {
			r.Rules = append(r.Rules, pair{readable(rule.Key), readable(rule.Value)})
		}
		for _, p := range m.List {
			names = append(names, p.Name)
			r.List = append(r.List, eyePlayer{Team: readable(p.Team), Skin: readable(p.Skin), Score: readable(p.Score),
				Ping: readable(p.Ping), Time: readable(p.Time)})
		}
	case *ase.EYE2:
		r.Game, r.Name, r.Type, r.Version, r.Port = m.Game, m.Name, m.Type, m.Version, numberOrText(m.Port)
		r.bytes(m, &m.Map, m.Password, damage)
		names, r.List = m.Names, make([]eyePlayer, len(m.Names))
	case *ase.EYE3:
		r.Game, r.Name, r.Type, r.Version = m.Game, m.Name, m.Type, m.Version
		r.bytes(m, &m.Map, m.Password, damage)
	}
	for i, name := range names {
		r.List[i].Name = readable(name)
		if plain := readable(ase.WithoutColours(r.Game, name)); plain != r.List[i].Name {
			r.List[i].Plain = plain
		}
	}
	if plain := ase.WithoutColours(r.Game, r.Name); plain != r.Name {
		r.Plain = readable(plain)
	}
	for _, text := range []*string{&r.Game, &r.Name, &r.Type, &r.Map, &r.Version} {
		*text = readable(*text)
	}
}

func (r *eyeResult) lock(locked bool) { r.Locked = &locked }

// bytes takes the values that EYE2 and EYE3 have as bytes, which say nothing if the damage is before the list of
// players, and those that ride on the name of the map.
func (r *eyeResult) bytes(m ase.Answer, b *ase.MapBlock, password byte, damage error) {
	r.Map = b.Map
	for fact, to := range map[ase.Fact]*any{ase.Uptime: &r.Uptime, ase.HTTPPort: &r.HTTP} {
		if v, ok := b.Fact(fact); ok {
			*to = numberOrText(v)
		}
	}
	if kind, ok := b.Fact(ase.BuildType); ok {
		number, _ := b.Fact(ase.BuildNumber)
		r.Build = readable(kind + "/" + number)
	}
	var at *ase.Damage
	if !errors.As(damage, &at) || strings.HasPrefix(at.Field, "player ") {
		players, slots, _ := m.Counts()
		r.Players, r.Slots = players, slots
		r.lock(password != 0)
	}
}

func (r *eyeResult) report(out *report) {
	out.facts([][]string{{"server", cmp.Or(r.Plain, r.Name)}, {"game", r.Game}, {"port", textOf(r.Port)},
		{"type", r.Type}, {"map", r.Map}, {"version", r.Version}, {"password", out.yesNo(r.Locked)},
		{"players", out.playersOf(r.Players, r.Slots)}, {"build", r.Build}, {"uptime", out.seconds(r.Uptime)},
		{"http port", textOf(r.HTTP)}, r.row(out)})
	out.list(each(r.Rules, pair.row), "RULE", "VALUE")
	named := 0
	out.listUsed(each(r.List, func(p eyePlayer) []string {
		if p.Name != "" {
			named++
		}
		return []string{cmp.Or(p.Plain, p.Name), p.Team, p.Skin, p.Score, p.Ping, p.Time}
	}), "PLAYER", "TEAM", "SKIN", "SCORE", "PING", "TIME")
	if r.Kind != "EYE3" {
		out.named(named, r.Players)
	}
}
