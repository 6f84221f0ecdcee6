package replay

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/server/bot/compare"
)

// A message is one thing that a server says of one object: a region of a body, the removal of an object, or a frame
// of another channel. Frames are not compared as such: their grouping is an accident of the moment.
type message struct {
	at     time.Duration // since recording or replay began
	object packets.ObjectID
	class  packets.Class
	region packets.Region  // nil for a removal and for a control
	body   any             // a command, a region, a control; nil for a removal
	kind   string          // its name
	origin *coords.Origin  // of the frame, nil for none
	ctl    packets.Control // of another channel than gameplay
}

// messages takes a frame of the server apart. A frame that cannot be read is one message.
func messages(frame []byte, d packets.Dialect, at time.Duration) []*message {
	f, err := packets.DecodeFrame(frame, packets.FromServer, d)
	if err != nil || f.Body != nil && f.Body.UnknownBits() > 0 {
		return []*message{{at: at, kind: "unreadable frame", body: &unreadable{fmt.Sprintf("% X", frame)}}}
	}
	if f.Control != nil {
		return []*message{{at: at, kind: packets.Name(f.Control), body: f.Control, ctl: f.Control}}
	}
	var out []*message
	for i := range f.Body.Sections {
		s := &f.Body.Sections[i]
		if s.Class == packets.ClassNone && len(s.Regions) == 0 {
			out = append(out, &message{at: at, object: s.Object, kind: removal})
			continue
		}
		periodic := isPeriodic(s)
		for _, r := range s.Regions {
			if periodic && isVital(r) {
				continue
			}
			m := &message{at: at, object: s.Object, class: s.Class, region: r, body: r, kind: packets.Name(r)}
			if c, ok := packets.CommandOf(r); ok {
				m.body, m.kind = c, packets.Name(r)+" "+packets.Name(c)
			}
			if f.Body.HasOrigin {
				m.origin = &f.Body.Origin
			}
			out = append(out, m)
		}
	}
	return out
}

const removal = "removal"

type unreadable struct{ Bytes string }

// isPeriodic reports whether a section is the one that tells HP and MP every six seconds.
func isPeriodic(s *packets.Section) bool {
	return slices.ContainsFunc(s.Regions, func(r packets.Region) bool {
		return isRegeneration(r)
	})
}

// isRegeneration knows the effect in both lengths: with HP it has two bytes, with MP one.
func isRegeneration(r packets.Region) bool {
	switch e, _ := packets.CommandOf(r); e := e.(type) {
	case *packets.PlayEffect:
		return e.Effect == packets.RegenerationEffect
	case *packets.PlayEffect8:
		return e.Effect == packets.RegenerationEffect&0xFF
	}
	return false
}

func isVital(r packets.Region) bool {
	m, ok := r.(*packets.SetStat)
	return ok && (m.Stat == packets.StatHP || m.Stat == packets.StatMP) || isRegeneration(r)
}

func (m *message) creates() bool {
	switch m.body.(type) {
	case *packets.SpawnSnapshot, *packets.PlayerSpawn, *packets.ChatLine:
		return true
	}
	return false
}

// places are where objects stand, as far as a client was told.
type places map[packets.ObjectID]coords.Position

// stands notes where an object stands, and reports whether the message only repeats it: it is an accident whether a
// movement follows the spawn of an object that has moved in the same moment.
func (all places) stands(m *message) bool {
	at := func(x, y, z float32, angle coords.Angle8) {
		all[m.object] = coords.Position{X: x, Y: y, Z: z, Yaw: angle.Radians()}
	}
	was, known := all[m.object]
	switch body := m.body.(type) {
	case *packets.SpawnSnapshot:
		at(body.X, body.Y, body.Z, body.Angle)
	case *packets.PlayerSpawn:
		at(body.X, body.Y, body.Z, body.Angle)
	case *packets.TransformState:
		at(body.X, body.Y, body.Z, body.Angle)
	case *packets.TransformUpdate:
		if m.origin == nil {
			break
		}
		at(body.X.Decode(m.origin.X), body.Y.Decode(m.origin.Y), body.Z.Decode(m.origin.Z), body.Angle)
		if now := all[m.object]; known && was.Yaw == now.Yaw && compare.SamePlace(was, now) {
			all[m.object] = was
			return true
		}
	default:
		if m.kind == removal {
			delete(all, m.object)
		}
	}
	return false
}

func (m *message) words() string {
	switch {
	case m.ctl != nil:
		return capture.ControlWords(m.ctl)
	case m.region == nil:
		if u, ok := m.body.(*unreadable); ok {
			return "unreadable frame " + u.Bytes
		}
		return removal
	}
	return capture.MessageWords(m.region, m.class, *cmp.Or(m.origin, new(coords.Origin)))
}
