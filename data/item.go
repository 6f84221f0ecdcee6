package data

import (
	"context"
	"database/sql"
	"fmt"
	"math"
)

// ItemID numbers an item. Numbers are never used again.
type ItemID int64

// An Item is one thing, or one stack of things, that a character owns. protocol: in-game 10.1, 10.2.
type Item struct {
	ID            ItemID
	Owner         CharacterID
	Container     ItemID // the bag it is in; 0: carried directly
	Slot          int    // wire number of the slot; within a container counted from 0
	Class         int    // class tag, 0 to 4095. protocol: in-game 19.1
	GameID        int    // row of the client's item table, 0 for classes without one
	Suffix        int    // -1: none
	Count         int    // of a stack, at least 1
	Durability    int
	MaxDurability int
	Premium       int    // level, 0: none
	Bound         bool   // to its owner
	Weight        int    // of one, in the wire's units, of which a sword has 5000
	Extra         []byte // class-dependent payload of ContMan 15. protocol: in-game 4.1
}

// maxExtraLen in bytes is far above every payload seen.
const maxExtraLen = 1024

const itemColumns = "owner, container, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight, extra"

var insertItem = insertInto("items", itemColumns)

func (i *Item) fields(container *sql.NullInt64) []any {
	return []any{&i.Owner, container, &i.Slot, &i.Class, &i.GameID, &i.Suffix, &i.Count, &i.Durability, &i.MaxDurability,
		&i.Premium, &i.Bound, &i.Weight, &i.Extra}
}

func (i *Item) check() error {
	for _, v := range []struct {
		what       string
		value      int
		least, max int
	}{
		{"slot", i.Slot, 0, math.MaxUint8},
		{"class", i.Class, 0, 4095},
		{"count", i.Count, 1, math.MaxInt32},
		{"suffix", i.Suffix, -1, math.MaxInt32},
		{"length of the extra data", len(i.Extra), 0, maxExtraLen},
	} {
		if v.value < v.least || v.value > v.max {
			return fmt.Errorf("data: item of class %d in slot %d: %s: expected %d to %d, found %d", i.Class, i.Slot, v.what, v.least, v.max, v.value)
		}
	}
	return nil
}

// Items lists what a character owns: first what it carries directly, then what is in containers, each by slot.
func (s *Store) Items(ctx context.Context, owner CharacterID) ([]Item, error) {
	rows, err := s.reads.QueryContext(ctx, "SELECT id, "+itemColumns+" FROM items WHERE owner = ? ORDER BY coalesce(container, 0), slot", owner)
	if err != nil {
		return nil, fmt.Errorf("data: read items of character %d: %w", owner, err)
	}
	defer rows.Close()
	var out []Item
	for rows.Next() {
		var i Item
		var container sql.NullInt64
		if err := rows.Scan(append([]any{&i.ID}, i.fields(&container)...)...); err != nil {
			return nil, fmt.Errorf("data: read items of character %d: %w", owner, err)
		}
		i.Container = ItemID(container.Int64)
		out = append(out, i)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("data: read items of character %d: %w", owner, err)
	}
	return out, nil
}

// insertItem stores a new item and fills in its id.
func (t *tx) insertItem(i *Item) error {
	container := sql.NullInt64{Int64: int64(i.Container), Valid: i.Container != 0}
	id, err := t.insert(insertItem, i.fields(&container)...)
	i.ID = ItemID(id)
	return err
}
