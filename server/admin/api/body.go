package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

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
func jsonFault(err error, why string) text {
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
	return both("одно из слов в нём не подходит", why)
}

// kindText is what a field takes.
func kindText(t reflect.Type) text {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
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
	return both(strings.TrimSpace("число "+number), strings.TrimSpace("a number "+number))
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
		return fault(wrong.Field, wrongKindText, kindText(wrong.Type), valueText(wrong.Value))
	case err != nil:
		why := strings.TrimPrefix(err.Error(), "json: ")
		if name, unknown := strings.CutPrefix(why, "unknown field "); unknown {
			return fault(strings.Trim(name, `"`), unknownFieldText)
		}
		return errMalformed.with(jsonFault(err, why))
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
