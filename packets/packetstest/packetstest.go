// Package packetstest reads in tests what a server has sent. Only tests import it.
package packetstest

import (
	"testing"

	"sphereserver/packets"
)

// Frames decodes a stream of whole frames of a server, of which a client has to understand every bit.
func Frames(t testing.TB, stream []byte, d packets.Dialect) (out []*packets.Frame) {
	t.Helper()
	for len(stream) > 0 {
		frame, err := packets.CutFrame(stream, packets.FromServer)
		if err != nil || frame == nil {
			t.Fatalf("the stream is cut wrongly: %v, % X", err, stream)
		}
		f, err := packets.DecodeFrame(frame, packets.FromServer, d)
		if err != nil || f.Body != nil && f.Body.UnknownBits() > 0 {
			t.Fatalf("the client cannot read % X: %v", frame, err)
		}
		out, stream = append(out, f), stream[len(frame):]
	}
	return out
}

// Regions are the regions of one type in frames.
func Regions[R packets.Region](frames []*packets.Frame) (out []R) {
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				if m, ok := r.(R); ok {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// Commands are the commands of one type in frames.
func Commands[C packets.Command](frames []*packets.Frame) (out []C) {
	for _, r := range Regions[packets.Region](frames) {
		if c, ok := packets.CommandOf(r); ok {
			if m, ok := c.(C); ok {
				out = append(out, m)
			}
		}
	}
	return out
}
