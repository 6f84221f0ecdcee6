package public

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/world"
	"sphereserver/world/rules"
)

type (
	// Status is how the server does.
	Status struct {
		Name      string    `json:"name"`
		Version   string    `json:"version,omitempty"` // if it may be known
		State     string    `json:"state"`             // starting, open, full or maintenance
		Started   time.Time `json:"started"`
		Online    int       `json:"online"`
		Slots     int       `json:"slots"`
		Most      int       `json:"most"` // players at once, since the start
		MostAt    time.Time `json:"mostAt"`
		Connect   string    `json:"connect,omitempty"` // the address for the client; empty: the page's host
		Port      uint16    `json:"port"`              // of the game
		Rates     Rates     `json:"rates"`
		Shows     Shows     `json:"shows"`
		NewLogins bool      `json:"newLogins"` // a login that is not known yet makes an account
	}
	// Rates are how much more there is now than by the rules that ship, and how much more often monsters come again.
	Rates struct {
		Experience float64 `json:"experience"`
		Drops      float64 `json:"drops"`
		Money      float64 `json:"money"`
		Respawn    float64 `json:"respawn"`
	}
	// Shows has the facts that the operator shows.
	Shows struct {
		Names   bool `json:"names"`
		Players bool `json:"players"` // on the map
		Top     bool `json:"top"`
	}

	// Online has the players in the world.
	Online struct {
		At     time.Time `json:"at"`
		Online int       `json:"online"`
		Areas  []Crowd   `json:"areas"` // the fullest first
		// Players are by name if these are shown, else in no order that means anything; empty where neither names nor
		// places are.
		Players []Player `json:"players"`
	}
	// Crowd is how many are in a part of the world.
	Crowd struct {
		Area   string `json:"area"`
		Online int    `json:"online"`
	}
	// Player is somebody in the world; levels grow on after a rebirth, which comes after 60.
	Player struct {
		Name   string      `json:"name,omitempty"`
		Title  int         `json:"title,omitempty"`
		Degree int         `json:"degree,omitempty"`
		Clan   string      `json:"clan,omitempty"`
		At     *[4]float64 `json:"at,omitempty"` // x, y, z, yaw
	}

	// Top has the best characters.
	Top struct {
		Title  []Leader `json:"title"`
		Degree []Leader `json:"degree"`
		Karma  []Leader `json:"karma"`
	}
	// Leader is one of them.
	Leader struct {
		Name   string `json:"name"`
		Clan   string `json:"clan,omitempty"`
		Title  int    `json:"title"`
		Degree int    `json:"degree"`
		Karma  int    `json:"karma"`
	}
)

const (
	maxListed  = 5000 // players
	maxLeaders = 20
	watchEvery = 10 * time.Second
)

// shipped are the settings to which rates are compared.
var shipped = config.Defaults()

func (s *Server) status(context.Context) (Status, error) {
	set := s.settings.Load()
	p := &set.Public
	online := s.count()
	most, at := s.crowd.note(online, time.Now())
	a := Status{Name: set.Name, State: "open", Started: s.o.Game.Started().UTC(), Online: online,
		Slots: set.Game.Limits.Connections, Most: most, MostAt: at.UTC(), Connect: p.Connect, Port: s.o.Port,
		Rates:     rates(s.o.Game.World().Balance, &shipped.Balance),
		Shows:     Shows{p.Names, p.PlayersOnMap, p.Top},
		NewLogins: set.Game.CreateAccounts}
	if p.Version {
		a.Version = s.o.Version
	}
	switch {
	case !s.ready.Load():
		a.State = "starting"
	case s.o.Game.UnderMaintenance():
		a.State = "maintenance"
	case s.o.Game.Sessions() >= a.Slots:
		a.State = "full"
	}
	return a, nil
}

// rates compares a balance with the one that ships.
func rates(b, usual *rules.Balance) Rates {
	return Rates{Experience: b.Experience.Factor / usual.Experience.Factor,
		Drops:   b.Loot.Factor / usual.Loot.Factor * (b.Loot.Bag / usual.Loot.Bag),
		Money:   b.Mission.Money / usual.Mission.Money,
		Respawn: usual.Spawn.Respawn.Seconds() / b.Spawn.Respawn.Seconds()}
}

// shown yields the visible players. Operators are hidden, so that players cannot tell whether one is there.
func shown(snapshot *world.Snapshot) func(yield func(*world.PlayerView) bool) {
	return func(yield func(*world.PlayerView) bool) {
		for i := range snapshot.Players {
			if p := &snapshot.Players[i]; data.Role(p.Role) == data.Player && !yield(p) {
				return
			}
		}
	}
}

func (s *Server) count() (n int) {
	for range shown(s.o.Game.World()) {
		n++
	}
	return n
}

func (s *Server) online(context.Context) (Online, error) {
	set, snapshot := &s.settings.Load().Public, s.o.Game.World()
	a := Online{At: snapshot.At.UTC(), Areas: []Crowd{}, Players: []Player{}}
	crowds := map[string]int{}
	for v := range shown(snapshot) {
		a.Online++
		area, _ := content.AreaOf(v.Position)
		crowds[area.Key]++
		var p Player
		if set.Names {
			p = Player{Name: v.Name, Title: v.Title + 1, Degree: v.Degree + 1, Clan: v.Clan}
		}
		if set.PlayersOnMap {
			at := v.Position
			p.At = &[4]float64{whole(at.X), whole(at.Y), whole(at.Z), math.Round(float64(at.Yaw)*10) / 10}
		}
		if p != (Player{}) {
			a.Players = append(a.Players, p)
		}
	}
	slices.SortFunc(a.Players, func(a, b Player) int {
		if a.At != nil && b.At != nil && a.Name == b.Name {
			return slices.Compare(a.At[:], b.At[:])
		}
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	a.Players = a.Players[:min(len(a.Players), maxListed)]
	for key, n := range crowds {
		a.Areas = append(a.Areas, Crowd{key, n})
	}
	slices.SortFunc(a.Areas, func(a, b Crowd) int { return cmp.Or(b.Online-a.Online, cmp.Compare(a.Area, b.Area)) })
	return a, nil
}

// whole is metres without a rest: nobody needs to know more, and it is told in fewer bytes.
func whole(v float32) float64 { return math.Round(float64(v)) }

func (s *Server) top(ctx context.Context) (a Top, err error) {
	if !s.settings.Load().Public.Top {
		return a, errOff
	}
	for by, to := range map[data.Ranking]*[]Leader{data.ByTitle: &a.Title, data.ByDegree: &a.Degree,
		data.ByKarma: &a.Karma} {
		all, err := s.o.Store.Leaders(ctx, by, maxLeaders)
		if err != nil {
			return a, err
		}
		*to = make([]Leader, len(all))
		for i, l := range all {
			(*to)[i] = Leader{l.Name, l.Clan, l.Title + 1, l.Degree + 1, l.Karma}
		}
	}
	return a, nil
}

// A crowd is how many players there have been at once.
type crowd struct {
	mu   sync.Mutex
	most int
	at   time.Time
}

// note tells of how many there are now, and returns the most.
func (c *crowd) note(online int, now time.Time) (int, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if online > c.most || c.at.IsZero() {
		c.most, c.at = online, now
	}
	return c.most, c.at
}

// watch counts players until ctx ends, also while nobody looks at the page.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.crowd.note(s.count(), now)
		}
	}
}
