package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
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
		return fault(wrong.Field, wrongKindText, wrong.Type.String(), wrong.Value)
	case err != nil:
		why := strings.TrimPrefix(err.Error(), "json: ")
		if name, unknown := strings.CutPrefix(why, "unknown field "); unknown {
			return fault(strings.Trim(name, `"`), unknownFieldText)
		}
		return errMalformed.with(why)
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
