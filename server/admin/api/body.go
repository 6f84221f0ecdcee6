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
)

// A checked body says what is wrong with its values.
type checked interface {
	check(f *fieldErrors)
}

var (
	tooLargeText   = text{"Запрос больше %d байт.", "The request has more than %d bytes."}
	endedEarlyText = text{"Запрос оборвался или пришёл слишком медленно.",
		"The request ended early or came too slowly."}
	wrongTypeText    = text{"Нужен Content-Type: application/json.", "Expected Content-Type: application/json."}
	noJSONText       = text{"Ожидался один объект JSON: %s", "Expected one object of JSON: %s"}
	wrongKindText    = text{"Ожидалось другое: %s, а не %s.", "Expected %s, found %s."}
	unknownFieldText = text{"Такого поля здесь нет.", "There is no such field here."}
	missingText      = text{"Это поле обязательно.", "This field is required."}
	controlText      = text{"Без управляющих символов и переводов строк.",
		"Expected no control characters and no line breaks."}
	longText  = text{"Не больше %d символов.", "Expected at most %d characters."}
	rangeText = text{"Нужно число от %d до %d.", "Expected a number from %d to %d."}
)

// readBody reads the JSON of a request. v is a pointer to a struct, all fields of which may be missing.
func readBody(w http.ResponseWriter, r *http.Request, v any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "content-type", wrongTypeText)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return refuse(http.StatusRequestEntityTooLarge, "too-large", tooLargeText, maxBody)
	case err != nil:
		return refuse(http.StatusRequestTimeout, "ended-early", endedEarlyText)
	}
	return parseBody(raw, v)
}

// parseBody reads JSON strictly: one object, no fields that v does not have, valid UTF-8.
func parseBody(raw []byte, v any) error {
	malformed := func(why string) error { return refuse(http.StatusBadRequest, "malformed", noJSONText, why) }
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	if !utf8.Valid(raw) {
		return malformed("UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var f fieldErrors
	var wrong *json.UnmarshalTypeError
	switch err := d.Decode(v); {
	case errors.As(err, &wrong) && wrong.Field != "":
		f.add(wrong.Field, wrongKindText, wrong.Type.String(), wrong.Value)
		return f.err()
	case err != nil:
		if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			f.add(strings.Trim(name, `"`), unknownFieldText)
			return f.err()
		}
		return malformed(strings.TrimPrefix(err.Error(), "json: "))
	}
	if trimmed := bytes.TrimSpace(raw); trimmed[0] != '{' {
		return malformed("{…}")
	}
	if _, err := d.Token(); err != io.EOF {
		return malformed("}")
	}
	if c, ok := v.(checked); ok {
		c.check(&f)
	}
	return f.err()
}

// line checks a text of one line.
func (f *fieldErrors) line(field, value string, most int, required bool) {
	switch {
	case required && strings.TrimSpace(value) == "":
		f.add(field, missingText)
	case utf8.RuneCountInString(value) > most:
		f.add(field, longText, most)
	case strings.ContainsFunc(value, unicode.IsControl):
		f.add(field, controlText)
	}
}

// within checks a number.
func (f *fieldErrors) within(field string, value, least, most int) {
	if value < least || value > most {
		f.add(field, rangeText, least, most)
	}
}
