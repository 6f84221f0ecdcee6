package query

import (
	"net/netip"
	"strconv"
	"time"

	"sphereserver/packets/ase"
	"sphereserver/server/ratelimit"
)

// An aseResponder answers the All-Seeing Eye. It belongs to one goroutine.
type aseResponder struct {
	source   Source
	options  *Options
	sources  table[aseVisitor]
	networks table[ratelimit.Bucket]
	all      budget
	info     Info // of now
	kept     map[ase.Query]*aseKept
	compose  func(q ase.Query, info *Info) ase.Answer // of everything but the version
}

// An aseVisitor is the memory of one address.
type aseVisitor struct {
	began   clock // of its window
	answers int   // in it
	silent  clock // until then
}

// An aseKept is an answer that is sent again.
type aseKept struct {
	bytes   []byte
	built   clock
	players int
}

const (
	// aseKeep is how long an answer is sent again. Source: protocol ase 11.
	aseKeep = 10 * time.Second
	// aseRebuild is how soon it is rebuilt when the number of players changes.
	aseRebuild = time.Second
	// maxDatagram is the longest request that is received whole.
	maxDatagram = 1500
)

// Longest texts in bytes. Source: protocol ase 8.
const (
	aseGameBytes    = 32
	aseNameBytes    = 96
	aseTypeBytes    = 200
	aseMapBytes     = 200
	aseVersionBytes = 32
	aseRuleBytes    = 200
	aseRules        = 32
	asePlayerBytes  = 100
	asePlayerChars  = 22
)

// newASEResponder returns a responder that tells the info of source.
func newASEResponder(o *Options, source Source) *aseResponder {
	r := &aseResponder{source: source, options: o, sources: newTable[aseVisitor](), networks: newTable[ratelimit.Bucket](),
		kept: map[ase.Query]*aseKept{}}
	r.compose = r.answer
	return r
}

// respond returns the answer to a datagram. It is valid until the next call.
func (r *aseResponder) respond(now clock, from netip.AddrPort, datagram []byte) ([]byte, outcome) {
	q, ok := ase.ParseQuery(datagram)
	if !ok {
		return nil, malformed
	}
	addr, limits := from.Addr(), &r.options.Limits.ASE
	exempt := r.options.exempt(addr)
	var visitor *aseVisitor
	if limits.Window > 0 && !exempt {
		if visitor = r.sources.get(hostKey(addr), now); !visitor.welcome(now, limits) {
			return nil, addressLimit
		}
	}
	if limits.PerNetwork > 0 && !exempt {
		b := r.networks.get(networkKey(addr, 24, 64), now)
		if !b.Take(now, 1, limits.PerNetwork, float64(limits.PerNetworkOnce)) {
			return nil, networkLimit
		}
	}
	r.info = r.source.Info()
	if !r.info.ready() {
		return nil, notReady
	}
	out := r.keep(now, q, &r.info)
	if len(out) == 0 { // a version without a text
		return nil, notReady
	}
	if !r.all.take(now, len(out), limits.Answers, limits.Bytes) {
		return nil, totalLimit
	}
	if visitor != nil {
		visitor.answers++
	}
	return out, answered
}

// welcome reports whether a visitor's window has room for an answer, and begins its silence if not.
// Source: protocol ase 11.
func (v *aseVisitor) welcome(now clock, l *ASELimits) bool {
	switch {
	case now < v.silent:
		return false
	case v.answers == 0 || now-v.began >= l.Window || v.silent > v.began:
		*v = aseVisitor{began: now}
	case v.answers >= l.WindowAnswers:
		v.silent = now + l.Silence
		return false
	}
	return true
}

// keep returns the answer to a query, rebuilt when it is due.
func (r *aseResponder) keep(now clock, q ase.Query, info *Info) []byte {
	if q == ase.AskEYE2Old {
		q = ase.AskEYE2
	}
	k := r.kept[q]
	if k == nil {
		k = new(aseKept)
		r.kept[q] = k
	}
	age := now - k.built
	if len(k.bytes) > 0 && (age < aseRebuild || age < aseKeep && k.players == len(info.Players)) {
		return k.bytes
	}
	if q == ase.AskVersion {
		k.bytes = append(k.bytes[:0], notAQuery(cleaned(info.Version, aseVersionBytes, 0))...)
	} else {
		switch m := r.compose(q, info).(type) {
		case *ase.EYE1:
			k.bytes = m.AppendWithin(k.bytes[:0], r.options.ASE.MaxAnswer)
		case *ase.EYE2:
			k.bytes = m.AppendWithin(k.bytes[:0])
		case *ase.EYE3:
			k.bytes = m.Append(k.bytes[:0])
		}
	}
	k.built, k.players = now, len(info.Players)
	return k.bytes
}

// answer is info in the words of the protocol.
func (r *aseResponder) answer(q ase.Query, info *Info) ase.Answer {
	game, kind := cleaned(r.options.ASE.Game, aseGameBytes, 0), cleaned(r.options.ASE.Type, aseTypeBytes, 0)
	name, version := cleaned(info.Name, aseNameBytes, 0), cleaned(info.Version, aseVersionBytes, 0)
	place := cleaned(info.Map, aseMapBytes, 0)
	port, players, slots := strconv.Itoa(int(info.Port)), len(info.Players), info.Slots
	counts := strconv.Itoa(players) + "/" + strconv.Itoa(slots)
	switch q {
	case ase.AskEYE2:
		m := &ase.EYE2{Game: game, Port: port, Name: name, Type: kind, Version: version, Players: atMostByte(players),
			Slots: atMostByte(slots)}
		m.Map = ase.MapBlock{Map: place, Facts: []string{counts, ase.ReleaseBuild, "0", "", "", seconds(info.Uptime), "0"}}
		for i := range info.Players {
			if len(m.Names) == maxDatagram { // more than there are bytes
				break
			}
			m.Names = append(m.Names, r.playerName(&info.Players[i]))
		}
		return m
	case ase.AskEYE3:
		return &ase.EYE3{Game: game, Name: name, Type: kind, Map: ase.MapBlock{Map: place, Facts: []string{counts}},
			Version: version, Players: atMostByte(players), Slots: atMostByte(slots)}
	}
	m := &ase.EYE1{Game: game, Port: port, Name: name, Type: kind, Map: place, Version: version, Password: "0",
		Players: strconv.Itoa(players), Slots: strconv.Itoa(slots), Rules: aseRulesOf(info.Rules)}
	if r.options.HideNames || info.HideNames {
		return m
	}
	const shortest = 8 // bytes of a record
	for i := range min(len(info.Players), r.options.ASE.MaxAnswer/shortest) {
		p := &info.Players[i]
		m.List = append(m.List, ase.Player{Flags: ase.AllFlags, Name: r.playerName(p), Score: strconv.Itoa(p.Level),
			Time: strconv.Itoa(int(p.Online / time.Minute))})
	}
	return m
}

// playerName is the name that is told of a player: none when names are hidden.
func (r *aseResponder) playerName(p *Player) string {
	if r.options.HideNames || r.info.HideNames {
		return ""
	}
	return ase.WithoutColours(r.options.ASE.Game, cleaned(p.Name, asePlayerBytes, asePlayerChars))
}

// aseRulesOf are the rules that may be told: each key once.
func aseRulesOf(rules []Rule) []ase.Rule {
	var out []ase.Rule
	told := map[string]bool{"": true}
	for _, rule := range rules[:min(len(rules), aseRules)] {
		key := cleaned(rule.Key, aseRuleBytes, 0)
		if told[key] {
			continue
		}
		told[key] = true
		out = append(out, ase.Rule{Key: key, Value: cleaned(rule.Value, aseRuleBytes, 0)})
	}
	return out
}

func atMostByte(n int) byte { return byte(min(max(n, 0), 255)) }

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
