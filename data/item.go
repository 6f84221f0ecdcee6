package data

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// maxExtraLen in bytes is far above every payload seen.
const maxExtraLen = 1024

const itemColumns = "owner, vault, x, y, z, yaw, expires, promised, promised_until, " +
	"container, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight, extra"

var (
	insertItem = insertInto("items", itemColumns)
	updateItem = update("items", itemColumns)
)

// itemRow is an item as the table has it, in the order of itemColumns.
func itemRow(i *rules.StoredItem) []any {
	var place [4]any // NULL
	var lies rules.OnGround
	if i.OnGround != nil {
		lies = *i.OnGround
		place = [4]any{float64(lies.At.X), float64(lies.At.Y), float64(lies.At.Z), float64(lies.At.Yaw)}
	}
	return []any{null(i.Owner), null(i.Vault), place[0], place[1], place[2], place[3], toMillis(lies.Expires),
		lies.Promised,
		toMillis(lies.PromisedUntil), null(i.In), int64(i.Slot), int64(i.Class), int64(i.GameID), int64(i.Suffix),
		int64(i.Count),
		int64(i.Durability), int64(i.MaxDurability), int64(i.Premium), i.Bound, int64(i.Weight), i.Extra}
}

// null is NULL for a number that stands for none.
func null[T ~int64](id T) any {
	if id == 0 {
		return nil
	}
	return int64(id)
}

const (
	selectItem = "SELECT id, " + itemColumns + " FROM items "
	bySlot     = "ORDER BY coalesce(container, 0), slot"
)

func scanItem(row *sql.Rows) (rules.StoredItem, error) {
	var i rules.StoredItem
	var lies rules.OnGround
	var owner, vault, container sql.NullInt64
	var x, y, z, yaw sql.NullFloat64
	err := row.Scan(&i.ID, &owner, &vault, &x, &y, &z, &yaw, stamp{&lies.Expires}, &lies.Promised,
		stamp{&lies.PromisedUntil},
		&container, &i.Slot, &i.Class, &i.GameID, &i.Suffix, &i.Count, &i.Durability, &i.MaxDurability, &i.Premium, &i.Bound,
		&i.Weight, &i.Extra)
	i.Owner, i.Vault, i.In = owner.Int64, vault.Int64, rules.ItemID(container.Int64)
	if x.Valid {
		lies.At = coords.Position{X: float32(x.Float64), Y: float32(y.Float64), Z: float32(z.Float64),
			Yaw: float32(yaw.Float64)}
		i.OnGround = &lies
	}
	return i, err
}

// samePlace reports whether two items are carried by the same, kept in the same vault, or both lie in the world.
func samePlace(i, j *rules.StoredItem) bool {
	return i.Owner == j.Owner && i.Vault == j.Vault && (i.OnGround == nil) == (j.OnGround == nil)
}

// checkItem says which value is out of its range.
func checkItem(i *rules.StoredItem) error {
	if places := number(i.Owner != 0) + number(i.Vault != 0) + number(i.OnGround != nil); places != 1 {
		return fmt.Errorf("data: item of class %d: expected one that is carried, in a vault or in the world, "+
			"found one in %d places", i.Class, places)
	}
	if i.OnGround != nil {
		if err := CheckPosition(i.OnGround.At); err != nil {
			return fmt.Errorf("data: item of class %d: %w", i.Class, err)
		}
	}
	return checkBounds([]bounded{
		{"slot", int64(i.Slot), 0, math.MaxUint8},
		{"class", int64(i.Class), 0, 4095},
		{"count", int64(i.Count), 1, math.MaxInt32},
		{"suffix", int64(i.Suffix), -1, math.MaxInt32},
		{"length of the extra data", int64(len(i.Extra)), 0, maxExtraLen},
	}, "item of class %d in slot %d", i.Class, i.Slot)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Items lists what a character carries: first the items in its own slots, then the contents of containers, each by
// slot.
func (s *Store) Items(ctx context.Context, owner CharacterID) ([]rules.Item, error) {
	found, err := readAll(ctx, s.reads, scanItem, selectItem+"WHERE owner = ? "+bySlot, owner)
	return rules.Bare(found), wrap(err, "read items of character %d", owner)
}

// Vault lists the items in an account's vault, in the same order.
func (s *Store) Vault(ctx context.Context, account AccountID) ([]rules.Item, error) {
	found, err := readAll(ctx, s.reads, scanItem, selectItem+"WHERE vault = ? "+bySlot, account)
	return rules.Bare(found), wrap(err, "read items in the vault of account %d", account)
}

// Lying lists the items that lie in the world, bags before their contents.
func (s *Store) Lying(ctx context.Context) ([]rules.StoredItem, error) {
	found, err := readAll(ctx, s.reads, scanItem, selectItem+"WHERE x IS NOT NULL ORDER BY coalesce(container, 0), id")
	return found, wrap(err, "read items in the world")
}

// insertItem stores a new item and returns its number.
func (t *tx) insertItem(i *rules.StoredItem) (rules.ItemID, error) {
	id, err := t.insert(insertItem, itemRow(i)...)
	return rules.ItemID(id), err
}
