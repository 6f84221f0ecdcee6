package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A field is one value of a message, ready to be shown.
type field struct {
	name  string // as the type has it
	words string // for people; a field without words is for programs alone
	value any    // for programs: the argument of appendJSON
	extra string // for programs: the name of a number, if it has one
}

// fieldsOf returns the exported fields of a region, command or control message about an object of a class. Origin is
// that of the body: movements count from it.
func fieldsOf(message any, about packets.Class, origin coords.Origin) []field {
	switch m := message.(type) {
	case *packets.SpawnSnapshot:
		return spawnFields(m, about)
	case *packets.PositionStream:
		return positionFields(m)
	case *packets.TransformUpdate:
		return []field{offset("X", m.X, origin.X), offset("Y", m.Y, origin.Y), offset("Z", m.Z, origin.Z),
			show("Angle", reflect.ValueOf(m.Angle))}
	case *packets.FileCheck:
		return append(padded("Folder", m.Folder[:]), padded("Mask", m.Mask[:])...)
	}
	return structFields(nil, reflect.Indirect(reflect.ValueOf(message)))
}

// positionFields names the values of a position message, and shows no more of the array than was sent.
func positionFields(m *packets.PositionStream) []field {
	n := int(m.Count) & 15
	if n == 0 {
		return []field{show("Count", reflect.ValueOf(m.Count))}
	}
	var out []field
	for i, v := range m.Values[:n] {
		name := "Value" + strconv.Itoa(i)
		if n == 4 {
			name = [...]string{"X", "Y", "Z", "Yaw"}[i]
		}
		out = append(out, show(name, reflect.ValueOf(v)))
	}
	return out
}

// spawnFields names the four numbers of a spawn after their meaning for the class; programs find them by their letters,
// too. Source: protocol ingame 2.3, fight 4.1.
func spawnFields(m *packets.SpawnSnapshot, about packets.Class) []field {
	out := structFields(nil, reflect.ValueOf(m).Elem())
	letters := out[len(out)-4:]
	var names []string
	switch {
	case about.Monster():
		names = []string{"HP", "MaxHP", "Type", "LevelCode"}
	case m.C != 0:
		names = []string{"Durability", "MaxDurability", "GameID", "Suffix"}
	case !about.NPC():
		names = []string{"Durability", "MaxDurability"}
	}
	named := slices.Clone(letters[:len(names)])
	for i, name := range names {
		letters[i].words, named[i].name = "", name
	}
	out = append(out, named...)
	if level, ok := packets.LevelOf(m.D); ok && about.Monster() {
		out = append(out, field{name: "Level", words: strconv.Itoa(level), value: level})
	}
	return out
}

// offset shows where a coded distance from the origin leads, and its code.
func offset(name string, code coords.Rel12, origin int32) field {
	at := code.Decode(origin)
	return field{name: name, words: fmt.Sprintf("%s (%03X)", short(at), uint16(code)),
		value: object{{"at", at}, {"code", uint32(code)}}}
}

// padded shows a text in an array that NULs fill; bytes after the first NUL are shown apart.
func padded(name string, b []byte) []field {
	text, after, _ := bytes.Cut(b, []byte{0})
	s := packets.Decode1251(text)
	out := []field{{name: name, words: strconv.Quote(s), value: s}}
	if after = bytes.TrimRight(after, "\x00"); len(after) > 0 {
		out = append(out, field{name: name + "Rest", words: strconv.Quote(packets.Decode1251(after)), value: hexText(after)})
	}
	return out
}

func structFields(out []field, v reflect.Value) []field {
	if v.Kind() != reflect.Struct {
		return out
	}
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case !f.IsExported():
		case f.Anonymous:
			out = structFields(out, v.Field(i))
		default:
			out = append(out, show(f.Name, v.Field(i)))
		}
	}
	switch m := v.Interface().(type) {
	case packets.ChangeHP:
		out = append(out, hurt(m.Change))
	case packets.ChangeObjectHP:
		out = append(out, hurt(m.Change))
	}
	return out
}

// hurt is a change of HP as people read it: how much is lost, or gained.
func hurt(change uint16) field {
	name, n := "damage", packets.HPBias-int(change)
	if n < 0 {
		name, n = "healing", -n
	}
	return field{name: name, words: strconv.Itoa(n), value: n}
}

// inHex are the numbers that are ids or bit patterns though their type does not say so.
var inHex = map[string]bool{"Source": true, "Caster": true, "Player": true, "Item": true, "Item1": true, "Item2": true,
	"Colour": true,
	"Look":   true, "Key": true, "Map": true}

var placements = map[packets.Placement]string{packets.Plain: "plain", packets.Lying: "lying",
	packets.Contained: "contained"}

// show puts one value into words.
func show(name string, v reflect.Value) field {
	f := field{name: name}
	switch x := v.Interface().(type) {
	case packets.ObjectID:
		f.words, f.value = x.String(), uint32(x)
		return f
	case packets.Placement:
		f.value, f.extra = uint32(x), placements[x]
		f.words = f.extra
		if f.words == "" {
			f.words = strconv.Itoa(int(x))
		}
		return f
	case packets.Bits:
		f.words = fmt.Sprintf("%d bits, %s", x.Len, showBytes(x.Data))
		f.value = object{{"bits", x.Len}, {"data", hexText(x.Data)}}
		return f
	case fmt.Stringer: // Stat, Class, Time
		if v.CanUint() {
			f.words, f.value, f.extra = x.String(), v.Uint(), x.String()
			return f
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		f.words, f.value = map[bool]string{true: "yes", false: "no"}[v.Bool()], v.Bool()
	case reflect.String:
		f.words, f.value = strconv.Quote(v.String()), v.String()
	case reflect.Float32:
		f.words, f.value = short(float32(v.Float())), float32(v.Float())
	case reflect.Array, reflect.Slice:
		f.words, f.value = showList(v)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		f.words, f.value = strconv.FormatInt(v.Int(), 10), v.Int()
		if inHex[name] && v.Int() >= 0 {
			f.words = fmt.Sprintf("0x%08X", v.Int())
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		f.words, f.value = strconv.FormatUint(v.Uint(), 10), v.Uint()
		if inHex[name] || v.Uint() > math.MaxInt32 {
			f.words = fmt.Sprintf("0x%0*X", v.Type().Size()*2, v.Uint())
		}
	default:
		f.words = fmt.Sprintf("%v", v.Interface())
		f.value = f.words
	}
	return f
}

// sparseFrom is the length from which only the values of a list that are not 0 are shown, with their index.
const sparseFrom = 10

func showList(v reflect.Value) (words string, value any) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		return showBytes(b), hexText(b)
	}
	var parts []string
	all := []any{}
	for i := range v.Len() {
		e := show("", v.Index(i))
		all = append(all, e.value)
		switch {
		case v.Len() < sparseFrom:
			parts = append(parts, e.words)
		case !v.Index(i).IsZero():
			parts = append(parts, strconv.Itoa(i)+":"+e.words)
		}
	}
	if len(parts) == 0 {
		return "none", all
	}
	return strings.Join(parts, " "), all
}

// shownBytes is the longest hex that words show.
const shownBytes = 64

func showBytes(b []byte) string {
	switch {
	case len(b) == 0:
		return "none"
	case len(b) > 8 && len(bytes.Trim(b, "\x00")) == 0:
		return fmt.Sprintf("%d zero bytes", len(b))
	case len(b) > shownBytes:
		return fmt.Sprintf("% X … (%d bytes)", b[:shownBytes], len(b))
	}
	return fmt.Sprintf("% X", b)
}

func hexText(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }

// short shows a number with six digits, and none behind the sixth place after the point.
func short(v float32) string {
	f := float64(v)
	a := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return strconv.FormatFloat(f, 'g', -1, 32)
	case a != 0 && (a < 1e-6 || a >= 1e9):
		return strconv.FormatFloat(f, 'g', 3, 32)
	}
	places := 6
	for ; a >= 1 && places > 0; a /= 10 {
		places--
	}
	s := strconv.FormatFloat(f, 'f', places, 32)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// split words of a field's name: MaxHP is max, HP.
func nameWords(name string) []string {
	var out []string
	r := []rune(name)
	for start, i := 0, 1; i <= len(r); i++ {
		// A capital begins a word, but the second and further of an abbreviation do not.
		if i == len(r) || unicode.IsUpper(r[i]) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			out = append(out, string(r[start:i]))
			start = i
		}
	}
	return out
}

// FieldName is the name of a field of a message for people: that of MaxHP is "max HP".
func FieldName(name string) string {
	parts := nameWords(name)
	for i, p := range parts {
		if len(p) < 2 || p != strings.ToUpper(p) {
			parts[i] = strings.ToLower(p)
		}
	}
	return strings.Join(parts, " ")
}

// keyed is a field's name for programs.
func keyed(name string) string { return strings.ToLower(strings.Join(nameWords(name), "_")) }
