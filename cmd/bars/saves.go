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
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data"
)

// saveBatch is how many rows the reference commits at once, and each of our callers hands over.
const saveBatch = 100

// measureSaves is P8: how many rows a second get to the disk through the store, when many ask for it at once, beside one loop
// that does nothing but write them.
func measureSaves(ctx context.Context, b *bench) ([]*row, error) {
	dir, err := b.prepared(ctx, b.sizes.mostSessions(), cheapHash)
	if err != nil {
		return nil, err
	}
	characters, err := storedCharacters(ctx, dir, b.sizes.characters)
	if err != nil {
		return nil, err
	}
	var rows []*row
	for _, k := range saveKinds {
		r := &row{Number: b.now, Unit: perSecond, Bar: ratioAtLeast(0.6), Great: ratioAtLeast(0.85),
			What: fmt.Sprintf("%s saved, %d at once", k.what, b.sizes.savers)}
		err := b.takeTurns(r,
			func() (float64, error) { return b.storeSaves(ctx, dir, k, characters) },
			func() (float64, error) { return b.bareSaves(ctx, dir, k, characters) })
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	rows[0].note("%s characters in all, %d rows in each call and in each commit of the reference, synchronous FULL", thousands(int64(len(characters))), saveBatch)
	return rows, nil
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

// batches are the characters in portions, each with rows of its own.
func batches(cs []data.Character) [][]data.Character {
	return slices.Collect(slices.Chunk(slices.Clone(cs), saveBatch))
}

// storeSaves saves through a store from many goroutines and returns the rows per second.
func (b *bench) storeSaves(ctx context.Context, dir string, k saveKind, characters []data.Character) (rate float64, err error) {
	if dir, err = b.copied(dir); err != nil {
		return 0, err
	}
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	all := batches(characters)
	savers := min(b.sizes.savers, len(all))
	var rows atomic.Int64
	save := func(d time.Duration) (time.Duration, error) {
		began := time.Now()
		var wait sync.WaitGroup
		failures := make(chan error, savers)
		for g := range savers {
			wait.Go(func() {
				for i := g; time.Since(began) < d; i += savers {
					if i >= len(all) {
						i = g // no batch belongs to two goroutines
					}
					batch := all[i]
					lived(batch)
					if err := k.save(ctx, store, batch); err != nil {
						failures <- err
						return
					}
					rows.Add(int64(len(batch)))
				}
			})
		}
		wait.Wait()
		close(failures)
		return time.Since(began), <-failures
	}
	if _, err := save(b.sizes.warm); err != nil {
		return 0, err
	}
	rows.Store(0)
	took, err := save(b.sizes.window)
	return float64(rows.Load()) / took.Seconds(), err
}

// bareSaves does the same with a loop that prepares one statement and commits every hundred rows, on a database with the
// store's own settings.
func (b *bench) bareSaves(ctx context.Context, dir string, k saveKind, characters []data.Character) (rate float64, err error) {
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
	all := batches(characters)
	save := func(d time.Duration) (rows int, took time.Duration, err error) {
		began := time.Now()
		for i := 0; time.Since(began) < d; i++ {
			batch := all[i%len(all)]
			lived(batch)
			if _, err := statements[0].ExecContext(quiet); err != nil {
				return 0, 0, err
			}
			for j := range batch {
				if _, err := statements[1].ExecContext(quiet, k.args(&batch[j])...); err != nil {
					return 0, 0, err
				}
			}
			if _, err := statements[2].ExecContext(quiet); err != nil {
				return 0, 0, err
			}
			rows += len(batch)
		}
		return rows, time.Since(began), nil
	}
	if _, _, err := save(b.sizes.warm); err != nil {
		return 0, err
	}
	rows, took, err := save(b.sizes.window)
	return float64(rows) / max(took.Seconds(), 1e-9), err
}
