package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Commands print JSON in one dialect, also where the interface for programs names fields differently: names in
// snake_case, and a list without elements is [], not null.

// writeJSON writes a value.
func writeJSON(w io.Writer, v any) error {
	var snake, out bytes.Buffer
	if err := snakeJSON(&snake, reflect.ValueOf(v)); err != nil {
		return err
	}
	if err := json.Indent(&out, bytes.TrimSpace(snake.Bytes()), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}

func snakeJSON(b *bytes.Buffer, v reflect.Value) error {
	switch kind := v.Kind(); {
	case kind == reflect.Invalid, (kind == reflect.Pointer || kind == reflect.Interface) && v.IsNil():
		b.WriteString("null")
		return nil
	case writesItself(v):
		return plainJSON(b, v)
	case kind == reflect.Pointer, kind == reflect.Interface:
		return snakeJSON(b, v.Elem())
	case kind == reflect.Struct:
		return snakeStruct(b, v)
	case kind == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8, kind == reflect.Array:
		return list(b, "[]", v.Len(), func(i int) error { return snakeJSON(b, v.Index(i)) })
	case kind == reflect.Map && v.Type().Key().Kind() == reflect.String:
		byKey := map[string]reflect.Value{}
		for key, value := range v.Seq2() {
			byKey[key.String()] = value
		}
		keys := slices.Sorted(maps.Keys(byKey))
		return list(b, "{}", len(keys), func(i int) error { return member(b, keys[i], byKey[keys[i]]) })
	}
	return plainJSON(b, v)
}

// writesItself reports whether a value has a form of its own, as times and roles have.
func writesItself(v reflect.Value) bool {
	switch v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return true
	}
	return false
}

func plainJSON(b *bytes.Buffer, v reflect.Value) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(v.Interface())
}

// list writes n elements between two brackets.
func list(b *bytes.Buffer, brackets string, n int, element func(i int) error) error {
	b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := element(i); err != nil {
			return err
		}
	}
	b.WriteByte(brackets[1])
	return nil
}

func member(b *bytes.Buffer, name string, v reflect.Value) error {
	if err := plainJSON(b, reflect.ValueOf(name)); err != nil {
		return err
	}
	b.WriteByte(':')
	return snakeJSON(b, v)
}

// snakeStruct writes the fields of a struct and of its embedded ones, as package json chooses them.
func snakeStruct(b *bytes.Buffer, v reflect.Value) error {
	var names []string
	var values []reflect.Value
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, err := v.FieldByIndexErr(f.Index)
		if err != nil || !f.IsExported() || name == "-" || f.Anonymous && name == "" || withinNamed(v.Type(), f.Index) ||
			leftOut(value, how) {
			continue // the error is that of an embedded pointer to nothing
		}
		if name == "" {
			name = f.Name
		}
		names, values = append(names, snake(name)), append(values, value)
	}
	return list(b, "{}", len(names), func(i int) error { return member(b, names[i], values[i]) })
}

// withinNamed reports whether a field belongs to an embedded struct that has a name in JSON.
func withinNamed(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ {
		if name, _, _ := strings.Cut(t.FieldByIndex(index[:i]).Tag.Get("json"), ","); name != "" {
			return true
		}
	}
	return false
}

func leftOut(v reflect.Value, how string) bool {
	switch how {
	case "omitzero":
		return v.IsZero()
	case "omitempty":
		switch v.Kind() {
		case reflect.Slice, reflect.Map, reflect.Array:
			return v.Len() == 0
		case reflect.Struct:
			return false
		}
		return v.IsZero()
	}
	return false
}

// snake writes accountsOnline as accounts_online, and maxHP as max_hp.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		begins := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins && runes[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
