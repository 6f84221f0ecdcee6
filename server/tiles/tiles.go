// Package tiles serves maps to look at: it draws tiles by data/relief when they are asked for, one at a time, and
// keeps the latest. All listeners that show maps share one service.
package tiles

import (
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"sphereserver/data/landscape"
	"sphereserver/data/relief"
	"sphereserver/server/geography"
)

const (
	// cacheBytes is how much of tiles is kept, each with overhead beside its picture.
	cacheBytes = 8 << 20
	overhead   = 512
	// fresh is how long a tile holds: players walk on. A browser's is as long.
	fresh = time.Minute
	// maxDrawing is how many tiles wait to be drawn at most.
	maxDrawing = 256
)

// ErrBusy is the error of a tile for which too many others wait.
var ErrBusy = errors.New("tiles: too many are being drawn")

// Options are the sources of maps.
type Options struct {
	Land    *landscape.File // nil: nothing was imported
	Learned relief.Learned
	Log     *slog.Logger
}

// A Service draws tiles and keeps them. All methods may be called by many goroutines at a time.
type Service struct {
	log     *slog.Logger
	lands   map[string]*[4]float64 // by area: the least x and z and the greatest of the imported land, in metres
	version string
	now     func() time.Time

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
	turn    chan struct{} // holds one token: the turn to draw
	draw    func(context.Context, relief.Tile) ([]byte, error)

	mu      sync.Mutex
	kept    map[relief.Tile]*list.Element // of *kept
	recent  *list.List                    // the one that was asked for last is the first
	size    int
	drawing map[relief.Tile]*drawing
}

// A kept tile is one that was drawn.
type kept struct {
	tile  relief.Tile
	drawn time.Time
	Picture
}

// A drawing is a tile that is being drawn, or waits for that.
type drawing struct {
	waiting int // for it
	cancel  context.CancelFunc
	done    chan struct{}
	picture Picture
	err     error
}

// A Picture is a tile as browsers get it.
type Picture struct {
	PNG  []byte
	ETag string
}

// New makes a service.
func New(o Options) *Service {
	d := relief.New(o.Land, o.Learned, func(err error) {
		o.Log.Error("maps: a part of the ground cannot be read and is left out", "error", err)
	})
	s := &Service{lands: map[string]*[4]float64{}, version: "0", now: time.Now, log: o.Log,
		turn: make(chan struct{}, 1), draw: d.Draw, kept: map[relief.Tile]*list.Element{}, recent: list.New(),
		drawing: map[relief.Tile]*drawing{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if o.Land != nil {
		s.version = fmt.Sprintf("%08x", o.Land.Sum())
		for _, c := range o.Land.Continents() {
			west, south, length := c.Square()
			s.lands[c.Key] = &[4]float64{float64(west), float64(south), float64(west + length), float64(south + length)}
		}
	}
	return s
}

// Close ends all drawing.
func (s *Service) Close() error {
	s.mu.Lock() // a drawing has begun by then, or never will
	s.cancel()
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// Describe adds the areas with tiles to a description of the world.
func (s *Service) Describe(w *geography.World) {
	w.Version = s.version
	for i := range w.Areas {
		w.Areas[i].Relief = s.lands[w.Areas[i].Key]
	}
}

// Tile returns a tile, which it draws if there is none or if it was drawn too long ago. The error is
// [relief.ErrNoTile], [ErrBusy], the error of ctx, or one of reading.
func (s *Service) Tile(ctx context.Context, t relief.Tile) (Picture, error) {
	if !t.Exists() {
		return Picture{}, relief.ErrNoTile
	}
	s.mu.Lock()
	if e := s.kept[t]; e != nil {
		if k := e.Value.(*kept); s.now().Sub(k.drawn) < fresh {
			s.recent.MoveToFront(e)
			s.mu.Unlock()
			return k.Picture, nil
		}
	}
	d := s.drawing[t]
	if d == nil {
		if len(s.drawing) >= maxDrawing || s.ctx.Err() != nil {
			s.mu.Unlock()
			return Picture{}, ErrBusy
		}
		d = s.begin(t)
	}
	d.waiting++
	s.mu.Unlock()
	select {
	case <-d.done:
		return d.picture, d.err
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.waiting--; d.waiting == 0 {
			d.cancel()
			if s.drawing[t] == d { // the next caller draws it again
				delete(s.drawing, t)
			}
		}
		return Picture{}, ctx.Err()
	}
}

// Kept returns a tile that was drawn once, and how long ago; false when it is not kept.
func (s *Service) Kept(t relief.Tile) (p Picture, age time.Duration, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.kept[t]
	if e == nil {
		return Picture{}, 0, false
	}
	s.recent.MoveToFront(e)
	k := e.Value.(*kept)
	return k.Picture, s.now().Sub(k.drawn), true
}

// begin begins to draw a tile; the lock is held.
func (s *Service) begin(t relief.Tile) *drawing {
	d := &drawing{done: make(chan struct{})}
	ctx, cancel := context.WithCancel(s.ctx)
	d.cancel = cancel
	s.drawing[t] = d
	s.running.Go(func() {
		defer cancel()
		d.picture, d.err = s.inTurn(ctx, t)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.drawing[t] == d {
			delete(s.drawing, t)
		}
		if d.err == nil {
			s.keep(t, d.picture)
		}
		close(d.done)
	})
	return d
}

// empty is a tile on which nothing is to be seen. It is drawn when the first one is asked for: that takes a megabyte.
var empty = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	nothing := image.NewPaletted(image.Rect(0, 0, relief.Size, relief.Size), color.Palette{color.Transparent})
	_ = png.Encode(&out, nothing) // a buffer takes all
	return out.Bytes()
})

// drawn draws a tile. A panic is an error of this tile: a map is no reason to end the server.
func (s *Service) drawn(ctx context.Context, t relief.Tile) (picture []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("maps: drawing a tile has failed", "tile", fmt.Sprint(t), "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return s.draw(ctx, t)
}

// inTurn draws a tile after the earlier requests: no more than one processor draws.
func (s *Service) inTurn(ctx context.Context, t relief.Tile) (Picture, error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return Picture{}, ctx.Err()
	}
	defer func() { <-s.turn }()
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	picture, err := s.drawn(ctx, t)
	if err != nil {
		return Picture{}, fmt.Errorf("draw %v: %w", t, err)
	}
	if picture == nil {
		picture = empty()
	}
	sum := sha256.Sum256(picture)
	return Picture{picture, fmt.Sprintf(`"%x"`, sum[:12])}, nil
}

func (k *kept) bytes() int { return len(k.PNG) + overhead }

// keep keeps a tile in the place of the longest unused ones; the lock is held.
func (s *Service) keep(t relief.Tile, p Picture) {
	if e := s.kept[t]; e != nil {
		s.forget(e)
	}
	k := &kept{t, s.now(), p}
	s.kept[t] = s.recent.PushFront(k)
	s.size += k.bytes()
	for s.size > cacheBytes {
		s.forget(s.recent.Back())
	}
}

func (s *Service) forget(e *list.Element) {
	k := s.recent.Remove(e).(*kept)
	delete(s.kept, k.tile)
	s.size -= k.bytes()
}

// Answer answers a request for a tile by its path, which names theme, area, zoom, x and y. An error is not answered
// yet: it is the error of [Service.Tile].
func (s *Service) Answer(w http.ResponseWriter, r *http.Request) error {
	t, err := Named(r)
	if err != nil {
		return err
	}
	p, err := s.Tile(r.Context(), t)
	if err != nil {
		return err
	}
	p.Send(w, r, fmt.Sprintf("private, max-age=%.0f", fresh.Seconds()))
	return nil
}

// Send answers a request with the picture; cache is the header Cache-Control.
func (p Picture) Send(w http.ResponseWriter, r *http.Request, cache string) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", cache)
	h.Set("ETag", p.ETag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.PNG))
}

// Named is the tile that a path names.
func Named(r *http.Request) (t relief.Tile, err error) {
	switch r.PathValue("theme") {
	case "light":
	case "dark":
		t.Dark = true
	default:
		return t, relief.ErrNoTile
	}
	t.Area = r.PathValue("area")
	for name, into := range map[string]*int{"zoom": &t.Zoom, "x": &t.X, "y": &t.Y} {
		text := r.PathValue(name)
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text { // a tile has one address
			return t, relief.ErrNoTile
		}
		*into = n
	}
	return t, nil
}
