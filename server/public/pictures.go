package public

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"sphereserver/data/relief"
	"sphereserver/server/ratelimit"
	"sphereserver/server/tiles"
	"sphereserver/server/webserver"
)

const (
	// tilePath is before the names of tiles: theme, area, zoom, x and y.
	tilePath = "/api/map/tiles/"
	// tileLife is how old a tile may be that is shown here, and how long browsers keep it.
	tileLife = 10 * time.Minute
	// Tiles that are drawn for all visitors of this page, in a second and at once: one takes a processor some tens of
	// milliseconds, and the game needs it, too.
	drawnPerSecond = 2
	drawnAtOnce    = 60
	// The same for one address, so that nobody takes all of it.
	drawnEach       = 0.5
	drawnEachAtOnce = 30
	maxWaiting      = 32 // requests for tiles that are being drawn
)

// pictures are the tiles as this page shows them: the operators' are newer.
type pictures struct {
	maps    *tiles.Service
	waiting chan struct{}
	each    limiter // what an address may have drawn

	mu    sync.Mutex
	now   func() time.Time
	drawn ratelimit.Bucket
}

func newPictures(maps *tiles.Service) pictures {
	return pictures{maps: maps, waiting: make(chan struct{}, maxWaiting), now: time.Now,
		each: newLimiter(drawnEach, drawnEachAtOnce)}
}

// get returns a tile: one that is kept, else one that is drawn if that is not done too often, else an old one.
func (p *pictures) get(ctx context.Context, from netip.Addr, t relief.Tile) (tiles.Picture, error) {
	kept, age, is := p.maps.Kept(t)
	if is && age < tileLife {
		return kept, nil
	}
	if !t.Exists() {
		return kept, relief.ErrNoTile
	}
	if p.each.allow(from) && p.mayDraw() {
		select {
		case p.waiting <- struct{}{}:
			defer func() { <-p.waiting }()
			return p.maps.Tile(ctx, t)
		default:
		}
	}
	if is {
		return kept, nil
	}
	return kept, tiles.ErrBusy
}

func (p *pictures) mayDraw() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drawn.Take(ratelimit.Clock(p.now()), 1, drawnPerSecond, drawnAtOnce)
}

// tile answers a request for one.
func (s *Server) tile(w http.ResponseWriter, r *http.Request, name string) {
	parts := strings.Split(name, "/")
	names := []string{"theme", "area", "zoom", "x", "y"}
	if len(parts) != len(names) {
		refuse(w, r, refusedPath)
		return
	}
	for i, of := range names {
		r.SetPathValue(of, parts[i])
	}
	t, err := tiles.Named(r)
	var picture tiles.Picture
	if err == nil {
		picture, err = s.pictures.get(r.Context(), webserver.ClientAddr(r), t)
	}
	switch {
	case err == nil:
		r.Header.Del("Range") // nothing here is large
		picture.Send(w, r, fmt.Sprintf("public, max-age=%.0f", tileLife.Seconds()))
	case errors.Is(err, relief.ErrNoTile):
		refuse(w, r, refusedPath)
	default:
		w.Header().Set("Retry-After", "10")
		refuse(w, r, refusedNow)
	}
}
