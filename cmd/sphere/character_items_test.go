package main

import (
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/world/rules"
)

func TestCharacterItemsAreNamed(t *testing.T) {
	inTurn(t)
	l := populated(t)
	out := l.must("character", "items", "сова")
	if !strings.Contains(out, "Inkpot") || !strings.Contains(out, "inkpot") || !strings.Contains(out, "100") {
		t.Errorf("printed\n%s", out)
	}
	if out := l.must("character", "items", "Сова", "--json"); !strings.Contains(out, `"en": "Inkpot"`) ||
		!strings.Contains(out, `"slot": 20`) {
		t.Errorf("printed\n%s", out)
	}
	l.fails(1, "Сова", "character", "items", "Соваа")
	l.keep("Сова")
	if out := l.must("character", "items", "Сова"); !strings.Contains(out, "vault 5") || !strings.Contains(out, "Inkpot") {
		t.Errorf("expected what lies in the vault, too, found\n%s", out)
	}
}

// keep puts the one thing that a character carries into the fifth slot of the vault.
func (l commandLine) keep(name string) {
	l.t.Helper()
	store, err := data.Open(l.t.Context(), l.dir, data.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	defer store.Close()
	c, err := store.CharacterByName(l.t.Context(), name)
	if err != nil {
		l.t.Fatal(err)
	}
	items, err := store.Items(l.t.Context(), c.ID)
	if err != nil || len(items) != 1 {
		l.t.Fatalf("%+v, %v", items, err)
	}
	was, is := rules.StoredItem{Item: items[0], Owner: int64(c.ID)},
		rules.StoredItem{Item: items[0], Vault: int64(c.Account)}
	is.Slot = 4
	if _, err := store.Apply(l.t.Context(), rules.Change{Items: []rules.ItemChange{{Was: &was, Is: &is}}}); err != nil {
		l.t.Fatal(err)
	}
}
