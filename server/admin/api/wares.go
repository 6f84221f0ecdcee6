package api

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// wareAnswer is one article of a trader.
type wareAnswer struct {
	ID    int  `json:"id"` // of the kind
	Name  text `json:"name"`
	Count int  `json:"count"`
	Price int  `json:"price"` // of one
}

// wares lists the goods of a townsman today; none for one that is no trader.
func wares(s *Server, r *request) (any, error) {
	key := r.asked.text["townsman"]
	all := content.NPCs()
	i := slices.IndexFunc(all, func(n content.NPC) bool { return n.Key == key })
	if i < 0 {
		return nil, errNoSuch.with(key)
	}
	n, kinds, out := &all[i], s.o.Game.Kinds(), []wareAnswer{}
	day := rules.GameDay(s.o.Game.World().At)
	continent := func(at coords.Position) string { a, _ := content.ContinentOf(at); return a.Key }
	stall := rules.Stall{Continent: continent(n.Position), ContinentOf: continent}
	stall.FirstRoom, stall.LastRoom = n.Rooms()
	balance := s.o.Config.Settings().Balance
	for _, o := range kinds.ForSale(rules.ShopOf(n.Type, int(n.Name), n.Tier, day), &balance.Travel, stall) {
		out = append(out, wareAnswer{o.Kind.ID, nameOf(o.Kind, kinds.Suffix(o.Kind, o.Suffix)), o.Count, o.Price})
	}
	return out, nil
}
