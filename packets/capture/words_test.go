package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
)

var update = flag.Bool("update", false,
	"write what the code does into the golden files; look at the difference before you keep it")

// A goldenFrame is one block of testdata/words.txt: its name, its hex, and its words.
type goldenFrame struct {
	name, hex, words string
}

func goldenFrames(t testing.TB) []goldenFrame {
	t.Helper()
	data, err := os.ReadFile("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []goldenFrame
	for block := range strings.SplitSeq(string(data), "== ") {
		name, rest, ok := strings.Cut(block, "\n> ")
		if !ok {
			continue
		}
		hex, words, _ := strings.Cut(rest, "\n")
		out = append(out, goldenFrame{name, hex, strings.TrimRight(words, "\n") + "\n"})
	}
	return out
}

func wordsOf(t testing.TB, hex string) string {
	t.Helper()
	frames, err := ParseFrames(hex, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	g := NewDetector()
	for _, f := range frames {
		r := g.Read(f)
		out.WriteString(Words(&r))
	}
	return out.String()
}

func TestWords(t *testing.T) {
	frames := goldenFrames(t)
	if len(frames) < 20 {
		t.Fatalf("%d golden frames, expected at least 20", len(frames))
	}
	for i, f := range frames {
		got := wordsOf(t, f.hex)
		if *update {
			frames[i].words = got
			continue
		}
		if d := cmp.Diff(f.words, got); d != "" {
			t.Errorf("%s:\n%s", f.name, d)
		}
	}
	if *update {
		var out bytes.Buffer
		for _, f := range frames {
			out.WriteString("== " + f.name + "\n> " + f.hex + "\n" + f.words + "\n")
		}
		if err := os.WriteFile("testdata/words.txt", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A client's swap of items is one by any number that is 5 modulo 8, as the server takes it; nothing else is.
//
// Source: protocol ingame 10.5, 17.
func TestSwapsByOtherNumbers(t *testing.T) {
	for _, c := range []struct {
		dir          packets.Direction
		number       uint32
		size         int
		words, json  string
		unknownCount int
	}{
		{packets.FromClient, 29, 20,
			"Manager SwapItems by command 29 item1 0x00000001 item2 0x00000002 slot1 26 slot2 27 value 0xFFFFFFFF",
			`"command":{"name":"SwapItems","number":29,"fields":{"item1":1,"item2":2,"slot1":26,"slot2":27,` +
				`"value":4294967295}}`, 0},
		{packets.FromClient, 53, 20, "Manager SwapItems item1 0x00000001",
			`"command":{"name":"SwapItems","fields":{"item1":1,`, 0},
		{packets.FromClient, 29, 16, "UNKNOWN command 29, 16 bytes", `"unknown":true,"number":29`, 1},
		{packets.FromClient, 28, 20, "UNKNOWN command 28, 20 bytes", `"unknown":true,"number":28`, 1},
		{packets.FromServer, 29, 20, "UNKNOWN command 29, 20 bytes", `"unknown":true,"number":29`, 1},
	} {
		var swap []byte
		for _, v := range []uint32{1, 2, 26, 27, 0xFFFFFFFF} {
			swap = binary.LittleEndian.AppendUint32(swap, v)
		}
		frame := packets.Frame{Direction: c.dir, Channel: packets.ChannelGameplay, Body: packets.Message(1, 0x6F4F,
			packets.ClassPlayer, &packets.Manager{Command: &packets.UnknownCommand{Number: c.number, Data: swap[:c.size]}})}
		wire, err := frame.Append(nil, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		r := NewDetector().Read(Recorded{Direction: c.dir, Wire: wire, Whole: true})
		words := strings.Join(strings.Fields(Words(&r)), " ")
		if !strings.Contains(words, c.words) {
			t.Errorf("%v, command %d, %d bytes: in words %s", c.dir, c.number, c.size, words)
		}
		if got := string(AppendJSON(nil, &r)); !strings.Contains(got, c.json) || !json.Valid([]byte(got)) {
			t.Errorf("%v, command %d, %d bytes: as JSON %s", c.dir, c.number, c.size, got)
		}
		if r.UnknownCommands != c.unknownCount {
			t.Errorf("%v, command %d, %d bytes: %d unknown commands", c.dir, c.number, c.size, r.UnknownCommands)
		}
	}
}

// Every golden frame is read without an error, means something to the last bit, and encodes to itself; those that are
// there to show the opposite say so in their name.
func TestGoldenFramesAreExact(t *testing.T) {
	for _, f := range goldenFrames(t) {
		frames, err := ParseFrames(f.hex, Options{})
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		for _, frame := range frames {
			v := Verifier{Detector: NewDetector()}
			_, found := v.Check(frame)
			if strings.HasPrefix(f.name, "bad: ") {
				if len(found) == 0 && v.Totals.NotWhole == 0 {
					t.Errorf("%s: nothing found", f.name)
				}
				continue
			}
			if len(found) != 0 || v.Totals.Exact != 1 {
				t.Errorf("%s: %v", f.name, found)
			}
		}
	}
}

func readHexFrame(t testing.TB, hex string) Reading {
	t.Helper()
	frames, err := ParseFrames(hex, Options{})
	if err != nil || len(frames) != 1 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	return NewDetector().Read(frames[0])
}

func TestChecksumInWords(t *testing.T) {
	r := readHexFrame(t, "08 00 3F 42 2A 01 F4 01")
	key := uint16(0x421F)
	r.Key = &key
	if got := Words(&r); !strings.Contains(got, "checksum 0x423F ok (key 0x421F)") {
		t.Error(got)
	}
	key = 0x421E
	if got := Words(&r); !strings.Contains(got, "checksum 0x423F WRONG, expected 0x423E (key 0x421E)") {
		t.Error(got)
	}
	// The sum is over the wire, of which a file may keep the plain form alone.
	plain, err := ParseHex("2200F9BC26012C0100D0074F6F08404041FC5395CDD195C9C500C4DD95C5C8CC0000")
	if err != nil {
		t.Fatal(err)
	}
	key = 0x421F
	for _, sum := range []string{"\xF9\xBC", "\x4B\xBC"} { // of the frame in clear, and of the obfuscated one
		copy(plain[2:], sum)
		r = NewDetector().Read(Recorded{Direction: packets.FromClient, Plain: plain, Whole: true, Key: &key})
		if got := Words(&r); !strings.Contains(got, "ok (key 0x421F)") {
			t.Error(got)
		}
	}
}

func TestHeading(t *testing.T) {
	r := Reading{Recorded: Recorded{File: "a\x1b[2J.tsv", Line: 7, Topic: "chat", Time: "2022-06-17",
		Label: "при\nвет"}}
	if got, want := Heading(&r), `# a\u001B[2J.tsv:7  chat  2022-06-17  “при\u000Aвет”`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r = Reading{Recorded: Recorded{File: "x.pcap", Number: 3, Connection: 2, Client: "10.0.0.1:5",
		Server:    "10.0.0.2:25860",
		Direction: packets.FromServer}}
	if got, want := Heading(&r), "# x.pcap frame 3  connection 2  10.0.0.2:25860 > 10.0.0.1:5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Nothing that a peer sends reaches a terminal as a control character: not in texts, not in notes, not in errors.
func TestHostileText(t *testing.T) {
	hostile := "\x1b]0;x\x07\u009b2J\u202e"
	body := packets.Message(1, 0x6F4F, packets.ClassPlayer,
		&packets.Manager{Command: &packets.SystemMessage{Mode: 4, Text: hostile}},
		&packets.PlayerSpawn{Name: hostile, Clan: "\r\n"})
	frame, err := packets.AppendServer(nil, body, packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	r := NewDetector().Read(Recorded{Direction: packets.FromServer, Wire: frame, Whole: true, File: hostile,
		Label: hostile, Topic: hostile,
		Time: hostile, Client: hostile, Connection: 1})
	for _, out := range []string{strings.ReplaceAll(Words(&r), "\n", ""), Heading(&r), r.Position(),
		string(AppendJSON(nil, &r))} {
		if i := strings.IndexFunc(out, func(c rune) bool {
			return c < ' ' || c >= 0x7F && c < 0xA0 || c == '\u202e'
		}); i >= 0 {
			t.Errorf("control character at %d of %q", i, out)
		}
	}
	if !json.Valid(AppendJSON(nil, &r)) {
		t.Error("invalid JSON")
	}
}
