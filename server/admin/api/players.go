package api

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/geography"
	"sphereserver/server/ops"
	gamesession "sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

type playerAnswer struct {
	ID        world.PlayerID   `json:"id"`        // while it is in the world
	Character data.CharacterID `json:"character"` // for ever
	Name      string           `json:"name"`
	Account   string           `json:"account"` // login
	Role      data.Role        `json:"role"`
	Place     text             `json:"place"`
	Yaw       float64          `json:"yaw"`
	Level     levels           `json:"level"`
	HP        int              `json:"hp"`
	MaxHP     int              `json:"maxHp"`
	Clan      string           `json:"clan"`
	Entered   time.Time        `json:"entered"`
	Minutes   int              `json:"minutes"` // in the world
	Seconds   int              `json:"seconds"` // the same
	geography.Point

	// Of the connection; not in the stream of events.
	Address  string   `json:"address,omitempty"` // game masters may know
	PingMs   *float64 `json:"pingMs"`            // round trip as the system measures it; null when it does not
	BytesIn  uint64   `json:"bytesIn"`
	BytesOut uint64   `json:"bytesOut"`
}

// levels are the levels that the game shows, 1 to 60, and how often each ladder was restarted.
type levels struct {
	Title          int `json:"title"`
	Degree         int `json:"degree"`
	TitleRebirths  int `json:"titleRebirths"`
	DegreeRebirths int `json:"degreeRebirths"`
}

// levelsOf takes levels as they are stored, less one.
func levelsOf(title, degree int) levels {
	return levels{title%rules.CycleLevels + 1, degree%rules.CycleLevels + 1, title / rules.CycleLevels,
		degree / rules.CycleLevels}
}

func describePlayer(v *world.PlayerView, now time.Time) playerAnswer {
	return playerAnswer{ID: v.ID, Character: data.CharacterID(v.Character), Name: v.Name, Account: v.Account,
		Role: data.Role(v.Role), Place: ops.Where(v.Position), Yaw: float64(v.Position.Yaw),
		Level: levelsOf(v.Title, v.Degree), HP: v.Pools.HP, MaxHP: v.Pools.MaxHP, Clan: v.Clan,
		Entered: v.Entered.UTC(), Minutes: int(now.Sub(v.Entered).Minutes()),
		Seconds: int(now.Sub(v.Entered).Seconds()), Point: geography.At(v.Position)}
}

func players(s *Server, r *request) (any, error) {
	search := strings.ToLower(r.asked.text["search"])
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	connections, err := s.o.Game.Connections(ctx, 0)
	if err != nil {
		return nil, err
	}
	byPlayer := make(map[world.PlayerID]*gamesession.Connection, len(connections))
	for i := range connections {
		byPlayer[connections[i].Player] = &connections[i]
	}
	now, found := time.Now(), []playerAnswer{}
	inside := s.o.Game.World().Players
	for i := range inside {
		v := &inside[i]
		if !strings.Contains(strings.ToLower(v.Name), search) && !strings.Contains(strings.ToLower(v.Account), search) {
			continue
		}
		p := describePlayer(v, now)
		if c := byPlayer[v.ID]; c != nil {
			p.connection(c, r.who.role)
		}
		found = append(found, p)
	}
	slices.SortFunc(found, func(a, b playerAnswer) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return found, nil
}

func (p *playerAnswer) connection(c *gamesession.Connection, reader data.Role) {
	p.BytesIn, p.BytesOut = c.In, c.Out
	if at, err := netip.ParseAddrPort(c.Address); err == nil && reader >= data.GameMaster {
		p.Address = at.Addr().String()
	}
	if c.Known {
		ms := milliseconds(c.RoundTrip)
		p.PingMs = &ms
	}
}
