package query

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCleaned(t *testing.T) {
	for _, v := range []struct {
		in           string
		bytes, chars int
		want         string
	}{
		{"", 10, 0, ""}, {"Вася", 100, 22, "Вася"}, {"Вася", 5, 0, "Ва"}, {"Вася", 100, 3, "Вас"},
		{"abc", 3, 0, "abc"}, {"abcd", 3, 0, "abc"},
		{"a\x00b\x1f\x7fc\n", 10, 0, "abc"}, {"a\xffb\xd0", 10, 0, "ab"}, {"\x80\x80", 10, 0, ""}, {"a\u0085b", 10, 0, "ab"},
		{"�", 10, 0, "�"},
		{"🙂🙂", 7, 0, "🙂"}, {"\x00abc", 2, 0, "ab"}, {strings.Repeat("ж", 150), 254, 0, strings.Repeat("ж", 127)},
	} {
		if got := cleaned(v.in, v.bytes, v.chars); got != v.want {
			t.Errorf("%q in %d bytes, %d characters: %q", v.in, v.bytes, v.chars, got)
		}
	}
}

func TestCleanedIsAlwaysFitToSend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes"))
		n := rapid.IntRange(0, 30).Draw(t, "limit")
		got := cleaned(s, n, 0)
		if len(got) > n || !utf8.ValidString(got) ||
			strings.ContainsFunc(got, func(r rune) bool { return r < 0x20 || r == 0x7F }) {
			t.Fatalf("%q in %d bytes: %q", s, n, got)
		}
		if again := cleaned(got, n, 0); again != got {
			t.Fatalf("%q, again %q", got, again)
		}
	})
}

func TestVersionsAskNothing(t *testing.T) {
	for in, want := range map[string]string{"": "", "1.6": "1.6", "v1.2": "V1.2", "sphere 0.1": "Sphere 0.1",
		"Сфера": "Сфера", "x": "X"} {
		if got := notAQuery(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
