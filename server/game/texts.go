package game

import "fmt"

// A Language is one that players read.
type Language uint8

// The languages; players of this game read Russian first.
const (
	Russian Language = iota
	English
)

// A text is what a player is told, in each language, with the verbs of package fmt for what differs.
type text struct{ russian, english string }

// in writes the text in a language.
func (t text) in(l Language, args ...any) string {
	format := t.russian
	if l == English {
		format = t.english
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// tell shows a text to the player in its language.
func (s *player) tell(t text, args ...any) { s.Say(t.in(s.language, args...)) }
