package game

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

// The bytes of protocol ingame V33 and V33b; where those have one chunk, ours say two, since that is what follows.
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

// Lines of clan and group have the lengths that are recorded for what the server returns: protocol ingame 15.4.
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

// A line that is addressed anew is what would have been encoded for the other.
func TestLinesAreAddressed(t *testing.T) {
	for _, n := range []int{1, 250, 251, 4096} {
		text := strings.Repeat("ж", n)
		first, err := appendChatParts(nil, 77, 0, 5, text, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		second, _ := appendChatParts(nil, 77, 0x0850, 5, text, packets.Dialect2026)
		if addressAll(first, 0x0850); !bytes.Equal(first, second) {
			t.Errorf("%d bytes: another result", n)
		}
	}
	addressAll([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1) // ends
}

// Every length of text becomes frames that a client reads back as that text, in as many chunks as are announced.
func TestLinesOfEveryLength(t *testing.T) {
	for n := 1; n <= maxChatLine; n += 1 + n/50 {
		text := strings.Repeat("ы", n)
		for _, d := range []packets.Dialect{packets.Dialect2022, packets.Dialect2026} {
			object, err := appendChatObject(nil, 1, chatID(9), "Hero", 2, text, d)
			if err != nil {
				t.Fatal(err)
			}
			parts, err := appendChatParts(nil, 1, 0x6F4F, 4, text, d)
			if err != nil {
				t.Fatal(err)
			}
			heard := readChat(t, append(object, parts...), d)
			if len(heard) != 2 || heard[0] != (heardLine{"Hero", 2, text}) || heard[1] != (heardLine{"", 4, text}) {
				t.Fatalf("%d bytes: read as %d lines", n, len(heard))
			}
		}
	}
}

// Ids of chat objects are nobody's, and come again only after all others.
func TestChatIDs(t *testing.T) {
	seen := map[packets.ObjectID]bool{}
	for n := range uint32(chatObjects) {
		id := chatID(n)
		if seen[id] || id < firstChatID || id > 0xFFFF || packets.PlayerIndexOf(id) >= packets.FirstPlayerIndex || uint32(id) < endOfIDs {
			t.Fatalf("id %d is %v", n, id)
		}
		seen[id] = true
	}
	if chatID(chatObjects) != chatID(0) || chatID(1<<32-1) == 0 {
		t.Error("it is no cycle")
	}
}

// System messages are cut to what their array holds, between words where they can be.
func TestSystemLines(t *testing.T) {
	for _, text := range []string{"", "короткая", strings.Repeat("ж", 1000), strings.Repeat("слово ", 200), strings.Repeat("a", 240), strings.Repeat("a", 241)} {
		lines := systemLines(text)
		for _, line := range lines {
			if _, err := packets.AppendServer(nil, packets.Message(0, 1, packets.ClassPlayer, systemMessage(line)), packets.Dialect2026); err != nil {
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

// A heardLine is a line as a client prints it.
type heardLine struct {
	sender  string // of a chat object
	channel uint8
	text    string
}

// readChat reads lines of chat as a client does, and what is wrong with them.
func readChat(t testing.TB, stream []byte, d packets.Dialect) (lines []heardLine) {
	t.Helper()
	var frames []*packets.Frame
	for len(stream) > 0 {
		frame, err := packets.CutFrame(stream, packets.FromServer)
		if err != nil || frame == nil {
			t.Fatalf("the stream is cut wrongly: %v", err)
		}
		f, err := packets.DecodeFrame(frame, packets.FromServer, d)
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
		stream = stream[len(frame):]
	}
	return chatOf(t, frames)
}

// chatOf are the lines of chat in frames.
func chatOf(t testing.TB, frames []*packets.Frame) (lines []heardLine) {
	t.Helper()
	type object struct {
		line *packets.ChatLine
		text string
		have uint8
	}
	objects := map[packets.ObjectID]*object{}
	var own collector
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				switch m := r.(type) {
				case *packets.ChatLine:
					objects[s.Object] = &object{line: m}
				case *packets.ChatChunk:
					o := objects[s.Object]
					if o == nil {
						t.Fatalf("a chunk for %v, which is no line", s.Object)
					}
					o.text, o.have = o.text+m.Text, o.have+1
					if o.have == o.line.Chunks {
						if o.line.Kind != 2 || packets.Len1251(o.text) != int(o.line.Length) {
							t.Errorf("line %+v has %d bytes", o.line, packets.Len1251(o.text))
						}
						lines = append(lines, heardLine{o.line.Sender, o.line.Channel, o.text})
						delete(objects, s.Object)
					}
				case *packets.Manager:
					var err error
					switch c := m.Command.(type) {
					case *packets.ChatHeader:
						err = own.begin(c, 0)
					case *packets.ChatPart:
						var text string
						var whole bool
						if text, whole, err = own.add(c, 0); whole {
							lines = append(lines, heardLine{"", c.Channel, text})
						}
					}
					if err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
	if len(objects) > 0 || own.open {
		t.Errorf("%d lines are not whole", len(objects))
	}
	return lines
}

func BenchmarkChatObject(b *testing.B) {
	line := written("Hero", "привет, кто-нибудь идёт в подземелье?")
	var out []byte
	for b.Loop() {
		out, _ = appendChatObject(out[:0], 1, chatID(1), "Hero", 2, line, packets.Dialect2026)
	}
}
