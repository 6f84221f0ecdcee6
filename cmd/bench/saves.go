package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
)

// saveBatch is how many rows the reference commits at once, and each of our callers hands over.
const saveBatch = 100

// measureSaves is P8: how many rows a second get to the disk through the store, when many ask for it at once, beside one loop
// that does nothing but write them.
func measureSaves(ctx context.Context, b *bench) error {
	dir, err := b.prepared(ctx, apart, b.sizes.accounts(), cheapHash)
	if err != nil {
		return err
	}
	characters, err := storedCharacters(ctx, dir, b.sizes.characters)
	if err != nil {
		return err
	}
	all := slices.Collect(slices.Chunk(characters, saveBatch))
	for _, k := range saveKinds {
		r, err := b.measure(fmt.Sprintf("%s saved, %d at once", k.what, b.sizes.savers),
			perSecond, ratioAtLeast(0.6), ratioAtLeast(0.85),
			func() (float64, error) { return b.storeSaves(ctx, dir, k, all) },
			func() (float64, error) { return b.bareSaves(ctx, dir, k, all) })
		if err != nil {
			return err
		}
		r.note("%s characters in all, %d rows in each call and in each commit of the reference, synchronous FULL",
			thousands(int64(len(characters))), saveBatch)
	}
	return nil
}

// A saveKind is a way to save characters: through the store, and by a statement of its own.
type saveKind struct {
	what string
	save func(context.Context, *data.Store, []data.Character) error
	bare string
	args func(*data.Character) []any
}

// playColumns are the columns that change in play, in the order of characterArgs.
const playColumns = "title_level, degree_level, title_xp, degree_xp, title_points, degree_points, stat_points, " +
	"strength, agility, accuracy, endurance, earth, air, water, fire, hp, mp, satiety, max_satiety, " +
	"karma_count, guild, guild_level, money, x, y, z, yaw, last_seen, played, tutorial"

var saveKinds = []saveKind{
	{"characters", func(ctx context.Context, s *data.Store, cs []data.Character) error { return s.SaveCharacters(ctx, cs) },
		"UPDATE characters SET " + strings.ReplaceAll(playColumns, ", ", " = ?, ") + " = ? WHERE id = ?", characterArgs},
	{"positions", savePositions, "UPDATE characters SET x = ?, y = ?, z = ?, yaw = ? WHERE id = ?", positionArgs},
}

func savePositions(ctx context.Context, s *data.Store, cs []data.Character) error {
	ps := make([]data.PositionSave, len(cs))
	for i := range cs {
		ps[i] = data.PositionSave{ID: cs[i].ID, Position: cs[i].Position}
	}
	return s.SavePositions(ctx, ps)
}

func characterArgs(c *data.Character) []any {
	return []any{c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP, c.TitlePoints, c.DegreePoints, c.StatPoints,
		c.Strength, c.Agility, c.Accuracy, c.Endurance, c.Earth, c.Air, c.Water, c.Fire, c.HP, c.MP, c.Satiety, c.MaxSatiety,
		c.KarmaCount, c.Guild, c.GuildLevel, c.Money,
		c.Position.X, c.Position.Y, c.Position.Z, c.Position.Yaw, c.LastSeen.UnixMilli(), c.Played.Milliseconds(), c.Tutorial, int64(c.ID)}
}

func positionArgs(c *data.Character) []any {
	return []any{c.Position.X, c.Position.Y, c.Position.Z, c.Position.Yaw, int64(c.ID)}
}

func storedCharacters(ctx context.Context, dir string, atMost int) ([]data.Character, error) {
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return nil, err
	}
	characters, err := store.FindCharacters(ctx, "")
	for i := range characters {
		characters[i].LastSeen = time.Now()
	}
	return characters[:min(len(characters), atMost)], errors.Join(err, store.Close())
}

// lived changes what a save is to store, so that no row is what it was.
func lived(cs []data.Character) {
	for i := range cs {
		cs[i].Money = (cs[i].Money + 1) % 1000
		step := float32(0.5)
		if cs[i].Money%2 == 0 {
			step = -step
		}
		cs[i].Position.X += step // to and fro: who enters meanwhile stands where it is expected to
	}
}

// storeSaves saves through a store from many goroutines and returns the rows per second.
func (b *bench) storeSaves(ctx context.Context, dir string, k saveKind, all [][]data.Character) (rate float64, err error) {
	if dir, err = b.copied(dir); err != nil {
		return 0, err
	}
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	savers := min(b.sizes.savers, len(all))
	result, err := b.loop(func(t *testing.B) error {
		var taken atomic.Int64
		return inParallel(ctx, savers, savers, func(ctx context.Context, i int) error {
			for ; int(taken.Add(1)) <= t.N; i += savers {
				if i >= len(all) {
					i %= savers // no batch belongs to two goroutines
				}
				lived(all[i])
				if err := k.save(ctx, store, all[i]); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return saveBatch / perOperation(result), err
}

// bareSaves does the same with a loop that prepares one statement and commits every hundred rows, on a database with the
// store's own settings.
func (b *bench) bareSaves(ctx context.Context, dir string, k saveKind, all [][]data.Character) (rate float64, err error) {
	if dir, err = b.copied(dir); err != nil {
		return 0, err
	}
	pragmas := url.Values{"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "cache_size(-16384)"}}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, data.DatabaseFile)), RawQuery: pragmas.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	var statements [3]*sql.Stmt
	for i, query := range []string{"BEGIN IMMEDIATE", k.bare, "COMMIT"} {
		if statements[i], err = conn.PrepareContext(ctx, query); err != nil {
			return 0, err
		}
		defer statements[i].Close()
	}
	quiet := context.Background() // without a Done channel the driver needs no goroutine for each statement
	result, err := b.loop(func(t *testing.B) error {
		for i := range t.N {
			batch := all[i%len(all)]
			lived(batch)
			if _, err := statements[0].ExecContext(quiet); err != nil {
				return err
			}
			for j := range batch {
				if _, err := statements[1].ExecContext(quiet, k.args(&batch[j])...); err != nil {
					return err
				}
			}
			if _, err := statements[2].ExecContext(quiet); err != nil {
				return err
			}
		}
		return nil
	})
	return saveBatch / perOperation(result), err
}
