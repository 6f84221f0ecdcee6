package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"sphereserver/packets"
)

// A Detector finds out the facts that a capture does not tell of its frames: the dialect, whether a client
// obfuscated, the direction. It tries all possible readings and takes the one with the fewest unknown bits and
// impossible values, then the fewest errors, then the fewest unknown commands. Where several are as good it stays
// with the facts that the capture has shown so far.
type Detector struct {
	// Dialects are tried, the preferred first.
	Dialects []packets.Dialect
	memory   memory
}

// NewDetector returns a Detector that tries these dialects, and without any both generations of the client: today's is
// preferred until the capture shows the other.
func NewDetector(dialects ...packets.Dialect) *Detector {
	if len(dialects) == 0 {
		dialects = []packets.Dialect{packets.Dialect2026, packets.Dialect2022}
	}
	return &Detector{Dialects: dialects}
}

// A Reading is a recorded frame and its meaning.
type Reading struct {
	Recorded
	Frame   *packets.Frame // nil where not even its header can be read
	Dialect packets.Dialect
	// Decisive says that this frame shows its dialect: the others read it worse.
	Decisive bool
	// Decoded is the whole plain frame that Frame was decoded from. In frames that are not whole the length field is put
	// right, and bare bodies have a header put before them.
	Decoded    []byte
	Obfuscated bool // the frame travelled obfuscated
	Bare       bool // the recorded bytes are a body without its header
	Err        error
	// UnknownBits and UnknownCommands count parts without a known meaning.
	UnknownBits, UnknownCommands int

	form  form
	score score
}

// A score orders readings: the lower the better, and the first difference decides. Penalties come before errors: in the
// wrong dialect or form a frame often ends in one large region without a layout and without an error, while a damaged
// frame in the right one has an error and little else against it.
type score [4]int

// The counts of a score.
const (
	headless        = iota // 1 where not even the header can be read
	penalties              // unknown bits, and faults as bad as some
	failures               // errors of decoding
	unknownCommands        // commands that no known type describes, or one that keeps bytes as they are
)

func (s score) less(t score) bool { return slices.Compare(s[:], t[:]) < 0 }

// Faults as bad as so many unknown bits: no recorded frame has them, nearly every frame read wrongly does.
const (
	penaltyUnknownObject   = 100 // a section of an unknown class, or of an id beyond 16 bits
	penaltyImpossibleValue = 30  // a number that is no place, a text that is none
)

// Read returns the best reading of a recorded frame.
func (g *Detector) Read(rec Recorded) Reading {
	m := &g.memory
	if rec.memory != nil {
		m = rec.memory
	}
	var all []Reading
	for _, c := range candidates(rec, m) {
		for _, d := range g.order(m) {
			all = append(all, c.read(rec, d))
		}
	}
	best := all[0]
	for _, r := range all[1:] {
		if r.score.less(best.score) {
			best = r
		}
	}
	formShown := false
	for _, r := range all {
		same := r.form == best.form && r.Direction == best.Direction && r.Bare == best.Bare
		worse := best.score.less(r.score)
		best.Decisive = best.Decisive || same && worse
		formShown = formShown || r.form != best.form && worse
	}
	if best.Err == nil && best.UnknownBits == 0 {
		if best.Decisive {
			m.dialect, m.hasDialect = best.Dialect, true
		}
		if formShown && (best.form == wireInClear || best.form == wireDeobfuscated) {
			m.form, m.hasForm = best.form, true
		}
	}
	return best
}

// order returns the dialects to try, the one that the capture has shown first.
func (g *Detector) order(m *memory) []packets.Dialect {
	all := slices.Clone(g.Dialects)
	if i := slices.Index(all, m.dialect); m.hasDialect && i > 0 {
		copy(all[1:], g.Dialects[:i])
		all[0] = m.dialect
	}
	return all
}

// A candidate is one way to understand the bytes of a frame.
type candidate struct {
	dir        packets.Direction
	form       form
	obfuscated bool // the frame travelled obfuscated
	bare       bool
	cut        bool   // it ends within its header
	frame      []byte // whole and plain
	filled     []byte // of a frame that ends too soon: with zeros in place of what is missing
}

// candidates returns the ways to understand a frame, the preferred first; at least one.
func candidates(rec Recorded, m *memory) []candidate {
	var out []candidate
	for _, dir := range directions(rec) {
		have := len(out)
		for _, c := range forms(rec, dir, m) {
			if rec.Whole {
				out = append(out, c)
				continue
			}
			if c.cut = rec.cut(c.frame, dir); c.cut {
				out = append(out, c)
				continue
			}
			if !hasHeader(c.frame, dir) {
				body := c
				body.bare, body.frame = true, headed(c.frame, dir)
				out = append(out, body)
			}
			c.filled = filled(c.frame, dir)
			c.frame = patched(c.frame, dir)
			out = append(out, c)
		}
		if len(out) == have { // a record without a byte of frame
			out = append(out, candidate{dir: dir})
		}
	}
	return out
}

// cut reports whether a frame ends within its header: the rest behind whole frames, or fewer bytes than any body has.
// What announces no more bytes than there are is something else.
func (r *Recorded) cut(frame []byte, dir packets.Direction) bool {
	if hasHeader(frame, dir) || len(frame) >= ways[packets.FromClient].header || !r.rest && len(frame) >= minBody {
		return false
	}
	return len(frame) < 2 || int(binary.LittleEndian.Uint16(frame)) > len(frame)
}

// minBody is the length of the shortest body in bytes: a clock and an object without a message, 46 bits.
const minBody = 6

// forms returns the forms in which the bytes of a frame may be, the preferred first.
func forms(rec Recorded, dir packets.Direction, m *memory) []candidate {
	wire, plain := rec.Wire, rec.Plain
	fromClient := dir == packets.FromClient
	var out []candidate
	if len(plain) > 0 {
		out = append(out, candidate{dir: dir, form: asPlain, obfuscated: fromClient && len(wire) > 0 &&
			!bytes.Equal(wire, plain), frame: plain})
	}
	if len(wire) > 0 && !bytes.Equal(wire, plain) {
		out = append(out, candidate{dir: dir, form: wireInClear, frame: wire})
		if clean := deobfuscated(wire); fromClient && !bytes.Equal(clean, wire) {
			out = append(out, candidate{dir: dir, form: wireDeobfuscated, obfuscated: true, frame: clean})
			if last := len(out) - 1; !m.hasForm || m.form != wireInClear {
				out[last-1], out[last] = out[last], out[last-1]
			}
		}
	}
	if clean := deobfuscated(plain); fromClient && !bytes.Equal(clean, plain) {
		out = append(out, candidate{dir: dir, form: misclassified, obfuscated: true, frame: clean})
	}
	return out
}

// deobfuscated returns a client frame in clear, obfuscated as it travels.
func deobfuscated(wire []byte) []byte { return masked(wire, packets.Deobfuscate) }
func obfuscated(plain []byte) []byte  { return masked(plain, packets.Obfuscate) }

func masked(frame []byte, mask func([]byte)) []byte {
	out := bytes.Clone(frame)
	if len(out) >= packets.MinClientFrame && packets.FrameChannel(out, packets.FromClient) == packets.ChannelGameplay {
		mask(out)
	}
	return out
}

// A way is the form of the frames of one direction, in bytes.
type way struct{ min, max, header int }

var ways = map[packets.Direction]way{
	packets.FromServer: {packets.MinServerFrame, packets.MaxServerFrame, 5},
	packets.FromClient: {packets.MinClientFrame, packets.MaxClientFrame, 9},
}

// patched returns a frame with its length field put right.
func patched(frame []byte, dir packets.Direction) []byte {
	if w := ways[dir]; len(frame) < w.min || len(frame) > w.max {
		return frame
	}
	out := bytes.Clone(frame)
	binary.LittleEndian.PutUint16(out, uint16(len(out)))
	return out
}

// filled returns a frame that ends before its length with zeros up to it; nil for any other.
func filled(frame []byte, dir packets.Direction) []byte {
	if len(frame) < 2 {
		return nil
	}
	n := int(binary.LittleEndian.Uint16(frame))
	if n <= len(frame) || n > ways[dir].max {
		return nil
	}
	return append(bytes.Clone(frame), make([]byte, n-len(frame))...)
}

// headed returns a body with a header before it.
func headed(body []byte, dir packets.Direction) []byte {
	n := ways[dir].header
	out := append(make([]byte, n, n+len(body)), body...)
	binary.LittleEndian.PutUint16(out[n-3:], uint16(packets.ChannelGameplay))
	return patched(out, dir)
}

// directions returns the ways that a frame can have travelled: its channel stands at bytes 2 and 3 from the server, at
// 6 and 7 from the client.
func directions(rec Recorded) []packets.Direction {
	both := []packets.Direction{packets.FromServer, packets.FromClient}
	if slices.Contains(both, rec.Direction) {
		return []packets.Direction{rec.Direction}
	}
	without := func(dir packets.Direction) bool { return !hasHeader(rec.Bytes(), dir) }
	if some := slices.DeleteFunc(slices.Clone(both), without); len(some) > 0 {
		return some
	}
	return both
}

// hasHeader reports whether there is a known channel where a header has it.
func hasHeader(frame []byte, dir packets.Direction) bool {
	return len(frame) >= ways[dir].min && knownChannel(frame, dir)
}

func knownChannel(frame []byte, dir packets.Direction) bool {
	switch packets.FrameChannel(frame, dir) {
	case packets.ChannelGameplay, packets.ChannelKeepalive:
		return true
	case packets.ChannelGreeting, packets.ChannelRefused:
		return dir == packets.FromServer
	case packets.ChannelReply, packets.ChannelSentCount:
		return dir == packets.FromClient
	}
	return false
}

var errCut = errors.New("the frame is cut within its header")

// read decodes a candidate.
func (c candidate) read(rec Recorded, d packets.Dialect) Reading {
	r := Reading{Recorded: rec, Dialect: d, Decoded: c.frame, Obfuscated: c.obfuscated, Bare: c.bare, form: c.form}
	r.Direction = c.dir
	if c.cut {
		r.Err, r.score = errCut, score{headless: 1, failures: 1}
		return r
	}
	r.Frame, r.Err = packets.DecodeFrame(c.frame, c.dir, d)
	r.score = r.weigh()
	if c.filled != nil && r.Frame != nil { // what is cut off hides the faults of a wrong dialect
		whole := Reading{Recorded: Recorded{Direction: c.dir}}
		whole.Frame, whole.Err = packets.DecodeFrame(c.filled, c.dir, d)
		for i, n := range whole.weigh() {
			r.score[i] += n
		}
	}
	return r
}

// weigh counts the faults of a reading.
func (r *Reading) weigh() (s score) {
	if r.Err != nil {
		s[failures]++
	}
	if r.Frame == nil {
		return score{headless: 1, failures: s[failures]}
	}
	if u, ok := r.Frame.Control.(*packets.UnknownControl); ok {
		r.UnknownBits = len(u.Data) * 8
		s[penalties] += penaltyUnknownObject
	}
	if r.Frame.Reserved != 0 {
		s[penalties] += penaltyImpossibleValue
	}
	if b := r.Frame.Body; b != nil {
		r.UnknownBits = b.UnknownBits()
		for _, section := range b.Sections {
			if ofUnknownObject(section) {
				s[penalties] += penaltyUnknownObject
			}
			if len(section.Regions) == 0 && r.Direction == packets.FromClient { // only a server removes objects
				s[penalties] += penaltyImpossibleValue
			}
			for _, region := range section.Regions {
				command, _ := packets.CommandOf(region)
				_, _, swap := packets.SwapOf(region, r.Direction)
				if _, unknown := command.(*packets.UnknownCommand); unknown && !swap {
					r.UnknownCommands++
				} else if command != nil && keepsBytes(command) {
					s[unknownCommands]++ // of two meanings, the one with fields
				}
				s[penalties] += penaltyImpossibleValue * impossibleValues(reflect.ValueOf(region))
				if at, ok := region.(*packets.PositionStream); ok && (at.Count > 0) != (r.Direction == packets.FromClient) {
					s[penalties] += penaltyImpossibleValue // clients say where they are, and servers answer without
				}
			}
		}
	}
	s[penalties] += r.UnknownBits
	s[unknownCommands] += r.UnknownCommands
	return s
}

// keepsBytes reports whether a command has bytes without a layout.
func keepsBytes(command packets.Command) bool {
	v := reflect.ValueOf(command).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 {
			return true
		}
	}
	return false
}

// ofUnknownObject reports whether a section is of nothing that is known to exist.
func ofUnknownObject(s packets.Section) bool {
	return s.Object > 0xFFFF || strings.HasPrefix(s.Class.String(), "class ")
}

// impossibleValues counts numbers that are no places and texts that are no texts: the work of a wrong dialect.
func impossibleValues(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return impossibleValues(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += impossibleValues(v.Field(i))
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Float32 {
			for i := range v.Len() {
				n += impossibleValues(v.Index(i))
			}
		}
	case reflect.Float32:
		if f := math.Abs(v.Float()); !(f == 0 || f > 1e-9 && f <= 2*packets.ContainedX) {
			n++
		}
	case reflect.String:
		if strings.ContainsFunc(strings.TrimRight(v.String(), "\x00"), unicode.IsControl) {
			n++
		}
	}
	return n
}
