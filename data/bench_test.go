package data

import (
	"context"
	"sync/atomic"
	"testing"
)

// The bar: BenchmarkSaveCharacters reaches at least 0.6 of BenchmarkBareBatch in rows/s, both through batches and one by one.

const (
	benchCharacters = 1000
	benchBatch      = 100
)

func benchStore(b *testing.B) (*Store, []Character) {
	s := open(b, b.TempDir(), Options{})
	return s, fill(b, s, benchCharacters)
}

func BenchmarkSaveCharacters(b *testing.B) {
	b.Run("batch", func(b *testing.B) {
		s, cs := benchStore(b)
		var next atomic.Int64
		b.SetParallelism(4)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				from := int(next.Add(benchBatch)) % benchCharacters
				if err := s.SaveCharacters(context.Background(), cs[from:from+benchBatch]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.ReportMetric(float64(b.N*benchBatch)/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("one-by-one", func(b *testing.B) {
		s, cs := benchStore(b)
		var next atomic.Int64
		b.SetParallelism(200)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := s.SaveCharacter(context.Background(), cs[int(next.Add(1))%benchCharacters]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	})
}

// BenchmarkBareBatch is the least that storing the same rows can cost: one goroutine, one prepared statement, a commit for
// each hundred rows, with the same settings of the database.
func BenchmarkBareBatch(b *testing.B) {
	s, cs := benchStore(b)
	path := s.writer.path
	db, err := openWrites(path, busyTimeout)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	update, err := db.Prepare(updateCharacter)
	if err != nil {
		b.Fatal(err)
	}
	defer update.Close()
	from := 0
	b.ResetTimer()
	for range b.N {
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		in := tx.Stmt(update)
		for i := range benchBatch {
			c := &cs[from+i]
			_, err := in.Exec(c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP, c.TitlePoints, c.DegreePoints, c.StatPoints,
				c.Strength, c.Agility, c.Accuracy, c.Endurance, c.Earth, c.Air, c.Water, c.Fire, c.HP, c.MP, c.Satiety, c.MaxSatiety,
				c.KarmaCount, c.Guild, c.GuildLevel, c.Money,
				c.Position.X, c.Position.Y, c.Position.Z, c.Position.Yaw, toMillis(c.LastSeen), c.Played.Milliseconds(), c.Tutorial, c.ID)
			if err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
		from = (from + benchBatch) % benchCharacters
	}
	b.ReportMetric(float64(b.N*benchBatch)/b.Elapsed().Seconds(), "rows/s")
}
