package view

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"sphereserver/packets"
)

// chatFrames are the header and the parts of a line as a client sends them.
func chatFrames(channel uint8, text string) (h *packets.ChatHeader, parts []*packets.ChatPart) {
	cut := splitText(text, ChatPartBytes)
	for i, part := range cut {
		parts = append(parts, &packets.ChatPart{Channel: channel, Index: uint16(i),
			Text: part + chatPadding(part, i == len(cut)-1)})
	}
	return &packets.ChatHeader{Channel: channel, Length: uint32(packets.Len1251(text)), Parts: uint16(len(cut))}, parts
}

// Lines of every length come back as they were, Latin and Cyrillic, one after the other in one ChatCollector.
func TestLinesAreCollected(t *testing.T) {
	var c ChatCollector
	for _, letter := range []string{"a", "ж"} {
		for n := 1; n <= MaxChatLine; n++ {
			want := strings.Repeat(letter, n)
			h, parts := chatFrames(2, want)
			if err := c.Begin(h, 0); err != nil {
				t.Fatalf("%d bytes: %v", n, err)
			}
			for i, p := range parts {
				got, whole, err := c.Add(p, 0)
				if err != nil || whole != (i == len(parts)-1) || whole && got != want {
					t.Fatalf("%d bytes, part %d of %d: %d bytes, whole %v, %v", n, i, len(parts), len(got), whole, err)
				}
			}
		}
	}
}

// Recorded headers: text length and number of parts.
//
// Source: protocol ingame 15.3.
func TestRecordedChatHeaders(t *testing.T) {
	for length, parts := range map[uint32]uint16{464: 2, 469: 2, 683: 3, 719: 3, 539: 3, 502: 3, 435: 2, 312: 2, 528: 3,
		60: 1} {
		var c ChatCollector
		if err := c.Begin(&packets.ChatHeader{Channel: 4, Length: length, Parts: parts}, 0); err != nil {
			t.Error(err)
		}
		if whole := len(splitText(strings.Repeat("x", int(length)), ChatPartBytes)); whole != int(parts) {
			t.Errorf("%d bytes are cut into %d parts, recorded %d", length, whole, parts)
		}
	}
}

// Parts that do not fit together are abandoned, and do not harm the next line.
func TestBrokenLinesAreAbandoned(t *testing.T) {
	part := func(channel uint8, index uint16, n int) *packets.ChatPart {
		return &packets.ChatPart{Channel: channel, Index: index, Text: strings.Repeat("x", n) + "\x00"}
	}
	header := func(channel uint8, length uint32, parts uint16) *packets.ChatHeader {
		return &packets.ChatHeader{Channel: channel, Length: length, Parts: parts}
	}
	inside := part(2, 0, 250)
	inside.Text = "x\x00" + inside.Text[2:]
	for what, frames := range map[string][]packets.Command{
		"no header":               {part(2, 0, 10)},
		"no text":                 {header(2, 0, 0)},
		"no text in a part":       {header(2, 0, 1), part(2, 0, 0)},
		"too long":                {header(2, MaxChatLine+1, 17)},
		"a claim of 4 GiB":        {header(2, 0xFFFFFFFF, 0xFFFF), part(2, 0, 250)},
		"too few parts":           {header(2, 464, 1), part(2, 0, 250)},
		"too many parts":          {header(2, 464, 3)},
		"the second part first":   {header(2, 464, 2), part(2, 1, 214)},
		"one part twice":          {header(2, 464, 2), part(2, 0, 250), part(2, 0, 250)},
		"another channel":         {header(2, 464, 2), part(3, 0, 250)},
		"a part too short":        {header(2, 464, 2), part(2, 0, 249)},
		"a last part too short":   {header(2, 464, 2), part(2, 0, 250), part(2, 1, 213)},
		"a last part too long":    {header(2, 464, 2), part(2, 0, 250), part(2, 1, 215)},
		"a NUL inside":            {header(2, 464, 2), inside},
		"a header after a header": {header(2, 464, 2), part(2, 0, 250), header(2, 10, 1)},
	} {
		var c ChatCollector
		failed := 0
		for _, m := range frames {
			var err error
			switch m := m.(type) {
			case *packets.ChatHeader:
				err = c.Begin(m, 0)
			case *packets.ChatPart:
				var whole bool
				if _, whole, err = c.Add(m, 0); whole {
					t.Errorf("%s: taken for whole", what)
				}
			}
			if err != nil {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("%s: no error", what)
		}
		h, parts := chatFrames(1, "fine")
		_ = c.Begin(h, 0)
		if got, whole, err := c.Add(parts[0], 0); got != "fine" || !whole || err != nil {
			t.Errorf("after %s: %q, %v, %v", what, got, whole, err)
		}
	}
}

// A line that is begun and not finished in time is not finished later.
func TestLinesDoNotWaitForEver(t *testing.T) {
	var c ChatCollector
	h, parts := chatFrames(2, strings.Repeat("x", 300))
	if err := c.Begin(h, 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Add(parts[0], chatPatience); err != nil {
		t.Error(err)
	}
	if _, whole, err := c.Add(parts[1], chatPatience+1); !errors.Is(err, errChatLate) || whole {
		t.Errorf("whole %v, %v", whole, err)
	}
	if c.open || c.text.Cap() != 0 {
		t.Error("something is kept of it")
	}
}

// A header alone holds no memory, whatever sizes it claims.
func TestHeadersCostNothing(t *testing.T) {
	var c ChatCollector
	h := &packets.ChatHeader{Channel: 2, Length: MaxChatLine, Parts: 17}
	if n := testing.AllocsPerRun(100, func() { c.abandon(); _ = c.Begin(h, 0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzCollector feeds headers and parts of any form: each byte of script is one of them, with numbers from the bytes
// that follow. A whole line comes out as it went in, and the collector never holds more than it has received.
func FuzzCollector(f *testing.F) {
	f.Add([]byte{0, 2, 10, 0, 1, 0, 1, 2, 0, 10})
	f.Add([]byte{0, 2, 0xD0, 1, 2, 0, 1, 2, 0, 250, 1, 2, 1, 214})
	f.Add([]byte{0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 0, 250})
	f.Fuzz(func(t *testing.T, script []byte) {
		var c ChatCollector
		received := 0
		next := func(n int) []byte {
			out := make([]byte, n)
			script = script[copy(out, script):]
			return out
		}
		for len(script) > 0 {
			if kind := next(1)[0]; kind%2 == 0 {
				b := next(5)
				if err := c.Begin(&packets.ChatHeader{Channel: b[0], Length: uint32(binary.LittleEndian.Uint16(b[1:])),
					Parts: binary.LittleEndian.Uint16(b[3:])}, 0); err == nil && !c.open {
					t.Fatal("a header was taken and nothing is open")
				}
				received = 0
				continue
			}
			b := next(3)
			text := packets.Decode1251(next(min(int(b[2]), 251)))
			open := c.open
			got, whole, err := c.Add(&packets.ChatPart{Channel: b[0], Index: uint16(b[1]), Text: text}, 0)
			received += utf8.RuneCountInString(text)
			switch {
			case whole && (err != nil || !open || c.open || utf8.RuneCountInString(got) != int(c.header.Length) ||
				strings.ContainsRune(got, 0)):
				t.Fatalf("%q as a line of %d bytes, %v", got, c.header.Length, err)
			case err != nil && c.open:
				t.Fatalf("still open after %v", err)
			case utf8.RuneCountInString(c.text.String()) > received || c.length > MaxChatLine:
				t.Fatalf("holds %d of %d bytes", c.length, received)
			}
		}
	})
}
