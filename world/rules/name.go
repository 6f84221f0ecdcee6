package rules

import (
	"strings"
	"unicode"
)

// FoldName is equal for names that differ in case only: who asks for a name means this. Ё stays another letter than Е.
func FoldName(name string) string { return strings.Map(unicode.ToLower, name) }

// FoldWord is equal for spellings of a word that people take for the same: cases, ё and е.
func FoldWord(word string) string { return strings.ReplaceAll(FoldName(word), "ё", "е") }

// NameKey is equal for names that a player may take for one another: they differ in case, or in letters of the two
// alphabets that look alike as capitals or as small letters. No two characters have the same key.
func NameKey(name string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if latin, ok := lookAlike[r]; ok {
			return latin
		}
		return r
	}, name)
}

// lookAlike gives for a Cyrillic letter the Latin one that cannot be told from it, both in lower case; for в and
// others it is the capitals that look the same.
var lookAlike = map[rune]rune{
	'а': 'a', 'в': 'b', 'е': 'e', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'с': 'c', 'т': 't', 'у': 'y',
	'х': 'x', 'і': 'i', 'ї': 'i', 'ј': 'j', 'ѕ': 's',
}
