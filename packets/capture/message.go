package capture

import (
	"strings"

	"sphereserver/coords"
	"sphereserver/packets"
)

// MessageWords puts one message of a body into a line of words. Origin is that of the body.
func MessageWords(r packets.Region, origin coords.Origin) string {
	return strings.Join(regionWords(r, origin), "  ")
}

// ControlWords puts what a frame of another channel than gameplay carries into a line of words.
func ControlWords(c packets.Control) string {
	return strings.Join(messageWords(packets.Name(c), c, coords.Origin{}), "  ")
}

// ClassName is a class's name for people.
func ClassName(c packets.Class) string { return className(c) }

// FieldName is the name of a field of a message for people: that of MaxHP is "max HP".
func FieldName(name string) string { return spoken(name) }
