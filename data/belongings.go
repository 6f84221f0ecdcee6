package data

import (
	"context"
	"errors"
	"fmt"
	"math"

	"sphereserver/world/rules"
)

// ErrConflict is the error of a change that starts from another state than the stored one. Nothing has been changed.
var ErrConflict = errors.New("the belongings are not what they were taken for")

var updateSheet = update("characters", sheetColumns)

// Apply makes a change durable and returns the numbers of the items in Items, in order. ErrConflict when something is
// not as the change says that it was, ErrNotFound when a character is gone.
func (s *Store) Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error) {
	if err := checkChange(&c); err != nil {
		return nil, err
	}
	ids := make([]rules.ItemID, len(c.Items))
	err := s.do(ctx, func(t *tx) error {
		if err := t.applyItems(c.Items, ids); err != nil {
			return err
		}
		for _, m := range c.Money {
			err := t.change("UPDATE characters SET money = ? WHERE id = ? AND money = ?", m.Is, m.Character, m.Was)
			switch {
			case errors.Is(err, ErrNotFound):
				return fmt.Errorf("data: character %d has not %d coins: %w", m.Character, m.Was, ErrConflict)
			case err != nil:
				return wrap(err, "money of character %d", m.Character)
			}
		}
		for i := range c.Progress {
			p, is := &c.Progress[i], Character{}
			is.SetProgress(p)
			if err := t.change(updateSheet, append(values(is.sheetFields()), p.Character)...); err != nil {
				return wrap(err, "character %d", p.Character)
			}
		}
		for _, p := range c.Places {
			err := t.change("UPDATE characters SET x = ?, y = ?, z = ?, yaw = ?, revision = ? WHERE id = ?", p.Is.X, p.Is.Y,
				p.Is.Z, p.Is.Yaw, p.Revision, p.Character)
			if err != nil {
				return wrap(err, "place of character %d", p.Character)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

func checkChange(c *rules.Change) error {
	for i, ch := range c.Items {
		switch {
		case ch.Was == nil && ch.Is == nil:
			return fmt.Errorf("data: change of item %d: expected a thing before or after it, found none", i+1)
		case ch.Was != nil && ch.Is != nil && ch.Was.ID != ch.Is.ID:
			return fmt.Errorf("data: change of item %d: expected one thing, found %d and %d", i+1, ch.Was.ID, ch.Is.ID)
		case ch.Is == nil:
			continue
		case ch.Is.In < -rules.ItemID(len(c.Items)):
			return fmt.Errorf("data: change of item %d: container %d: expected one of %d changes", i+1, ch.Is.In, len(c.Items))
		}
		if err := checkItem(ch.Is); err != nil {
			return err
		}
	}
	for _, m := range c.Money {
		if m.Is < 0 || m.Is > math.MaxInt32 {
			return fmt.Errorf("data: money of character %d: expected 0 to %d, found %d", m.Character, math.MaxInt32, m.Is)
		}
	}
	for _, p := range c.Places {
		if err := p.Is.Check(); err != nil {
			return fmt.Errorf("data: place of character %d: %w", p.Character, err)
		}
	}
	for i := range c.Progress {
		var is Character
		is.SetProgress(&c.Progress[i])
		if err := is.check(); err != nil {
			return err
		}
	}
	return nil
}

// applyItems changes items that are as the change says that they were. Places are freed first, so that items can
// trade places.
func (t *tx) applyItems(changes []rules.ItemChange, ids []rules.ItemID) error {
	for i, ch := range changes {
		if ch.Was == nil {
			continue
		}
		ids[i] = ch.Was.ID
		if err := t.asItWas(ch.Was); err != nil {
			return err
		}
		if len(changes) > 1 && (ch.Is == nil || ch.Is.Slot != ch.Was.Slot || ch.Is.In != ch.Was.In ||
			!samePlace(ch.Is, ch.Was)) {
			if err := t.command("UPDATE items SET slot = -1 - id WHERE id = ?", ch.Was.ID); err != nil {
				return fmt.Errorf("data: item %d: %w", ch.Was.ID, err)
			}
		}
	}
	for i, ch := range changes {
		if ch.Is == nil {
			continue
		}
		is := *ch.Is
		if is.In < 0 {
			is.In = ids[-is.In-1]
		}
		id, err := t.putItem(&is, ch.Was == nil)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	for _, ch := range changes {
		if ch.Is == nil {
			if err := t.removeItem(ch.Was.ID); err != nil {
				return err
			}
		}
	}
	for i, ch := range changes {
		if ch.Is != nil {
			if err := t.keptTogether(ids[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// asItWas refuses a change of an item that is not, or not any more, as the change says that it was.
func (t *tx) asItWas(was *rules.StoredItem) error {
	is, err := readOne(background, t, scanItem, selectItem+"WHERE id = ?", was.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		return fmt.Errorf("data: item %d is gone: %w", was.ID, ErrConflict)
	case err != nil:
		return wrap(err, "read item %d", was.ID)
	case !samePlace(&is, was) || !is.Same(&was.Item):
		return fmt.Errorf("data: item %d: expected %+v, found %+v: %w", was.ID, *was, is, ErrConflict)
	}
	return nil
}

func (t *tx) putItem(i *rules.StoredItem, isNew bool) (rules.ItemID, error) {
	if isNew {
		id, err := t.insertItem(i)
		return id, wrap(err, "new item of class %d", i.Class)
	}
	return i.ID, wrap(t.command(updateItem, append(itemRow(i), int64(i.ID))...), "item %d", i.ID)
}

const selectHeld = "SELECT 1 FROM items WHERE container = ?"

// removeItem takes an item out of existence. The schema would take its contents along, so it must be empty.
func (t *tx) removeItem(id rules.ItemID) error {
	err := t.refuseIf(fmt.Errorf("data: item %d is to go, but holds something: %w", id, ErrConflict), selectHeld, id)
	if err != nil {
		return err
	}
	return t.command("DELETE FROM items WHERE id = ?", id)
}

// keptTogether refuses a bag that is elsewhere than its contents, an item in a bag that is elsewhere, and a bag in
// itself.
func (t *tx) keptTogether(id rules.ItemID) error {
	apart := fmt.Errorf("data: item %d and what it is in, or what is in it, would be in two places: %w", id, ErrConflict)
	if err := t.refuseIf(apart, selectApart, id, id); err != nil {
		return err
	}
	return t.refuseIf(fmt.Errorf("data: item %d would lie in itself: %w", id, ErrConflict), selectInItself, id, id)
}

// selectApart has a row for each pair of an item of this id and its bag, or of a bag of this id and an item in it, that
// are in two places. It is two queries in one, since for "i.id = ? OR b.id = ?" SQLite reads all items that are in
// bags.
const (
	selectApart = selectPairs + "i.id = ? AND " + inTwoPlaces + " UNION ALL " +
		selectPairs + "i.container = ? AND " + inTwoPlaces
	selectPairs = "SELECT 1 FROM items i JOIN items b ON b.id = i.container WHERE "
	inTwoPlaces = "(b.owner IS NOT i.owner OR b.vault IS NOT i.vault OR (b.x IS NULL) <> (i.x IS NULL))"
)

// selectInItself has a row if a bag is, through other bags, in itself.
const selectInItself = `WITH RECURSIVE up(id) AS (SELECT container FROM items WHERE id = ? AND container IS NOT NULL
	UNION SELECT i.container FROM items i JOIN up ON i.id = up.id WHERE i.container IS NOT NULL)
	SELECT 1 FROM up WHERE id = ?`
