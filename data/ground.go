package data

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"sphereserver/coords"
	"sphereserver/data/atomicfile"
	"sphereserver/world/rules"
)

const (
	centimetres = 100
	// groundBatch is how many heights are written at once.
	groundBatch = 4096
	// groundHead is the first line of a file of heights. Each line after it is one: x, z, storey, and the height in
	// centimetres; the last says how many there are.
	groundHead = "sphere ground 1"
	// maxGround is how many heights a file holds at most.
	maxGround = 4 << 20
)

const insertGround = "INSERT OR REPLACE INTO ground (x, z, storey, y) VALUES (?, ?, ?, ?)"

// SaveGround stores the heights of some squares of the ground, and replaces those known before.
func (s *Store) SaveGround(ctx context.Context, cells []rules.GroundCell) error {
	for i := range cells {
		if err := checkGround(&cells[i]); err != nil {
			return wrap(err, "ground")
		}
	}
	for batch := range slices.Chunk(cells, groundBatch) {
		err := s.do(ctx, func(t *tx) error {
			for _, c := range batch {
				if err := t.command(insertGround, c.X, c.Z, c.Storey, groundHeight(c)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return wrap(err, "ground")
		}
	}
	return nil
}

func groundHeight(c rules.GroundCell) int64 { return int64(math.Round(float64(c.Y) * centimetres)) }

func checkGround(c *rules.GroundCell) error {
	at := coords.Position{X: float32(c.X) * rules.GroundCellSize, Y: c.Y, Z: float32(c.Z) * rules.GroundCellSize}
	if err := at.Check(); err != nil {
		return err
	}
	if c.Storey < 0 || c.Storey > rules.MaxStorey {
		return fmt.Errorf("storey: expected 0 to %d, found %d", rules.MaxStorey, c.Storey)
	}
	return nil
}

// Ground returns all known heights of the ground, in metres, by their squares and storeys.
func (s *Store) Ground(ctx context.Context) ([]rules.GroundCell, error) {
	cells, err := readAll(ctx, s.reads, scanGround, "SELECT x, z, storey, y FROM ground ORDER BY x, z, storey")
	return cells, wrap(err, "ground")
}

// EachGround tells the known heights of the ground in the squares from one corner to another, both of them included,
// at heights from least and below most, by their x.
func (s *Store) EachGround(ctx context.Context, from, to [2]int32, least, most float32,
	tell func(rules.GroundCell)) error {
	return wrap(each(ctx, s.reads, func(row *sql.Rows) error {
		c, err := scanGround(row)
		if err == nil {
			tell(c)
		}
		return err
	}, "SELECT x, z, storey, y FROM ground WHERE x BETWEEN ? AND ? AND z BETWEEN ? AND ? AND y >= ? AND y < ? ORDER BY x",
		from[0], to[0], from[1], to[1], int64(least*centimetres), int64(most*centimetres)), "ground")
}

func scanGround(row *sql.Rows) (c rules.GroundCell, err error) {
	var y int64
	err = row.Scan(&c.X, &c.Z, &c.Storey, &y)
	c.Y = float32(y) / centimetres
	return c, err
}

// ExportGround writes the known ground in the database of a data folder to a new file, or to standard output when
// path is "-", and returns how many heights those are. A server may be running in the folder.
func ExportGround(ctx context.Context, dir, path string, standard io.Writer) (n int, err error) {
	s, err := Open(ctx, dir, Options{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	cells, err := s.Ground(ctx)
	if err != nil {
		return 0, err
	}
	if path == "-" {
		return len(cells), wrap(writeGround(standard, cells), "export the ground")
	}
	if fileSize(path) >= 0 {
		return 0, fmt.Errorf("data: export the ground: %s exists already", path)
	}
	partial := path + ".partial"
	f, err := os.Create(partial)
	if err != nil {
		return 0, wrap(err, "export the ground")
	}
	defer os.Remove(partial)
	err = writeGround(f, cells)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = atomicfile.Replace(partial, path)
	}
	return len(cells), wrap(err, "export the ground to %s", path)
}

func writeGround(w io.Writer, cells []rules.GroundCell) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, groundHead)
	for _, c := range cells {
		fmt.Fprintf(out, "%d %d %d %d\n", c.X, c.Z, c.Storey, groundHeight(c))
	}
	fmt.Fprintf(out, "end %d\n", len(cells))
	return out.Flush()
}

// readGround reads the text of writeGround.
func readGround(r io.Reader) (cells []rules.GroundCell, err error) {
	in, line := bufio.NewScanner(r), 1
	defer func() {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line %d: expected at most %d bytes", line, bufio.MaxScanTokenSize)
		}
	}()
	if !in.Scan() || in.Text() != groundHead {
		return nil, cmp.Or(in.Err(), fmt.Errorf("line 1: expected %q", groundHead))
	}
	for line = 2; in.Scan(); line++ {
		var n int
		if _, err := fmt.Sscanf(in.Text(), "end %d", &n); err == nil {
			if n != len(cells) || in.Scan() {
				return nil, fmt.Errorf("line %d: expected the end after %d heights, found %d", line, n, len(cells))
			}
			return cells, in.Err()
		}
		var c rules.GroundCell
		var y int32
		if _, err := fmt.Sscanf(in.Text(), "%d %d %d %d", &c.X, &c.Z, &c.Storey, &y); err != nil {
			return nil, fmt.Errorf("line %d: expected four whole numbers", line)
		}
		c.Y = float32(y) / centimetres
		if err := checkGround(&c); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if cells = append(cells, c); len(cells) > maxGround {
			return nil, fmt.Errorf("line %d: expected at most %d heights", line, maxGround)
		}
	}
	return nil, cmp.Or(in.Err(), fmt.Errorf("the end is missing after %d heights", len(cells)))
}

// ImportGround adds the ground in a file to the database of a data folder in which no server runs, and returns how
// many heights those are. Where both know a height, the file's counts.
func ImportGround(ctx context.Context, dir string, r io.Reader) (n int, err error) {
	cells, err := readGround(r)
	if err != nil {
		return 0, wrap(err, "import the ground")
	}
	err = withLock(dir, func() error {
		s, err := Open(ctx, dir, Options{NoUpdate: true})
		if err != nil {
			return err
		}
		known, err := s.Ground(ctx)
		if err == nil {
			cells = mergeGround(known, cells)
			err = s.SaveGround(ctx, cells)
		}
		return cmp.Or(err, s.Close())
	})
	return len(cells), err
}

// mergeGround gives heights their storeys among the known ones, and leaves out heights without room.
func mergeGround(known, added []rules.GroundCell) (merged []rules.GroundCell) {
	type square struct{ x, z int32 }
	storeys := make(map[square][]rules.GroundCell, len(known))
	for _, c := range known {
		at := square{c.X, c.Z}
		storeys[at] = append(storeys[at], c)
	}
	for _, c := range added {
		at := square{c.X, c.Z}
		there := storeys[at]
		i := slices.IndexFunc(there, func(k rules.GroundCell) bool { return rules.SameStorey(k.Y, c.Y) })
		switch {
		case i >= 0:
			c.Storey = there[i].Storey
			there[i] = c
		case len(there) > rules.MaxStorey:
			continue
		default:
			c.Storey = len(there)
			storeys[at] = append(there, c)
		}
		merged = append(merged, c)
	}
	return merged
}
