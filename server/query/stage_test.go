package query

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/packets/mcquery"
)

// A board is a source that tests change.
type board struct {
	info  atomic.Pointer[Info]
	asked atomic.Int64
}

func (b *board) Info() Info {
	b.asked.Add(1)
	return *b.info.Load()
}

func (b *board) set(i Info) { b.info.Store(&i) }

func newBoard(players int) *board {
	b := new(board)
	b.set(Info{Name: "Сфера", Version: "0.1", Map: "Hyperion", Slots: 10000, Port: 25860, Uptime: time.Hour,
		Players: crowd(players),
		Rules:   []Rule{{"uptime", "3600"}}})
	return b
}

func crowd(n int) []Player {
	all := make([]Player, n)
	for i := range all {
		all[i] = Player{fmt.Sprintf("Игрок%d", i), i%60 + 1, time.Duration(i) * time.Minute}
	}
	return all
}

func at(t time.Duration) clock { return clock(t) }

func from(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unlimited are options under which everything is answered.
func unlimited() *Options {
	o := DefaultOptions()
	o.Limits = Limits{}
	o.Minecraft.HostIP = "127.0.0.1"
	return &o
}

func limited() *Options {
	o := DefaultOptions()
	o.Minecraft.HostIP = "127.0.0.1"
	return &o
}

// shake gets a token from a responder.
func shake(t testing.TB, r *minecraftResponder, now clock, a netip.AddrPort) int32 {
	t.Helper()
	out, what := r.respond(now, a, mcquery.AskToken(7).Append(nil))
	var m mcquery.Token
	if err := mcquery.Decode(out, &m); err != nil || what != answered || m.Session != 7 {
		t.Fatalf("handshake: % X, %v, %v", out, what, err)
	}
	n, err := m.Number()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func sessionOf(out []byte) uint32 { return binary.BigEndian.Uint32(out[1:]) }
