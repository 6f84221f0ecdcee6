package recording

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sphereserver/packets"
)

// Names put other names in place of the true ones. A name gets letters of the same kind and number, so frames keep
// their lengths.
type Names struct {
	other map[string]string
	order []string // the longest first: a name may be part of another
}

// Of returns the replacement of a name, the same each time.
func (n *Names) Of(name string) string {
	if other, ok := n.other[name]; ok {
		return other
	}
	letters := []rune(name)
	for i, r := range letters {
		letters[i] = another(r)
	}
	n.Set(name, string(letters))
	return n.other[name]
}

// Set makes other stand for a name.
func (n *Names) Set(name, other string) {
	if n.other == nil {
		n.other = map[string]string{}
	}
	n.other[name] = other
	at, found := slices.BinarySearchFunc(n.order, name, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	if !found {
		n.order = slices.Insert(n.order, at, name)
	}
}

// another is a letter of the same kind.
func another(r rune) rune {
	var first, last rune
	switch {
	case r >= 'a' && r <= 'z':
		first, last = 'a', 'z'
	case r >= 'A' && r <= 'Z':
		first, last = 'A', 'Z'
	case unicode.Is(unicode.Cyrillic, r) && unicode.IsUpper(r):
		first, last = 'А', 'Я'
	case unicode.Is(unicode.Cyrillic, r):
		first, last = 'а', 'я'
	case r >= '0' && r <= '9':
		first, last = '0', '9'
	default:
		return r
	}
	return first + rand.N(last-first+1)
}

// Text returns a text with all names in it replaced.
func (n *Names) Text(text string) string {
	for _, name := range n.order {
		text = strings.ReplaceAll(text, name, n.other[name])
	}
	return text
}

// Replace replaces names in all texts of a message.
func (n *Names) Replace(message any) {
	texts(reflect.ValueOf(message), func(_ reflect.Type, _ string, text string) string { return n.Text(text) })
}

// naming are the fields that hold the name of a character, an account or a clan.
var naming = map[string]bool{"Name": true, "Login": true, "Sender": true, "Clan": true}

// learn takes up the names that a message names as such.
func (n *Names) learn(message any) {
	texts(reflect.ValueOf(message), func(in reflect.Type, field, text string) string {
		name := strings.Trim(text, "\x00")
		if naming[field] && in != reflect.TypeFor[packets.Model]() && utf8.RuneCountInString(name) > 1 {
			n.Of(name)
		}
		return text
	})
}

// texts hands each text of a message to change, with the type and name of the field that it is in.
func texts(v reflect.Value, change func(in reflect.Type, field, text string) string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(v.Elem(), change)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case !f.IsExported():
			case f.Type.Kind() == reflect.String:
				if v.Field(i).CanSet() {
					v.Field(i).SetString(change(v.Type(), f.Name, v.Field(i).String()))
				}
			default:
				texts(v.Field(i), change)
			}
		}
	}
}

// Frame returns a frame with other names in it. A frame with unknown bits is emptied, since a name may be in them.
func (n *Names) Frame(wire []byte, k Kind, b *Blanker) []byte {
	dir := packets.FromServer
	if k == Client {
		dir = packets.FromClient
	}
	if len(wire) < packets.MinServerFrame || packets.FrameChannel(wire, dir) != packets.ChannelGameplay {
		return wire
	}
	emptied := func() []byte {
		if k == Client {
			return b.emptied(wire)
		}
		out := bytes.Clone(wire)
		clear(out[packets.MinServerFrame:])
		return out
	}
	f, err := packets.DecodeFrame(wire, dir, b.Dialect)
	understood := func() bool { return err == nil && f.Body.UnknownBits() == 0 }
	masked := k == Client && !understood()
	if masked {
		plain := bytes.Clone(wire)
		packets.Deobfuscate(plain)
		f, err = packets.DecodeFrame(plain, dir, b.Dialect)
	}
	if !understood() {
		return emptied()
	}
	for i := range f.Body.Sections {
		for _, r := range f.Body.Sections[i].Regions {
			n.learn(r)
			n.Replace(r)
		}
	}
	out, err := f.Append(nil, b.Dialect)
	if err != nil {
		return emptied()
	}
	if masked {
		packets.Obfuscate(out)
	}
	if k == Client {
		b.sealed(out)
	}
	return out
}
