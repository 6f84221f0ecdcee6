package world

import (
	"slices"

	"sphereserver/world/rules"
)

// mostIgnored is how many others a character ignores at the most. Source: protocol life 13.
const mostIgnored = 100

// An ignored is a character that another does not hear.
type ignored struct {
	character int64
	name      string
}

// Ignore keeps the public and private lines of a character from a player, and has its wishes for a trade, a party or a
// duel with that player refused, until the world ends; or no longer. [IgnoreTold] follows.
//
// Source: protocol life 13; that wishes are refused, too, and that the list ends with the world is ours.
type Ignore struct {
	ID        PlayerID
	Character int64  // to be ignored; 0: see Off
	Name      string // of the character
	Off       bool   // Name is not ignored any more, or with no name nobody is; else 0 in Character asks for the list
}

func (c Ignore) who() PlayerID { return c.ID }

func (c Ignore) act(w *World, p *player) {
	all := w.ignores[p.Character]
	e := IgnoreTold{ID: p.ID, Name: c.Name, Off: c.Off}
	known := slices.ContainsFunc(all, func(i ignored) bool { return i.character == c.Character })
	switch {
	case c.Off:
		rest := slices.DeleteFunc(slices.Clone(all), func(i ignored) bool {
			return c.Name == "" || rules.FoldName(i.name) == rules.FoldName(c.Name)
		})
		if c.Name != "" && len(rest) == len(all) {
			e.Why = rules.NotIgnored
		}
		all = rest
	case c.Character == p.Character:
		e.Why = rules.Yourself
	case c.Character == 0 || known:
	case len(all) >= mostIgnored:
		e.Why = rules.TooManyIgnored
	default:
		all = append(all, ignored{c.Character, c.Name})
	}
	if w.ignores[p.Character] = all; len(all) == 0 {
		delete(w.ignores, p.Character)
	}
	for _, i := range all {
		e.All = append(e.All, i.name)
	}
	w.tell(e)
}

// ignoring says whether a player ignores another. Game masters are heard by all.
func (c *core) ignoring(p, other *player) bool {
	return other.Role < GameMaster &&
		slices.ContainsFunc(c.ignores[p.Character], func(i ignored) bool { return i.character == other.Character })
}

// IgnoreTold tells a player of its list of those that it ignores.
type IgnoreTold struct {
	ID   PlayerID
	Name string // that was added, or with Off removed; "": none, or with Off all
	Off  bool
	Why  rules.RejectReason // it was not; 0: it was
	All  []string           // names, in the order in which they came
}

func (IgnoreTold) event() {}
