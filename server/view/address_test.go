package view

import (
	"bytes"
	"log/slog"
	"testing"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
)

// A frame with a patched id is the same as one encoded with that id, with an origin or without.
func TestReaddressedFramesAreAsEncoded(t *testing.T) {
	at := coords.Position{X: 2614.25, Y: -157.8, Z: 1293.5, Yaw: 1}
	origin, update := packets.MoveTo(at)
	bodies := map[string]func(id packets.ObjectID, clock uint16) *packets.Body{
		"place": func(id packets.ObjectID, clock uint16) *packets.Body {
			return packets.Message(clock, id, 500, lying(at, 1))
		},
		"step": func(id packets.ObjectID, clock uint16) *packets.Body {
			return &packets.Body{HasOrigin: true, Origin: origin, Clock: clock,
				Sections: []packets.Section{{Object: id, Class: 500, Regions: []packets.Region{update}}}}
		},
	}
	encode := func(b *packets.Body) []byte {
		frame, err := packets.AppendServer(nil, b, packets.Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		return frame
	}
	for name, body := range bodies {
		for _, from := range []packets.ObjectID{0, 0x1500, 0xFFFF} {
			for _, to := range []packets.ObjectID{0, 1, 0x1234, 0xBF4E, 0xFFFF} {
				frame := encode(body(from, packets.MaxClock))
				readdress(frame, packets.MaxClock, to)
				if want := encode(body(to, packets.MaxClock)); !bytes.Equal(frame, want) {
					t.Errorf("%s, %v for %v:\n got % X\nwant % X", name, to, from, frame, want)
				}
			}
		}
	}
}

// A deafOwner takes everything.
type deafOwner struct{ bytes int }

func (d *deafOwner) Receive(b *Outbox)       { b.Empty(d) }
func (d *deafOwner) SendBytes(frames []byte) { d.bytes += len(frames) }
func (d *deafOwner) SendBytesSoon(f []byte)  { d.SendBytes(f) }
func (d *deafOwner) Ending() bool            { return false }

// emptyAreaView is a view with clients that each hold an object, by another id each.
func emptyAreaView(clients int, object world.EntityID) (v *View, owners []*deafOwner, ids []world.PlayerID) {
	v = New(Options{Log: slog.New(slog.DiscardHandler), Clock: standing(7)})
	queue := emptied(v)
	for i := range clients {
		owner, id := new(deafOwner), world.PlayerID(packets.FirstPlayerIndex)+world.PlayerID(i)
		c := NewClient(id, "", owner, queue)
		for range i {
			c.IDs.add(IDEntry{Kind: goodsEntry})
		}
		c.IDs.add(IDEntry{Kind: GroundItemEntry, Class: 500, Object: object})
		v.Attach(c)
		owners, ids = append(owners, owner), append(ids, id)
	}
	return v, owners, ids
}

// A dragged object is shown to each client under its own id.
func TestDraggedObjectsAreAddressed(t *testing.T) {
	const object = world.MaxPlayerID + 77
	v, owners, ids := emptyAreaView(5, object)
	v.BeginTick()
	v.Dragged(world.Dragged{Object: object, To: coords.Position{X: 1, Y: 2, Z: 3}, Viewers: ids})
	for i, id := range ids {
		c := v.Client(id)
		known, _ := c.IDs.Object(object)
		f, err := packets.DecodeFrame(c.box.frames, packets.FromServer, 0)
		if err != nil || f.Body.Clock != 7 || f.Body.Sections[0].Object != known.objectID() || known.At.X != 1 {
			t.Errorf("client %d is told of %v at %v, knows it as %v: %v", i, f.Body.Sections[0].Object, known.At,
				known.objectID(), err)
		}
	}
	v.EndTick()
	if owners[0].bytes == 0 || owners[0].bytes != owners[4].bytes {
		t.Errorf("the clients got %d and %d bytes", owners[0].bytes, owners[4].bytes)
	}
}

// BenchmarkSteps measures how much it costs that 30 objects move in sight of 50 clients: 1,500 updates in a tick,
// each with an id of its own. A dragged object is encoded once for all viewers, and the id is put into each copy; a
// walking one is encoded for each viewer, from the place of its own player.
func BenchmarkSteps(b *testing.B) {
	const objects, clients, first = 30, 50, world.MaxPlayerID + 1000
	for name, step := range map[string]func(v *View, object world.EntityID, to coords.Position, viewers []world.PlayerID){
		"once": func(v *View, object world.EntityID, to coords.Position, viewers []world.PlayerID) {
			v.Dragged(world.Dragged{Object: object, To: to, Viewers: viewers})
		},
		"for-each": func(v *View, object world.EntityID, to coords.Position, viewers []world.PlayerID) {
			v.Moved(&world.Moved{ID: object, To: to, Viewers: viewers})
		},
	} {
		b.Run(name, func(b *testing.B) {
			v, owners, ids := emptyAreaView(clients, first)
			for i := range objects {
				for _, id := range ids {
					if c := v.Client(id); i > 0 {
						c.IDs.add(IDEntry{Kind: GroundItemEntry, Class: 500, Object: world.EntityID(first + i)})
					}
					v.Client(id).Standpoint.Set(spot)
					_, _ = v.Client(id).IDs.moveTo(world.EntityID(first+i), spot)
				}
			}
			b.ReportAllocs()
			to := spot
			for b.Loop() {
				v.BeginTick()
				to.X = spot.X + 5 - to.X + spot.X
				for i := range objects {
					step(v, world.EntityID(first+i), to, ids)
				}
				v.EndTick()
			}
			updates := float64(b.N * objects * clients)
			b.ReportMetric(b.Elapsed().Seconds()*1e9/updates, "ns/update")
			b.ReportMetric(float64(owners[1].bytes)*clients/updates, "bytes/update")
			if owners[1].bytes == 0 {
				b.Fatal("nothing was shown")
			}
		})
	}
}
