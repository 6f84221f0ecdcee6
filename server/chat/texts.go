package chat

import (
	"sphereserver/server/ops"
	"sphereserver/server/view"
)

// text is a sentence for players in both languages.
func text(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

// UserError is a mistake of a player, or an impossible request, to be told in the player's language.
func UserError(t ops.Text, args ...any) error {
	return &ops.Refusal{Kind: ops.ErrInvalid, Text: t, Args: args}
}

// ownError is a mistake of a player for which the client has a text of its own. In words of ours it is the error
// within.
type ownError struct {
	error
	own view.TextNumber
}

func (e ownError) Unwrap() error { return e.error }
