package config

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ascending are pairs of keys of which the first is at most the second: of two that contradict each other one would
// have no effect, and nobody would be told.
var ascending = [][2]string{
	{"damage.roll-low", "damage.roll-high"},
	{"monsters.wander-min", "monsters.wander-max"},
	{"spawns.radius", "monsters.leash"},
	{"monsters.notice", "monsters.lose"},
	{"monsters.notice-far", "monsters.lose"},
	{"spawns.tutorial-coins-min", "spawns.tutorial-coins-max"},
	{"loot.stack-min", "loot.stack-max"},
	{"missions.spot-near", "missions.spot-far"},
	{"missions.person-near", "missions.person-far"},
	{"missions.collect-min", "missions.collect-max"},
	{"effects.fed-half-from", "effects.fed-full-from"},
	{"chests.trap-min", "chests.trap-max"},
}

// drawn are the beginnings of the names of keys that are parts of one draw, so one at least is above 0. Another key
// says that nothing is drawn.
var drawn = []struct{ keys, instead string }{
	{"loot.things-", "loot.bag"},
	{"loot.weight-", "loot.bag"},
	{"chests.things-", ""},
}

// listeners are the addresses of TCP, each a server of its own.
var listeners = []string{"server.listen", "admin.listen", "public.listen"}

// together are settings of which none does anything without the other.
var together = [][2]string{{"admin.cert", "admin.key"}, {"public.cert", "public.key"}}

// filled are lists that have at least one value.
var filled = []string{"experience.kill"}

// contradictions are values of a document that cannot be meant together, each at the last line of found that has a
// part in it.
func (d *document) contradictions(s *Settings, found []setting) Problems {
	c := contradictions{document: d, settings: s, found: found}
	for _, pair := range ascending {
		c.checkOrder(pair[0], pair[1])
	}
	for _, draw := range drawn {
		c.checkDraw(draw.keys, draw.instead)
	}
	for _, name := range filled {
		if k, ok := d.key(name); ok && k.Get(s) == "" {
			c.blame(wrong("expected at least one value, found []", "нужно хотя бы одно значение, а не []"), name)
		}
	}
	for _, pair := range together {
		c.checkBoth(pair[0], pair[1])
	}
	for i, name := range listeners {
		if _, ok := d.key(name); ok {
			for _, other := range listeners[:i] {
				c.checkApart(other, name)
			}
		}
	}
	c.checkQueryPorts()
	return c.problems
}

// contradictions gathers the problems between the settings of a document.
type contradictions struct {
	*document
	settings *Settings
	found    []setting
	problems Problems
}

// blame adds a problem at the last setting of these names that was found.
func (c *contradictions) blame(err error, names ...string) {
	p := problem(0, 0, "", err)
	for _, f := range c.found {
		if slices.Contains(names, f.key.Name) {
			p.Key, p.Line, p.Column = f.key.Name, f.line, f.column
		}
	}
	c.problems = append(c.problems, p)
}

func (c *contradictions) checkOrder(least, most string) {
	low, ok := c.key(least)
	high, both := c.key(most)
	if ok && both && low.amount(c.settings) > high.amount(c.settings) {
		c.blame(wrong("%s (%s) is above %s (%s)", "%s (%s) больше, чем %s (%s)",
			low.Name, low.fileValue(c.settings), high.Name, high.fileValue(c.settings)), least, most)
	}
}

// checkDraw refuses a draw all parts of which are 0. instead is the setting for no draw at all, "" if there is none.
func (c *contradictions) checkDraw(prefix, instead string) {
	var names []string
	sum := 0.0
	for _, k := range c.keys {
		if strings.HasPrefix(k.Name, prefix) {
			names, sum = append(names, k.Name), sum+k.amount(c.settings)
		}
	}
	if len(names) == 0 || sum > 0 {
		return
	}
	err := wrong("all of %s… are 0, so there is nothing to draw from", "все %s… равны 0, выбирать не из чего", prefix)
	if instead != "" {
		err.english += fmt.Sprintf("; for nothing at all set %s = 0", instead)
		err.russian += fmt.Sprintf("; если не нужно ничего, задайте %s = 0", instead)
	}
	c.blame(err, names...)
}

// checkBoth refuses a certificate without its key, and the reverse.
func (c *contradictions) checkBoth(one, other string) {
	set, ok := c.key(one)
	unset, _ := c.key(other)
	if !ok || (set.Get(c.settings) == "") == (unset.Get(c.settings) == "") {
		return
	}
	if set.Get(c.settings) == "" {
		set, unset = unset, set
	}
	c.blame(wrong("%s is set without %s: TLS needs both", "%s задан без %s, а для TLS нужны оба", set.Name, unset.Name),
		one, other)
}

func (c *contradictions) checkApart(one, other string) {
	a, _ := c.key(one)
	b, _ := c.key(other)
	if at := b.Get(c.settings); sameListener(a.Get(c.settings), at) {
		c.blame(wrong("%s and %s are one address, %s", "%s и %s — один и тот же адрес, %s", one, other, at), one, other)
	}
}

// checkQueryPorts refuses one port for both kinds of questions of server browsers.
func (c *contradictions) checkQueryPorts() {
	const asePort, minecraftPort = "browsers.ase-port", "browsers.minecraft-port"
	s := c.settings
	if _, ok := c.key(asePort); !ok || s.Queries.ASE.Off || s.Queries.Minecraft.Off {
		return
	}
	_, game, _ := net.SplitHostPort(s.Game.Listen)
	port, own := s.Queries.ASE.Port, s.Queries.Minecraft.Port
	if port != 0 && (port == own || own == 0 && strconv.Itoa(port) == game) {
		c.blame(wrong("port %d answers Minecraft Query already; choose another one",
			"порт %d уже отвечает по Minecraft Query; выберите другой", port),
			asePort, minecraftPort, "browsers.no-ase", "browsers.no-minecraft", "server.listen")
	}
}

// sameListener reports whether two listeners would be in each other's way: at one port, of one address or of all.
func sameListener(a, b string) bool {
	host, port, err := net.SplitHostPort(a)
	other, same, err2 := net.SplitHostPort(b)
	if err != nil || err2 != nil || port != same || port == "0" {
		return false
	}
	everywhere := func(host string) bool { return host == "" || host == "0.0.0.0" || host == "::" }
	return strings.EqualFold(host, other) || everywhere(host) || everywhere(other)
}

// amount is a value that has a least and a greatest.
func (k *Key) amount(s *Settings) float64 {
	switch p := k.at(s).(type) {
	case *int:
		return float64(*p)
	case *float64:
		return *p
	case *time.Duration:
		return float64(*p)
	}
	return 0
}
