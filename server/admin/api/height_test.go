package api

import (
	"fmt"
	"math"
	"net/http"
	"testing"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/landscape"
	"sphereserver/data/landscape/landscapetest"
)

func TestHeightOfTheGround(t *testing.T) {
	simulated(t, func(t *testing.T) {
		client, dir := t.TempDir(), t.TempDir()
		landscapetest.Hyperion().Write(t, client, "landscape")
		l, _, err := landscape.Import(t.Context(), client, landscape.Options{})
		if err == nil {
			err = l.Write(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		land, err := landscape.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = land.Close() })
		g := newSimulated(t, func(o *Options) { o.Land = land })
		helper := g.as(data.Helper)
		ask := func(area string, x, z float32) (a heightAnswer) {
			helper.want(http.StatusOK, helper.send("GET", fmt.Sprintf("/api/height?area=%s&x=%v&z=%v", area, x, z), nil), &a)
			return a
		}
		asked := 0
		for _, n := range content.NPCs() {
			if n.Area != "hyperion" || asked == 5 {
				continue
			}
			asked++
			if a := ask(n.Area, n.Position.X, n.Position.Z); a.Y == nil || math.Abs(*a.Y-float64(n.Position.Y)) > 1.5 {
				t.Errorf("%s stands at %v, and the ground is %+v", n.Key, n.Position, a)
			}
		}
		for _, a := range []heightAnswer{ask("haron", 2600, 1300), ask("", 2600, 1300), ask("hyperion", 32767, -32768)} {
			if a.Y != nil {
				t.Errorf("%v m where nothing is known", *a.Y)
			}
		}
		for _, query := range []string{"", "area=hyperion&x=1", "area=hyperion&x=NaN&z=1", "area=hyperion&x=1&z=Inf",
			"area=hyperion&x=32768&z=0", "area=hyperion&x=0&z=-1e30", "area=hyperion&x=0&z=0x10p0&y=1"} {
			helper.refused(http.StatusBadRequest, "invalid", helper.send("GET", "/api/height?"+query, nil))
		}
	})
}

func TestHeightWithoutAnImport(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		helper := g.as(data.Helper)
		var a heightAnswer
		helper.want(http.StatusOK, helper.send("GET", "/api/height?area=hyperion&x=2600&z=1300", nil), &a)
		if a.Y != nil {
			t.Errorf("%v m without a land", *a.Y)
		}
	})
}
