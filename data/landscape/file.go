package landscape

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"sphereserver/data/atomicfile"
	"sphereserver/world/rules"
)

// FileName is the name of the file within a data folder that holds the landscapes that were imported from a client.
//
// It begins with a magic, the length of the header and its CRC-32C, all of 8, 4 and 4 bytes. The header is JSON. After
// it come, for each continent, 80 × 80 numbers of tiles, u16, from the south-west along x, 0 for none, and their
// CRC-32C; then the tiles, each of tileBytes with a CRC-32C of its own. All numbers are little-endian.
const FileName = "client-ground.bin"

// Version is the version of the importer. A file of another one is not used, and to be imported again.
const Version = 1

const (
	magic     = "SPHLAND\n"
	prefix    = len(magic) + 4 + 4
	maxHeader = 64 << 10
	tableSize = side * side * 2
	// tileBytes are the least height, all others, water, and the checksum of these.
	tileBytes = 4 + points*points*2 + waterSide*waterSide*4 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A header describes a file.
type header struct {
	Version     int         `json:"version"` // of the importer
	Folder      string      `json:"folder"`  // of the client
	Orientation string      `json:"orientation"`
	Tiles       int         `json:"tiles"` // different ones
	Continents  []Continent `json:"continents"`
}

// A Continent is one of which the ground is known.
type Continent struct {
	Key   string  `json:"key"`   // of its [content.Area]
	West  float32 `json:"west"`  // the least x of its tiles, metres
	South float32 `json:"south"` // the least z
	Tiles int     `json:"tiles"` // that it has
	Fit   Fit     `json:"fit"`
}

// Write puts a landscape into a data folder, which it creates if there is none. A reader sees the old file or the new
// one.
func (l *Landscape) Write(dataDir string) error {
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return fmt.Errorf("landscapes: create the data folder: %w", err)
	}
	path := filepath.Join(dataDir, FileName)
	partial, err := os.CreateTemp(dataDir, FileName+".*.tmp")
	if err != nil {
		return fmt.Errorf("landscapes: %w", err)
	}
	defer os.Remove(partial.Name()) // fails when all went well: it has another name then
	err = errors.Join(l.encode(partial), partial.Close())
	if err == nil {
		err = atomicfile.Replace(partial.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("landscapes: write %s: %w", path, err)
	}
	return nil
}

func (l *Landscape) encode(to io.Writer) error {
	l.header.Tiles = len(l.tiles)
	text, err := json.Marshal(l.header)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<20)
	first := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	first = binary.LittleEndian.AppendUint32(first, crc32.Checksum(text, castagnoli))
	w.Write(append(first, text...))
	for _, table := range l.tables {
		var b []byte
		for _, n := range table {
			b = binary.LittleEndian.AppendUint16(b, n)
		}
		w.Write(sealed(b))
	}
	for _, t := range l.tiles {
		w.Write(t.turned(l.turn, l.waters, t.by).encode())
	}
	return w.Flush() // has the first error
}

// sealed is something with its checksum.
func sealed(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// unsealed returns the bytes without their seal, if they are whole.
func unsealed(b []byte) ([]byte, bool) {
	n := len(b) - 4
	return b[:n], crc32.Checksum(b[:n], castagnoli) == binary.LittleEndian.Uint32(b[n:])
}

func (t *Tile) encode() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, tileBytes), math.Float32bits(t.least))
	for _, h := range t.heights {
		b = binary.LittleEndian.AppendUint16(b, h)
	}
	for _, y := range t.water {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(y))
	}
	return sealed(b)
}

// decode is the inverse of encode; false when it is damaged.
func (t *Tile) decode(b []byte) bool {
	b, whole := unsealed(b)
	if !whole {
		return false
	}
	t.least, t.wet = math.Float32frombits(binary.LittleEndian.Uint32(b)), false
	for b, i := b[4:], 0; i < len(t.heights); i++ {
		t.heights[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	for b, i := b[4+2*len(t.heights):], 0; i < len(t.water); i++ {
		t.water[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		t.wet = t.wet || t.water[i] != dry
	}
	return true
}

// A File is the landscapes of a data folder. All methods may be called by many goroutines at a time.
type File struct {
	f      *os.File
	header header
	tables [][]uint16
	first  int64 // where the tiles begin
	sum    uint32
}

// An OldError is the error of a file that another version of the importer has made.
type OldError struct {
	Version int
	Folder  string // of the client that it is from
}

func (e *OldError) Error() string {
	return fmt.Sprintf("landscapes: imported by version %d of the importer, this program has version %d", e.Version,
		Version)
}

// Open opens the landscapes of a data folder and looks whether all of them is whole. The error is fs.ErrNotExist when
// none were imported, and an [OldError] when they are to be imported again.
func Open(dataDir string) (*File, error) {
	f, err := os.Open(filepath.Join(dataDir, FileName))
	if err != nil {
		return nil, err
	}
	out := &File{f: f}
	if err := out.read(); err != nil {
		f.Close()
		if errors.As(err, new(*OldError)) {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return out, nil
}

// read reads all but the tiles, of which it looks whether they are whole.
func (f *File) read() error {
	sum := crc32.New(castagnoli)
	in := bufio.NewReaderSize(io.TeeReader(f.f, sum), 1<<20)
	length, err := f.readHeader(in)
	if err != nil {
		return err
	}
	h := &f.header
	at := int64(prefix) + length
	for _, c := range h.Continents {
		table, err := readTable(in, h.Tiles)
		if err != nil {
			return fmt.Errorf("landscapes: byte %d: tiles of %s: %w", at, c.Key, err)
		}
		f.tables = append(f.tables, table)
		at += tableSize + 4
	}
	f.first = at
	b := make([]byte, tileBytes)
	for n := range h.Tiles {
		if _, err := io.ReadFull(in, b); err != nil {
			return fmt.Errorf("landscapes: byte %d: expected %d tiles, found %d: %w", at, h.Tiles, n, err)
		}
		if _, whole := unsealed(b); !whole {
			return fmt.Errorf("landscapes: byte %d: tile %d is damaged", at, n)
		}
		at += tileBytes
	}
	if n, _ := io.Copy(io.Discard, in); n > 0 {
		return fmt.Errorf("landscapes: byte %d: expected the end, found %d bytes", at, n)
	}
	f.sum = sum.Sum32()
	return nil
}

// readHeader reads and checks what comes before the tables. length is that of the header, in bytes behind the prefix.
func (f *File) readHeader(in io.Reader) (length int64, err error) {
	begin := make([]byte, prefix)
	if _, err := io.ReadFull(in, begin); err != nil || string(begin[:len(magic)]) != magic {
		return 0, fmt.Errorf("landscapes: byte 0: expected %q, found %.8q", magic, begin)
	}
	size := binary.LittleEndian.Uint32(begin[len(magic):])
	if size > maxHeader {
		return 0, fmt.Errorf("landscapes: byte %d: expected a header of at most %d bytes, found %d", len(magic), maxHeader,
			size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return 0, fmt.Errorf("landscapes: byte %d: expected a header of %d bytes: %w", prefix, size, err)
	}
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(begin[len(magic)+4:]) {
		return 0, fmt.Errorf("landscapes: byte %d: the header is damaged", prefix)
	}
	h := &f.header
	if err := json.Unmarshal(text, h); err != nil {
		return 0, fmt.Errorf("landscapes: byte %d: %w", prefix, err)
	}
	if h.Version != Version {
		return 0, &OldError{h.Version, h.Folder}
	}
	if len(h.Continents) > len(folders) || h.Tiles < 0 || h.Tiles > math.MaxUint16 {
		return 0, fmt.Errorf("landscapes: byte %d: expected at most %d continents of %d tiles, found %d of %d", prefix,
			len(folders), math.MaxUint16, len(h.Continents), h.Tiles)
	}
	return int64(size), nil
}

func readTable(in io.Reader, tiles int) ([]uint16, error) {
	b := make([]byte, tableSize+4)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, err
	}
	b, whole := unsealed(b)
	if !whole {
		return nil, errors.New("they are damaged")
	}
	table := make([]uint16, side*side)
	for i := range table {
		if table[i] = binary.LittleEndian.Uint16(b[2*i:]); int(table[i]) > tiles {
			return nil, fmt.Errorf("expected the number of a tile, at most %d, found %d", tiles, table[i])
		}
	}
	return table, nil
}

// Close closes the file. Views of it that have all of it in memory go on.
func (f *File) Close() error { return f.f.Close() }

// Continents are the continents with known ground. The slice is shared and not to be changed.
func (f *File) Continents() []Continent { return f.header.Continents }

// Folder is the folder of the client from which it was imported.
func (f *File) Folder() string { return f.header.Folder }

// Sum is a checksum of all that was imported: another import has another one.
func (f *File) Sum() uint32 { return f.sum }

// Square is where the tiles of a continent lie: its least x and z, and how long its sides are, in metres.
func (c *Continent) Square() (west, south, length float32) { return c.West, c.South, side * TileSize }

// Tile reads a tile of one of [File.Continents], so many from its western and from its southern edge; nil where the
// continent has none.
func (f *File) Tile(continent, column, row int) (*Tile, error) {
	return NewReader(f).Tile(continent, column, row)
}

// Surface is the ground at a place of the area of a key; false where it is not known. It reads the file each time: a
// caller that asks often has a [View]. It may be called by many goroutines at a time.
func (f *File) Surface(area string, x, z float32) (s rules.Surface, known bool, err error) {
	i := slices.IndexFunc(f.header.Continents, func(c Continent) bool { return c.Key == area })
	if i < 0 {
		return s, false, nil
	}
	west, south, length := f.header.Continents[i].Square()
	if x, z = x-west, z-south; !(x >= 0 && x < length && z >= 0 && z < length) {
		return s, false, nil
	}
	column, row := int(x)/TileSize, int(z)/TileSize
	t, err := f.Tile(i, column, row)
	if err != nil || t == nil {
		return s, false, err
	}
	s, known = t.Surface(x-float32(column*TileSize), z-float32(row*TileSize))
	return s, known, nil
}

// A Reader reads tiles of a file one after the other, into the same memory. It is used by one goroutine at a time.
type Reader struct {
	file *File
	raw  []byte
	into *Tile
}

// NewReader makes a reader.
func NewReader(f *File) *Reader { return &Reader{file: f, into: new(Tile)} }

// Tile is like [File.Tile]; it holds until the next one is read.
func (r *Reader) Tile(continent, column, row int) (*Tile, error) {
	f := r.file
	if column < 0 || column >= side || row < 0 || row >= side {
		return nil, nil
	}
	n := int64(f.tables[continent][row*side+column])
	if n == 0 {
		return nil, nil
	}
	if r.raw == nil {
		r.raw = make([]byte, tileBytes)
	}
	at := f.first + (n-1)*tileBytes
	if _, err := f.f.ReadAt(r.raw, at); err != nil {
		return nil, fmt.Errorf("landscapes: tile %d: %w", n-1, err)
	}
	if !r.into.decode(r.raw) {
		return nil, fmt.Errorf("landscapes: byte %d: tile %d is damaged", at, n-1)
	}
	return r.into, nil
}
