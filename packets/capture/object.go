package capture

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// An object is a JSON object with members that keep their order.
type object []member

type member struct {
	name  string
	value any
}

// some is the object with a member more, unless its value is nothing: 0, "", false.
func (o object) some(name string, value any) object {
	if reflect.ValueOf(value).IsZero() {
		return o
	}
	return append(o, member{name, value})
}

// appendJSON appends a value: object, []any, string, bool, float32 or an integer. Numbers that JSON lacks become the
// strings NaN, +Inf and -Inf. Characters that could play with a terminal are escaped.
func appendJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case object:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, m.name), ':')
			dst = appendJSON(dst, m.value)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, e)
		}
		return append(dst, ']')
	case string:
		return appendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case float32:
		f := float64(v)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return appendString(dst, strconv.FormatFloat(f, 'g', -1, 32))
		}
		return strconv.AppendFloat(dst, f, 'g', -1, 32)
	}
	return fmt.Appendf(dst, "%d", value)
}

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case !unicode.IsPrint(r) && r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04X\u%04X`, hi, lo)
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			dst = fmt.Appendf(dst, `\u%04X`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
