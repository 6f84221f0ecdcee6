package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A loop is a row that benchmarks of a package measure, which have the reference beside them. Where the bar is about
// our figure, the reference says which part of it is not the monsters', or the blow's.
type loop struct {
	what           string
	pkg            string
	ours, bare     metric
	unit           unit
	atLeast, great limit
	noAllocations  need // for which limits it must allocate nothing
}

// need says for which of its limits a row must hold a condition.
type need int

const (
	needless need = iota
	forGreat
	forBar
)

// A metric is a figure of a benchmark. A figure in ns/op, or in another unit that begins so, becomes seconds.
type metric struct{ benchmark, unit string }

func frameLoop(what, ours, bare string) loop {
	return loop{what + " a frame", "packets", metric{ours, "ns/op"}, metric{bare, "ns/op"}, seconds,
		ratioAtMost(2.0), ratioAtMost(1.3), forGreat}
}

func saveLoop(what, ours, bare string) loop {
	return loop{what + " saved, 32 at once", "data", metric{ours, "rows/s"}, metric{bare, "rows/s"}, perSecond,
		ratioAtLeast(0.6), ratioAtLeast(0.85), needless}
}

func queryLoop(what, name string) loop {
	name = "BenchmarkAnswers/" + name
	return loop{"answers: " + what, "server/query", metric{name, "answers/s"}, metric{name, "echoes/s"}, perSecond,
		ratioAtLeast(0.7), ratioAtLeast(0.9), needless}
}

// loops are the rows of the bars that need no process of their own.
var loops = map[string][]loop{
	"P7": {
		frameLoop("encode", "BenchmarkEnterWorld/encode", "BenchmarkEnterWorld/encode-bare"),
		frameLoop("decode", "BenchmarkEnterWorld/decode", "BenchmarkEnterWorld/decode-bare"),
	},
	"P8": {
		saveLoop("characters", "BenchmarkSaveCharacters/batch", "BenchmarkBareBatch/characters"),
		saveLoop("live states", "BenchmarkSaveLive", "BenchmarkBareBatch/live"),
	},
	"P13": {{"99th percentile of the ticks, 5,000 monsters chasing 1,000 players at 20 Hz", "world",
		metric{"BenchmarkMonsters", "ns-p99"}, metric{"BenchmarkMonsters", "ns-p99-without"}, seconds,
		figureAtMost(0.015, seconds), figureAtMost(0.008, seconds), needless}},
	"P14": {{"what 20,000 monsters asleep add to a tick, beside what 5,000 awake add", "world",
		metric{"BenchmarkMonstersAsleep", "ns-asleep"}, metric{"BenchmarkMonstersAsleep", "ns-awake"}, seconds,
		ratioAtMost(0.01), ratioAtMost(0.005), needless}},
	"P15": {{"a blow before 20 others, from the request to all events", "world",
		metric{"BenchmarkBlow/before20", "ns/op"}, metric{"BenchmarkBlow/none", "ns/op"}, seconds,
		figureAtMost(5e-6, seconds), figureAtMost(3e-6, seconds), forBar}, {
		"the same, from the client's bytes to the frames of all", "server/game",
		metric{"BenchmarkBlow/before20", "ns/op"}, metric{"BenchmarkBlow/none", "ns/op"}, seconds,
		figureAtMost(5e-6, seconds), figureAtMost(3e-6, seconds), forBar}},
	"P16": {{"height of a known place", "world/ground",
		metric{"BenchmarkHeightKnown/ours", "ns/height"}, metric{"BenchmarkHeightKnown/map", "ns/height"}, seconds,
		figureAtMost(50e-9, seconds), figureAtMost(30e-9, seconds), forGreat}},
	"P17": {{"99th percentile of the ticks, the same chase on an imported ground", "world",
		metric{"BenchmarkMonstersOnLand", "ns-p99"}, metric{"BenchmarkMonstersOnLand", "ns-p99-learned"}, seconds,
		figureAtMost(0.015, seconds), figureAtMost(0.008, seconds), needless}},
	"P18": {{"height of a place of an imported ground", "data/landscape",
		metric{"BenchmarkHeight/ours", "ns/height"}, metric{"BenchmarkHeight/square", "ns/height"}, seconds,
		figureAtMost(50e-9, seconds), figureAtMost(30e-9, seconds), forGreat}},
	"P19": {{"a way of 36 m around a lake of an imported ground", "data/landscape",
		metric{"BenchmarkWay/around", "ns/op"}, metric{"BenchmarkWay/straight", "ns/op"}, seconds,
		figureAtMost(200e-6, seconds), figureAtMost(50e-6, seconds), forGreat}},
	"P20": {{"a tile of the map, of 256 m, drawn", "data/relief",
		metric{"BenchmarkDrawTile/zoom0", "ns/op"}, metric{"BenchmarkDrawTile/png", "ns/op"}, seconds,
		figureAtMost(0.1, seconds), figureAtMost(0.03, seconds), needless}},
	"P22": {{"99th percentile of the ticks, 1,000 players in an instance each", "world",
		metric{"BenchmarkInstances", "ns-p99"}, metric{"BenchmarkInstances", "ns-p99-open"}, seconds,
		figureAtMost(0.015, seconds), figureAtMost(0.008, seconds), needless}, {
		"the same, 500 players in dungeons of their missions", "world",
		metric{"BenchmarkMissions", "ns-p99"}, metric{"BenchmarkMissions", "ns-p99-without"}, seconds,
		figureAtMost(0.015, seconds), figureAtMost(0.008, seconds), needless}},
	"P10": {
		queryLoop("All-Seeing Eye, EYE1", "EYE1"),
		queryLoop("Minecraft Query, handshake", "handshake"),
		queryLoop("Minecraft Query, basic", "basic"),
		queryLoop("Minecraft Query, full", "full"),
		queryLoop("Warcraft III, search", "search"),
	},
}

// loopNotes are the notes below the rows.
var loopNotes = map[string]string{
	"P7":  "the frame with which a character enters the world, beside a loop that moves the same bits",
	"P8":  "4,000 characters, 100 rows in each call and in each commit of the reference, synchronous FULL",
	"P13": "the reference is the same world without monsters, in turns with ours",
	"P14": "the medians of the ticks of three worlds in turns, with 1,000 players each",
	"P15": "in a tick of its own; the reference is one without a blow; frames go to 21 sessions, whose connections keep them",
	"P16": "4,096 places; the reference is a bare map of squares",
	"P17": "the reference is the chase of P13 over ground that is learned, in turns with ours",
	"P18": "4,096 places; the reference is a bare square of heights",
	"P19": "the reference is the look that a straight way of that length takes",
	"P20": "hills, a lake, contours and a path; the reference is to make a PNG of it alone",
	"P22": "the references are the same players in the open, and without missions, in turns with ours",
	"P10": "1,000 players in the world, 4 sockets with 16 requests under way on each; servers and clients in one process",
}

// measureLoops is P7, how long it takes to encode and to decode a frame; P8, how many rows a second get to the disk
// through the store, when many ask for it at once; P10, how many queries a second are answered by a server without
// limits; P13 to P19, the cost of monsters, blows and the ground; P20, the cost of a tile of the map; and P22, that
// of instances.
func measureLoops(ctx context.Context, b *bench) error {
	for _, l := range loops[b.now] {
		program, dir, err := b.benchmarks(ctx, l.pkg)
		if err != nil {
			return err
		}
		var turn, ours figures
		side := func(m metric, again bool) measurement {
			return func() (float64, error) {
				if again {
					if turn, err = b.benchmark(ctx, program, dir, m.benchmark); err != nil {
						return 0, err
					}
				}
				if m == l.ours {
					ours = turn
				}
				v := turn[m.unit]
				if v == 0 {
					return 0, fmt.Errorf("%s tells no %s", m.benchmark, m.unit)
				}
				if strings.HasPrefix(m.unit, "ns") {
					v /= 1e9
				}
				return v, nil
			}
		}
		r, err := b.measure(l.what, l.unit, l.atLeast, l.great, side(l.ours, true),
			side(l.bare, l.bare.benchmark != l.ours.benchmark))
		if err != nil {
			return err
		}
		if size := ours["bytes"]; size > 0 {
			r.What += fmt.Sprintf(", %s bytes", thousands(int(size)))
		}
		if l.noAllocations != needless {
			r.Also = &condition{"no allocations", ours["allocs/op"] == 0, l.noAllocations == forBar}
			r.note("%s: %.0f allocations", l.what, ours["allocs/op"])
		}
	}
	b.rows[0].note("%s", loopNotes[b.now])
	return nil
}

// benchmarks builds the benchmarks of a package.
func (b *bench) benchmarks(ctx context.Context, pkg string) (program, dir string, err error) {
	if program, err = b.built(ctx, filepath.Base(pkg)+".test", "test", "-c", "sphereserver/"+pkg); err != nil {
		return "", "", err
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", "sphereserver/"+pkg).Output()
	return program, strings.TrimSpace(string(out)), err
}

// figures are the figures of a benchmark, by unit.
type figures map[string]float64

// benchmark runs one benchmark for a while.
func (b *bench) benchmark(ctx context.Context, program, dir, name string) (figures, error) {
	pattern := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	c := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", pattern, "-test.benchmem",
		"-test.benchtime", (b.sizes.window / 4).Round(time.Millisecond).String())
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+b.dir)
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, out)
	}
	f := readFigures(out, name)
	if len(f) == 0 {
		return nil, fmt.Errorf("%s tells nothing: %s", name, out)
	}
	return f, nil
}

// readFigures reads the output of package testing for a benchmark.
func readFigures(out []byte, name string) figures {
	f := figures{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 {
			continue
		}
		processors, ok := strings.CutPrefix(fields[0], name)
		if _, err := strconv.Atoi(processors); !ok || processors != "" && err != nil {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				f[fields[i+1]] = v
			}
		}
	}
	return f
}
