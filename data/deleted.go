package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"sphereserver/world/rules"
)

// DefaultKeepDeleted is how long deleted characters are kept unless [Store.KeepDeleted] says otherwise.
const DefaultKeepDeleted = 30 * 24 * time.Hour

// Why a deleted character does not come back; a taken name is [ErrNameTaken], a taken slot [ErrSlotTaken].
var (
	ErrTooLate     = errors.New("it is too late")
	ErrAccountFull = errors.New("the account has no free slot")
)

// sweepEvery is how often [Store.SweepOnTime] looks for characters to remove.
const sweepEvery = 10 * time.Minute

// A DeletedCharacter is a character that was deleted and can come back.
type DeletedCharacter struct {
	Character
	Items              int // that it carried
	Deleted, KeptUntil time.Time
}

// keptItemColumns are the columns of deleted_items for an item, which its owner carried.
const keptItemColumns = "id, owner, container, slot, class, game_id, suffix, count, durability, max_durability, " +
	"premium, bound, weight, extra"

// keptColumns are all columns of characters.
const keptColumns = "id, name_key, " + bornColumns + ", " + playColumns

const selectDeleted = "SELECT id, " + bornColumns + ", " + playColumns + `, '', 0, '[]',
	(SELECT count(*) FROM deleted_items i WHERE i.owner = deleted_characters.id), deleted, kept_until
	FROM deleted_characters `

func scanDeleted(row *sql.Rows) (d DeletedCharacter, err error) {
	err = row.Scan(append(d.selectFields(), &d.Items, stamp{&d.Deleted}, stamp{&d.KeptUntil})...)
	return d, err
}

// KeepDeleted sets how long characters are kept that are deleted from now on; 0 or less: not at all.
func (s *Store) KeepDeleted(d time.Duration) { s.keepDeleted.Store(int64(d)) }

// keep copies a character with its items to the tables that keep it after its deletion.
func (t *tx) keep(id CharacterID, now, until time.Time) error {
	err := t.command("INSERT INTO deleted_characters ("+keptColumns+", deleted, kept_until) SELECT "+keptColumns+
		", ?, ? FROM characters WHERE id = ?", toMillis(now), toMillis(until), id)
	if err != nil {
		return err
	}
	return t.command("INSERT INTO deleted_items ("+keptItemColumns+") SELECT "+keptItemColumns+
		" FROM items WHERE owner = ?", id)
}

// DeletedCharacters lists the deleted characters of an account, 0 for all accounts, that can come back and have like
// in their names, without regard to case: the last deleted come first.
func (s *Store) DeletedCharacters(ctx context.Context, account AccountID, like string) ([]DeletedCharacter, error) {
	found, err := readAll(ctx, s.reads, scanDeleted, selectDeleted+`WHERE kept_until > ?1 AND (account = ?2 OR ?2 = 0)
		AND (instr(name_key, ?3) > 0 OR ?4 = '') ORDER BY deleted DESC, id DESC`, toMillis(s.now()), account,
		rules.NameKey(like), like)
	return slices.DeleteFunc(found, func(d DeletedCharacter) bool { return !d.nameContains(like) }),
		wrap(err, "list deleted characters")
}

// DeletedByID finds a deleted character by its number, also when its time is over; ErrNotFound when it is gone.
func (s *Store) DeletedByID(ctx context.Context, id CharacterID) (DeletedCharacter, error) {
	d, err := readOne(ctx, s.reads, scanDeleted, selectDeleted+"WHERE id = ?", id)
	return d, wrapRead(err, "deleted character %d", id)
}

// DeletedByName finds the deleted character of a name, without regard to case: of several the one deleted last, also
// when its time is over. ErrNotFound when there is none.
func (s *Store) DeletedByName(ctx context.Context, name string) (DeletedCharacter, error) {
	found, err := readAll(ctx, s.reads, scanDeleted, selectDeleted+"WHERE name_key = ? ORDER BY deleted DESC, id DESC",
		rules.NameKey(name))
	found = slices.DeleteFunc(found, func(d DeletedCharacter) bool {
		return rules.FoldName(d.Name) != rules.FoldName(name)
	})
	if err == nil && len(found) == 0 {
		return DeletedCharacter{}, fmt.Errorf("data: deleted character %q: %w", name, ErrNotFound)
	} else if err != nil {
		return DeletedCharacter{}, wrap(err, "read deleted character %q", name)
	}
	return found[0], nil
}

// UndeleteCharacter brings a deleted character back with all that it carried, into a slot; into its old one for -1, or
// the first free one if that is taken. It is in no clan. ErrNotFound if no character has that number, ErrTooLate
// when its time is over, ErrNameTaken when its account has made another one of its name, ErrSlotTaken and
// ErrAccountFull when there is no room.
func (s *Store) UndeleteCharacter(ctx context.Context, id CharacterID, slot int) (Character, error) {
	return create(ctx, s, func(t *tx) (c Character, err error) {
		d, err := readOne(background, t, scanDeleted, selectDeleted+"WHERE id = ?", id)
		if err != nil {
			return c, wrapRead(err, "deleted character %d", id)
		}
		if !d.KeptUntil.After(s.now()) {
			return c, fmt.Errorf("data: deleted character %q: %w", d.Name, ErrTooLate)
		}
		if err := t.nameFree(&d.Character, s.now()); err != nil {
			return c, err
		}
		if slot, err = t.freeSlot(d.Account, slot, d.Slot); err != nil {
			return c, err
		}
		for _, command := range []struct {
			query string
			args  []any
		}{
			{"UPDATE deleted_characters SET slot = ? WHERE id = ?", []any{slot, id}},
			{"INSERT INTO characters (" + keptColumns + ") SELECT " + keptColumns +
				" FROM deleted_characters WHERE id = ?", []any{id}},
			{"INSERT INTO items (" + keptItemColumns + ") SELECT " + keptItemColumns +
				" FROM deleted_items WHERE owner = ?", []any{id}},
			{"DELETE FROM deleted_characters WHERE id = ?", []any{id}},
		} {
			if err := t.command(command.query, command.args...); err != nil {
				return c, wrap(err, "undelete character %d", id)
			}
		}
		return readOne(background, t, scanCharacter, selectCharacter+"WHERE id = ?", id)
	})
}

// freeSlot is the slot that is asked for, if it is free; for -1 the one that was had, or else the first free one.
func (t *tx) freeSlot(account AccountID, asked, had int) (int, error) {
	taken, err := readAll(background, t, single[int], "SELECT slot FROM characters WHERE account = ?", account)
	if err != nil {
		return 0, wrap(err, "slots of account %d", account)
	}
	try := []int{asked}
	if asked < 0 {
		try = []int{had, 0, 1, 2}
	}
	for _, slot := range try {
		if slot >= 0 && slot < Slots && !slices.Contains(taken, slot) {
			return slot, nil
		}
	}
	if len(taken) >= Slots {
		return 0, fmt.Errorf("data: account %d: %w", account, ErrAccountFull)
	}
	return 0, fmt.Errorf("data: account %d, slot %d: %w", account, asked, ErrSlotTaken)
}

// SweepDeleted removes the deleted characters that are kept until now at most, for ever, with their belongings, and
// returns their names.
func (s *Store) SweepDeleted(ctx context.Context, now time.Time) (names []string, err error) {
	const over = "FROM deleted_characters WHERE kept_until <= ?"
	names, err = readAll(ctx, s.reads, single[string], "SELECT name "+over, toMillis(now))
	if err == nil && len(names) > 0 {
		err = s.do(ctx, func(t *tx) error { return t.command("DELETE "+over, toMillis(now)) })
	}
	return names, wrap(err, "remove deleted characters")
}

// SweepOnTime does [Store.SweepDeleted] every ten minutes until ctx ends.
func (s *Store) SweepOnTime(ctx context.Context) {
	for {
		switch names, err := s.SweepDeleted(ctx, s.now()); {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.log.Warn("cannot remove deleted characters whose time is over; will try again", "error", err)
		case len(names) > 0:
			s.log.Info("removed deleted characters whose time is over", slog.Any("names", names))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery):
		}
	}
}
