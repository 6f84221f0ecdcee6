package game

import (
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/transport"
	"sphereserver/server/view"
	"sphereserver/world"
)

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

// BenchmarkWalks is what it costs that 1,000 players walk who see 50 others each: 50,000 updates in a tick.
func BenchmarkWalks(b *testing.B) {
	const players, group = 1000, 50
	s := bareServer()
	l := newLoop(s, immediate{}, s.start)
	var events []world.Event
	conns := make([]deaf, players)
	for i := range players {
		id := world.PlayerID(packets.FirstPlayerIndex) + world.PlayerID(i)
		session := &Session{server: s, loop: l, conn: &conns[i], index: packets.PlayerIndex(id)}
		s.sessions[id].Store(session)
		session.client = view.NewClient(id, "", session, &l.queue)
		s.view.Attach(session.client)
		walk := &world.Moved{ID: world.EntityID(id), To: meadow}
		first := i / group * group
		for j := first; j < first+group; j++ {
			s.view.Appeared(&world.Appeared{Viewer: id, Player: &world.Player{ID: world.PlayerID(packets.FirstPlayerIndex) + world.PlayerID(j)}})
			walk.Viewers = append(walk.Viewers, world.PlayerID(packets.FirstPlayerIndex)+world.PlayerID(j))
		}
		events = append(events, walk)
	}
	s.view.EndTick()
	for i := range conns {
		conns[i].bytes = 0
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Happened(events)
	}
	updates := float64(b.N) * players * group
	b.ReportMetric(b.Elapsed().Seconds()*1e9/updates, "ns/update")
	if conns[0].bytes < group*b.N*23 {
		b.Fatalf("a client got %d bytes", conns[0].bytes)
	}
}

// bareServer is a server with nothing but a view.
func bareServer() *Server {
	s := &Server{options: DefaultOptions(), start: time.Now(), chronicle: newChronicle(nil, nil)}
	s.count = newCounters(&s.metrics)
	s.view = view.New(view.Options{Log: s.options.Log, Clock: s.clock})
	s.chatEncoder.Log, s.chatEncoder.Clock = s.options.Log, s.clock
	return s
}
