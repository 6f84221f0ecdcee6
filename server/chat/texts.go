package chat

import "sphereserver/server/ops"

// text is a sentence for players in both languages.
func text(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

// UserError is a mistake of a player, or an impossible request, to be told in the player's language.
func UserError(t ops.Text, args ...any) error {
	return &ops.Refusal{Kind: ops.ErrInvalid, Text: t, Args: args}
}
