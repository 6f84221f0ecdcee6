package chat

import "sphereserver/server/ops"

// text is a sentence for players in both languages.
func text(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

// UserError is what a player did wrong, or what cannot be done, to be told in the player's language.
func UserError(t ops.Text, args ...any) error {
	return &ops.Refusal{Kind: ops.ErrInvalid, Text: t, Args: args}
}
