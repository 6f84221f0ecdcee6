package view

import (
	"log/slog"
	"testing"

	"sphereserver/packets"
	"sphereserver/world"
)

// A writingOwner gathers frames as a loop does, and takes them.
type writingOwner struct {
	deafOwner
	out []byte
}

func (o *writingOwner) Receive(b *Outbox) {
	o.out = o.out[:0]
	b.Empty(o)
}

func (o *writingOwner) SendBytesSoon(frames []byte) { o.SendBytes(frames) }

func (o *writingOwner) SendBytes(frames []byte) {
	o.out = append(o.out, frames...)
	o.bytes += len(frames)
}

// crowd is a view of so many players, in groups that hold each other.
func crowd(players, group int) (v *View, owners []*writingOwner, ids []world.PlayerID) {
	v = New(Options{Log: slog.New(slog.DiscardHandler), Clock: standing(7)})
	queue := emptied(v)
	for i := range players {
		id := world.PlayerID(packets.FirstPlayerIndex) + world.PlayerID(i)
		owners, ids = append(owners, new(writingOwner)), append(ids, id)
		v.Attach(NewClient(id, "", owners[i], queue))
	}
	for i, id := range ids {
		for j := i / group * group; j < (i/group+1)*group; j++ {
			v.Client(id).hold(ids[j])
		}
	}
	return v, owners, ids
}

// BenchmarkWalks measures how much it costs that 1,000 players walk, each in sight of 50 others: 50,000 updates in a
// tick.
func BenchmarkWalks(b *testing.B) {
	const players, group = 1000, 50
	v, owners, ids := crowd(players, group)
	var events []*world.Moved
	for i, id := range ids {
		first := i / group * group
		events = append(events, &world.Moved{ID: world.EntityID(id), To: spot, Viewers: ids[first : first+group]})
	}
	b.ReportAllocs()
	for b.Loop() {
		v.BeginTick()
		for _, e := range events {
			v.Moved(e)
		}
		v.EndTick()
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/(float64(b.N)*players*group), "ns/update")
	if owners[0].bytes < group*b.N*23 {
		b.Fatalf("a client got %d bytes", owners[0].bytes)
	}
}

// BenchmarkLineToMany: one line to 200 listeners, from the event to their outboxes handed over.
func BenchmarkLineToMany(b *testing.B) {
	const hearers = 200
	for name, on := range map[string]world.Channel{"object": world.Normal, "addressed": world.Party} {
		b.Run(name, func(b *testing.B) {
			v, _, ids := crowd(hearers, hearers)
			encoder := ChatEncoder{Log: v.Log}
			b.ReportAllocs()
			for b.Loop() {
				v.BeginTick()
				frames, addressed := encoder.Encode(v.Now(), "Hero", on,
					`<l="player://Hero">Hero</l>: привет, кто-нибудь идёт в подземелье?`)
				v.ShareOut(ids, frames, addressed)
				v.EndTick()
			}
		})
	}
}
