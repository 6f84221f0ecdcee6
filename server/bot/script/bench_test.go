package script

import (
	"os"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("../../../testdata/scripts/group.txt")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Parse("group.txt", string(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseMistake(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("x.txt", "Сова sees"); err == nil {
			b.Fatal()
		}
	}
}
