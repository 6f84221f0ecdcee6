package data

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/world/rules"
)

func someEffects() []rules.Effect {
	return []rules.Effect{
		{ID: 901, Key: "mgss", Tier: 11, Length: 3, Bonus: rules.Bonus{PhysicalDefence: 15, Stats: rules.Stats{7: -4}},
			Caster: 12, Left: 899_950 * time.Millisecond},
		{ID: 1005, Key: "mbps", Kind: rules.BadEffect, Length: 150, Bonus: rules.Bonus{Stats: rules.Stats{-50}},
			Left: time.Millisecond},
	}
}

func TestEffectsLastOverLogout(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	c := fill(t, s, 1)[0]
	if len(c.Effects) != 0 {
		t.Errorf("a new character has %+v", c.Effects)
	}
	cooldowns := rules.Cooldowns{5620: time.UnixMilli(1_800_000_000_123).UTC(), 7: time.UnixMilli(5).UTC()}
	rests := func(s *Store, want rules.Cooldowns) {
		t.Helper()
		if diff := cmp.Diff(want, must(s.CharacterByID(t.Context(), c.ID))(t).Cooldowns); diff != "" {
			t.Errorf("cooldowns (-) and read (+):\n%s", diff)
		}
	}
	c.Cooldowns = cooldowns
	read := func() []rules.Effect { return must(s.CharacterByID(t.Context(), c.ID))(t).Effects }
	c.Effects = someEffects()
	if err := s.SaveCharacters(t.Context(), []Character{c}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(someEffects(), read()); diff != "" {
		t.Errorf("saved (-) and read (+):\n%s", diff)
	}
	rests(s, cooldowns)
	delete(cooldowns, 7)
	live := rules.LiveState{Character: int64(c.ID), Effects: someEffects()[1:], Cooldowns: cooldowns}
	if err := s.SaveLive(t.Context(), []rules.LiveState{live}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live.Effects, read()); diff != "" {
		t.Errorf("saved (-) and read (+):\n%s", diff)
	}

	var out bytes.Buffer
	must(s.Export(t.Context(), &out))(t)
	to := t.TempDir()
	must(Import(t.Context(), to, &out))(t)
	again := open(t, to, Options{})
	if diff := cmp.Diff(live.Effects, must(again.CharacterByID(t.Context(), c.ID))(t).Effects); diff != "" {
		t.Errorf("exported (-) and imported (+):\n%s", diff)
	}

	rests(again, cooldowns)

	live.Effects, live.Cooldowns = nil, nil
	if err := s.SaveLive(t.Context(), []rules.LiveState{live}); err != nil || read() != nil {
		t.Errorf("after all have ended %+v, %v", read(), err)
	}
	rests(s, nil)
}

func TestOnlySoundEffectsAreStored(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	c := fill(t, s, 1)[0]
	for name, spoil := range map[string]func([]rules.Effect){
		"twice": func(e []rules.Effect) { e[0].ID = 1005 },
		"id":    func(e []rules.Effect) { e[1].ID = 0 },
		"over":  func(e []rules.Effect) { e[1].Left = 0 },
	} {
		bad := someEffects()
		spoil(bad)
		c.Effects = bad
		if err := s.SaveCharacters(t.Context(), []Character{c}); err == nil || !strings.Contains(err.Error(), "effects") {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.SaveLive(t.Context(), []rules.LiveState{{Character: int64(c.ID), Effects: bad}}); err == nil {
			t.Errorf("%s: saved live", name)
		}
	}
	if got := must(s.CharacterByID(t.Context(), c.ID))(t); got.Effects != nil {
		t.Errorf("stored %+v", got.Effects)
	}
}

func TestCheckFindsEffectsThatCannotBe(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	c := fill(t, s, 1)[0]
	for _, text := range []string{`[{"id":-1,"length":3,"left":1000}]`, `{"id":901}`, `["mgss"]`} {
		err := s.do(t.Context(), func(x *tx) error { return x.command("UPDATE characters SET effects = ? WHERE id = ?", text, c.ID) })
		if err != nil {
			t.Fatal(err)
		}
		if found := must(s.Check(t.Context()))(t); !strings.Contains(strings.Join(found, "\n"), "effects: ") {
			t.Errorf("%s: found %q", text, found)
		}
	}
	err := s.do(t.Context(), func(x *tx) error { return x.command("UPDATE characters SET effects = 'x' WHERE id = ?", c.ID) })
	if err == nil {
		t.Error("what is no JSON was stored")
	}
}

// Any text is read without a panic, and a sound one is read again as it was.
func FuzzEffects(f *testing.F) {
	f.Add(effectsText(someEffects()))
	f.Add(`[{"id":1e99}]`)
	f.Add(`[{"slot":36,"id":901,"length":3,"left":1000}]`) // as it was stored once
	f.Add(`[{"left":9223372036854775807}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var read, again []rules.Effect
		if (effectList{&read}).Scan(text) != nil || checkEffects(read) != nil {
			return
		}
		if err := (effectList{&again}).Scan(effectsText(read)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(read, again); diff != "" && len(read) > 0 {
			t.Errorf("stored (-) and read (+):\n%s", diff)
		}
	})
}
