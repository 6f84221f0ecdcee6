package api

import (
	"fmt"
	"maps"
	"testing"

	"sphereserver/data/content"
	"sphereserver/server/oplog"
)

// Lines of the log on the page name the place where something was, and have no attribute without a value.
func TestLinesOfTheLogNamePlaces(t *testing.T) {
	at := content.Cities()[0].Position
	line := oplog.Line{Message: "entered the world", Attrs: map[string]string{"at": fmt.Sprint(at), "detail": "", "login": "vasya"}}
	o := Options{Russian: func(in oplog.Line) oplog.Line {
		in.Message = "вход в мир"
		return in
	}}
	got := describeLine(&o, line)
	if want := map[string]string{"at": "Shipstone", "login": "vasya"}; !maps.Equal(got.Attrs, want) {
		t.Errorf("in English %v, expected %v", got.Attrs, want)
	}
	if want := map[string]string{"at": "Шипстоун", "login": "vasya"}; got.Russian == nil || !maps.Equal(got.Russian.Attrs, want) {
		t.Errorf("in Russian %v, expected %v", got.Russian, want)
	}
	if line.Attrs["detail"] != "" || len(line.Attrs) != 3 {
		t.Errorf("the line itself is changed: %v", line.Attrs)
	}
	for _, text := range []string{"", "{1 2}", "here"} {
		if got := describeLine(&o, oplog.Line{Attrs: map[string]string{"at": text}}); got.Attrs["at"] != text {
			t.Errorf("%q is told as %q", text, got.Attrs["at"])
		}
	}
}
