package capture

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"

	"sphereserver/packets"
)

// A Verifier decodes frames, encodes them again and compares: the two must be exact inverses.
type Verifier struct {
	Detector *Detector
	Totals   Totals
}

// Totals count the frames of a Verifier. Those without NotWhole are of whole frames alone.
type Totals struct {
	Frames  int // whole ones
	Decoded int // to their end, without an error
	Exact   int // encoded again to the same bytes
	// UnknownBits have no known meaning, whether or not the frame could be read to its end.
	UnknownBits     int
	UnknownCommands int

	NotWhole, NotWholeDecoded, NotWholeExact int

	// Unreadable counts errors of the file: rows without a frame, missing bytes.
	Unreadable int
}

// Summary returns the lines that stand at the end of a check. The last one has a fixed form.
func (t Totals) Summary() string {
	return fmt.Sprintf("not whole %d, decoded %d, exact %d\nunknown commands %d\n"+
		"frames %d, decoded %d, exact %d, unknown bits %d\n",
		t.NotWhole, t.NotWholeDecoded, t.NotWholeExact, t.UnknownCommands, t.Frames, t.Decoded, t.Exact, t.UnknownBits)
}

// AppendJSON appends the totals as one JSON object.
func (t Totals) AppendJSON(dst []byte) []byte {
	return appendJSON(dst, object{{"frames", t.Frames}, {"decoded", t.Decoded}, {"exact", t.Exact},
		{"unknown_bits", t.UnknownBits},
		{"unknown_commands", t.UnknownCommands}, {"not_whole", t.NotWhole}, {"not_whole_decoded", t.NotWholeDecoded},
		{"not_whole_exact", t.NotWholeExact}, {"unreadable", t.Unreadable}})
}

// A Kind says how much a finding matters.
type Kind string

// The kinds of findings.
const (
	Inexact   Kind = "inexact"   // encoding does not give back the bytes
	Undecoded Kind = "undecoded" // the frame cannot be read to its end; the rest of it was kept
	Unknown   Kind = "unknown"   // bits without a known meaning
	Note      Kind = "note"      // the file contradicts itself
)

// A Finding is one thing that a check has found about one frame.
type Finding struct {
	Kind   Kind
	Reason string
}

// Check verifies one frame. The reading is the one that was compared.
func (v *Verifier) Check(rec Recorded) (Reading, []Finding) {
	r := v.Detector.Read(rec)
	var out []Finding
	find := func(k Kind, format string, args ...any) { out = append(out, Finding{k, fmt.Sprintf(format, args...)}) }

	frames, decoded, exact := &v.Totals.Frames, &v.Totals.Decoded, &v.Totals.Exact
	if !rec.Whole {
		frames, decoded, exact = &v.Totals.NotWhole, &v.Totals.NotWholeDecoded, &v.Totals.NotWholeExact
	}
	*frames++
	if rec.Whole {
		v.Totals.UnknownBits += r.UnknownBits
		v.Totals.UnknownCommands += r.UnknownCommands
	}
	switch {
	case r.Err != nil:
		find(Undecoded, "%v (%d bits of it unknown)", r.Err, r.UnknownBits)
	default:
		*decoded++
		if what := unknownWords(&r); what != "" {
			find(Unknown, "%s", what)
		}
	}
	if err := r.roundTrip(); err != nil {
		find(Inexact, "%v", err)
	} else {
		*exact++
	}
	for _, note := range r.contradictions() {
		find(Note, "%s", note)
	}
	return r, out
}

// unknownWords says where the unknown bits are, and nothing where there are none.
func unknownWords(r *Reading) string {
	if _, ok := r.Frame.Control.(*packets.UnknownControl); ok {
		return fmt.Sprintf("%d unknown bits on %s", r.UnknownBits, r.Frame.Channel)
	}
	if r.UnknownBits == 0 {
		return ""
	}
	for _, s := range r.Frame.Body.Sections {
		for _, region := range s.Regions {
			switch m := region.(type) {
			case *packets.UnknownRegion:
				return fmt.Sprintf("%d unknown bits: region %d of %s %s has no known layout", r.UnknownBits, m.Number,
					ClassName(s.Class), s.Object)
			case *packets.AreaUse:
				return fmt.Sprintf("%d unknown bits behind the targets of %s %s", r.UnknownBits, ClassName(s.Class), s.Object)
			}
		}
	}
	return fmt.Sprintf("%d unknown bits after the last object", r.UnknownBits)
}

// roundTrip encodes the frame and compares it with the recorded one, in the same form.
func (r *Reading) roundTrip() error {
	if r.Frame == nil {
		return fmt.Errorf("nothing to encode: %w", r.Err)
	}
	back, err := r.Frame.Append(nil, r.Dialect)
	if err != nil {
		return err
	}
	if at := firstDifference(back, r.Decoded); at >= 0 {
		return fmt.Errorf("bit %d differs, in %s", at, regionAt(r.Frame, r.Dialect, at))
	}
	if !r.Whole || r.Direction != packets.FromClient {
		return nil // of frames that are not whole the bytes after their header were compared, which is all they have
	}
	wire := r.Wire
	if r.form == misclassified {
		wire = r.Recorded.Plain
	}
	if !r.Obfuscated || len(wire) == 0 || r.form == asPlain && !bytes.Equal(deobfuscated(wire), r.Decoded) {
		return nil // travelled in clear, or the file contradicts itself, which is a note
	}
	if at := firstDifference(obfuscated(back), wire); at >= 0 {
		return fmt.Errorf("obfuscated again, bit %d differs from the wire", at)
	}
	return nil
}

// contradictions are notes about a file that says two things of one frame.
func (r *Reading) contradictions() []string {
	var out []string
	switch r.form {
	case wireDeobfuscated, wireInClear:
		if len(r.Recorded.Plain) > 0 {
			out = append(out, "the plain form reads worse than the wire form, which was taken")
		}
	case misclassified:
		out = append(out, "the plain form is obfuscated")
	case asPlain:
		wire, plain := r.Wire, r.Recorded.Plain
		if len(wire) > 0 && !bytes.Equal(wire, plain) && (r.Direction != packets.FromClient ||
			!bytes.Equal(deobfuscated(wire), plain)) {
			out = append(out, "the wire form is not that of the plain one")
		}
	}
	if r.Frame != nil && r.Direction == packets.FromClient {
		if c := checksumOf(r); c.known && !c.ok() {
			out = append(out, fmt.Sprintf("checksum 0x%04X, expected 0x%04X with key 0x%04X", c.have, c.want, c.key))
		}
	}
	return out
}

// firstDifference returns the first bit that differs, lowest first in each byte, or -1.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if x := a[i] ^ b[i]; x != 0 {
			return i*8 + bits.TrailingZeros8(x)
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b)) * 8
	}
	return -1
}

// regionAt names the part that a bit of an encoded frame belongs to.
func regionAt(f *packets.Frame, d packets.Dialect, bit int) string {
	if bit < ways[f.Direction].header*8 || f.Body == nil {
		return "the frame's header"
	}
	left, _ := slices.BinarySearch(f.Ends(d), bit+1) // how many parts of the body end before the bit
	if left == 0 {
		return "the body's header"
	}
	for _, s := range f.Body.Sections {
		for _, region := range s.Regions {
			if left--; left > 0 {
				continue
			}
			name := packets.Name(region)
			if command, ok := packets.CommandOf(region); ok {
				name += " " + packets.Name(command)
			}
			return fmt.Sprintf("%s of %s %s", name, ClassName(s.Class), s.Object)
		}
	}
	return "what follows the last object"
}

// AppendFindingJSON appends a finding as one JSON object.
func AppendFindingJSON(dst []byte, r *Recorded, f Finding) []byte {
	return appendJSON(dst, append(place(r), member{"kind", string(f.Kind)}, member{"reason", f.Reason}))
}
