package world

import "sphereserver/world/rules"

// Ignore sets which characters a player ignores, while it is in the world. Nothing is told of it.
type Ignore struct {
	ID  PlayerID
	All rules.Ignored
}

func (c Ignore) who() PlayerID { return c.ID }

func (c Ignore) act(w *World, p *player) {
	if len(c.All) == 0 {
		delete(w.ignores, p.ID)
		return
	}
	w.ignores[p.ID] = c.All
}

// ignoring reports whether a player ignores another.
func (c *core) ignoring(p, other *player) bool {
	return c.ignores[p.ID].Refuses(other.Character, other.Role >= GameMaster)
}
