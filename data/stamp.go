package data

import (
	"database/sql/driver"
	"fmt"
	"math"
	"time"
)

// A stamp stores a time as milliseconds since 1970; the zero time is 0. It serves Scan and Exec alike.
type stamp struct{ t *time.Time }

// Scan reads the form of Value.
func (s stamp) Scan(v any) error {
	ms, err := milliseconds(v)
	*s.t = fromMillis(ms)
	return err
}

func milliseconds(v any) (int64, error) {
	ms, ok := v.(int64)
	if !ok {
		return 0, fmt.Errorf("expected milliseconds, found %T", v)
	}
	return ms, nil
}

// Value is the number that is stored.
func (s stamp) Value() (driver.Value, error) { return toMillis(*s.t), nil }

// A span stores a duration as milliseconds. It serves Scan and Exec alike.
type span struct{ d *time.Duration }

// Scan reads the form of Value.
func (s span) Scan(v any) error {
	ms, err := milliseconds(v)
	const most = math.MaxInt64 / int64(time.Millisecond) // a file that was changed by hand may have any number
	*s.d = time.Duration(min(max(ms, 0), most)) * time.Millisecond
	return err
}

// Value is the number that is stored.
func (s span) Value() (driver.Value, error) { return s.d.Milliseconds(), nil }

func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// values turns the variables of a row into types that the driver takes, in place. The driver's own way to the same
// values, by reflection, takes longer than the rest of its work.
func values(fields []any) []any {
	for i, f := range fields {
		switch p := f.(type) {
		case *int:
			fields[i] = int64(*p)
		case *int64:
			fields[i] = *p
		case *uint32:
			fields[i] = int64(*p)
		case *float32:
			fields[i] = float64(*p)
		case *bool:
			fields[i] = *p
		case *string:
			fields[i] = *p
		case stamp:
			fields[i] = toMillis(*p.t)
		case span:
			fields[i] = p.d.Milliseconds()
		case effectList:
			fields[i] = effectsText(*p.e)
		case cooldownMap:
			fields[i] = cooldownsText(*p.c)
		}
	}
	return fields
}
