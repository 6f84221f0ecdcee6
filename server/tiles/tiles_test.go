package tiles

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data/relief"
	"sphereserver/world/rules"
)

// nobody has walked anywhere.
type nobody struct{}

func (nobody) EachGround(context.Context, [2]int32, [2]int32, float32, float32, func(rules.GroundCell)) error {
	return nil
}

// service makes a service that draws by a function.
func service(t *testing.T, draw func(context.Context, relief.Tile) ([]byte, error)) *Service {
	s := New(Options{Learned: nobody{}, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { s.Close() })
	if draw != nil {
		s.draw = draw
	}
	return s
}

// waitFor waits until something is so.
func (s *Service) waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for range 60_000 {
		s.mu.Lock()
		is := so()
		s.mu.Unlock()
		if is {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("waited in vain")
}

func some(x int) relief.Tile { return relief.Tile{Area: "hyperion", X: x} }

func TestATileIsDrawnOnceForAllWhoAskAndOneAtATime(t *testing.T) {
	var drawn, at, most atomic.Int32
	goOn := make(chan struct{})
	s := service(t, func(context.Context, relief.Tile) ([]byte, error) {
		most.Store(max(most.Load(), at.Add(1)))
		defer at.Add(-1)
		drawn.Add(1)
		<-goOn
		return []byte("tile"), nil
	})
	var asking sync.WaitGroup
	for i := range 40 {
		asking.Go(func() {
			if p, err := s.Tile(t.Context(), some(i%4)); err != nil || string(p.PNG) != "tile" || p.ETag == "" {
				t.Errorf("%+v, %v", p, err)
			}
		})
	}
	close(goOn)
	asking.Wait()
	if drawn.Load() != 4 || most.Load() != 1 {
		t.Errorf("%d drawn, %d at a time; expected 4, one at a time", drawn.Load(), most.Load())
	}
}

func TestATileIsDrawnAnewAfterAMinute(t *testing.T) {
	drawn := 0
	s := service(t, func(context.Context, relief.Tile) ([]byte, error) { drawn++; return []byte{byte(drawn)}, nil })
	now := time.Unix(0, 0)
	s.now = func() time.Time { return now }
	for after, want := range []int{1, 1, 2, 2, 3} {
		now = time.Unix(0, 0).Add(time.Duration(after) * 40 * time.Second)
		if p, err := s.Tile(t.Context(), some(0)); err != nil || int(p.PNG[0]) != want {
			t.Errorf("after %d × 40 s: drawing %d, expected %d", after, p.PNG[0], want)
		}
	}
	if s.recent.Len() != 1 || len(s.kept) != 1 || s.size != 1+overhead {
		t.Errorf("%d kept, %d bytes", len(s.kept), s.size)
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	const size = 1 << 20
	drawn := map[relief.Tile]int{}
	s := service(t, func(_ context.Context, at relief.Tile) ([]byte, error) { drawn[at]++; return make([]byte, size), nil })
	ask := func(x int) {
		if _, err := s.Tile(t.Context(), some(x)); err != nil {
			t.Fatal(err)
		}
	}
	for x := range 40 {
		ask(x % 100)
		ask(0) // is asked for again and again, and stays
		if s.size > cacheBytes || len(s.kept) != s.recent.Len() || s.size != len(s.kept)*(size+overhead) {
			t.Fatalf("%d bytes, %d kept", s.size, len(s.kept))
		}
	}
	if len(s.kept) != cacheBytes/(size+overhead) || drawn[some(0)] != 1 {
		t.Errorf("%d kept, the first drawn %d times", len(s.kept), drawn[some(0)])
	}
	if ask(3); drawn[some(3)] != 2 {
		t.Errorf("the third was drawn %d times", drawn[some(3)])
	}
}

func TestWhoGoesAwayLetsNothingBeDrawn(t *testing.T) {
	begun, goOn, drawn := make(chan struct{}), make(chan struct{}), atomic.Int32{}
	s := service(t, func(ctx context.Context, at relief.Tile) ([]byte, error) {
		if at == some(0) {
			close(begun)
			<-goOn
			return nil, ctx.Err()
		}
		drawn.Add(1)
		return []byte("tile"), nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for x := range maxDrawing {
		asking.Go(func() {
			if _, err := s.Tile(ctx, some(x%64)); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, expected to be told that it was cancelled", err)
			}
		})
		if x == 0 {
			<-begun
		}
	}
	s.waitFor(t, func() bool {
		n := 0
		for _, d := range s.drawing {
			n += d.waiting
		}
		return n == maxDrawing
	})
	cancel()
	asking.Wait()
	close(goOn)
	if p, err := s.Tile(t.Context(), some(1)); err != nil || string(p.PNG) != "tile" || drawn.Load() != 1 {
		t.Errorf("%+v, %v, %d drawn", p, err, drawn.Load())
	}
}

func TestTooManyAreRefused(t *testing.T) {
	s := service(t, func(ctx context.Context, _ relief.Tile) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() })
	var asking sync.WaitGroup
	for x := range maxDrawing {
		tile := relief.Tile{Area: "hyperion", Zoom: 2, X: x - maxDrawing/2}
		asking.Go(func() { _, _ = s.Tile(t.Context(), tile) })
	}
	s.waitFor(t, func() bool { return len(s.drawing) == maxDrawing })
	if _, err := s.Tile(t.Context(), some(100)); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, expected to be told that others wait", err)
	}
	s.Close()
	asking.Wait()
	if _, err := s.Tile(t.Context(), some(100)); !errors.Is(err, ErrBusy) {
		t.Errorf("%v of a service that was closed", err)
	}
}

func TestAFailureIsNotKept(t *testing.T) {
	failure := errors.New("no disk")
	s := service(t, func(context.Context, relief.Tile) ([]byte, error) { return nil, failure })
	if _, err := s.Tile(t.Context(), some(0)); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
	s.draw = func(context.Context, relief.Tile) ([]byte, error) { return nil, nil }
	if p, err := s.Tile(t.Context(), some(0)); err != nil || !strings.HasPrefix(string(p.PNG), "\x89PNG") {
		t.Errorf("%v, %v; expected an empty tile", p, err)
	}
}

func TestAnswers(t *testing.T) {
	s := service(t, nil)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{theme}/{area}/{zoom}/{x}/{y}", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Answer(w, r); errors.Is(err, relief.ErrNoTile) {
			w.WriteHeader(http.StatusNotFound)
		} else if err != nil {
			t.Error(err)
		}
	})
	get := func(path, known string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequestWithContext(t.Context(), "GET", path, nil), httptest.NewRecorder()
		if known != "" {
			r.Header.Set("If-None-Match", known)
		}
		mux.ServeHTTP(w, r)
		return w
	}
	first := get("/light/hyperion/0/-1/0", "")
	etag := first.Header().Get("ETag")
	if first.Code != http.StatusOK || first.Header().Get("Content-Type") != "image/png" || etag == "" ||
		!strings.Contains(first.Header().Get("Cache-Control"), "max-age=60") || first.Body.Len() == 0 {
		t.Errorf("%d, %v", first.Code, first.Header())
	}
	if again := get("/light/hyperion/0/-1/0?v=7", etag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("%d, %d bytes; expected that it is as it was", again.Code, again.Body.Len())
	}
	for _, path := range []string{"/light/hyperion/99/0/0", "/light/hyperion/-6/0/0", "/light/hyperion/3/0/0",
		"/blue/hyperion/0/0/0", "/light/nowhere/0/0/0", "/light/hyperion/0/NaN/0", "/light/hyperion/0/0/1e3",
		"/light/hyperion/0/00/0", "/light/hyperion/0/+1/0", "/light/hyperion/0/-0/0", "/light/hyperion/0/0/0.5",
		"/light/hyperion/0/99999999999999999999/0", "/light/hyperion/0/0/-9223372036854775808", "/light/hyperion/0/128/0",
		"/light/hyperion/%2e%2e/0/0", "/light/hyperion/0/0/0%00", "/light/hyperion/ /0/0x1"} {
		if w := get(strings.ReplaceAll(path, " ", "%20"), ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d, expected 404", path, w.Code)
		}
	}
}

// A panic while a tile is drawn is an error for its callers, and other tiles are drawn.
func TestAPanicIsAnErrorOfItsTile(t *testing.T) {
	s := service(t, func(_ context.Context, tile relief.Tile) ([]byte, error) {
		if tile == some(1) {
			panic("a hole in the ground")
		}
		return []byte("tile"), nil
	})
	if _, err := s.Tile(t.Context(), some(1)); err == nil || !strings.Contains(err.Error(), "a hole in the ground") {
		t.Errorf("a panic came to %v", err)
	}
	if p, err := s.Tile(t.Context(), some(2)); err != nil || string(p.PNG) != "tile" {
		t.Errorf("another one: %s, %v", p.PNG, err)
	}
}
