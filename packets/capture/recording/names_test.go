package recording

import (
	"bytes"
	"testing"
	"unicode"

	"sphereserver/packets"
)

func TestNamesGetLettersOfTheSameKind(t *testing.T) {
	var n Names
	for _, name := range []string{"Alice", "Василиса", "ann", "Боря2", "x y"} {
		other := n.Of(name)
		was, now := []rune(name), []rune(other)
		if len(was) != len(now) || packets.Len1251(name) != packets.Len1251(other) {
			t.Fatalf("%q has become %q", name, other)
		}
		for i := range was {
			if unicode.IsUpper(was[i]) != unicode.IsUpper(now[i]) || unicode.IsDigit(was[i]) != unicode.IsDigit(now[i]) ||
				unicode.Is(unicode.Cyrillic, was[i]) != unicode.Is(unicode.Cyrillic, now[i]) {
				t.Errorf("%q has become %q", name, other)
			}
		}
		if n.Of(name) != other {
			t.Errorf("%q has two names", name)
		}
	}
}

// A name within a longer one is not taken for it.
func TestLongerNamesComeFirst(t *testing.T) {
	var n Names
	n.Set("Ann", "Eve")
	n.Set("Annabel", "Desdemo")
	n.Set("Bo", "Zu")
	n.Set("Ann", "Ada")
	if got := n.Text("Annabel told Ann and Bo"); got != "Desdemo told Ada and Zu" {
		t.Errorf("%q", got)
	}
}

// In frames names are replaced in all places, and frames that are not understood are emptied.
func TestNamesInFrames(t *testing.T) {
	var n Names
	b := &Blanker{Key: packets.GreetingKey, LoggedIn: true}
	server := func(body *packets.Body) []byte {
		t.Helper()
		frame, err := packets.AppendServer(nil, body, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		return frame
	}
	spawn := server(packets.Message(1, 0x215A, packets.ClassPlayer, &packets.PlayerSpawn{Name: "Alice", Clan: "Readers"}))
	line := server(packets.Message(1, 0x215A, packets.ClassPlayer,
		&packets.Manager{Command: &packets.SystemMessage{Mode: 7, Text: "Alice of Readers is here"}}))
	model := server(packets.Message(1, 0x1000, packets.ClassGuide,
		&packets.ContMan{Command: &packets.Model{Name: "npc_alice"}}))
	for i, frame := range [][]byte{spawn, line, model} {
		out := n.Frame(frame, Server, b)
		if len(out) != len(frame) || holds(out, "Alice") || holds(out, "Readers") || (i == 2) != bytes.Equal(out, frame) {
			t.Errorf("%d: % X has become % X", i, frame, out)
		}
	}
	create, err := packets.AppendClient(nil, packets.Message(1, 0x215A, packets.ClassPlayer,
		&packets.Owner{Command: &packets.CreateCharacter{Name: "Alice", Look: 1}}),
		packets.Dialect2026, packets.GreetingKey, 9)
	if err != nil {
		t.Fatal(err)
	}
	out := n.Frame(create, Client, b)
	if sum := packets.Checksum(out, packets.GreetingKey); holds(out, "Alice") || len(out) != len(create) ||
		sum != uint16(out[2])|uint16(out[3])<<8 {
		t.Errorf("% X", out)
	}
	for _, dir := range []Kind{Client, Server} {
		strange := append([]byte{40, 0, 0x2C, 1, 0, 0, 0x2C, 1, 0}, bytes.Repeat([]byte("Alice"), 7)...)[:40]
		if out := n.Frame(strange, dir, b); len(out) != len(strange) || bytes.Contains(out[9:], []byte("Alice")) {
			t.Errorf("%v: % X", dir, out)
		}
	}
	keepalive := []byte{4, 0, 0xF4, 1}
	if out := n.Frame(keepalive, Server, b); !bytes.Equal(out, keepalive) {
		t.Errorf("% X", out)
	}
}
