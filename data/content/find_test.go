package content

import (
	"strings"
	"sync"
	"testing"

	"sphereserver/world/rules"
)

func TestFindingKinds(t *testing.T) {
	c := Default()
	for _, v := range []struct {
		words  string
		first  string // in Russian, with the suffix
		suffix int
	}{
		{"железный меч", "Железный меч", rules.NoSuffix}, {"ЖЕЛЕЗНЫЙ  МЕЧ",
			"Железный меч", rules.NoSuffix}, {"Iron sword", "Железный меч", rules.NoSuffix},
		{"15002", "Железный меч", rules.NoSuffix}, {"железный меч урона",
			"Железный меч урона", 2}, {"iron sword of damage", "Железный меч урона", 2},
		{"iron sword damage", "Железный меч урона", 2}, {"меч железный", "Железный меч",
			rules.NoSuffix}, {"желзный мечь", "Железный меч", rules.NoSuffix},
		{"тяжелый топор", "Тяжёлый топор", rules.NoSuffix}, {"кпюч", "Ключ",
			rules.NoSuffix}, {"ключ", "Ключ", rules.NoSuffix}, {"арбалет осад",
			"Осадный арбалет", rules.NoSuffix},
		{"мечь", "Меч новичка", rules.NoSuffix}, {"сталной мечь", "Стальной меч", rules.NoSuffix},
		{"хлеб", "Лепёшка", rules.NoSuffix}, {"loaf", "Лепёшка", rules.NoSuffix},
		{"железный клинок", "Железный меч", rules.NoSuffix},
		{"железный клинок урона", "Железный меч урона", 2},
		{"меч новичка", "Меч новичка", rules.NoSuffix}, {"«Меч новичка»",
			"Меч новичка", rules.NoSuffix}, {"rnight's sword", "Рыцарский меч", rules.NoSuffix},
	} {
		found := c.Find(v.words, 5)
		if len(found) == 0 {
			t.Errorf("%q: found nothing, want %s", v.words, v.first)
			continue
		}
		got := found[0].Kind.FullName(c.Suffix(found[0].Kind, found[0].Suffix), "ru")
		if got != v.first || found[0].Suffix != v.suffix {
			t.Errorf("%q: found %s with suffix %d, want %s with %d", v.words, got, found[0].Suffix, v.first, v.suffix)
		}
	}
	for _, words := range []string{"", "  ", "экскаватор", "99999", strings.Repeat("меч ", 100), "\x00\xff"} {
		if found := c.Find(words, 5); found != nil {
			t.Errorf("%q: found %s", words, found[0].Kind.Name("ru"))
		}
	}
	if got := len(c.Find("меч", 3)); got != 3 {
		t.Errorf("found %d, want the 3 that were asked for", got)
	}
}

// A word that names have themselves needs no other, and one that stands for another leads to something in the catalogue.
func TestSynonymsAreWordsThatNoNameHas(t *testing.T) {
	c := Default()
	for other, own := range synonyms() {
		if found := c.findWritten(other); len(found) > 0 {
			t.Errorf("%s: %s is called so", other, found[0].Kind.Name("ru"))
		}
		if found := c.findWritten(own); len(found) == 0 {
			t.Errorf("%s: nothing is called %s", other, own)
		}
	}
}

func TestExactNamesHaveNoDistance(t *testing.T) {
	c := Default()
	for i := range c.Kinds() {
		k := &c.Kinds()[i]
		for language := range k.Names {
			found := c.Find(k.Name(language), 200)
			seen := false
			for _, m := range found {
				if m.Distance != 0 {
					t.Errorf("%q: %s is %d letters away", k.Name(language), m.Kind.Name(language), m.Distance)
				}
				seen = seen || m.Kind == k
			}
			if !seen {
				t.Errorf("%q does not find kind %d", k.Name(language), k.ID)
			}
		}
	}
}

func TestReadersAtOnce(t *testing.T) {
	c := Default()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, words := range []string{"меч", "желзный мечь", "ring", "601"} {
				c.Find(words, 3)
			}
			c.Stock(rules.Shop{Kind: rules.Jewels, Low: 1, High: 3})
			c.Of(500, 15001, 0)
		})
	}
	wg.Wait()
}

func FuzzFind(f *testing.F) {
	f.Add("железный меч урона")
	f.Add("1")
	f.Fuzz(func(t *testing.T, words string) {
		for _, m := range Default().Find(words, 10) {
			if m.Kind == nil || m.Suffix != rules.NoSuffix && Default().Suffix(m.Kind, m.Suffix) == nil {
				t.Errorf("%q: found %+v", words, m)
			}
		}
	})
}
