package query

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
	"time"
)

// Tokens prove that the sender of one receives at an address and port. Nothing has to be remembered to check one: it
// is made of the second in which it was issued, a variant that makes two in a row differ, and a keyed checksum of
// both with the address. The key is random and changes every 30 s; the key before it is still good. A flood of
// handshakes with forged senders can therefore push nobody's token out.
//
// The last token of each of some thousand sources is remembered all the same, so that a newer one replaces it at once,
// and that it need not be computed again to be checked. Where it is forgotten, an older token merely lives to its
// natural end. Source: protocol minecraft-query 4.
type tokens struct {
	now    epoch
	before epoch
	last   table[issued]
	next   uint32 // variant for a source of which nothing is remembered

	in  [len(key{}) + 2]byte // these belong to the heap, since a hash is an interface
	out [sha256.Size]byte
}

// An issued is a token with the second in which it was made.
type issued struct {
	token  int32
	second int64
}

// An epoch is 30 s in which tokens are made with one key.
type epoch struct {
	number int64
	mac    hash.Hash // nil if no token was made in it
}

const (
	tokenLife    = 30 // seconds
	tokenSeconds = 60 // after which the second in a token begins again; keys tell one minute from the next
	variants     = 4
	firstToken   = 16_777_216
	lastToken    = 2_147_483_646
	checksums    = (lastToken - firstToken + 1) / (tokenSeconds * variants)
)

func newTokens() *tokens { return &tokens{last: newTable[issued]()} }

// turn changes the keys when it is time.
func (t *tokens) turn(second int64) {
	n := second / tokenLife
	switch {
	case t.now.mac != nil && t.now.number == n:
		return
	case t.now.number == n-1:
		t.before = t.now
	default:
		t.before = epoch{}
	}
	secret := make([]byte, sha256.Size)
	_, _ = rand.Read(secret) // never fails
	t.now = epoch{n, hmac.New(sha256.New, secret)}
}

func (t *tokens) token(e epoch, k *key, second, variant int64) int32 {
	copy(t.in[:], k[:])
	t.in[len(k)], t.in[len(k)+1] = byte(second%tokenSeconds), byte(variant)
	e.mac.Reset()
	e.mac.Write(t.in[:])
	sum := binary.BigEndian.Uint64(e.mac.Sum(t.out[:0])) % checksums
	return int32(firstToken + (int64(sum)*tokenSeconds+second%tokenSeconds)*variants + variant)
}

// issue makes a token for an address, which replaces the one before.
func (t *tokens) issue(to netip.AddrPort, now clock) int32 {
	second := int64(now / time.Second)
	t.turn(second)
	k := addressKey(to)
	last := t.last.get(k, now)
	variant := (int64(last.token) - firstToken + 1) % variants
	if last.token == 0 {
		variant = int64(t.next % variants)
		t.next++
	}
	*last = issued{t.token(t.now, &k, second, variant), second}
	return last.token
}

// good reports whether a token is the last one of an address, and not older than it may be.
func (t *tokens) good(token int32, of netip.AddrPort, now clock) bool {
	n := int64(token) - firstToken
	if n < 0 || n >= checksums*tokenSeconds*variants {
		return false
	}
	second := int64(now / time.Second)
	k := addressKey(of)
	if last := t.last.find(&k); last != nil {
		return last.token == token && second-last.second <= tokenLife
	}
	t.turn(second)
	age := (second - n/variants + tokenSeconds*checksums) % tokenSeconds
	if age > tokenLife {
		return false
	}
	made := second - age
	e := t.now
	if made/tokenLife != e.number {
		e = t.before
	}
	if e.mac == nil || made < 0 || e.number != made/tokenLife {
		return false
	}
	return t.token(e, &k, made, n%variants) == token
}
