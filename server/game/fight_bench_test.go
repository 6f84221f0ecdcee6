package game

import (
	"testing"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// BenchmarkBlow is the second row of bar P15, which cmd/bench prints: one blow from the bytes of the client's request
// to the frames of 21 clients, handed to their connections, in a tick of its own; and such a tick without it.
func BenchmarkBlow(b *testing.B) {
	for _, c := range []struct {
		name    string
		strikes bool
	}{{"before20", true}, {"none", false}} {
		b.Run(c.name, func(b *testing.B) {
			g, all, request := sparring(b, 20)
			bytes := make([]byte, len(request))
			b.ReportAllocs()
			for b.Loop() {
				if c.strikes {
					copy(bytes, request) // it is unmasked where it stands
					all[0].receive(bytes)
				}
				g.server.world.Tick(g.now)
				g.run()
				for i, p := range all {
					if c.strikes && len(p.got) == 0 {
						b.Fatalf("client %d is not told of a blow", i)
					}
					p.got = p.got[:0]
				}
			}
		})
	}
}

// sparring is a player with a sword before a monster of a great many HP, and so many watch. request is the first one's
// blow, which it may repeat at once.
func sparring(b testing.TB, watchers int) (g *stage, all []*possessor, request []byte) {
	g = newStage(b, func(o *Options) {
		sharp(o)
		o.World.Balance.Blow.UseSlack, o.World.Balance.Strength.HP = 0, 1e9
		o.Limits.FramesPerSecond, o.Limits.FramesBurst = 1e9, 1e9
	})
	armed := sword(26)
	all = g.livingTogether(watchers+1, func(n *data.NewCharacter) { n.Items = []rules.Item{armed} })
	p := all[0]
	p.asks(manager(&packets.TakeInHand{Item: p.item(26)}))
	g.beast(5)
	request = p.Frame(b, p.blow(packets.ObjectID(p.foe().ID)), p.dialect)
	for _, p := range all {
		p.got = nil
	}
	return g, all, request
}
