package sim

import (
	"testing"

	"sphereserver/world/rules"
)

// Holdings that can follow from a told one, and others that would be a part of it, or twice.
func TestWhatACrashMayLeave(t *testing.T) {
	key, bread, loot := rules.Item{Class: rules.ClassMission, Count: 1}, rules.Item{Class: 653, Count: 10},
		rules.Item{Class: 700, Count: 1}
	was := holding{progress: progress{Title: 1, TitleXP: 5, Karma: 3, Money: 10}, items: map[int]rules.Item{26: bread, 40: key}}
	for _, v := range []struct {
		name   string
		change func(*holding)
		asked  bool
		unlike bool
	}{
		{"as it was", func(*holding) {}, false, false},
		{"a kill", func(h *holding) { h.progress.TitleXP, h.progress.Karma = 9, 4 }, false, false},
		{"a kill and its coins", func(h *holding) { h.progress.TitleXP, h.progress.Karma, h.progress.Money = 9, 4, 12 }, false, false},
		{"a kill and a thing from nowhere", func(h *holding) { h.progress.TitleXP, h.progress.Karma, h.items[27] = 9, 4, loot }, false, true},
		{"half a kill: no karma", func(h *holding) { h.progress.TitleXP = 9 }, false, true},
		{"a mission of its group, paid", func(h *holding) { h.group, h.progress.TitleXP, h.progress.Money = true, 9, 500 }, false, false},
		{"a thing of its group, gone", func(h *holding) { h.group = true; delete(h.items, 26) }, false, true},
		{"a kill that teaches nothing", func(h *holding) { h.progress.Karma, h.progress.Money = 4, 25 }, false, false},
		{"money from nowhere", func(h *holding) { h.progress.Money = 20 }, false, true},
		{"money for what was sold", func(h *holding) { h.progress.Money = 20 }, true, false},
		{"money that has gone", func(h *holding) { h.progress.Money = 9 }, false, true},
		{"a thing that has gone", func(h *holding) { delete(h.items, 26) }, false, true},
		{"a thing twice", func(h *holding) { h.items[27] = bread }, false, true},
		{"more of a thing", func(h *holding) { h.items[26] = rules.Item{Class: 653, Count: 20} }, false, true},
		{"a thing that was taken", func(h *holding) { h.items[27] = loot }, true, false},
		{"a mission that is paid", func(h *holding) { delete(h.items, 40); h.progress.Money = 500 }, false, false},
		{"pay for a mission that goes on", func(h *holding) { h.progress.Money = 500 }, false, true},
	} {
		is := was
		is.items = map[int]rules.Item{26: bread, 40: key}
		v.change(&is)
		told := was
		told.group = is.group
		if got := is.unlike(&told, v.asked); got != v.unlike {
			t.Errorf("%s: %v", v.name, got)
		}
	}
}
