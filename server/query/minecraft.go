package query

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"strconv"
	"time"

	"sphereserver/packets/mcquery"
	"sphereserver/server/ratelimit"
)

// A minecraftResponder answers Minecraft Query. It belongs to one goroutine.
type minecraftResponder struct {
	source   Source
	options  *Options
	tokens   *tokens
	sources  table[askedBy]
	shakes   budget
	statuses budget
	info     Info      // of now
	answers  [2][]byte // basic and full
	basic    basicFacts
	full     clock  // when the full one was built
	out      []byte // a handshake's answer
	compose  func(info *Info) *mcquery.Full
}

// basicFacts are the facts of the basic answer: as long as they are the same, so is the answer.
type basicFacts struct {
	name, place    string
	players, slots int
	port           uint16
}

const (
	// minecraftKeep is how long the full answer is sent again. Source: protocol minecraft-query 5.3.
	minecraftKeep = 5 * time.Second
	// minecraftRequest is the longest request, and minecraftAnswer the longest full answer.
	// Source: protocol minecraft-query 8.
	minecraftRequest = 64
	minecraftAnswer  = 1400
)

// Longest texts in bytes. Source: protocol minecraft-query 7.
const (
	minecraftNameBytes    = 128
	minecraftMapBytes     = 64
	minecraftVersionBytes = 32
	minecraftPlayerBytes  = 32
)

func newMinecraftResponder(o *Options, source Source) *minecraftResponder {
	r := &minecraftResponder{source: source, options: o, tokens: newTokens(), sources: newTable[askedBy]()}
	r.compose = r.fullAnswer
	return r
}

// respond returns the answer to a datagram. It is valid until the next call.
func (r *minecraftResponder) respond(now clock, from netip.AddrPort, datagram []byte) ([]byte, outcome) {
	if len(datagram) > minecraftRequest {
		return nil, malformed
	}
	q, err := mcquery.DecodeRequest(datagram)
	if err != nil {
		return nil, malformed
	}
	limits := &r.options.Limits.Minecraft
	if !r.fromSource(now, from.Addr(), q.Kind == mcquery.Handshake) {
		return nil, addressLimit
	}
	if q.Kind == mcquery.Handshake {
		return r.shake(now, from, &q)
	}
	if !r.tokens.good(q.Token, from, now) {
		return nil, badToken
	}
	r.info = r.source.Info()
	if !r.info.ready() {
		return nil, notReady
	}
	out := r.status(now, &q, &r.info)
	if !r.statuses.take(now, len(out), limits.Answers, limits.Bytes) {
		return nil, totalLimit
	}
	return out, answered
}

// askedBy has the requests of one source of late.
type askedBy struct{ handshakes, answers ratelimit.Bucket }

// fromSource reports whether a source may have a handshake, or an answer with a token.
func (r *minecraftResponder) fromSource(now clock, a netip.Addr, handshake bool) bool {
	limits := &r.options.Limits.Minecraft
	perSecond := limits.SourceAnswers
	if handshake {
		perSecond = limits.SourceHandshakes
	}
	if perSecond <= 0 || r.options.exempt(a) {
		return true
	}
	asked := r.sources.get(hostKey(a), now)
	bucket := &asked.answers
	if handshake {
		bucket = &asked.handshakes
	}
	return bucket.Take(now, 1, perSecond, max(perSecond, 1))
}

func (r *minecraftResponder) shake(now clock, from netip.AddrPort, q *mcquery.Request) ([]byte, outcome) {
	if !r.shakes.take(now, 0, r.options.Limits.Minecraft.Handshakes, 0) {
		return nil, totalLimit
	}
	var text [10]byte
	m := mcquery.Token{Session: q.Session, Text: string(strconv.AppendInt(text[:0], int64(r.tokens.issue(from, now)), 10))}
	r.out = m.Append(r.out[:0])
	return r.out, answered
}

// status returns an answer for the session of the request. The basic one is always of now.
func (r *minecraftResponder) status(now clock, q *mcquery.Request, info *Info) []byte {
	out := &r.answers[0]
	if q.Full() {
		if out = &r.answers[1]; len(*out) == 0 || now-r.full >= minecraftKeep {
			*out = r.compose(info).AppendWithin((*out)[:0], minecraftAnswer)
			r.full = now
		}
	} else if of := (basicFacts{info.Name, info.Map, len(info.Players), info.Slots, info.Port}); len(*out) == 0 ||
		of != r.basic {
		m := mcquery.Basic{MOTD: r.name(info), Type: mcquery.GameType, Map: cleaned(info.Map, minecraftMapBytes, 0),
			Players: strconv.Itoa(of.players), Slots: strconv.Itoa(of.slots), Port: of.port, IP: r.options.Minecraft.HostIP}
		*out, r.basic = m.Append((*out)[:0]), of
	}
	binary.BigEndian.PutUint32((*out)[1:mcquery.HeaderBytes], q.Session)
	return *out
}

func (r *minecraftResponder) name(info *Info) string {
	name := info.Name
	if !r.options.Minecraft.Formatting {
		name = cmp.Or(mcquery.WithoutFormatting(name), name) // some take the next field for an empty one
	}
	return cleaned(name, minecraftNameBytes, 0)
}

// fullAnswer is info in the words of the protocol.
func (r *minecraftResponder) fullAnswer(info *Info) *mcquery.Full {
	m := &mcquery.Full{Pairs: []mcquery.Pair{
		{Key: mcquery.KeyName, Value: r.name(info)},
		{Key: mcquery.KeyType, Value: mcquery.GameType},
		{Key: mcquery.KeyGame, Value: mcquery.GameID},
		{Key: mcquery.KeyVersion, Value: cleaned(info.Version, minecraftVersionBytes, 0)},
		{Key: mcquery.KeyPlugins, Value: ""},
		{Key: mcquery.KeyMap, Value: cleaned(info.Map, minecraftMapBytes, 0)},
		{Key: mcquery.KeyPlayers, Value: strconv.Itoa(len(info.Players))},
		{Key: mcquery.KeySlots, Value: strconv.Itoa(info.Slots)},
		{Key: mcquery.KeyPort, Value: strconv.Itoa(int(info.Port))},
		{Key: mcquery.KeyIP, Value: r.options.Minecraft.HostIP},
	}}
	if r.options.HideNames || info.HideNames {
		return m
	}
	const shortest = 2 // bytes of a name
	for i := range min(len(info.Players), minecraftAnswer/shortest) {
		m.Players = append(m.Players, cleaned(mcquery.WithoutFormatting(info.Players[i].Name), minecraftPlayerBytes, 0))
	}
	return m
}
