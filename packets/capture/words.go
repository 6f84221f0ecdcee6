package capture

import (
	"fmt"
	"strings"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Words puts a reading into words: a line about the frame, one for each object, and one for each message about it. All
// text of the wire is quoted, and nothing in it reaches a terminal as a control character.
func Words(r *Reading) string {
	var w wordWriter
	w.frame(r)
	if r.Err != nil {
		w.line(1, "UNREADABLE "+Clean(r.Err.Error()))
	}
	if r.Frame == nil {
		w.line(1, "bytes "+showBytes(r.Bytes()))
		return w.out.String()
	}
	if r.Frame.Control != nil {
		w.control(r.Frame.Control)
	}
	if r.Frame.Body != nil {
		w.body(r.Frame.Body, r.Frame.Direction)
	}
	return w.out.String()
}

// Heading is the line that says where a frame comes from, and the notes about it.
func Heading(r *Reading) string {
	parts := []string{"# " + r.Position()}
	if r.Connection > 0 {
		from, to := r.Client, r.Server
		if r.Direction == packets.FromServer {
			from, to = to, from
		}
		parts = append(parts, fmt.Sprintf("connection %d", r.Connection), Clean(from)+" > "+Clean(to))
	}
	for _, s := range []string{r.Topic, r.Time} {
		if s != "" {
			parts = append(parts, Clean(s))
		}
	}
	if r.Label != "" {
		parts = append(parts, "“"+Clean(r.Label)+"”")
	}
	return strings.Join(parts, "  ")
}

// lineWidth is where lines are broken, between fields.
const lineWidth = 120

type wordWriter struct{ out strings.Builder }

// line writes parts, two spaces apart; parts that do not fit go on in further lines.
func (w *wordWriter) line(level int, parts ...string) {
	indent := strings.Repeat("  ", level)
	width := 0
	for i, p := range parts {
		n := len([]rune(p))
		switch {
		case i == 0:
			w.out.WriteString(indent + p)
			width = len(indent) + n
		case width+2+n > lineWidth:
			w.out.WriteString("\n" + indent + "    " + p)
			width = len(indent) + 4 + n
		default:
			w.out.WriteString("  " + p)
			width += 2 + n
		}
	}
	w.out.WriteByte('\n')
}

func (w *wordWriter) frame(r *Reading) {
	parts := []string{r.Direction.String() + fmt.Sprintf(" %d bytes", len(r.Bytes()))}
	f := r.Frame
	switch {
	case r.Bare:
		parts = append(parts, "a body without its header")
	case !r.Whole:
		parts = append(parts, "NOT WHOLE: "+lengthField(r))
	}
	if f != nil {
		parts = append(parts, f.Channel.String())
		if f.Direction == packets.FromClient && !r.Bare {
			parts = append(parts, fmt.Sprintf("seq 0x%04X", f.Header.Sequence), checksumWords(r))
		}
		if r.Obfuscated {
			parts = append(parts, "obfuscated")
		}
		if f.Reserved != 0 {
			parts = append(parts, fmt.Sprintf("reserved 0x%02X", f.Reserved))
		}
		if b := f.Body; b != nil {
			parts = append(parts, fmt.Sprintf("clock %d", b.Clock))
			if b.HasOrigin {
				parts = append(parts, fmt.Sprintf("origin %d %d %d", b.Origin.X, b.Origin.Y, b.Origin.Z))
			}
		}
		if r.Decisive {
			parts = append(parts, "dialect "+r.Dialect.String())
		}
	}
	w.line(0, parts...)
}

// lengthField names the fault of the length field.
func lengthField(r *Reading) string {
	b := r.Bytes()
	if len(b) < 2 {
		return "no length field"
	}
	return fmt.Sprintf("the length field says %d", int(b[0])|int(b[1])<<8)
}

// A checksum is the known facts about the checksum of a client frame.
type checksum struct {
	have, want uint16
	key        uint16
	known      bool // the key is
}

func (c checksum) ok() bool { return c.have == c.want }

// checksumOf compares the checksum with the one that the key gives.
func checksumOf(r *Reading) checksum {
	c := checksum{have: r.Frame.Header.Checksum}
	if r.Key == nil || r.Bare {
		return c
	}
	c.key, c.known = *r.Key, true
	wire := r.Wire
	if len(wire) == 0 {
		// The file keeps the plain form alone, but the sum is over the bytes that travelled: obfuscated, or in clear.
		wire = obfuscated(r.Decoded)
		if c.want = packets.Checksum(wire, c.key); c.ok() {
			return c
		}
		wire = r.Decoded
	}
	c.want = packets.Checksum(wire, c.key)
	return c
}

func checksumWords(r *Reading) string {
	c := checksumOf(r)
	switch {
	case !c.known:
		return fmt.Sprintf("checksum 0x%04X", c.have)
	case c.ok():
		return fmt.Sprintf("checksum 0x%04X ok (key 0x%04X)", c.have, c.key)
	}
	return fmt.Sprintf("checksum 0x%04X WRONG, expected 0x%04X (key 0x%04X)", c.have, c.want, c.key)
}

func (w *wordWriter) control(c packets.Control) {
	if u, ok := c.(*packets.UnknownControl); ok {
		w.line(1, fmt.Sprintf("UNKNOWN %d bytes", len(u.Data)), showBytes(u.Data))
		return
	}
	w.line(1, messageWords(packets.Name(c), c, packets.ClassNone, coords.Origin{})...)
}

func (w *wordWriter) body(b *packets.Body, dir packets.Direction) {
	for _, s := range b.Sections {
		if s.Class == packets.ClassNone && len(s.Regions) == 0 {
			w.line(1, "removal of "+s.Object.String())
			continue
		}
		w.line(1, ClassName(s.Class)+" "+s.Object.String())
		for _, region := range s.Regions {
			w.line(2, regionWords(region, dir, s.Class, b.Origin)...)
		}
	}
	if b.Tail.Len > 0 {
		w.line(1, fmt.Sprintf("UNKNOWN %d bits after the last object", b.Tail.Len), showBytes(b.Tail.Data))
	}
}

// ClassName is a class's name for people. They need not know which scripts of the client begin with a low line.
func ClassName(c packets.Class) string { return strings.TrimPrefix(c.String(), "_") }

// MessageWords puts one message of a server's body about an object of a class into a line of words. Origin is that of
// the body.
func MessageWords(r packets.Region, about packets.Class, origin coords.Origin) string {
	return strings.Join(regionWords(r, packets.FromServer, about, origin), "  ")
}

// ControlWords puts the content of a frame of another channel than gameplay into a line of words.
func ControlWords(c packets.Control) string {
	return strings.Join(messageWords(packets.Name(c), c, packets.ClassNone, coords.Origin{}), "  ")
}

func regionWords(region packets.Region, dir packets.Direction, about packets.Class, origin coords.Origin) []string {
	if u, ok := region.(*packets.UnknownRegion); ok {
		return []string{fmt.Sprintf("UNKNOWN region %d, %d bits", u.Number, u.Data.Len), showBytes(u.Data.Data)}
	}
	command, ok := packets.CommandOf(region)
	if !ok {
		return messageWords(packets.Name(region), region, about, origin)
	}
	if swap, number, ok := packets.SwapOf(region, dir); ok {
		return messageWords(fmt.Sprintf("%s %s by command %d", packets.Name(region), packets.Name(swap), number), swap,
			about, origin)
	}
	if u, ok := command.(*packets.UnknownCommand); ok {
		return []string{fmt.Sprintf("%s UNKNOWN command %d, %d bytes", packets.Name(region), u.Number, len(u.Data)),
			showBytes(u.Data)}
	}
	return messageWords(packets.Name(region)+" "+packets.Name(command), command, about, origin)
}

func messageWords(name string, message any, about packets.Class, origin coords.Origin) []string {
	parts := []string{name}
	for _, f := range fieldsOf(message, about, origin) {
		if f.words != "" {
			parts = append(parts, FieldName(f.name)+" "+f.words)
		}
	}
	return parts
}
