package w3host

import (
	"bytes"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
)

// fileMap is a map of n bytes that the host has.
func fileMap(n int) Map {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i * 7 >> 3)
	}
	m := testMap()
	m.Size, m.CRC, m.Data = uint32(n), crc32.ChecksumIEEE(data), data
	return m
}

func downloadStage(t *testing.T, size int) *stage {
	return newStage(t, 4, func(_ *Options, g *GameOptions) { g.Map, g.Download = fileMap(size), true })
}

// Protocol w3gs 4.17: downloads are off unless the operator wants them.
func TestWhoLacksTheMap(t *testing.T) {
	s := newStage(t, 2, nil)
	a := s.connect("A")
	a.mapSize = 0
	a.say(a.joining(1, testKey))
	if !a.closed || a.kicked != w3gs.LeftLobby || a.p.reason != LacksMap || len(s.g.players) != 0 {
		t.Errorf("closed %t, kicked %d, for %s", a.closed, a.kicked, a.p.reason)
	}
	b := s.connect("B")
	b.mapSize = testMap().Size - 1
	if b.say(b.joining(1, testKey)); b.p.reason != LacksMap {
		t.Errorf("another size: %s", b.p.reason)
	}
}

func TestDownload(t *testing.T) {
	const size = 300_001
	s := downloadStage(t, size)
	a := s.connect("A")
	a.mapSize = size
	a.say(a.joining(1, testKey))
	b := s.connect("B")
	b.mapSize, b.late = 0, 30*time.Millisecond
	b.say(b.joining(1, testKey))
	if b.want.Size != size || b.want.CRC != s.host.Games[0].Map.CRC {
		t.Errorf("the map check is %+v", b.want)
	}
	var shown []uint8
	s.until("B has the map", func() bool {
		if d := a.slots.Slots[1].Download; len(shown) == 0 || d != shown[len(shown)-1] {
			shown = append(shown, d)
		}
		return b.p.hasMap
	})
	s.pass(time.Second)
	if !bytes.Equal(b.file, s.host.Games[0].Map.Data) {
		t.Error("the file has changed on its way")
	}
	if w := newsOf[*w3gs.MapStart](b); len(w) != 1 || w[0].Player != 1 {
		t.Errorf("B was sent %v", w)
	}
	for _, m := range newsOf[*w3gs.MapData](b) {
		if m.Receiver != b.id || m.Sender != 1 || len(m.Data) > w3gs.MaxMapData {
			t.Fatalf("B was sent %d bytes for %d from %d", len(m.Data), m.Receiver, m.Sender)
		}
	}
	if d := a.slots.Slots[1].Download; d != 100 || shown[0] != 255 {
		t.Errorf("shown: %d, then %d", shown, d)
	}
	if !b.p.ready() || s.g.start() != nil {
		t.Error("B is not ready")
	}
}

// Protocol w3gs 4.17: at most 100 packets are under way, and all downloads together keep to the rate.
func TestDownloadWindowAndRate(t *testing.T) {
	s := downloadStage(t, 4<<20)
	s.host.DownloadRate = 100 << 20
	a := s.connect("A")
	a.mapSize, a.unacknowledged = 0, true
	a.say(a.joining(1, testKey))
	s.pass(time.Second)
	if n := len(newsOf[*w3gs.MapData](a)); n != 100 {
		t.Errorf("%d packets without an acknowledgement", n)
	}
	a.say(&w3gs.MapTaken{Sender: a.id, Receiver: 1, Size: 10 * w3gs.MaxMapData})
	if n := len(newsOf[*w3gs.MapData](a)); n != 110 {
		t.Errorf("%d packets when ten are acknowledged", n)
	}
	a.say(&w3gs.MapState{Kind: w3gs.MapDownloading, Size: 12 * w3gs.MaxMapData})
	if n := len(newsOf[*w3gs.MapData](a)); n != 112 {
		t.Errorf("%d packets when twelve are acknowledged", n)
	}
	// Acknowledgements of data that was never sent, or of older data, change nothing.
	a.say(&w3gs.MapTaken{Size: 3 << 20}, &w3gs.MapTaken{Size: 5}, &w3gs.MapState{Kind: 2, Size: 7},
		&w3gs.MapState{Kind: w3gs.MapHave})
	if n := len(newsOf[*w3gs.MapData](a)); n != 112 || a.closed {
		t.Errorf("%d packets, closed %t", n, a.closed)
	}
	s.pass(11 * time.Second)
	if !a.closed || a.p.reason != NotReady || a.kicked != w3gs.LeftLobby {
		t.Errorf("10 s without progress: closed %t for %s", a.closed, a.p.reason)
	}

	s = downloadStage(t, 8<<20)
	var all [2]*guest
	for i := range all {
		all[i] = s.connect(string(rune('A' + i)))
		all[i].mapSize = 0
		all[i].say(all[i].joining(1, testKey))
	}
	s.pass(4 * time.Second)
	sum := len(all[0].file) + len(all[1].file)
	if sum > 4<<20+(1<<20)/8+w3gs.MaxMapData || sum < 7<<19 {
		t.Errorf("%d bytes in 4 s, with a rate of 1 MiB/s", sum)
	}
	if d := len(all[0].file) - len(all[1].file); d > downloadWindow || -d > downloadWindow {
		t.Errorf("one got %d bytes more than the other", d)
	}
	if times := timesOf[*w3gs.SlotUpdate](all[0]); len(times) > 8 {
		t.Errorf("slots were told %d times in 4 s", len(times))
	}
	s.until("both have it", func() bool { return all[0].p.hasMap && all[1].p.hasMap })
}

func TestRefusedMapData(t *testing.T) {
	s := downloadStage(t, 1<<20)
	a := s.connect("A")
	a.mapSize, a.unacknowledged = 0, true
	a.say(a.joining(1, testKey))
	s.pass(time.Second)
	a.say(&w3gs.MapTaken{Sender: a.id, Receiver: 1, Size: 5 * w3gs.MaxMapData})
	for i := range 3 {
		s.pass(time.Second)
		a.log = nil
		a.file = a.file[:5*w3gs.MaxMapData]
		a.say(&w3gs.MapRefused{Sender: a.id, Receiver: 1, Bare: i == 1})
		if m := newsOf[*w3gs.MapData](a); len(m) == 0 || m[0].Offset != 5*w3gs.MaxMapData {
			t.Fatalf("refusal %d: %d packets", i, len(m))
		}
	}
	a.say(&w3gs.MapRefused{})
	if !a.closed || a.p.reason != LacksMap {
		t.Errorf("the fourth refusal: closed %t for %s", a.closed, a.p.reason)
	}
}

// A countdown waits for downloads.
func TestNoStartDuringADownload(t *testing.T) {
	s := downloadStage(t, 1<<20)
	a := s.connect("A")
	a.mapSize = 0
	a.say(a.joining(1, testKey))
	s.pass(100 * time.Millisecond)
	if err := s.g.start(); err == nil {
		t.Error("started with half a map")
	}
	// Actions of the lobby that come late do no harm.
	s.until("A has the map", func() bool { return a.p.hasMap })
	s.in(Countdown)
	a.say(&w3gs.MapTaken{Size: 5}, &w3gs.MapRefused{}, &w3gs.MapState{Kind: w3gs.MapHave})
	if a.closed {
		t.Errorf("closed for %s", a.p.reason)
	}
}

func TestLoadMap(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "(2)Echo.w3x")
	if err := os.WriteFile(file, []byte("HM3W map"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := LoadMap(file)
	if err != nil || m.Path != `Maps\Download\(2)Echo.w3x` || m.Size != 8 ||
		m.CRC != crc32.ChecksumIEEE([]byte("HM3W map")) || string(m.Data) != "HM3W map" {
		t.Errorf("%+v, %v", m, err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "readme.txt")
	if err := os.WriteFile(text, []byte("no map"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{empty, text, dir, filepath.Join(dir, "none")} {
		if _, err := LoadMap(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
