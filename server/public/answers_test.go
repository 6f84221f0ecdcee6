package public

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/geography"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestThePageIsOffByDefaultAndShowsNobody(t *testing.T) {
	if p := config.Defaults().Public; !reflect.DeepEqual(p, config.Public{Top: true}) {
		t.Errorf("the defaults are %+v", p)
	}
	g := &scene{world: world.Snapshot{Players: people("Anna", "Berta")}}
	s := g.serve(t, nil)
	if a := told[Online](t, s, "/api/online"); a.Online != 2 || len(a.Players) != 0 ||
		!slices.Equal(a.Areas, []Crowd{{"hyperion", 2}}) {
		t.Errorf("told %+v, expected a number for the area and nobody by name", a)
	}
	if a := told[Status](t, s, "/api/status"); a.Version != "" || a.Connect != "" || a.Shows != (Shows{Top: true}) {
		t.Errorf("told %+v", a)
	}
}

func TestStatusTellsHowTheServerDoes(t *testing.T) {
	g := &scene{world: world.Snapshot{Players: people("Anna", "Berta", "Clara")}}
	s := newServer(g.options(func(c *config.Settings) {
		c.Name, c.Public.Connect, c.Public.Version = "Сфера", "play.example.org", true
		c.Game.Limits.Connections = 50
	}))
	t.Cleanup(s.cancel)
	again := func() Status { s.Change(*s.settings.Load()); return told[Status](t, s, "/api/status") }
	a := again()
	if a.State != "starting" || a.Name != "Сфера" || a.Connect != "play.example.org" || a.Port != 25860 ||
		a.Online != 3 || a.Most != 3 || a.Slots != 50 || a.Version != "9.8.7" || a.Rates != (Rates{1, 1, 1, 1}) ||
		!a.NewLogins || !a.Started.Equal(g.Started()) {
		t.Errorf("told %+v", a)
	}
	g.world.Balance = rules.Rates{2, 3, 4, 5}.Apply(rules.DefaultBalance()) // which counts in the world now
	if a = again(); a.Rates != (Rates{2, 3, 4, 5}) {
		t.Errorf("told %+v", a.Rates)
	}
	s.Ready()
	g.world.Players = g.world.Players[:1]
	if a = again(); a.State != "open" || a.Online != 1 || a.Most != 3 {
		t.Errorf("told %+v", a)
	}
	if g.sessions = 50; again().State != "full" {
		t.Errorf("told %+v", again())
	}
	g.closed = true
	if a = again(); a.State != "maintenance" {
		t.Errorf("told %+v", a)
	}
}

func TestWhatIsShownOfPlayersIsWhatTheOperatorLets(t *testing.T) {
	g := &scene{world: world.Snapshot{Players: people("zoe", "Anna", "Chief", "berta")}}
	g.world.Players[2].Role = world.Role(data.Helper)
	g.world.Players[3].Position = coords.Position{X: -1000, Y: 405, Z: 2000}
	at := &[4]float64{2614, 157, 1294, 1.2}
	away := &[4]float64{-1000, 405, 2000, 0}
	anna := Player{Name: "Anna", Title: 5, Degree: 10, Clan: "Red Star 1"}
	berta, zoe := anna, anna
	berta.Name, zoe.Name = "berta", "zoe"
	for _, c := range []struct {
		names, places bool
		want          []Player
	}{
		{false, false, nil},
		{true, false, []Player{anna, berta, zoe}},
		{false, true, []Player{{At: away}, {At: at}, {At: at}}},
	} {
		s := g.serve(t, func(set *config.Settings) { set.Public.Names, set.Public.PlayersOnMap = c.names, c.places })
		a := told[Online](t, s, "/api/online")
		if fmt.Sprint(a.Online, a.Areas) != "3 [{hyperion 2} {haron 1}]" {
			t.Errorf("told %d in %v; operators do not count", a.Online, a.Areas)
		}
		same := slices.EqualFunc(a.Players, c.want, func(a, b Player) bool {
			placed := a.At == nil && b.At == nil || a.At != nil && b.At != nil && *a.At == *b.At
			a.At, b.At = nil, nil
			return placed && a == b
		})
		if !same {
			t.Errorf("names %v, places %v: told %+v, expected %+v", c.names, c.places, a.Players, c.want)
		}
	}
}

func TestAReloadCountsWithTheNextRequest(t *testing.T) {
	g := &scene{world: world.Snapshot{Players: people("Anna")}, leaders: []data.Leader{{Name: "Berta", Title: 59}}}
	s := g.serve(t, func(c *config.Settings) { c.Public.Names = true })
	if a := told[Online](t, s, "/api/online"); len(a.Players) != 1 {
		t.Fatalf("told %+v", a)
	}
	if a := told[Top](t, s, "/api/top"); len(a.Title) != 1 || a.Title[0] != (Leader{"Berta", "", 60, 1, 0}) {
		t.Fatalf("told %+v", a)
	}
	set := *s.settings.Load()
	set.Public.Names, set.Public.Top, set.Name = false, false, "Other"
	s.Change(set)
	if a := told[Online](t, s, "/api/online"); len(a.Players) != 0 || a.Online != 1 {
		t.Errorf("names are off, told %+v", a)
	}
	if w := ask(s, "/api/top"); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "Berta") {
		t.Errorf("the lists are off: status %d, %s", w.Code, w.Body)
	}
	if a := told[Status](t, s, "/api/status"); a.Name != "Other" || a.Shows != (Shows{}) {
		t.Errorf("told %+v", a)
	}
}

func TestWhatTheStoreCannotTellIsTriedAgainLaterOnly(t *testing.T) {
	g := &scene{leaders: []data.Leader{{Name: "Berta"}}, broken: errors.New("the disk is gone, /var/secret")}
	s := g.serve(t, nil)
	for range 20 {
		if w := ask(s, "/api/top"); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "secret") {
			t.Fatalf("status %d, %s; expected 503 without a reason", w.Code, w.Body)
		}
	}
	if n := g.asked.Load(); n != 1 {
		t.Errorf("the store was asked %d times", n)
	}
	// Earlier answers hold while the store cannot be asked.
	g.broken = nil
	s.answers["/api/top"].forget()
	told[Top](t, s, "/api/top")
	g.broken = errors.New("again")
	later := func() time.Time { return time.Now().Add(2 * topLife) }
	if a := s.answers["/api/top"].get(t.Context(), later); a.err != nil || !strings.Contains(string(a.body), "Berta") {
		t.Errorf("%v, %s; expected what was so before", a.err, a.body)
	}
}

func TestTheMapIsWhatEverybodyMayKnow(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	w := told[geography.World](t, s, "/api/map")
	if len(w.Areas) == 0 || len(w.Places) == 0 || len(w.Portals) == 0 || len(w.Townsfolk) == 0 {
		t.Errorf("areas %d, places %d, portals %d, townsfolk %d", len(w.Areas), len(w.Places), len(w.Portals),
			len(w.Townsfolk))
	}
}

func TestFiveThousandPlayersAreListedAndNoMore(t *testing.T) {
	names := make([]string, maxListed+100)
	for i := range names {
		names[i] = fmt.Sprintf("P%05d", i)
	}
	g := &scene{world: world.Snapshot{Players: people(names...)}}
	s := g.serve(t, func(c *config.Settings) { c.Public.Names, c.Public.PlayersOnMap = true, true })
	if a := told[Online](t, s, "/api/online"); a.Online != len(names) || len(a.Players) != maxListed {
		t.Errorf("%d of %d are listed", len(a.Players), a.Online)
	}
}
