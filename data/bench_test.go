package data

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"sphereserver/world/rules"
)

// Bar P8, which cmd/bench prints: BenchmarkSaveCharacters and BenchmarkSaveLive reach at least 0.6 of
// BenchmarkBareBatch in rows/s.

const (
	benchCharacters = 4000
	benchBatch      = 100
)

func benchStore(b *testing.B) (*Store, []Character) {
	s := open(b, b.TempDir(), Options{})
	return s, fill(b, s, benchCharacters)
}

func BenchmarkSaveCharacters(b *testing.B) {
	b.Run("batch", func(b *testing.B) {
		benchBatches(b, func(s *Store, cs []Character) error { return s.SaveCharacters(context.Background(), cs) })
	})
	b.Run("one-by-one", func(b *testing.B) {
		s, cs := benchStore(b)
		var next atomic.Int64
		b.SetParallelism(200)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := s.SaveCharacters(context.Background(), []Character{cs[int(next.Add(1))%benchCharacters]}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	})
}

func BenchmarkSaveLive(b *testing.B) {
	benchBatches(b, func(s *Store, cs []Character) error {
		states := make([]rules.LiveState, len(cs))
		for i := range cs {
			states[i] = rules.LiveState{Character: int64(cs[i].ID), Position: cs[i].Position,
				Pools: rules.Pools{HP: cs[i].HP, MP: cs[i].MP, Satiety: cs[i].Satiety}}
		}
		return s.SaveLive(context.Background(), states)
	})
}

// benchBatches saves hundreds of rows from 32 goroutines at once, no row from two of them.
func benchBatches(b *testing.B, save func(*Store, []Character) error) {
	s, cs := benchStore(b)
	batches := make(chan []Character, benchCharacters/benchBatch)
	for batch := range slices.Chunk(cs, benchBatch) {
		batches <- batch
	}
	b.SetParallelism(32 / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			batch := <-batches
			step(batch)
			if err := save(s, batch); err != nil {
				b.Error(err)
				return
			}
			batches <- batch
		}
	})
	b.ReportMetric(float64(b.N*benchBatch)/b.Elapsed().Seconds(), "rows/s")
}

// step changes the states to save, so that every row changes.
func step(cs []Character) {
	for i := range cs {
		cs[i].TitleXP = (cs[i].TitleXP + 1) % 1000
		cs[i].Position.X += 0.5
	}
}

// BenchmarkBareBatch is the least that storing the same rows can cost: one goroutine, one prepared statement, a commit
// for each hundred rows, with the same settings of the database.
func BenchmarkBareBatch(b *testing.B) {
	for _, v := range []struct {
		name, update string
		args         func(*Character) []any
	}{
		{"characters", updateCharacter, func(c *Character) []any {
			return []any{c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP, c.TitlePoints, c.DegreePoints, c.TitlePoints + c.DegreePoints,
				c.Base[0], c.Base[1], c.Base[2], c.Base[3], c.Base[4], c.Base[5], c.Base[6], c.Base[7], c.HP, c.MP, c.Satiety,
				c.MaxSatiety,
				c.Karma, c.Resets, c.Licences, c.Revision, c.Guild, c.GuildRank, c.Position.X, c.Position.Y, c.Position.Z,
				c.Position.Yaw,
				toMillis(c.LastSeen), c.Played.Milliseconds(), c.Tutorial, effectsText(c.Effects), c.FirstHelp, c.Kills, c.Deaths,
				cooldownsText(c.Cooldowns),
				c.ID}
		}},
		{"live", updateLive, func(c *Character) []any {
			return []any{c.Position.X, c.Position.Y, c.Position.Z, c.Position.Yaw, c.HP, c.MP, c.Satiety, c.TitleXP, c.DegreeXP,
				c.Karma, c.Kills, c.Deaths, effectsText(c.Effects), cooldownsText(c.Cooldowns), c.ID, c.Revision}
		}},
	} {
		b.Run(v.name, func(b *testing.B) {
			s, cs := benchStore(b)
			db := must(openWrites(s.writer.database.path, busyTimeout))(b)
			defer db.Close()
			update := must(db.Prepare(v.update))(b)
			defer update.Close()
			from := 0
			b.ResetTimer()
			for range b.N {
				tx := must(db.Begin())(b)
				in := tx.Stmt(update)
				step(cs[from : from+benchBatch])
				for i := range benchBatch {
					if _, err := in.Exec(v.args(&cs[from+i])...); err != nil {
						b.Fatal(err)
					}
				}
				if err := tx.Commit(); err != nil {
					b.Fatal(err)
				}
				from = (from + benchBatch) % benchCharacters
			}
			b.ReportMetric(float64(b.N*benchBatch)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkOpen opens a database of 10 and of 10,000 characters; the difference is the check that SQLite makes.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			s := open(b, dir, Options{})
			fill(b, s, n)
			for err := s.Close(); b.Loop(); err = s.Close() {
				if err == nil {
					s, err = Open(b.Context(), dir, Options{Logger: slog.New(slog.DiscardHandler)})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
