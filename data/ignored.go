package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sphereserver/world/rules"
)

// MaxIgnored is how many others a character ignores at the most. Source: protocol life 13.
const MaxIgnored = 100

// ErrTooManyIgnored is the error of a character that ignores [MaxIgnored] others.
var ErrTooManyIgnored = errors.New("the character ignores 100 others already")

// selectIgnored is a column of a query of characters.
const selectIgnored = "(SELECT json_group_array(other) FROM ignored WHERE character = characters.id)"

// ignoredList reads selectIgnored.
type ignoredList struct{ to *rules.Ignored }

// Scan implements [sql.Scanner].
func (l ignoredList) Scan(v any) error {
	*l.to = nil
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("data: ignored characters: expected text, found %T", v)
	}
	if text == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(text), l.to)
}

// Ignore notes that a character ignores another, which it may do already, and returns all that it ignores.
// ErrTooManyIgnored if there are too many, ErrNotFound if there is no such character or other.
func (s *Store) Ignore(ctx context.Context, who, other CharacterID) (rules.Ignored, error) {
	return s.changeIgnored(ctx, who, func(t *tx, all rules.Ignored) error {
		switch {
		case all.Has(int64(other)):
			return nil
		case len(all) >= MaxIgnored:
			return fmt.Errorf("data: character %d: %w", who, ErrTooManyIgnored)
		}
		err := t.refuseUnless(fmt.Errorf("data: character %d: %w", other, ErrNotFound),
			"SELECT 1 FROM characters WHERE id = ?", other)
		if err != nil {
			return err
		}
		return t.command("INSERT INTO ignored (character, other) VALUES (?, ?)", who, other)
	})
}

// Unignore ends that a character ignores another, or with 0 all others, and returns all that it ignores still.
// ErrNotFound if it does not ignore the other.
func (s *Store) Unignore(ctx context.Context, who, other CharacterID) (rules.Ignored, error) {
	return s.changeIgnored(ctx, who, func(t *tx, all rules.Ignored) error {
		if other != 0 && !all.Has(int64(other)) {
			return fmt.Errorf("data: character %d ignores no %d: %w", who, other, ErrNotFound)
		}
		return t.command("DELETE FROM ignored WHERE character = ?1 AND (other = ?2 OR ?2 = 0)", who, other)
	})
}

func (s *Store) changeIgnored(ctx context.Context, who CharacterID,
	do func(*tx, rules.Ignored) error) (rules.Ignored, error) {
	return create(ctx, s, func(t *tx) (rules.Ignored, error) {
		read := func() (rules.Ignored, error) {
			c, err := readOne(background, t, scanCharacter, selectCharacter+"WHERE id = ?", who)
			return c.Ignored, wrapRead(err, "character %d", who)
		}
		all, err := read()
		if err == nil {
			err = do(t, all)
		}
		if err != nil {
			return nil, err
		}
		return read()
	})
}

// IgnoredNames lists the names of those that a character ignores, the first ignored first.
func (s *Store) IgnoredNames(ctx context.Context, who CharacterID) ([]string, error) {
	names, err := readAll(ctx, s.reads, single[string],
		"SELECT c.name FROM ignored i JOIN characters c ON c.id = i.other WHERE i.character = ? ORDER BY i.rowid", who)
	return names, wrap(err, "read the characters that character %d ignores", who)
}
