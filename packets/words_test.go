package packets

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// words returns the meaning of a frame, a line for its header, for each object and for each region. Golden files hold
// the same lines, so that a person can compare them with the documents.
//
//	clock 19776 at 669 4602 931
//	0x6F4F _player
//	  PositionStream Count:4 Values:{0:669 1:4602 2:931 3:0.00048828125}
//
// Fields that are 0 are left out of arrays and of long messages.
func words(f *Frame) []string {
	var out []string
	if f.Direction == FromClient {
		out = append(out, fmt.Sprintf("checksum 0x%04X sequence 0x%04X", f.Header.Checksum, f.Header.Sequence))
	}
	if f.Control != nil {
		return append(out, fmt.Sprintf("%s: %s", f.Channel, wordsOf(f.Control)))
	}
	b := f.Body
	head := fmt.Sprintf("clock %d", b.Clock)
	if b.HasOrigin {
		head += fmt.Sprintf(" at %d %d %d", b.Origin.X, b.Origin.Y, b.Origin.Z)
	}
	out = append(out, head)
	for _, s := range b.Sections {
		out = append(out, fmt.Sprintf("%s %s", s.Object, s.Class))
		for _, r := range s.Regions {
			if c, ok := CommandOf(r); ok {
				out = append(out, "  "+Name(r)+" "+wordsOf(c))
				continue
			}
			out = append(out, "  "+wordsOf(r))
		}
	}
	if b.End {
		out = append(out, "end")
	}
	if b.Tail.Len > 0 {
		out = append(out, fmt.Sprintf("tail %d bits % X", b.Tail.Len, b.Tail.Data))
	}
	if len(b.forms) > 0 {
		var s strings.Builder
		s.WriteString("departs")
		for _, d := range b.forms {
			if d.code == unterminated {
				fmt.Fprintf(&s, " %d:no NUL", d.ordinal)
				continue
			}
			if d.code == terminated {
				fmt.Fprintf(&s, " %d:NUL", d.ordinal)
				continue
			}
			fmt.Fprintf(&s, " %d:%d bits", d.ordinal, 3+varintBits[d.code>>1])
		}
		out = append(out, s.String())
	}
	return out
}

var varintBits = [4]int{3, 7, 14, 31}

func wordsOf(m any) string {
	v := reflect.ValueOf(m).Elem()
	s := Name(m) + fieldWords(v, v.NumField() > 10)
	return s
}

func fieldWords(v reflect.Value, sparse bool) string {
	var s strings.Builder
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case v.Type().Field(i).Anonymous:
			s.WriteString(fieldWords(f, sparse))
		case !sparse || !f.IsZero():
			s.WriteString(" " + v.Type().Field(i).Name + ":" + valueWords(v.Type().Field(i).Name, f))
		}
	}
	return s.String()
}

func valueWords(name string, v reflect.Value) string {
	if s, ok := v.Interface().(fmt.Stringer); ok {
		if t := s.String(); strings.ContainsAny(t, " ") {
			return strconv.Quote(t)
		}
		return s.String()
	}
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		if u := v.Uint(); u > 0xFFFFFF {
			return fmt.Sprintf("0x%08X", u)
		}
	case reflect.Int32:
		if i := v.Int(); name == "Look" && i > 0xFFFFFF {
			return fmt.Sprintf("0x%08X", i)
		}
	case reflect.Slice, reflect.Array:
		return listWords(v)
	case reflect.Struct:
		return "{" + strings.TrimSpace(fieldWords(v, false)) + "}"
	}
	return fmt.Sprint(v.Interface())
}

// listWords shows bytes in hexadecimal, with a text at their beginning, and other lists without their zeros.
func listWords(v reflect.Value) string {
	var parts []string
	if v.Type().Elem().Kind() == reflect.Uint8 && v.Len() != 9 {
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		n := 0
		for n < len(b) && b[n] > ' ' && b[n] < 0x7F {
			n++
		}
		switch {
		case len(b) == 0:
			return "none"
		case n > 2:
			return fmt.Sprintf("%q+%X", b[:n], b[n:])
		}
		return fmt.Sprintf("%X", b)
	}
	for i := range v.Len() {
		if !v.Index(i).IsZero() {
			parts = append(parts, fmt.Sprintf("%d:%s", i, valueWords("", v.Index(i))))
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}
