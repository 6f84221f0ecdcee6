package public

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"sphereserver/world"
)

// BenchmarkAnswer is the cost of a request while answers hold, with five thousand players in the world.
func BenchmarkAnswer(b *testing.B) {
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("P%05d", i)
	}
	g := &scene{world: world.Snapshot{Players: people(names...)}}
	s := newServer(g.options(everything))
	defer s.cancel()
	for _, path := range []string{"/api/status", "/api/online", "/api/map"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.limits = newLimiter(perSecond, burst)
				r := httptest.NewRequest("GET", path, nil)
				r.Header.Set("Accept-Encoding", "gzip")
				w := httptest.NewRecorder()
				if s.serve(w, r); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
	b.Run("made anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.answers["/api/online"].forget()
			s.answers["/api/online"].get(b.Context(), s.limits.now)
		}
	})
}
