package query

import (
	"hash/maphash"
	"net/netip"
	"time"

	"sphereserver/server/ratelimit"
)

// Limits keep the queries from costing the game anything, and from being of use to attackers that send datagrams in
// another's name. 0 stands for no limit.
type Limits struct {
	// Packets is how many datagrams a second each socket looks at; more wait, and then are dropped by the system.
	Packets int

	ASE       ASELimits
	Minecraft MinecraftLimits
}

// ASELimits are the limits of the All-Seeing Eye, in which anybody can send any sender's address and is answered at
// once. Source: protocol ase 11.
type ASELimits struct {
	Window         time.Duration // in which an address gets
	WindowAnswers  int           // so many answers;
	Silence        time.Duration // one request more and it gets none for so long
	PerNetwork     float64       // answers a second for an IPv4 /24 or an IPv6 /64,
	PerNetworkOnce int           // and at once
	Answers        float64       // a second in all
	Bytes          float64       // of answers, a second in all
}

// MinecraftLimits are the limits of Minecraft Query. Source: protocol minecraft-query 10.
type MinecraftLimits struct {
	SourceHandshakes float64 // a second, and at once, for an IPv4 address or an IPv6 /64
	SourceAnswers    float64 // likewise with a token; a wrong one counts, too
	Handshakes       float64 // a second in all
	Answers          float64 // with a token, a second in all
	Bytes            float64 // of those, a second in all
}

// DefaultLimits returns the shipped limits.
func DefaultLimits() Limits {
	return Limits{
		Packets: 10000,
		ASE: ASELimits{Window: 6 * time.Second, WindowAnswers: 5, Silence: 7 * time.Second, PerNetwork: 2, PerNetworkOnce: 5,
			Answers: 100, Bytes: 64 << 10},
		Minecraft: MinecraftLimits{SourceHandshakes: 10, SourceAnswers: 20, Handshakes: 200, Answers: 500,
			Bytes: 512 << 10},
	}
}

// A clock is the time since a responder was made: it goes on through all changes of the system's.
type clock = time.Duration

// A budget is shared by all answers of a responder. Each has a burst of one second.
type budget struct{ answers, bytes ratelimit.Bucket }

// take reports whether one more answer of some bytes may leave.
func (b *budget) take(now clock, size int, answers, bytes float64) bool {
	if answers > 0 {
		if b.answers.Refill(now, answers); !b.answers.Has(1, max(answers, 1)) {
			return false
		}
	}
	if bytes > 0 && !b.bytes.Take(now, float64(size), bytes, bytes) {
		return false
	}
	b.answers.Spend(1)
	return true
}

// A key names a source: 16 bytes of address and, where it matters, the port.
type key [18]byte

// addressKey is the key of one address and port.
func addressKey(a netip.AddrPort) (k key) {
	b := a.Addr().As16()
	copy(k[:], b[:])
	k[16], k[17] = byte(a.Port()>>8), byte(a.Port())
	return k
}

// hostKey is the key of one machine or household: an IPv4 address or an IPv6 /64.
func hostKey(a netip.Addr) key { return networkKey(a, 32, 64) }

// networkKey is the key of a network with so many bits in IPv4 and in IPv6.
func networkKey(a netip.Addr, bits4, bits6 int) (k key) {
	b := a.As16()
	n := bits6
	if a.Unmap().Is4() {
		n = 96 + bits4
	}
	copy(k[:n/8], b[:n/8])
	return k
}

const (
	// tableSlots is how many sources a table remembers. Source: protocol ase 11, minecraft-query 4.1.
	tableSlots = 4096
	tableWays  = 8 // places in which a source may be
)

// A table remembers something about sources. It never grows and never allocates: of the sources that share a source's
// places the one longest unused is forgotten. Which share their places nobody outside can know.
type table[V any] struct {
	seed  maphash.Seed
	slots []slot[V]
}

type slot[V any] struct {
	key   key
	taken bool
	used  clock
	value V
}

func newTable[V any]() table[V] {
	return table[V]{maphash.MakeSeed(), make([]slot[V], tableSlots)}
}

func (t *table[V]) places(k *key) []slot[V] {
	at := int(maphash.Bytes(t.seed, k[:])%(tableSlots/tableWays)) * tableWays
	return t.slots[at : at+tableWays]
}

// find returns the memory of a source, or nil.
func (t *table[V]) find(k *key) *V {
	places := t.places(k)
	for i := range places {
		if s := &places[i]; s.taken && s.key == *k {
			return &s.value
		}
	}
	return nil
}

// get returns the memory of a source, a zero value if it had none.
func (t *table[V]) get(k key, now clock) *V {
	places := t.places(&k)
	oldest := &places[0]
	for i := range places {
		s := &places[i]
		if s.taken && s.key == k {
			s.used = now
			return &s.value
		}
		if oldest.taken && (!s.taken || s.used < oldest.used) {
			oldest = s
		}
	}
	*oldest = slot[V]{key: k, taken: true, used: now}
	return &oldest.value
}

// A pace spreads the datagrams that are looked at over a second, so that a flood takes no more of the processor than
// it may: datagrams that come too fast wait in the socket, and are dropped there when that is full.
type pace struct {
	limit int // in a step, 0 for none
	count int
	began time.Time
}

const paceStep = 10 * time.Millisecond

func newPace(perSecond int) pace {
	if perSecond <= 0 {
		return pace{}
	}
	return pace{limit: max(1, perSecond/int(time.Second/paceStep))}
}

// wait is called after each datagram and says how long the next one has to wait.
func (p *pace) wait(now time.Time) time.Duration {
	if p.limit == 0 {
		return 0
	}
	passed := now.Sub(p.began)
	if passed >= paceStep || passed < 0 {
		p.began, p.count = now, 0
		passed = 0
	}
	if p.count++; p.count < p.limit {
		return 0
	}
	return paceStep - passed
}
