package packets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// All text on the wire is Windows-1251. Its one undefined byte, 0x98, is kept as U+0098, so that decoding and encoding
// are exact inverses for every byte. Source: protocol session 0.2.
var (
	decode1251 [256]rune
	encode1251 = make(map[rune]byte, 128) // the upper half; the lower is ASCII
	cyrillic   [256]byte                  // the part of it from U+0400 on
)

func init() {
	for b := range 256 {
		r := charmap.Windows1251.DecodeByte(byte(b))
		if r == utf8.RuneError {
			r = rune(b)
		}
		decode1251[b] = r
		if b >= 0x80 {
			encode1251[r] = byte(b)
			if r>>8 == 0x04 {
				cyrillic[byte(r)] = byte(b)
			}
		}
	}
}

// Replacement stands for a character that Windows-1251 lacks.
const Replacement = '?'

// byte1251 returns the byte of a character, or [Replacement].
func byte1251(r rune) byte {
	if r < 0x80 {
		return byte(r)
	}
	if r>>8 == 0x04 && cyrillic[byte(r)] != 0 {
		return cyrillic[byte(r)]
	}
	if b, ok := encode1251[r]; ok {
		return b
	}
	return Replacement
}

// Append1251 appends s in Windows-1251.
func Append1251(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			dst = append(dst, c)
			i++
			continue
		}
		// Cyrillic letters are two bytes of UTF-8 each.
		if c&0xFE == 0xD0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80 {
			if b := cyrillic[c<<6|s[i+1]&0x3F]; b != 0 {
				dst = append(dst, b)
				i += 2
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = append(dst, byte1251(r))
		i += size
	}
	return dst
}

// Decode1251 returns the text of bytes in Windows-1251.
func Decode1251(b []byte) string {
	return string(appendText(make([]byte, 0, len(b)*2), b))
}

// appendText appends the text of bytes in Windows-1251, in UTF-8.
func appendText(dst, b []byte) []byte {
	for _, c := range b {
		dst = utf8.AppendRune(dst, decode1251[c])
	}
	return dst
}

// Len1251 returns the number of bytes of s in Windows-1251.
func Len1251(s string) int { return utf8.RuneCountInString(s) }

// Lost stands in a fitted text for a character without a likeness in Windows-1251.
const Lost = '¤'

// likeness gives for characters that Windows-1251 lacks the most similar text there, where decomposing them does not.
var likeness = map[rune]string{
	'×': "x", '÷': ":", '−': "-", '‐': "-", '‒': "–", '―': "—", '≥': ">=", '≤': "<=", '≠': "!=",
	'≈': "~", '→': "->", '←': "<-", '↔': "<->", '⇒': "=>", '⁄': "/", '∕': "/", '′': "'", '″': "\"",
	'‛': "‘", '‟': "“", '‖': "||", '⋅': "·", '∙': "·", '●': "•", '■': "•", '▪': "•",
	'◦': "•", '★': "*", '☆': "*", '✓': "v", '¿': "?", '¡': "!", '₽': "руб.", 'ß': "ss", 'æ': "ae",
	'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ð': "d",
	'þ': "th", 'ı': "i", '\u2028': " ", '\u2029': " ",
}

// Fit1251 replaces characters that Windows-1251 lacks by the nearest ones there: × by x, é by e, ½ by 1/2. One
// without a likeness becomes [Lost]; lacks is the first such character, and at its place in the text, from 1. at is 0
// when there is none.
func Fit1251(s string) (fitted string, lacks rune, at int) {
	if fits1251(s) {
		return s, 0, 0
	}
	var b strings.Builder
	n := 0
	for _, r := range norm.NFC.String(s) {
		n++
		if like, ok := alike1251(r); ok {
			b.WriteString(like)
			continue
		}
		b.WriteRune(Lost)
		if at == 0 {
			lacks, at = r, n
		}
	}
	return b.String(), lacks, at
}

func fits1251(s string) bool {
	for _, r := range s {
		if !has1251(r) {
			return false
		}
	}
	return true
}

func has1251(r rune) bool { return r < 0x80 || encode1251[r] != 0 }

// alike1251 is the likeness of a character; "" for an invisible one.
func alike1251(r rune) (like string, ok bool) {
	if has1251(r) {
		return string(r), true
	}
	if like, ok = likeness[r]; ok {
		return like, true
	}
	if unicode.In(r, unicode.Mn, unicode.Cf) {
		return "", true
	}
	parts := norm.NFKD.String(string(r))
	if parts == string(r) {
		return "", false
	}
	for _, part := range parts {
		of, ok := alike1251(part)
		if !ok {
			return "", false
		}
		like += of
	}
	return like, true
}
