package world

import (
	"reflect"
	"testing"
)

// Parts ask those below them only: a field of a part that points to another one is an arrow, and parts are declared
// from the lowest to the highest.
func TestArrowsBetweenPartsGoDown(t *testing.T) {
	w := New(Options{}, nil)
	all, level := reflect.ValueOf(w.parts), map[reflect.Type]int{}
	for i := range all.NumField() {
		level[all.Field(i).Type()] = i
	}
	arrows := 0
	for i := range all.NumField() {
		part := all.Type().Field(i)
		if all.Field(i).IsNil() {
			t.Errorf("there is no %s", part.Name)
			continue
		}
		of := all.Field(i).Elem()
		for j := range of.NumField() {
			f := of.Type().Field(j)
			below, isPart := level[f.Type]
			switch {
			case f.Type == reflect.TypeFor[*World]() && part.Name != "ledger":
				t.Errorf("%s knows the whole world", part.Name)
			case !isPart:
			case below >= i:
				t.Errorf("%s asks %s, which is not below it", part.Name, f.Name)
			case of.Field(j).Pointer() != all.Field(below).Pointer():
				t.Errorf("%s of %s is another one than the world's", f.Name, part.Name)
			default:
				arrows++
			}
		}
	}
	if arrows == 0 {
		t.Error("no arrow was looked at")
	}
}

// Each part has the interface to parts above it that it declares.
func TestPartsHaveWhatTheyAskFromAbove(t *testing.T) {
	w := New(Options{}, nil)
	if w.places.observer == nil || w.vitals.fights == nil || w.minds.blows == nil || w.takeOut == nil {
		t.Errorf("missing: %v, %v, %v, %t", w.places.observer, w.vitals.fights, w.minds.blows, w.takeOut == nil)
	}
}
