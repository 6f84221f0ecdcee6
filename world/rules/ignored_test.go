package rules

import "testing"

func TestWhoIsIgnored(t *testing.T) {
	for _, c := range []struct {
		list      Ignored
		character int64
		master    bool
		refuses   bool
	}{{nil, 1, false, false}, {Ignored{1, 2}, 2, false, true}, {Ignored{1, 2}, 3, false, false}, {Ignored{1}, 1, true, false}} {
		if got := c.list.Refuses(c.character, c.master); got != c.refuses {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
