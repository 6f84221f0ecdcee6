package api

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sphereserver/data"
	"sphereserver/data/lazyregexp"
	"sphereserver/server/ops"
)

type fieldErrors struct{ ops.Faults }

func (f *fieldErrors) err() error {
	if f.Faults == nil {
		return nil
	}
	return errorOf(f.Faults)
}

func (f *fieldErrors) line(field, value string, most int, required bool) {
	switch {
	case required && strings.TrimSpace(value) == "":
		f.Add(field, missingText)
	case utf8.RuneCountInString(value) > most:
		f.Add(field, longText, most)
	case strings.ContainsFunc(value, unicode.IsControl):
		f.Add(field, controlText)
	}
}

func (f *fieldErrors) within(field string, value, least, most int) {
	if value < least || value > most {
		f.Add(field, rangeText, least, most)
	}
}

type checked interface {
	check(f *fieldErrors)
}

// readBody reads the JSON of a request, most bytes at the most. v is a pointer to a struct, all fields of which may be
// missing.
func readBody(w http.ResponseWriter, r *http.Request, v any, most int64) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return errContentType
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return errTooLarge.with(most)
	case err != nil:
		return errEndedEarly
	}
	return parseBody(raw, v)
}

// jsonFault tells why a text is not the wanted JSON, without words of package json and of our types.
func jsonFault(err error) text {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return both("он обрывается", "it ends early")
	case errors.As(err, &syntax):
		return both(fmt.Sprintf("ошибка у байта %d", syntax.Offset), fmt.Sprintf("a mistake at byte %d", syntax.Offset))
	case errors.As(err, &kind):
		return both("{…}", "{…}")
	}
	return both("одно из значений в нём не подходит", "one of its values does not fit")
}

// kindText is what a field takes, in the place of a value as package json names it.
func kindText(t reflect.Type, value string) text {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if words := wordsOf(t); words != (text{}) {
		return words
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return both("текст", "a text")
	}
	if whole().MatchString(value) && t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 { // it is out of range
		least, most := "0", strconv.FormatUint(^uint64(0)>>(64-t.Bits()), 10)
		if t.Kind() <= reflect.Int64 {
			least, most = strconv.Itoa(-1<<(t.Bits()-1)), strconv.Itoa(1<<(t.Bits()-1)-1)
		}
		return both("целое число от "+least+" до "+most, "a whole number from "+least+" to "+most)
	}
	switch t.Kind() {
	case reflect.String:
		return both("текст", "a text")
	case reflect.Bool:
		return both("true или false", "true or false")
	case reflect.Float32, reflect.Float64:
		return both("число", "a number")
	case reflect.Slice, reflect.Array:
		return both("список", "a list")
	case reflect.Struct, reflect.Map:
		return both("объект", "an object")
	}
	return both("целое число", "a whole number")
}

// wordsOf is what a field takes of a type that reads its JSON itself, empty for other types.
func wordsOf(t reflect.Type) text {
	switch t {
	case reflect.TypeFor[data.Role]():
		var names []string
		for role := data.Player; role <= data.Administrator; role++ {
			names = append(names, role.String())
		}
		list := strings.Join(names, ", ")
		return both("одно из: "+list, "one of "+list)
	case reflect.TypeFor[time.Time]():
		return both("время в виде "+exampleTime, "a time like "+exampleTime)
	}
	return text{}
}

const exampleTime = "2026-01-02T15:04:05Z"

// refusedField finds a field of an object whose type refuses its value, which package json does not name: its path, its
// type and the value; ok is false when none does.
func refusedField(raw []byte, t reflect.Type) (path string, of reflect.Type, value []byte, ok bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if wordsOf(t) != (text{}) {
		return "", t, raw, json.Unmarshal(raw, reflect.New(t).Interface()) != nil
	}
	var members map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(raw, &members) != nil {
		return "", nil, nil, false
	}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for key, member := range members {
			if field.Anonymous || !field.IsExported() || !strings.EqualFold(key, cmp.Or(name, field.Name)) {
				continue
			}
			if path, of, value, ok = refusedField(member, field.Type); ok {
				return strings.TrimSuffix(cmp.Or(name, field.Name)+"."+path, "."), of, value, true
			}
		}
	}
	return "", nil, nil, false
}

// foundText is a value as a fault repeats it, at most 40 characters of it.
func foundText(value []byte) text {
	var word string
	if json.Unmarshal(value, &word) != nil {
		short := firstRunes(string(value))
		return both(short, short)
	}
	word = firstRunes(word)
	return both("«"+word+"»", strconv.Quote(word))
}

func firstRunes(s string) string {
	shown := []rune(s)
	return string(shown[:min(len(shown), 40)])
}

// whole is a whole number as package json names it in its errors.
var whole = lazyregexp.Of(`^number -?\d+$`)

// short is what a refusal repeats of a request.
func short(of string) string {
	if first := firstRunes(of); first != of {
		return first + "…"
	}
	return of
}

// valueText is what stands there instead, as package json names it: "number", "number 1.5", "string".
func valueText(value string) text {
	kind, number, _ := strings.Cut(value, " ")
	switch kind {
	case "string":
		return both("текст", "a text")
	case "bool":
		return both("true или false", "true or false")
	case "array":
		return both("список", "a list")
	case "object":
		return both("объект", "an object")
	}
	return both(strings.TrimSpace("число "+short(number)), strings.TrimSpace("a number "+short(number)))
}

// parseBody reads JSON strictly: one object, no fields that v does not have, valid UTF-8.
func parseBody(raw []byte, v any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	if !utf8.Valid(raw) {
		return errMalformed.with("UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var wrong *json.UnmarshalTypeError
	switch err := d.Decode(v); {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault(short(wrong.Field), wrongKindText, kindText(wrong.Type, wrong.Value), valueText(wrong.Value))
	case err != nil:
		why := strings.TrimPrefix(err.Error(), "json: ")
		if name, unknown := strings.CutPrefix(why, "unknown field "); unknown {
			return fault(short(strings.Trim(name, `"`)), unknownFieldText)
		}
		if path, of, value, ok := refusedField(raw, reflect.TypeOf(v)); ok {
			return fault(path, wrongKindText, kindText(of, ""), foundText(value))
		}
		return errMalformed.with(jsonFault(err))
	case bytes.TrimSpace(raw)[0] != '{':
		return errMalformed.with("{…}")
	}
	if _, err := d.Token(); err != io.EOF {
		return errMalformed.with("}")
	}
	var f fieldErrors
	if c, ok := v.(checked); ok {
		c.check(&f)
	}
	return f.err()
}
