package game

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/server/oplog"
	"sphereserver/server/view"
)

// What a client's window asks a giver of missions for gets to an operator, and from the operator's file back to words: the
// frame on the wire, the mission that comes of it, the line of unknown-requests.log, and a frame of that line's bytes
// which "sphere capture decode" reads as the same request.
func TestARequestToAGiverIsReadFromTheFileThatAnOperatorSends(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "unknown-requests.log")
	var kept *oplog.Log
	p := questingWith(t, "b001", func(o *Options) {
		kept = oplog.New(oplog.NewBounded(path, 1<<20, slog.New(slog.DiscardHandler)), slog.LevelInfo, false)
		o.Unknown = kept.Logger
	})
	giver := p.seen(view.NPCEntry)
	sent := [][]byte{{0x02}, {0x00, 0xA0, 0xF3, 0x11}, {0xFF, 0x00, 0x2B, 0x20, 0x80, 0x7F, 0x01, 0xFE}}
	for _, data := range sent {
		p.say(packets.Message(1000, packets.ObjectID(giver.ID), giver.Class, contMan(&packets.MissionRequest{Data: data})))
		p.told()
	}
	if n := p.missions(t); n != 1 {
		t.Errorf("%d missions came of it", n)
	}
	kept.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	if len(lines) != len(sent) {
		t.Fatalf("the file has %q", file)
	}
	form := regexp.MustCompile(`client=(\S+) class=(\d+) command="ContMan 15" length=(\d+) bytes=([0-9a-f]*)$`)
	for i, line := range lines {
		m := form.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("a line is %q", line)
		}
		for _, secret := range []string{p.s().Login(), p.p().character.Name, p.s().ID().String()} {
			if strings.Contains(line, secret) {
				t.Errorf("the sender stands in %q", line)
			}
		}
		data, err := hex.DecodeString(m[4])
		if err != nil || !bytes.Equal(data, sent[i]) || m[3] != strconv.Itoa(len(sent[i])) || m[2] != "205" {
			t.Errorf("%q, sent % X", line, sent[i])
		}
		dialect, err := packets.ParseDialect(m[1])
		if err != nil || dialect != p.dialect {
			t.Fatalf("%q: %v", line, err)
		}
		class, _ := strconv.Atoi(m[2])
		frame, err := packets.AppendClient(nil, packets.Message(0, 0x2FC0, packets.Class(class),
			contMan(&packets.MissionRequest{Data: data})), dialect, packets.GreetingKey, 1)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		frames, err := capture.FromArguments([]string{hex.EncodeToString(frame)}, nil,
			capture.Options{Direction: packets.FromClient})
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range frames {
			if err != nil {
				t.Fatal(err)
			}
			reading := capture.NewDetector(dialect).Read(r)
			if words := capture.Words(&reading); reading.Err != nil || !strings.Contains(words, "ContMan MissionRequest") ||
				!strings.Contains(words, fmt.Sprintf("% X", data)) {
				t.Errorf("% X is decoded as %s (%v)", data, words, reading.Err)
			}
			read++
		}
		if read != 1 {
			t.Errorf("%d frames are read", read)
		}
	}
}
