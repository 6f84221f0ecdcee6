package replay

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"sphereserver/packets"
	"sphereserver/packets/capture"
)

// A change is a field that differs.
type change struct{ field, was, now string }

// How far apart two numbers may be that are the same, and two places that movements lead to: those travel in steps of 0.015 m
// within a metre of their origin, and of twice as much within the next.
const (
	near      = 0.001
	nearPlace = 0.05 // metres
)

// A pairing compares a recorded message with one of now.
type pairing struct {
	p       *player
	changes []change
	bound   [][2]packets.ObjectID // ids that are the same if the messages are
	other   bool                  // they are not about the same: one of the fields that tell them apart differs
}

// pair compares two messages.
func (p *player) pair(was, now *message) *pairing {
	c := &pairing{p: p}
	if was.kind != now.kind || was.class != now.class || !c.objects(was, now) {
		c.other = true
		return c
	}
	if _, pong := was.body.(*packets.PositionStream); pong && was.origin != nil && now.origin != nil && *was.origin != *now.origin {
		c.differ("origin", fmt.Sprint(*was.origin), fmt.Sprint(*now.origin))
	}
	if t, ok := was.body.(*packets.TransformUpdate); ok && was.origin != nil && now.origin != nil {
		c.movement(t, now.body.(*packets.TransformUpdate), was, now)
		return c
	}
	if a, ok := was.body.(*packets.SetStat); ok && isLiving(a.Stat) {
		if b := now.body.(*packets.SetStat); a.Stat == b.Stat && alive(int64(a.Value), int64(b.Value)) {
			return c
		}
	}
	if was.body != nil {
		c.values("", fieldName{}, reflect.ValueOf(was.body), reflect.ValueOf(now.body))
	}
	if spawn, ok := was.body.(*packets.SpawnSnapshot); ok && len(c.changes) > 0 {
		// Something of the same class elsewhere is something else.
		at := now.body.(*packets.SpawnSnapshot)
		if d := math.Hypot(float64(spawn.X-at.X), float64(spawn.Z-at.Z)); d > sameSpot || math.IsNaN(d) {
			c.other = true
		}
	}
	return c
}

// sameSpot is how many metres apart two spawns can be that are of the same thing.
const sameSpot = 5

// objects compares what two messages are about.
func (c *pairing) objects(was, now *message) bool {
	if _, line := was.body.(*packets.ChatLine); line { // their ids go round, and nothing ever frees them
		c.bound = append(c.bound, [2]packets.ObjectID{was.object, now.object})
		return true
	}
	want, known := c.p.toNow(was.object)
	switch {
	case known:
		return want == now.object
	case !was.creates() || c.p.taken(now.object):
		return false
	}
	c.bound = append(c.bound, [2]packets.ObjectID{was.object, now.object})
	return true
}

// same compares two ids in messages. One that is new in both is the same from now on.
func (c *pairing) same(was, now packets.ObjectID) bool {
	want, known := c.p.toNow(was)
	switch {
	case known:
		return want == now
	case c.p.taken(now):
		return false
	}
	c.bound = append(c.bound, [2]packets.ObjectID{was, now})
	return true
}

func (c *pairing) differ(field, was, now string) {
	c.changes = append(c.changes, change{field, was, now})
}

// movement compares the places that two movements lead to: their codes count from an origin.
func (c *pairing) movement(a, b *packets.TransformUpdate, was, now *message) {
	axis := func(field string, x, y float32) {
		if !alike(x, y) {
			c.differ(field, number(float64(x)), number(float64(y)))
		}
	}
	axis("x", a.X.Decode(was.origin.X), b.X.Decode(now.origin.X))
	axis("y", a.Y.Decode(was.origin.Y), b.Y.Decode(now.origin.Y))
	axis("z", a.Z.Decode(was.origin.Z), b.Z.Decode(now.origin.Z))
	if a.Angle != b.Angle {
		c.differ("angle", fmt.Sprint(a.Angle), fmt.Sprint(b.Angle))
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// values compares two values of the same message type, and what is in them.
func (c *pairing) values(path string, f fieldName, a, b reflect.Value) {
	if a.Kind() == reflect.Pointer || a.Kind() == reflect.Interface {
		if a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type() {
			if a.IsNil() != b.IsNil() || !a.IsNil() {
				c.differ(path, fmt.Sprint(a), fmt.Sprint(b))
			}
			return
		}
		a, b = a.Elem(), b.Elem()
	}
	if a.CanUint() && isID(f, a.Type()) {
		was, now := packets.ObjectID(a.Uint()), packets.ObjectID(b.Uint())
		if !c.same(was, now) {
			c.differ(path, c.p.recordedName(was), c.p.presentName(now))
		}
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		c.fields(path, a, b)
	case reflect.Slice, reflect.Array:
		c.list(path, f, a, b)
	case reflect.String:
		if was := c.p.play.options.names.Text(a.String()); was != b.String() {
			c.differ(path, strconv.Quote(was), strconv.Quote(b.String()))
		}
	case reflect.Float32:
		if x, y := a.Float(), b.Float(); x != y && !(math.Abs(x-y) <= near) && !(math.IsNaN(x) && math.IsNaN(y)) {
			c.differ(path, number(x), number(y))
		}
	default:
		if !a.Equal(b) {
			c.differ(path, fmt.Sprint(a), fmt.Sprint(b))
		}
	}
}

func (c *pairing) fields(path string, a, b reflect.Value) {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		f := fieldName{a.Type(), field.Name}
		if !field.IsExported() || ignoredFields[f] {
			continue
		}
		if living[f] && alive(whole(a.Field(i)), whole(b.Field(i))) {
			continue
		}
		have := len(c.changes)
		inner := capture.FieldName(field.Name)
		if path != "" && !field.Anonymous {
			inner = path + " " + inner
		}
		c.values(inner, f, a.Field(i), b.Field(i))
		if identities[f] && len(c.changes) > have {
			c.other = true
		}
	}
}

// alive says whether two values differ by no more than what changes by itself.
func alive(a, b int64) bool { return max(a-b, b-a) <= littleLife }

// whole is a number of any integer type.
func whole(v reflect.Value) int64 {
	if v.CanUint() {
		return int64(v.Uint())
	}
	return v.Int()
}

func (c *pairing) list(path string, f fieldName, a, b reflect.Value) {
	if a.Len() != b.Len() {
		c.differ(path, shown(a), shown(b))
		return
	}
	if a.Type().Elem().Kind() == reflect.Uint8 {
		for i := range a.Len() {
			if a.Index(i).Uint() != b.Index(i).Uint() {
				c.differ(path, shown(a), shown(b))
				return
			}
		}
		return
	}
	for i := range a.Len() {
		c.values(fmt.Sprintf("%s %d", path, i), f, a.Index(i), b.Index(i))
	}
}

func shown(v reflect.Value) string {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return fmt.Sprintf("% X", v)
	}
	return fmt.Sprint(v)
}
