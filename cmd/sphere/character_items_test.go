package main

import (
	"strings"
	"testing"
)

func TestCharacterItemsAreNamed(t *testing.T) {
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
}
