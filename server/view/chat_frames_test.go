package view

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"sphereserver/packets"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bytes of protocol ingame V33 and V33b; where those have one chunk, ours say two, since two follow.
func TestChatObjectBytes(t *testing.T) {
	got, err := appendChatObject(nil, 0, chatID(chatIDsPerRow), "Hero", 3, "hello", packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	want := unhex(t, "18 00 2C 01 00 00 00 00 C1 14 80 4F 05 00 00 00 02 05 48 65 72 6F 00 03"+
		"13 00 2C 01 00 00 00 00 C1 14 C0 C0 00 AD 8C 8D ED 0D 00"+
		"0E 00 2C 01 00 00 00 00 C1 14 C0 20 00 00")
	if !bytes.Equal(got, want) {
		t.Errorf("got  % X\nwant % X", got, want)
	}
}

// Lines of clan and group have the recorded lengths of the server's answers: protocol ingame 15.4.
func TestChatPartsBytes(t *testing.T) {
	const id = 0x6F4F
	got, err := appendChatParts(nil, 0, id, 4, strings.Repeat("a", 464), packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for len(got) > 0 {
		frame, err := packets.CutFrame(got, packets.FromServer)
		if err != nil || frame == nil {
			t.Fatal(err)
		}
		lengths = append(lengths, len(frame))
		got = got[len(frame):]
	}
	if want := []int{0x16, 0x10D, 0x10D - 250 + 214 + 4}; fmt.Sprint(lengths) != fmt.Sprint(want) {
		t.Errorf("frames of %v bytes, want %v", lengths, want)
	}
}

// A line that is addressed anew has the bytes that would have been encoded for the other.
func TestLinesAreAddressed(t *testing.T) {
	for _, n := range []int{1, 250, 251, 4096} {
		text := strings.Repeat("ж", n)
		first, err := appendChatParts(nil, 77, 0, 5, text, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		second, _ := appendChatParts(nil, 77, 0x0850, 5, text, packets.Dialect2026)
		if AddressAll(first, 0x0850); !bytes.Equal(first, second) {
			t.Errorf("%d bytes: another result", n)
		}
	}
	AddressAll([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1) // ends
}

// Ids of chat objects are nobody's, and come again only after all others.
func TestChatIDs(t *testing.T) {
	seen := map[packets.ObjectID]bool{}
	for n := range uint32(chatObjects) {
		id := chatID(n)
		if seen[id] || id < firstChatID || id > 0xFFFF || packets.PlayerIndexOf(id) >= packets.FirstPlayerIndex ||
			uint32(id) < endOfIDs {
			t.Fatalf("id %d is %v", n, id)
		}
		seen[id] = true
	}
	if chatID(chatObjects) != chatID(0) || chatID(1<<32-1) == 0 {
		t.Error("it is no cycle")
	}
}

// System messages are cut to the size of their array, between words where possible.
func TestSystemLines(t *testing.T) {
	for _, text := range []string{"", "короткая", strings.Repeat("ж", 1000), strings.Repeat("слово ", 200),
		strings.Repeat("a", 240), strings.Repeat("a", 241)} {
		lines := SystemLines(text)
		for _, line := range lines {
			if _, err := packets.AppendServer(nil, packets.Message(0, 1, packets.ClassPlayer, SystemMessage(line)),
				packets.Dialect2026); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		sep := ""
		if strings.Contains(text, " ") {
			sep = " "
		}
		if got := strings.Join(lines, sep); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func BenchmarkChatObject(b *testing.B) {
	line := `<l="player://Hero">Hero</l>: привет, кто-нибудь идёт в подземелье?`
	var out []byte
	for b.Loop() {
		out, _ = appendChatObject(out[:0], 1, chatID(1), "Hero", 2, line, packets.Dialect2026)
	}
}
