package content

import (
	"strings"
	"testing"

	"sphereserver/coords"
)

func TestParsePlace(t *testing.T) {
	for words, want := range map[string]coords.Position{
		"shipstone":    Cities()[0].Position,
		"ШИПСТОУН":     Cities()[0].Position,
		"1 2 3":        {X: 1, Y: 2, Z: 3},
		"1, 2, 3, 0.5": {X: 1, Y: 2, Z: 3, Yaw: 0.5},
	} {
		if at, err := ParsePlace(words); err != nil || at != want {
			t.Errorf("%q: %v (%v), want %v", words, at, err, want)
		}
	}
	for words, want := range map[string]string{
		"shipstoen": `did you mean "Shipstone"`,
		"":          "expected the name",
		"1 2":       "expected the name",
		"1 2 3 4 5": "expected the name",
		"1 1e9 2":   "",
		"NaN 1 2":   "",
	} {
		if at, err := ParsePlace(words); err == nil ||
			!strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%q: %v, %v, want %q", words, at, err, want)
		}
	}
}
