// Package ground knows how high the ground is where players have walked: squares of 2 m, each with as many storeys as
// are known there. Elsewhere it guesses from the nearest known heights. It is used by one goroutine at a time.
//
// Source: protocol fight 6.4 b, c.
package ground

import (
	"math"
	"math/bits"
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	size         = rules.GroundCellSize
	storeyHeight = rules.StoreyHeight
	// agreement is by how much samples of one height differ at most, in metres.
	agreement = 0.6
	// samples is how many are kept of each height, the newest.
	samples = 4
	// worth is by how much a height changes, in metres, before it is to be stored again.
	worth = 0.1
	// most is how many heights are learned at most: some 25 bytes each.
	most = 2 << 20
	// batch is how many are handed over at once to be stored.
	batch = 512

	// neighbours, and how far away they are at most in squares, make a guess.
	neighbours = 6
	radius     = 30

	// tileSize is the side of a tile in squares: bits of a word.
	tileSize = 32
	// recentSide is the side, in tiles, of the square of tiles that are all found without the map.
	recentSide = 16
	// someSide is the side, in tiles, of the square that some repeats over the world. A multiple of 64.
	someSide = 128
)

// A Ground is the known heights of the ground. The zero value knows none; it is to be made by [New].
type Ground struct {
	tiles   map[uint64]*tile
	recent  [recentSide * recentSide]*tile   // that were asked for last, by the low bits of their places
	absent  [recentSide * recentSide]uint64  // the places of those that are not there; nowhere: none
	some    [someSide * someSide / 64]uint64 // bits of the tiles that are there, by the low bits of their places
	known   int
	changed []place // and not handed over yet

	// slope is by how much two places of one storey differ at most in height, for each metre between them, beyond
	// storeyHeight; steepest by how much a way rises or falls at most for each metre; cells is how many squares a search
	// looks at. Source: protocol fight 6.4.
	slope    float64
	steepest float32
	cells    int
	wade     float32 // depth of water up to which monsters walk, in metres

	land   Land        // below the learned heights; nil: none
	around [3][3]*tile // of the last guess
	search search
}

// A tile is a square of squares. Most are known in few places, where players have walked: there is room for no others.
type tile struct {
	x, z   int32            // by tileSize squares
	some   uint32           // a bit for each row of which something is known
	rows   [tileSize]uint32 // a bit for each square of which something is known
	before [tileSize]uint16 // for each row how many squares are known in those before it
	cells  []cell           // the first storey of each known square, row by row
	more   []cell           // all other storeys
}

// A cell is one storey of a square. Learned cells are most of the growth of a server: 20 bytes for each.
type cell struct {
	y       float32
	samples [samples]offset // from y
	stored  offset          // from y
	next    uint16          // index in more of another storey plus one
	storey  uint8
	n       uint8 // samples; 0: the height was given
	at      uint8 // of the oldest sample
	waits   bool  // to be handed over
	fresh   bool  // never handed over, nor given to begin with
}

// An offset is a height from another one, in steps of a millimetre.
type offset int16

func between(from, to float32) offset {
	return offset(min(max(math.Round(float64(to-from)*1000), math.MinInt16), math.MaxInt16))
}

func (o offset) from(y float32) float32 { return y + float32(o)/1000 }

// A place is a cell.
type place struct {
	tile   *tile
	x, z   int32
	storey uint8
}

// New makes a ground of which some heights are known.
func New(given []rules.GroundCell) *Ground {
	g := &Ground{tiles: map[uint64]*tile{}}
	g.SetBalance(&rules.DefaultBalance().Mind)
	for i := range g.absent {
		g.absent[i] = nowhere
	}
	for _, c := range given {
		g.give(c)
	}
	return g
}

// SetBalance implements [world.Ground].
func (g *Ground) SetBalance(b *rules.MindBalance) {
	g.slope, g.steepest, g.cells = b.GuessSlope, float32(b.Steepest), min(max(b.WayCells, 1), rules.MostWayCells)
	g.wade = float32(b.Wade)
}

// Mark notes the height of a place that is known for certain, such as where a person stands. It is not stored.
func (g *Ground) Mark(at coords.Position) {
	x, z := square(at)
	if t, i := g.open(x, z); t.nearest(i, at.Y, storeyHeight) == nil {
		g.add(t, i, at.Y)
	}
}

// give puts a height as it was stored.
func (g *Ground) give(c rules.GroundCell) {
	t, i := g.open(c.X, c.Z)
	if near := t.nearest(i, c.Y, storeyHeight); near != nil {
		near.y, near.stored, near.n = c.Y, 0, 0
		return
	}
	if made := g.add(t, i, c.Y); made != nil {
		made.storey, made.fresh = uint8(c.Storey), false
	}
}

func square(at coords.Position) (x, z int32) { return floor(at.X / size), floor(at.Z / size) }

// floor is math.Floor, without leaving float32.
func floor(v float32) int32 {
	i := int32(v)
	if float32(i) > v {
		i--
	}
	return i
}

// nowhere is the key of no tile: the world is not as large.
const nowhere = 1 << 31 << 32

func keyOf(x, z int32) uint64 { return uint64(uint32(x))<<32 | uint64(uint32(z)) }

// find returns the tile of a square, nil if nothing is known in it.
func (g *Ground) find(x, z int32) *tile { return g.tile(x>>5, z>>5) }

// tile returns the tile at a place by tileSize squares, nil if nothing is known in it.
func (g *Ground) tile(x, z int32) *tile {
	r := recentOf(x, z)
	if t := g.recent[r]; t != nil && t.x == x && t.z == z {
		return t
	}
	if g.lacks(x, z) {
		return nil
	}
	key := keyOf(x, z)
	t := g.tiles[key]
	if t != nil {
		g.recent[r] = t
	} else {
		g.absent[r] = key
	}
	return t
}

func recentOf(x, z int32) int {
	return int(z&(recentSide-1))*recentSide + int(x&(recentSide-1))
}

// lacks says of some tiles that are not there, and of nearly all in a young world, that they are not.
func (g *Ground) lacks(x, z int32) bool {
	word, bit := someOf(x, z)
	return g.some[word]&bit == 0 || g.absent[recentOf(x, z)] == keyOf(x, z)
}

// someOf is the word of [Ground].some that has the bit of a tile.
func someOf(x, z int32) (word int, bit uint64) {
	n := int(z&(someSide-1))*someSide + int(x&(someSide-1))
	return n / 64, 1 << (n % 64)
}

// within is the index of a square in its tile.
func within(x, z int32) int { return int(z&(tileSize-1))*tileSize + int(x&(tileSize-1)) }

// open returns the tile of a square, which may be new, and the square's index in it.
func (g *Ground) open(x, z int32) (*tile, int) {
	t := g.find(x, z)
	if t == nil {
		t = &tile{x: x >> 5, z: z >> 5}
		g.tiles[keyOf(t.x, t.z)] = t
		g.absent[recentOf(t.x, t.z)] = nowhere
		word, bit := someOf(t.x, t.z)
		g.some[word] |= bit
	}
	return t, within(x, z)
}

// add makes another storey of a square; nil if there is no room for it.
func (g *Ground) add(t *tile, i int, y float32) *cell {
	if g.known >= most {
		return nil
	}
	made := cell{y: y, fresh: true}
	for t.storey(i, made.storey) != nil {
		if made.storey++; made.storey > rules.MaxStorey {
			return nil
		}
	}
	g.known++
	n, known := t.rank(i)
	if known {
		first := &t.cells[n]
		made.next = first.next
		t.more = append(t.more, made)
		first.next = uint16(len(t.more))
		return &t.more[len(t.more)-1]
	}
	if len(t.cells) == cap(t.cells) { // append would double it
		t.cells = append(make([]cell, 0, len(t.cells)+len(t.cells)/8+4), t.cells...)
	}
	t.cells = slices.Insert(t.cells, n, made)
	row := i / tileSize
	t.rows[row] |= 1 << (i % tileSize)
	t.some |= 1 << row
	for after := row + 1; after < tileSize; after++ {
		t.before[after]++
	}
	return &t.cells[n]
}

// rank is how many squares are known before one, row by row, and whether it is known itself.
func (t *tile) rank(i int) (n int, known bool) {
	z, bit := i/tileSize&(tileSize-1), uint32(1)<<(i%tileSize)
	row := t.rows[z]
	return int(t.before[z]) + bits.OnesCount32(row&(bit-1)), row&bit != 0
}

// storey is the one of a square with a number; nil: none.
func (t *tile) storey(i int, number uint8) *cell {
	for c := t.first(i); c != nil; c = t.after(c) {
		if c.storey == number {
			return c
		}
	}
	return nil
}

// nearest is the storey of a square that is nearest to a height and not farther from it than so much; nil: none.
func (t *tile) nearest(i int, y, far float32) (found *cell) {
	for c := t.first(i); c != nil; c = t.after(c) {
		if d := abs(c.y - y); d <= far {
			found, far = c, d
		}
	}
	return found
}

// first is one storey of a square, nil for none; after is another one, nil if there are no more.
func (t *tile) first(i int) *cell {
	if n, known := t.rank(i); known {
		return &t.cells[n]
	}
	return nil
}

func (t *tile) after(c *cell) *cell {
	if c.next == 0 {
		return nil
	}
	return &t.more[c.next-1]
}

// abs is without a branch, unlike max, which has to mind NaN.
func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

// at is the known height of a square near a height.
func (g *Ground) at(x, z int32, y float32) (float32, bool) {
	if t := g.find(x, z); t != nil {
		if c := t.nearest(within(x, z), y, storeyHeight); c != nil {
			return c.y, true
		}
	}
	return 0, false
}

// Height is how high the ground is at a place, on the storey of its height: that of the land or of its water, or as it
// was learned there, or else as the nearest places let guess, near among them if it is not nil.
func (g *Ground) Height(at coords.Position, near *coords.Position) (float32, bool) {
	if g.land == nil {
		return g.learned(at, near)
	}
	s, known := g.land.Surface(at)
	if !known {
		return g.learned(at, near)
	}
	x, z := square(at)
	if x, z = x>>5, z>>5; !g.lacks(x, z) {
		if y, ok := g.learnedOver(at, &s); ok {
			return y, true
		}
	}
	land := g.carries(&s)
	if abs(land-at.Y) > reach { // it is nearer to another storey, of which nothing is learned at this very place
		if guess, ok := g.learned(at, near); ok {
			return guess, true
		}
	}
	return land, true
}

// learned is the height of a place as far as it was learned.
func (g *Ground) learned(at coords.Position, near *coords.Position) (float32, bool) {
	x, z := square(at)
	if y, ok := g.at(x, z, at.Y); ok {
		return y, true
	}
	return g.guess(at, x, z, near)
}

// A guess is the nearest places that are known, the nearest first.
type guess struct {
	d2, y [neighbours]float64
	n     int
}

func (u *guess) worst() float64 {
	if u.n < neighbours {
		return (radius + 1) * (radius + 1) * size * size
	}
	return u.d2[neighbours-1]
}

func (u *guess) put(d2, y float64) {
	if d2 >= u.worst() {
		return
	}
	if u.n < neighbours {
		u.n++
	}
	i := u.n - 1
	for ; i > 0 && u.d2[i-1] > d2; i-- {
		u.d2[i], u.y[i] = u.d2[i-1], u.y[i-1]
	}
	u.d2[i], u.y[i] = d2, y
}

// guess weights the nearest known heights by the squares of their distances. It looks at rows of squares from the
// middle outwards, 61 squares of each as bits of one word.
func (g *Ground) guess(at coords.Position, x, z int32, near *coords.Position) (float32, bool) {
	var u guess
	if near != nil {
		far := math.Hypot(float64(near.X)-float64(at.X), float64(near.Z)-float64(at.Z))
		if g.sameStorey(float64(near.Y)-float64(at.Y), far) && far <= radius*size {
			d := max(far-1, 0.5)
			u.put(d*d, float64(near.Y))
		}
	}
	left, low := (x-radius)>>5, (z-radius)>>5
	var rows [3]uint32 // of which something is known
	for i := range g.around {
		for j := range g.around[i] {
			t := g.tile(left+int32(i), low+int32(j))
			if g.around[i][j] = t; t != nil {
				rows[j] |= t.some
			}
		}
	}
	for d := int32(0); rows[0]|rows[1]|rows[2] != 0 && d <= radius; d++ {
		if edge := float64(max(d-1, 0)) * size; edge*edge >= u.worst() {
			break
		}
		if row := z + d; rows[row>>5-low]>>(row&(tileSize-1))&1 != 0 {
			g.guessRow(&u, at, x, row, low)
		}
		if row := z - d; d > 0 && rows[row>>5-low]>>(row&(tileSize-1))&1 != 0 {
			g.guessRow(&u, at, x, row, low)
		}
	}
	sum, weights := 0.0, 0.0
	for i := range u.n {
		w := 1 / max(u.d2[i], 0.25)
		sum += w * u.y[i]
		weights += w
	}
	if u.n == 0 {
		return 0, false
	}
	return float32(sum / weights), true
}

// guessRow looks at one row of squares, from the middle outwards.
func (g *Ground) guessRow(u *guess, at coords.Position, x, z, low int32) {
	j := z>>5 - low
	first := (x - radius) & (tileSize - 1) // of the window in the first tile
	var window uint64                      // bit n is the square x-radius+n
	for i := range g.around {
		if t := g.around[i][j]; t != nil {
			row := uint64(t.rows[z&(tileSize-1)])
			if shift := int32(i)*tileSize - first; shift >= 0 {
				window |= row << shift
			} else {
				window |= row >> -shift
			}
		}
	}
	window &= 1<<(2*radius+1) - 1
	for right := window >> radius; right != 0; right &= right - 1 {
		if !g.guessAt(u, at, x+int32(bits.TrailingZeros64(right)), z, x, low) {
			break
		}
	}
	for left := window & (1<<radius - 1); left != 0; {
		n := 63 - bits.LeadingZeros64(left)
		if !g.guessAt(u, at, x-radius+int32(n), z, x, low) {
			break
		}
		left &^= 1 << n
	}
}

// guessAt looks at one square, and reports whether those farther out in its row may be near enough.
func (g *Ground) guessAt(u *guess, at coords.Position, x, z, middle, low int32) bool {
	dx, dz := (float64(x)+0.5)*size-float64(at.X), (float64(z)+0.5)*size-float64(at.Z)
	d2 := dx*dx + dz*dz
	if d2 >= u.worst() {
		return dx*dx < size*size // the first of a row may be on either side of the middle
	}
	t := g.around[x>>5-(middle-radius)>>5][z>>5-low]
	far := math.Sqrt(d2)
	if c := t.nearest(within(x, z), at.Y, float32(storeyHeight+g.slope*far)); c != nil && far <= radius*size {
		u.put(d2, float64(c.y))
	}
	return true
}

func (g *Ground) sameStorey(dy, far float64) bool { return math.Abs(dy) <= storeyHeight+g.slope*far }

// Learn notes that a player has stood at a place, and reports whether nothing was known of that storey there.
func (g *Ground) Learn(at coords.Position) (fresh bool) {
	if at.Check() != nil {
		return false
	}
	x, z := square(at)
	t, i := g.open(x, z)
	c := t.nearest(i, at.Y, storeyHeight)
	if fresh = c == nil; fresh {
		if c = g.add(t, i, at.Y); c == nil {
			return false
		}
	}
	c.learn(at.Y)
	if !c.waits && (c.fresh || abs(c.stored.from(0)) >= worth) {
		c.waits = true
		g.changed = append(g.changed, place{t, x, z, c.storey})
	}
	return fresh
}

// parts is how far above each other two parts of the world with the same squares lie at least, in metres: land,
// and the dungeons and halls above it.
const parts = 100

// Nearest is the nearest known place around one, of any height in the same part of the world; of its storeys the one
// that is nearest to the height of the place. It is not known if there is none within so many metres.
func (g *Ground) Nearest(at coords.Position, limit float64) (place coords.Position, known bool) {
	x, z := square(at)
	n := int32(math.Ceil(limit / size))
	if !g.anyTile(x-n, z-n, x+n, z+n) {
		return place, false
	}
	far := limit
	for dx := -n; dx <= n; dx++ {
		for dz := -n; dz <= n; dz++ {
			t := g.find(x+dx, z+dz)
			if t == nil { // neither is anything known in its other squares of this column
				dz += tileSize - 1 - (z+dz)&(tileSize-1)
				continue
			}
			middle := coords.Position{X: (float32(x+dx) + 0.5) * size, Z: (float32(z+dz) + 0.5) * size}
			d := math.Hypot(float64(middle.X-at.X), float64(middle.Z-at.Z))
			if d > far {
				continue
			}
			if c := t.nearest(within(x+dx, z+dz), at.Y, parts); c != nil {
				place, far, known = middle, d, true
				place.Y = c.y
			}
		}
	}
	return place, known
}

// anyTile reports whether anything is known in a tile that has squares from a low one to a high one.
func (g *Ground) anyTile(lowX, lowZ, highX, highZ int32) bool {
	for x := lowX >> 5; x <= highX>>5; x++ {
		for z := lowZ >> 5; z <= highZ>>5; z++ {
			if g.tile(x, z) != nil {
				return true
			}
		}
	}
	return false
}

// learn takes a sample: the height is the mean of those that agree, of the last ones.
func (c *cell) learn(y float32) {
	c.samples[c.at] = between(c.y, y)
	c.at = (c.at + 1) % samples
	c.n = min(c.n+1, samples)
	best, sum := 0, float32(0)
	for i := range c.n {
		low, n, s := c.samples[i], 0, float32(0)
		for _, v := range c.samples[:c.n] {
			if v >= low && (v-low).from(0) <= agreement {
				n++
				s += v.from(0)
			}
		}
		if n > best || n == best && s/float32(n) < sum/float32(best) { // a jumping player is above the ground
			best, sum = n, s
		}
	}
	c.settle(c.y + sum/float32(best))
}

// settle changes the height; samples that are counted from it stay where they are.
func (c *cell) settle(y float32) {
	by := between(y, c.y)
	for i := range c.samples {
		c.samples[i] += by
	}
	c.stored += by
	c.y = y
}

// Learned hands over learned heights that are not stored yet, a part of them if they are many.
func (g *Ground) Learned() (cells []rules.GroundCell) {
	n := min(len(g.changed), batch)
	for _, p := range g.changed[:n] {
		c := p.tile.storey(within(p.x, p.z), p.storey)
		c.waits, c.fresh, c.stored = false, false, 0
		cells = append(cells, rules.GroundCell{X: p.x, Z: p.z, Storey: int(c.storey), Y: c.y})
	}
	g.changed = g.changed[:copy(g.changed, g.changed[n:])]
	if len(g.changed) == 0 {
		g.changed = nil // many at once are rare
	}
	return cells
}
