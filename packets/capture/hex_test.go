package capture

import (
	"bytes"
	"strings"
	"testing"

	"sphereserver/packets"
)

func TestParseHex(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		" \t\n":                           "",
		"0400F401":                        "\x04\x00\xF4\x01",
		"04 00 f4 01":                     "\x04\x00\xF4\x01",
		"0x04, 0x00, 0xF4, 0x01":          "\x04\x00\xF4\x01",
		"{ 0x4, 0x0, 0XF4, 0x1 };":        "\x04\x00\xF4\x01",
		"0x0400F401":                      "\x04\x00\xF4\x01",
		"040x00F4":                        "\x04\x00\xF4",
		`\x04\x00\xf4\x01`:                "\x04\x00\xF4\x01",
		"04:00:F4:01":                     "\x04\x00\xF4\x01",
		"04-00-F4-01":                     "\x04\x00\xF4\x01",
		"[04,00;F4](01)":                  "\x04\x00\xF4\x01",
		"04\r\n00\u00a0F4\u200901":        "\x04\x00\xF4\x01",
		strings.Repeat("a5 ", 300):        strings.Repeat("\xA5", 300),
		"0x00 0x0":                        "\x00\x00",
		"0xFF":                            "\xFF",
		"00":                              "\x00",
		"  {04,}  ":                       "\x04",
		"DEADbeef, \\xCa{0xF}":            "\xDE\xAD\xBE\xEF\xCA\x0F",
		"26 00\n# 12"[:5]:                 "\x26\x00",
		strings.TrimSpace("  0xAb   \n "): "\xAB",
	} {
		got, err := ParseHex(in)
		if err != nil || string(got) != want {
			t.Errorf("%q is % X, %v; want % X", in, got, err, want)
		}
	}
}

func TestParseHexErrorsNameTheCharacter(t *testing.T) {
	for in, want := range map[string]string{
		"04 0g":        "character 5: expected a hex digit, found 'g'",
		"04 0":         "character 5: expected a second hex digit of 0",
		"4 00":         "character 2: expected a second hex digit of 4",
		"0x040":        "character 6: expected a second hex digit of 0",
		"04 x5":        "character 4: expected a hex digit, found 'x'",
		"010x2 привет": "character 7: expected a hex digit, found 'п'",
		"\x1b[2J":      `character 1: expected a hex digit, found '\x1b'`,
		"\xff":         "character 1: expected a hex digit, found '\uFFFD'",
	} {
		got, err := ParseHex(in)
		if err == nil || err.Error() != want {
			t.Errorf("%q is % X with error %v, want %s", in, got, err, want)
		}
	}
}

func TestFramesOneAfterTheOther(t *testing.T) {
	frames, err := ParseFrames("04 00 F4 01 0B 00 2C 01 00 00 00 34 12 00 00 04 00 F4", Options{})
	if err != nil || len(frames) != 3 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	for i, want := range []struct {
		n     int
		whole bool
	}{{4, true}, {11, true}, {3, false}} {
		if f := frames[i]; len(f.Bytes()) != want.n || f.Whole != want.whole || f.Number != i+1 {
			t.Errorf("frame %d: number %d, %d bytes, whole %v", i, f.Number, len(f.Bytes()), f.Whole)
		}
	}
	if frames, err = ParseFrames("2600", Options{Plain: true, Direction: packets.FromClient}); err != nil ||
		len(frames) != 1 || frames[0].Whole ||
		len(frames[0].Plain) != 2 || frames[0].Direction != packets.FromClient {
		t.Errorf("%+v, %v", frames, err)
	}
	if _, err = ParseFrames(" , ", Options{}); err == nil || err.Error() != "no hex digits, expected a frame" {
		t.Error(err)
	}
}

// All bytes parsed were in the text: as many bytes as half of its digits, or more where single digits had a prefix.
func FuzzParseHex(f *testing.F) {
	for _, s := range []string{"", "04 00 F4 01", "0x4, 0x0", "{0x26,0x00}", `\x04\x00`, "0x", "x", "0x0x0x", "zz",
		"04 0", "\xff\xfe", "00x00"} {
		f.Add(s)
	}
	for _, g := range goldenFrames(f) {
		f.Add(g.hex)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseHex(s)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "character ") {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		if len(b) > len(s) {
			t.Fatalf("%q became %d bytes", s, len(b))
		}
		again, err := ParseHex(hexText(b))
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%q became % X, which became % X, %v", s, b, again, err)
		}
		frames, err := ParseFrames(s, Options{})
		total := 0
		for _, frame := range frames {
			total += len(frame.Bytes())
			r := NewDetector().Read(frame)
			Words(&r)
		}
		if err == nil && total != len(b) {
			t.Fatalf("%d bytes, of which frames have %d", len(b), total)
		}
	})
}
