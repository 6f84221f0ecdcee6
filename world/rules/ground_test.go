package rules

import (
	"testing"
	"time"
)

func TestTreadTellsWalkingFromFalling(t *testing.T) {
	for name, c := range map[string]struct {
		each time.Duration
		y    []float32
		want []bool
	}{
		"level": {time.Second / 2, []float32{150, 150, 150, 150}, []bool{true, true, true, true}},
		"a hill": {time.Second / 2, []float32{150, 150.4, 150.8, 151.2, 151.6},
			[]bool{true, true, true, true, true}},
		"a jump": {time.Second / 4, []float32{150, 152.1, 150}, []bool{true, false, false}},
		"a fall": {time.Second / 4, []float32{160, 157, 154}, []bool{true, false, false}},
		"long after a fall": {time.Second / 2, []float32{160, 150, 150, 150, 150, 150},
			[]bool{true, false, false, false, true, true}},
		"after a long while": {time.Minute, []float32{150, 170, 190}, []bool{true, true, true}},
	} {
		now, tread := time.Unix(1_700_000_000, 0), Tread{}
		for i, y := range c.y {
			if got := tread.Walks(y, now); got != c.want[i] {
				t.Errorf("%s: step %d walks %v", name, i, got)
			}
			now = now.Add(c.each)
		}
	}
}
