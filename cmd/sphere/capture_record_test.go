//go:build system

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
)

// listening is a server in this process, and where its game listens.
func listening(t *testing.T) (l commandLine, game string) {
	t.Helper()
	dir := runningServer(t, "--start", "shipstone")
	return commandLine{t, dir}, data.HolderOf(dir).Address
}

// record records the play of a bot, by commands alone.
func (l commandLine) record(game, file string) {
	l.t.Helper()
	within := comesInWithin(l.t, game)
	if out := l.must("capture", "record", "--all", "--detach", "--out", file); !strings.Contains(out, "recording") ||
		!strings.Contains(out, file) {
		l.t.Errorf("found\n%s", out)
	}
	if _, _, err := runBot("--addr", game, "--login", "vasya", "--password", "hush-hush", "--name", "Вася", "--stand",
		"--for", within, "--load-time", "0s"); err != nil {
		l.t.Fatal(err)
	}
}

func TestSessionsAreRecordedAndReplayedByCommands(t *testing.T) {
	l, game := listening(t)
	file := filepath.Join(t.TempDir(), "vasya.sphrec")
	l.record(game, file)
	l.fails(1, "sessions are being recorded already", "capture", "record", "--all", "--out", file+"2")
	var state ops.Recording
	if err := readJSON(l.must("capture", "record", "--state", "--json"), &state); err != nil ||
		!state.Running || state.Path != file || state.Sessions != 1 {
		t.Errorf("%+v, %v", state, err)
	}
	if out := l.must("capture", "record", "--stop"); !strings.Contains(out, "1, of which 0 in part") {
		t.Errorf("found\n%s", out)
	}
	l.fails(1, "no sessions are being recorded", "capture", "record", "--stop")
	l.fails(1, "file exists", "capture", "record", "--all", "--out", file)

	plain := l.must("capture", "decode", file)
	if strings.Contains(plain, "hush-hush") || !strings.Contains(plain, recording.BlankPassword) ||
		!strings.Contains(plain, "WorldSnapshot") {
		t.Errorf("decoded to\n%s", plain)
	}
	out := l.must("capture", "verify", file)
	var frames, decoded, exact int
	last := strings.TrimSpace(out)[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	if _, err := fmt.Sscanf(last, "frames %d, decoded %d, exact %d", &frames, &decoded, &exact); err != nil ||
		frames == 0 || exact != frames || strings.Contains(out, "checksum") {
		t.Errorf("verified:\n%s", out)
	}

	other, fresh := listening(t)
	code, out, errs := other.do("", "capture", "replay", file, "--addr", fresh, "--password", "another", "--speed",
		"20", "--quiet")
	if code != 0 || errs != "" || !strings.Contains(out, ", 0 differences") {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
	// Now the character is there: nothing is as it was.
	code, out, errs = other.do("", "capture", "replay", file, "--addr", fresh, "--password", "another",
		"--as-fast-as-possible", "--json")
	var report struct {
		Compared    int
		Differences []struct{ Kind, Message string }
	}
	if err := readJSON(out, &report); err != nil || code != 1 || len(report.Differences) == 0 ||
		!strings.Contains(errs, "1 difference from the recording") {
		t.Errorf("exit code %d, %v, %s%s", code, err, out, errs)
	}
	code, out, errs = other.do("", "capture", "replay", file, "--addr", fresh, "--password", "another",
		"--as-fast-as-possible")
	if all := out + errs; code != 1 || strings.Count(all, "in a slot that was empty") != 1 {
		t.Errorf("expected the difference once, exit code %d, %s%s", code, out, errs)
	}
	for range 2 {
		code, out, errs = other.do("", "capture", "replay", file, "--addr", fresh, "--password", "another",
			"--as-fast-as-possible", "--quiet", "--rename")
		if code != 0 || !strings.Contains(out, ", 0 differences") {
			t.Errorf("exit code %d, %s%s", code, out, errs)
		}
	}
}

func TestRecordingEndsByItself(t *testing.T) {
	l, _ := listening(t)
	code, out, err := l.do("", "capture", "record", "--account", "nobody")
	if code != 1 || !strings.Contains(err, "nobody") {
		t.Errorf("exit code %d, %s%s", code, out, err)
	}
	l.fails(1, "No player has the index 0x4F6F now", "capture", "record", "--session", "0x4F6F")
	code, out, err = l.do("", "capture", "record", "--all", "--for", "200ms")
	if code != 0 || !strings.Contains(out, "ended since the time is over") || !strings.Contains(err, "interrupt to stop") {
		t.Errorf("exit code %d, %s%s", code, out, err)
	}
	files, globErr := filepath.Glob(filepath.Join(l.dir, ops.RecordingsFolder, "*"+recording.Extension))
	if globErr != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, globErr)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestMistakesInRecordAndReplay(t *testing.T) {
	l := populated(t)
	l.fails(1, "no server is running", "capture", "record", "--all")
	l.fails(1, "no server is running", "capture", "record", "--state")
	l.fails(2, "expected one of --all, --account, --session, --stop and --state, found 0 of them", "capture", "record")
	l.fails(2, "found 2 of them", "capture", "record", "--all", "--stop")
	l.fails(2, `--session "x": expected the index of a player`, "capture", "record", "--session", "x")
	l.fails(2, "expected a time like 30m, 12h or 7d", "capture", "record", "--all", "--for", "-1s")
	l.fails(2, "expected one recording, found 0 arguments", "capture", "replay")
	l.fails(2, "--speed 0: expected 0.001 to 1000", "capture", "replay", "x", "--speed", "0")
	l.fails(2, "found both", "capture", "replay", "x", "--speed", "2", "--as-fast-as-possible")
	l.fails(2, "--patience 0s: expected more than 0", "capture", "replay", "x", "--patience", "0s")
	l.fails(1, "absent", "capture", "replay", filepath.Join(l.dir, "absent"))
	l.fails(1, "this is no recording of sessions", "capture", "replay", recordedFile(t, recordedTable))
}
