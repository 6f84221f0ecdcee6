// Package compare tells the differences between expected and received messages of a server: field by field of any two
// values of one type, and places as far as they travel exactly.
package compare

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"sphereserver/coords"
)

// A Change is a field that differs. The values are as people read them.
type Change struct{ Field, Was, Now string }

// A Field names a field of a struct.
type Field struct {
	In   reflect.Type
	Name string
}

// FieldOf names a field of a type.
func FieldOf[T any](name string) Field { return Field{reflect.TypeFor[T](), name} }

// How far apart two numbers may be that are the same, and two places: those travel in steps of 0.015 m within a metre
// of their origin, and of twice as much within the next; steps of less than 0.01 m are not told.
// Source: protocol ingame 6.3.
const (
	near      = 0.001
	nearPlace = 0.05 // metres
)

// SameAxis reports whether two coordinates of a place are the same as far as places travel.
func SameAxis(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= nearPlace }

// SamePlace reports whether two places are the same as far as places travel, with any directions.
func SamePlace(a, b coords.Position) bool {
	return SameAxis(a.X, b.X) && SameAxis(a.Y, b.Y) && SameAxis(a.Z, b.Z)
}

// A Comparer compares values. Its rules may all be nil.
type Comparer struct {
	// Skip says that a field is not compared: it may differ, or differs by as little as it may.
	Skip func(f Field, was, now reflect.Value) bool
	// Same compares values that are not compared by ==, such as translated ids; handled is false for all else.
	Same func(f Field, was, now reflect.Value) (same, handled bool)
	// Show shows the values that Same has compared.
	Show func(was, now reflect.Value) (string, string)
	// Text translates an expected text into the one of now.
	Text func(string) string
	// Name is a field's name for people.
	Name func(string) string
	// Differs is told of each field of a struct in which something differs.
	Differs func(f Field)

	changes []Change
}

// Changes compares two values of one type and returns the differences.
func (c *Comparer) Changes(was, now any) []Change {
	c.changes = nil
	c.values("", Field{}, reflect.ValueOf(was), reflect.ValueOf(now))
	return c.changes
}

func (c *Comparer) differ(field, was, now string) {
	c.changes = append(c.changes, Change{field, was, now})
}

// values compares two values, and their parts.
func (c *Comparer) values(path string, f Field, a, b reflect.Value) {
	if a.Kind() == reflect.Pointer || a.Kind() == reflect.Interface {
		if a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type() {
			if a.IsNil() != b.IsNil() || !a.IsNil() {
				c.differ(path, fmt.Sprint(a), fmt.Sprint(b))
			}
			return
		}
		a, b = a.Elem(), b.Elem()
	}
	if c.Same != nil {
		if same, handled := c.Same(f, a, b); handled {
			if !same {
				was, now := c.Show(a, b)
				c.differ(path, was, now)
			}
			return
		}
	}
	switch a.Kind() {
	case reflect.Struct:
		c.fields(path, a, b)
	case reflect.Slice, reflect.Array:
		c.list(path, f, a, b)
	case reflect.String:
		was := a.String()
		if c.Text != nil {
			was = c.Text(was)
		}
		if was != b.String() {
			c.differ(path, strconv.Quote(was), strconv.Quote(b.String()))
		}
	case reflect.Float32, reflect.Float64:
		if x, y := a.Float(), b.Float(); x != y && !(math.Abs(x-y) <= near) && !(math.IsNaN(x) && math.IsNaN(y)) {
			c.differ(path, Number(x), Number(y))
		}
	default:
		if !a.Equal(b) {
			c.differ(path, fmt.Sprint(a), fmt.Sprint(b))
		}
	}
}

// Number shows a number.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

func (c *Comparer) fields(path string, a, b reflect.Value) {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		f := Field{a.Type(), field.Name}
		if !field.IsExported() || c.Skip != nil && c.Skip(f, a.Field(i), b.Field(i)) {
			continue
		}
		have, inner := len(c.changes), field.Name
		if c.Name != nil {
			inner = c.Name(inner)
		}
		if path != "" && !field.Anonymous {
			inner = path + " " + inner
		}
		c.values(inner, f, a.Field(i), b.Field(i))
		if c.Differs != nil && len(c.changes) > have {
			c.Differs(f)
		}
	}
}

func (c *Comparer) list(path string, f Field, a, b reflect.Value) {
	raw := a.Type().Elem().Kind() == reflect.Uint8
	if a.Len() != b.Len() || raw && fmt.Sprintf("%X", a) != fmt.Sprintf("%X", b) {
		c.differ(path, listText(a, raw), listText(b, raw))
		return
	}
	for i := 0; !raw && i < a.Len(); i++ {
		c.values(fmt.Sprintf("%s %d", path, i), f, a.Index(i), b.Index(i))
	}
}

func listText(v reflect.Value, raw bool) string {
	if raw {
		return fmt.Sprintf("% X", v)
	}
	return fmt.Sprint(v)
}
