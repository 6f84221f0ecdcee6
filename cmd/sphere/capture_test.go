package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const recordedPing = "26 00 C2 43 3A 07 2C 01 00 3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 " +
	"00 30 1A 11 00 00 80 0E"

var recordedTable = "topic\tdir\tkey\twhole\twire\tplain\n" +
	"ping\tC2S\t421F\tyes\t" + recordedPing + "\t" + recordedPing + "\n" +
	"hit\tS2C\t\tyes\t13 00 2C 01 00 BE 2B 0C 75 48 43 A1 0B C8 E9 00 42 EA 00\t\n" +
	"cut\tC2S\t\tno\t\t" + recordedPing[:90] + "\n"

func recordedFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "frames.tsv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCaptureDecode(t *testing.T) {
	l := commandLine{t, t.TempDir()}
	words := `C2S 38 bytes  gameplay  seq 0x073A  checksum 0x43C2  clock 19776  origin 669 4602 931
  player 0x6F4F
    PositionStream  x 669  y 4602  z 931  yaw 0.000488
`
	for name, args := range map[string][]string{"one argument": {recordedPing}, "many": strings.Fields(recordedPing)} {
		if got := l.must(append([]string{"capture", "decode"}, args...)...); got != words {
			t.Errorf("%s: got\n%swant\n%s", name, got, words)
		}
	}
	code, got, err := l.do(recordedPing, "capture", "decode", "-")
	if want := "# stdin:1\n" + words; code != 0 || got != want || err != "" {
		t.Errorf("exit code %d, %q, got\n%swant\n%s", code, err, got, want)
	}
	file := recordedFile(t, recordedTable)
	got = l.must("capture", "decode", file)
	for _, want := range []string{"# frames.tsv:2  ping\n", "checksum 0x43C2 ok (key 0x421F)",
		"\n\n# frames.tsv:3  hit\n", "dialect 2022", "ChangeObjectHP", "NOT WHOLE"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	got = l.must("capture", "decode", "--json", file, "04 00 F4 01")
	if n := strings.Count(got, "\n"); n != 4 {
		t.Errorf("%d lines of JSON, want 4", n)
	}
	for line := range strings.Lines(got) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil || v["hex"] == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if got := l.must("capture", "decode", "--dialect", "2026", "--dir", "s2c", "--plain",
		"13 00 2C 01 00 BE 2B 0C 75 48 43 A1 0B C8 E9 00 42 EA 00"); !strings.Contains(got, "UNREADABLE") {
		t.Errorf("a frame of 2022 is read as of 2026:\n%s", got)
	}
}

func TestCaptureVerify(t *testing.T) {
	l := commandLine{t, t.TempDir()}
	got := l.must("capture", "verify", recordedFile(t, recordedTable))
	want := "frames.tsv:4: undecoded: _player 0x6F4F: region 11"
	summary := "not whole 1, decoded 0, exact 1\nunknown commands 0\nframes 2, decoded 2, exact 2, unknown bits 0\n"
	if !strings.HasSuffix(got, summary) || !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	got = l.must("capture", "verify", "--json", recordedFile(t, recordedTable))
	if want := `{"frames":2,"decoded":2,"exact":2,"unknown_bits":0,"unknown_commands":0,` +
		`"not_whole":1,"not_whole_decoded":0,"not_whole_exact":1,"unreadable":0}` + "\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant at its end\n%s", got, want)
	}
	russian := func() string {
		t.Setenv("LC_ALL", "ru_RU.UTF-8")
		defer os.Setenv("LC_ALL", "C")
		return l.must("capture", "verify", recordedFile(t, recordedTable))
	}()
	if want := "frames.tsv:4: не разобрано: _player 0x6F4F: "; !strings.HasPrefix(russian, want) ||
		!strings.Contains(russian, " (неизвестных бит в нём: ") {
		t.Errorf("got\n%s", russian)
	}
	if want := "неполных пакетов 1, прочитано 0, совпало 1\nнеизвестных команд 0\n" +
		"пакетов 2, прочитано 2, совпало 2, неизвестных битов 0\n"; !strings.HasSuffix(russian, want) {
		t.Errorf("got\n%s", russian)
	}

	// A row that is called whole and is not cannot be exact.
	code, out, err := l.do("", "capture", "verify", recordedFile(t, recordedTable+"x\tS2C\t\tyes\t04 00 F4\t\n"))
	if code != 1 || err != "sphere: 1 of 3 whole frames are not exact\n" || !strings.HasSuffix(out,
		"frames 3, decoded 2, exact 2, unknown bits 0\n") {
		t.Errorf("exit code %d, %q,\n%s", code, err, out)
	}
	// A row without a frame is named, and the rest is checked.
	code, out, err = l.do(recordedTable+"x\tS2C\t\tyes\tzz\t\n", "capture", "verify", "-")
	if code != 1 || err != "sphere: stdin:5: wire column: character 1: expected a hex digit, found 'z'\n" ||
		!strings.HasSuffix(out, "frames 2, decoded 2, exact 2, unknown bits 0\n") {
		t.Errorf("exit code %d, %q,\n%s", code, err, out)
	}
	code, _, err = l.do(recordedTable+"x\tS2C\t\tyes\tzz\t\nx\tup\n", "capture", "verify", "-")
	if code != 1 || strings.Count(err, "\n") != 3 || !strings.HasSuffix(err,
		"sphere: 2 places of the capture could not be read\n") {
		t.Errorf("exit code %d, %q", code, err)
	}
	code, out, err = l.do("wire\tplain\n", "capture", "verify", "-")
	if code != 1 || err != "sphere: no frames to verify\n" || !strings.HasSuffix(out,
		"frames 0, decoded 0, exact 0, unknown bits 0\n") {
		t.Errorf("exit code %d, %q,\n%s", code, err, out)
	}
}

// The name of a file is not translated.
func TestMistakesInCaptureCommandsInRussian(t *testing.T) {
	t.Setenv("LC_ALL", "ru_RU.UTF-8")
	l := commandLine{t, t.TempDir()}
	l.fails(2, "capture verify: none: такого файла нет", "capture", "verify", "none")
	l.fails(2, "./none: такого файла нет", "capture", "decode", "./none")
	l.fails(1, "none: такого файла нет", "capture", "replay", "none")
	l.fails(1, `нужно имя файла, а не ""`, "capture", "replay", "")
	l.fails(2, `нужно имя файла, а не " "`, "capture", "verify", " ")
	l.fails(1, l.dir+" — папка, а нужен файл", "capture", "replay", l.dir)
}

// Errors repeat the beginning of a long argument, in whatever command.
func TestLongArgumentsAreShortened(t *testing.T) {
	l := commandLine{t, t.TempDir()}
	long := strings.Repeat("ж\t", 3000)
	for _, args := range [][]string{{long}, {"capture", "verify", long}, {"capture", "replay", long},
		{"capture", "decode", "./" + long}, {"capture", "decode", long}, {"capture", "verify", "--port=" + long, "-"},
		{"capture", "verify", "--port", long, "-"}, {"account", long}, {"account", "show", long}, {"stop", "--in", long},
		{"config", "get", long}, {"rate", "set", long, "2"}, {"db", "restore", long}, {"--data", long, "status"}} {
		if code, _, err := l.do("", args...); code == 0 || len(err) > 1200 || strings.Count(err, "\n") != 1 {
			t.Errorf("%.60q: exit code %d, %d bytes %.300q, expected a short line", args, code, len(err), err)
		}
	}
	name := strings.Repeat("n", 200)
	l.fails(2, name+": there is no such file", "capture", "verify", name)
}

func TestMistakesInCaptureCommands(t *testing.T) {
	l := commandLine{t, t.TempDir()}
	l.fails(2, "expected one of decode, record, replay, verify, found \"x\"", "capture", "x")
	l.fails(2, "expected a file of frames", "capture", "decode")
	l.fails(2, "expected a file of frames", "capture", "verify")
	l.fails(2, `"zz" is neither a file nor hex: character 1: expected a hex digit, found 'z'`, "capture", "decode", "zz")
	l.fails(2, `--dir "up": expected auto, c2s or s2c`, "capture", "decode", "--dir", "up", "00")
	l.fails(2, `--dialect "2030": expected auto, 2022, 2026 or classic`, "capture", "verify", "--dialect", "2030", "-")
	l.fails(2, "--port 0: expected 1 to 65535", "capture", "verify", "--port", "0", "-")
	l.fails(2, "missing.tsv: ", "capture", "verify", "missing.tsv")
	for _, verb := range []string{"decode", "verify"} {
		l.fails(2, l.dir+" is a folder, expected a file", "capture", verb, l.dir)
		l.fails(2, "none.tsv: there is no such file", "capture", verb, "none.tsv")
	}
	l.fails(1, l.dir+" is a folder, expected a file", "capture", "replay", l.dir)
	l.fails(1, "none: there is no such file", "capture", "replay", "none")
	l.fails(1, `expected the name of a file, found ""`, "capture", "replay", "")
	l.fails(2, `expected the name of a file, found ""`, "capture", "verify", "")
	l.fails(2, `"" is neither a file nor hex`, "capture", "decode", "")
	l.fails(1, `no column "x" among "topic", "dir"`, "capture", "decode", "--column", "x", recordedFile(t, recordedTable))
}
