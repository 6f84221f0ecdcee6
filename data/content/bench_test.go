package content

import (
	"fmt"
	"sync"
	"testing"

	"sphereserver/world/rules"
)

// big has as many kinds as a known client.
var big = sync.OnceValue(func() *Catalogue {
	content := Content{Suffixes: Default().Suffixes("A")}
	for id := 1; id <= 3374; id++ {
		k := sword(id, id%12+1, "swords_n")
		k.Group = "A"
		k.Names = rules.Names{"ru": fmt.Sprintf("Пробный меч %d", id), "en": fmt.Sprintf("Trial sword %d", id)}
		content.Kinds = append(content.Kinds, k)
	}
	c, err := New(content)
	if err != nil {
		panic(err)
	}
	return c
})

func BenchmarkKindByID(b *testing.B) {
	c := big()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if c.Kind(1+i%3374) == nil {
			b.Fatal("not found")
		}
	}
}

func BenchmarkKindOfItem(b *testing.B) {
	c := big()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if c.Of(500, 1+i%3374, 0) == nil {
			b.Fatal("not found")
		}
	}
}

func BenchmarkEffect(b *testing.B) {
	c := big()
	k := c.Kind(1000)
	s := c.Suffix(k, 2)
	b.ReportAllocs()
	for b.Loop() {
		if k.With(s).Price == 0 {
			b.Fatal("no price")
		}
	}
}

func BenchmarkStock(b *testing.B) {
	c := big()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if len(c.Stock(rules.Shop{Kind: rules.Weapons, Low: 1, High: 3, Day: uint64(i)})) != rules.MaxOffers {
			b.Fatal("no stock")
		}
	}
}

func BenchmarkFindExact(b *testing.B) {
	c := big()
	b.ReportAllocs()
	for b.Loop() {
		if len(c.Find("пробный меч 1700", 10)) == 0 {
			b.Fatal("not found")
		}
	}
}

func BenchmarkFindNear(b *testing.B) {
	c := big()
	b.ReportAllocs()
	for b.Loop() {
		if len(c.Find("прбоный мчe 1700", 10)) == 0 {
			b.Fatal("not found")
		}
	}
}
