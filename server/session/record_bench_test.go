package session

import (
	"path/filepath"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/transport"
	"sphereserver/server/view"
)

// BenchmarkPosition is a position message and its answer, while nothing is recorded and while everything is.
func BenchmarkPosition(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(map[bool]string{false: "unrecorded", true: "recorded"}[on], func(b *testing.B) {
			s := bareManager()
			s.options.Limits.FramesPerSecond, s.options.Limits.FramesBurst = 1e12, 1<<40
			l := newLoop(s, immediate{}, s.start)
			index := packets.FirstPlayerIndex
			session := &Session{server: s, player: idler{}, loop: l, conn: &deaf{}, index: index, state: InWorld,
				deobfuscator: packets.NewDeobfuscator(index)}
			frame, err := packets.AppendClient(nil, packets.PingBody(index.ID(), 1, somewhere), packets.Dialect2026,
				packets.GreetingKey, 1)
			if err != nil {
				b.Fatal(err)
			}
			if on {
				path := filepath.Join(b.TempDir(), "all"+recording.Extension)
				r, err := s.StartRecording(ops.RecordingOrder{All: true, Path: path})
				if err != nil {
					b.Fatal(err)
				}
				defer func() {
					if err := r.Stop(); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(r.State().Lost), "lost")
				}()
			}
			for b.Loop() {
				session.traffic(frame)
				l.flush()
			}
		})
	}
}

// BenchmarkRecording measures the work of the writing goroutine for a position message and its answer.
func BenchmarkRecording(b *testing.B) {
	s := bareManager()
	r, err := newRecording(s, ops.RecordingOrder{All: true, Path: filepath.Join(b.TempDir(), "all"+recording.Extension)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.file.Close()
	index := packets.FirstPlayerIndex
	ping, err := packets.AppendClient(nil, packets.PingBody(index.ID(), 1, somewhere), packets.Dialect2026,
		packets.GreetingKey, 1)
	if err != nil {
		b.Fatal(err)
	}
	pong := packets.AppendPong(nil, packets.Ping{Player: index.ID(), Origin: somewhere.Origin()}, 1)
	write := func(k recording.Kind, data []byte, note any) {
		if err := r.write(recorded{Record: recording.Record{Kind: k, Session: 1, Data: data}, note: note}); err != nil {
			b.Fatal(err)
		}
	}
	write(recording.Opened, nil, recording.Session{Index: uint16(index), Key: packets.GreetingKey})
	write(recording.Account, nil, recording.Identity{Login: "a"})
	for b.Loop() {
		write(recording.Client, ping, nil)
		write(recording.Server, pong, nil)
	}
	b.ReportMetric(float64(r.size.n.Load())/float64(b.N), "bytes/op")
}

// bareManager is a manager without sessions.
func bareManager() *Manager {
	return &Manager{options: Options{Settings: DefaultSettings()},
		start: time.Now(), clock: view.NewClock(func() uint64 { return 0 }), count: newSessionCounters(new(measure.Registry)), recordings: recordings{most: recordingBytes}}
}

// An idler is a player that does nothing.
type idler struct{}

func (idler) Recognised(packets.Dialect) {}
func (idler) Owes(int)                   {}
func (idler) Introduce()                 {}
func (idler) Enter()                     {}
func (idler) Moved(coords.Position)      {}
func (idler) Leave() bool                { return false }

// A deaf connection takes everything.
type deaf struct {
	transport.Conn
	bytes int
}

func (d *deaf) Write(p []byte) { d.bytes += len(p) }
func (d *deaf) Pending() int   { return 0 }

// immediate is a loop that does everything at once.
type immediate struct{}

func (immediate) Execute(f func()) error { f(); return nil }

var somewhere = coords.Position{X: 2614, Y: 157, Z: 1293}
