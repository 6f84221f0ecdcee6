package clientfiles

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParamsUnpackToWhatWasPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOf(rapid.Byte()).Draw(t, "content")
		file, err := PackParams(content)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(file, []byte(paramsMagic)) {
			t.Fatalf("begins with % X", file[:4])
		}
		back, err := UnpackParams(file)
		if err != nil || !bytes.Equal(back, content) {
			t.Fatalf("%q came back as %q, %v", content, back, err)
		}
		if again, err := PackParams(back); err != nil || !bytes.Equal(again, file) {
			t.Fatalf("% X was packed again as % X, %v", file, again, err)
		}
	})
}

func TestParamsHideWhatTheyShould(t *testing.T) {
	content := []byte(strings.Repeat("SRV00 \"127.0.0.1\"\r\n", 10))
	file, err := PackParams(content)
	if err != nil {
		t.Fatal(err)
	}
	if file[8] != 0x78 { // a zlib stream begins so
		t.Errorf("byte 8 is %02X", file[8])
	}
	if got := int(file[4]^file[14]) | int(file[5]^file[14])<<8; got != len(content) {
		t.Errorf("the size reads as %d, want %d", got, len(content))
	}
	if (uint16(file[8])<<8|uint16(file[9]^file[8]))%31 != 0 { // the check of a zlib header
		t.Errorf("bytes 8 and 9 are %02X %02X", file[8], file[9])
	}
}

func TestDamagedParamsAreRefused(t *testing.T) {
	good, err := PackParams([]byte(strings.Repeat("line\n", 50)))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"empty": nil, "other magic": append([]byte("RIFF"), good[4:]...), "cut": good[:len(good)-10], "short": good[:12],
		"other size": append(append(append([]byte{}, good[:4]...), good[4]^1), good[5:]...),
	} {
		if content, err := UnpackParams(file); err == nil {
			t.Errorf("%s: unpacked to %q", name, content)
		}
	}
}

func FuzzUnpackParams(f *testing.F) {
	good, _ := PackParams([]byte("SRV00 \"127.0.0.1\"\nCNTR0001 1\n"))
	f.Add(good)
	f.Fuzz(func(t *testing.T, file []byte) {
		if content, err := UnpackParams(file); err == nil {
			again, err := PackParams(content)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := UnpackParams(again); err != nil || !bytes.Equal(back, content) {
				t.Fatalf("%q came back as %q, %v", content, back, err)
			}
		}
	})
}
