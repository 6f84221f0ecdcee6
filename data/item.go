package data

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"
)

// ItemID numbers an item. Numbers are never used again.
type ItemID int64

// An Item is one thing, or one stack of things. It is in exactly one place: carried by a character, kept in the vault of an
// account, or lying in the world. What is in a bag is where the bag is. protocol: in-game 10.1, 10.2.
type Item struct {
	ID            ItemID
	Owner         CharacterID // who carries it; 0: nobody
	Vault         AccountID   // whose vault it is in; 0: nobody's
	World         Lying       // where it lies, if it does
	Container     ItemID      // the bag it is in; 0: in none
	Slot          int         // wire number of the slot; within a container or a vault counted from 0
	Class         int         // class tag, 0 to 4095. protocol: in-game 19.1
	GameID        int         // row of the client's item table, 0 for classes without one
	Suffix        int         // -1: none
	Count         int         // of a stack, at least 1
	Durability    int
	MaxDurability int
	Premium       int    // level, 0: none
	Bound         bool   // to its owner
	Weight        int    // of one, in the wire's units, of which a sword has 5000
	Extra         []byte // class-dependent payload of ContMan 15. protocol: in-game 4.1
}

// Lying is how a thing lies in the world; the zero value is that of one that does not.
type Lying struct {
	There         bool
	At            Position
	Expires       time.Time   // zero: never
	Promised      CharacterID // only this character may take it; 0: everybody
	PromisedUntil time.Time
}

// maxExtraLen in bytes is far above every payload seen.
const maxExtraLen = 1024

const itemColumns = "owner, vault, x, y, z, yaw, expires, promised, promised_until, " +
	"container, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight, extra"

var (
	insertItem = insertInto("items", itemColumns)
	updateItem = "UPDATE items SET " + strings.ReplaceAll(itemColumns, ", ", " = ?, ") + " = ? WHERE id = ?"
)

// row is the item as the table has it, in the order of itemColumns.
func (i *Item) row() []any {
	var place [4]any // NULL
	if at := i.World.At; i.World.There {
		place = [4]any{float64(at.X), float64(at.Y), float64(at.Z), float64(at.Yaw)}
	}
	return []any{null(i.Owner), null(i.Vault), place[0], place[1], place[2], place[3], toMillis(i.World.Expires), int64(i.World.Promised),
		toMillis(i.World.PromisedUntil), null(i.Container), int64(i.Slot), int64(i.Class), int64(i.GameID), int64(i.Suffix), int64(i.Count),
		int64(i.Durability), int64(i.MaxDurability), int64(i.Premium), i.Bound, int64(i.Weight), i.Extra}
}

// null is NULL for a number that stands for none.
func null[T ~int64](id T) any {
	if id == 0 {
		return nil
	}
	return int64(id)
}

const selectItem = "SELECT id, " + itemColumns + " FROM items "

func scanItem(row scanner) (Item, error) {
	var i Item
	var owner, vault, container sql.NullInt64
	var x, y, z, yaw sql.NullFloat64
	err := row.Scan(&i.ID, &owner, &vault, &x, &y, &z, &yaw, stamp{&i.World.Expires}, &i.World.Promised, stamp{&i.World.PromisedUntil},
		&container, &i.Slot, &i.Class, &i.GameID, &i.Suffix, &i.Count, &i.Durability, &i.MaxDurability, &i.Premium, &i.Bound, &i.Weight, &i.Extra)
	i.Owner, i.Vault, i.Container = CharacterID(owner.Int64), AccountID(vault.Int64), ItemID(container.Int64)
	if x.Valid {
		i.World.There = true
		i.World.At = Position{X: float32(x.Float64), Y: float32(y.Float64), Z: float32(z.Float64), Yaw: float32(yaw.Float64)}
	}
	return i, err
}

// samePlace says whether two things are carried by the same, kept in the same vault, or both lie in the world.
func (i *Item) samePlace(j *Item) bool {
	return i.Owner == j.Owner && i.Vault == j.Vault && i.World.There == j.World.There
}

func (i *Item) check() error {
	if places := number(i.Owner != 0) + number(i.Vault != 0) + number(i.World.There); places != 1 {
		return fmt.Errorf("data: item of class %d: expected one that is carried, in a vault or in the world, found one in %d places", i.Class, places)
	}
	if err := i.World.At.Check(); err != nil {
		return fmt.Errorf("data: item of class %d: %w", i.Class, err)
	}
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

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Items lists what a character carries: first what it carries directly, then what is in containers, each by slot.
func (s *Store) Items(ctx context.Context, owner CharacterID) ([]Item, error) {
	return s.items(ctx, fmt.Sprintf("of character %d", owner), "WHERE owner = ? ORDER BY coalesce(container, 0), slot", owner)
}

// Vault lists what an account keeps, in the same order.
func (s *Store) Vault(ctx context.Context, account AccountID) ([]Item, error) {
	return s.items(ctx, fmt.Sprintf("in the vault of account %d", account), "WHERE vault = ? ORDER BY coalesce(container, 0), slot", account)
}

// Lying lists what lies in the world, bags before what is in them.
func (s *Store) Lying(ctx context.Context) ([]Item, error) {
	return s.items(ctx, "in the world", "WHERE x IS NOT NULL ORDER BY coalesce(container, 0), id")
}

func (s *Store) items(ctx context.Context, whose, where string, args ...any) ([]Item, error) {
	rows, err := s.reads.QueryContext(ctx, selectItem+where, args...)
	if err != nil {
		return nil, fmt.Errorf("data: read items %s: %w", whose, err)
	}
	defer rows.Close()
	var out []Item
	for rows.Next() {
		i, err := scanItem(rows)
		if err != nil {
			return nil, fmt.Errorf("data: read items %s: %w", whose, err)
		}
		out = append(out, i)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("data: read items %s: %w", whose, err)
	}
	return out, nil
}

// insertItem stores a new item and fills in its id.
func (t *tx) insertItem(i *Item) error {
	id, err := t.insert(insertItem, i.row()...)
	i.ID = ItemID(id)
	return err
}
