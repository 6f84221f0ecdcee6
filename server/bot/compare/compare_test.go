package compare

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type inner struct {
	ID    uint16
	Bytes []byte
}

type outer struct {
	Name   string
	X      float32
	Many   []inner
	One    *inner
	Any    any
	Times  uint64
	hidden int
}

func TestEveryFieldIsComparedButWhatMayDiffer(t *testing.T) {
	base := func() *outer {
		return &outer{Name: "Сова", X: 1, Many: []inner{{1, []byte{1, 2}}, {2, nil}}, One: &inner{ID: 3}, Any: int32(4),
			Times: 5}
	}
	c := Comparer{
		Skip: func(f Field, _, _ reflect.Value) bool { return f == FieldOf[outer]("Times") },
		Same: func(f Field, a, b reflect.Value) (same, handled bool) {
			if f != FieldOf[inner]("ID") {
				return false, false
			}
			return a.Uint()+100 == b.Uint() || a.Uint() == b.Uint(), true
		},
		Show: func(a, b reflect.Value) (string, string) { return "an id", "another" },
		Text: func(s string) string { return strings.ReplaceAll(s, "Лунь", "Сова") },
		Name: strings.ToLower,
	}
	for name, v := range map[string]struct {
		was, now func(*outer)
		want     []Change
	}{
		"nothing": {},
		"a text": {now: func(o *outer) { o.Name = "Сыч" },
			want: []Change{{"name", `"Сова"`, `"Сыч"`}}},
		"a translated text": {was: func(o *outer) { o.Name = "Лунь" }},
		"a number":          {now: func(o *outer) { o.X = 1.5 }, want: []Change{{"x", "1", "1.5"}}},
		"a rounded number":  {now: func(o *outer) { o.X = 1.0009 }},
		"no number": {was: func(o *outer) { o.X = float32(math.NaN()) },
			now: func(o *outer) { o.X = float32(math.NaN()) }},
		"infinite":         {was: func(o *outer) { o.X = float32(math.Inf(1)) }, want: []Change{{"x", "+Inf", "1"}}},
		"what may differ":  {now: func(o *outer) { o.Times = 77 }},
		"what nobody sees": {now: func(o *outer) { o.hidden = 1 }},
		"a translated id":  {now: func(o *outer) { o.Many[0].ID = 101 }},
		"another id":       {now: func(o *outer) { o.Many[1].ID = 9 }, want: []Change{{"many 1 id", "an id", "another"}}},
		"bytes": {now: func(o *outer) { o.Many[0].Bytes = []byte{1, 3} },
			want: []Change{{"many 0 bytes", "01 02", "01 03"}}},
		"fewer": {now: func(o *outer) { o.Many = o.Many[:1] },
			want: []Change{{"many", "[{1 [1 2]} {2 []}]", "[{1 [1 2]}]"}}},
		"a pointer to none":  {now: func(o *outer) { o.One = nil }, want: []Change{{"one", "", "<nil>"}}},
		"none in both":       {was: func(o *outer) { o.One = nil }, now: func(o *outer) { o.One = nil }},
		"what a pointer has": {now: func(o *outer) { o.One.Bytes = []byte{7} }, want: []Change{{"one bytes", "", "07"}}},
		"of another type":    {now: func(o *outer) { o.Any = "4" }, want: []Change{{"any", "4", "4"}}},
		"of the same type":   {now: func(o *outer) { o.Any = int32(5) }, want: []Change{{"any", "4", "5"}}},
		"several of a struct": {now: func(o *outer) { o.X, o.Name = 2, "" },
			want: []Change{{"name", `"Сова"`, `""`}, {"x", "1", "2"}}},
	} {
		was, now := base(), base()
		if v.was != nil {
			v.was(was)
		}
		if v.now != nil {
			v.now(now)
		}
		var told []Field
		c.Differs = func(f Field) { told = append(told, f) }
		got := c.Changes(was, now)
		for i := range got {
			if strings.HasPrefix(got[i].Was, "0x") || strings.HasPrefix(got[i].Was, "&") {
				got[i].Was = "" // an address
			}
		}
		if !slices.Equal(got, v.want) || len(told) < len(v.want) {
			t.Errorf("%s: %v, told of %v, expected %v", name, got, told, v.want)
		}
	}
}

func TestPlacesAreAsExactAsTheyTravel(t *testing.T) {
	for _, v := range []struct {
		a, b float32
		want bool
	}{{1, 1, true}, {1, 1.05, true}, {1, 0.96, true}, {1, 1.06, false}, {-3000, -3000.04, true},
		{float32(math.NaN()), 1, false}} {
		if got := SameAxis(v.a, v.b); got != v.want {
			t.Errorf("%v and %v: %t", v.a, v.b, got)
		}
	}
}
