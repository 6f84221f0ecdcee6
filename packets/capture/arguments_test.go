package capture

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func listed(t *testing.T, seq iter.Seq2[Recorded, error], err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	var out []string
	for r, err := range seq {
		if err != nil {
			out = append(out, "error "+err.Error())
			continue
		}
		out = append(out, fmt.Sprintf("%s %X", r.Position(), r.Bytes()))
	}
	return strings.Join(out, "; ")
}

func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"26": "0400F401\n", "a.tsv": "wire\n0400F401\n",
		"noise": "\x7FELF\x02\x00\x01" + strings.Repeat("\x80\n\x00", 1000)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("00", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"04 00 F4 01", "frame 1 0400F401"}, // a folder called 00 is no file
		{"a.tsv 0400 F401 0400F401 -", "a.tsv:2 0400F401; frame 1 0400F401; frame 2 0400F401; stdin:1 0B00"},
		{"26", "26:1 0400F401"},
		{"04 00 F4 0", `"04 00 F4 0" is neither a file nor hex: character 11: expected a second hex digit of 0`},
		{"nope.pcap", "nope.pcap: there is no such file"},
		{"04 00 sub/nope F4", "sub/nope: there is no such file"},
		{"noise", "error noise is neither text nor a pcap or a recording: byte 6 is 0"},
		{`\x04\xzz`, `"\\x04\\xzz" is neither a file nor hex: character 7: expected a hex digit, found 'z'`},
		{strings.Repeat("z", 50), `"` + strings.Repeat("z", 40) +
			`…" is neither a file nor hex: character 1: expected a hex digit, found 'z'`},
	} {
		seq, err := FromArguments(strings.Fields(c.args), strings.NewReader("0B00"), Options{})
		if got := listed(t, seq, err); got != c.want {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"a.tsv -", "a.tsv:2 0400F401; stdin:1 0B00"},
		{"a.tsv b.tsv", "b.tsv: "},
		{"00", "00 is a folder, expected a file"},
	} {
		seq, err := FromFiles(strings.Fields(c.args), strings.NewReader("0B00"), Options{})
		if got := listed(t, seq, err); !strings.HasPrefix(got, c.want) { // the rest is the system's
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
	seq, err := FromFiles([]string{"a.tsv", "26"}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range seq {
		break // does not go on with the next file
	}
	if err := os.Remove("a.tsv"); err != nil {
		t.Fatal(err)
	}
	if got := listed(t, seq, nil); !strings.HasPrefix(got, "error open ") || !strings.Contains(got,
		filepath.Base("a.tsv")) {
		t.Error(got)
	}
}

// A dump pasted in quotes is no file's name, whatever letters it shows.
func TestAPastedDumpIsNoFileName(t *testing.T) {
	const dump = "00000000: 00000100 00000000 11110100 00000001  ../.\n00000004: 00000100  .\n"
	_, err := FromArguments([]string{dump}, nil, Options{})
	if err == nil || !strings.Contains(err.Error(), "expected the output of xxd,") {
		t.Error(err)
	}
}
