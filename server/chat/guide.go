package chat

import (
	"math"
	"slices"
	"strings"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

const (
	guideReach = 400 // metres within which people are worth a walk
	guideTells = 12  // of them
)

// guide says where to go from a place: to the NPCs there, each trade once and the nearest first, and to monsters of
// the player's level. In the newcomers' dungeon it names the places of the sword, the token and the teleport out.
func (c *commandContext) guide() (string, error) {
	area, known := content.AreaOf(c.at)
	s := c.service.Host.World()
	if lessons := c.lessons(s); lessons != "" {
		return lessons, nil
	}
	if !known || !area.Open {
		return c.say("Отсюда дороги не видно: сначала выйдите под открытое небо.",
			"There is no telling from in here: go outside first."), nil
	}
	answer := c.say("Рядом никого нет.", "Nobody is near.")
	if people := c.people(area); len(people) > 0 {
		answer = c.say("Рядом: %s.", "Near: %s.", strings.Join(people, ", "))
	}
	level := 1
	if i := slices.IndexFunc(s.Players, func(v world.PlayerView) bool { return v.ID == c.from.id() }); i >= 0 {
		level = max(s.Players[i].Title, s.Players[i].Degree) + 1
	}
	at, ok := prey(s.Spawners, c.at, area, level)
	if !ok {
		return answer + c.say(" Монстров вашего уровня (%d) на этом материке нет.",
			" There are no monsters of your level (%d) on this continent.", level), nil
	}
	return answer + c.say(" Монстры вашего уровня (%d): %s.", " Monsters of your level (%d): %s.", level, c.way(at)), nil
}

// lessons tells of the newcomers' dungeon in which the player is, "" if it is in none. A player that has just entered
// is not in the snapshot yet, and its dungeon neither: then it is a newcomer's dungeon if a newcomer stands in it.
func (c *commandContext) lessons(s *world.Snapshot) string {
	cell := rules.InstanceCell(c.at)
	if cell < 0 {
		return ""
	}
	origin := rules.InstanceOrigin(cell)
	told := slices.ContainsFunc(s.Instances, func(in world.InstanceView) bool {
		return in.Layout == content.Newcomers && in.Origin == origin
	})
	entered := slices.ContainsFunc(s.Players, func(v world.PlayerView) bool { return v.ID == c.from.id() })
	if !told && (entered || !c.tutorial) {
		return ""
	}
	var all []string
	for _, p := range content.Pieces(content.Newcomers) {
		var name string
		switch {
		case p.Sometimes:
		case p.Kind == content.PieceItem && rules.ClassOf(p.Class).Hand:
			name = c.say("меч", "a sword")
		case p.Kind == content.PieceItem:
			name = c.say("жетон, который ведёт на свободу", "a token, which leads out")
		case p.Kind == content.PieceTeleport:
			name = c.say("телепорт, на котором применяют жетон", "the teleport on which the token is used")
		case p.Kind == content.PieceChest:
			name = c.say("сундук", "a chest")
		case p.Kind == content.PieceMonster:
			name = c.say("монстр", "a monster")
		}
		if name != "" {
			at := origin
			at.X, at.Z = at.X+p.At.X, at.Z+p.At.Z
			all = append(all, name+" "+c.way(at))
		}
	}
	return c.say("В этом подземелье: %s.", "In this dungeon: %s.", strings.Join(all, ", "))
}

// way is how far away, and in which direction, a place is from where the player stands.
func (c *commandContext) way(to coords.Position) string {
	return c.say("%.0f м к %s", "%.0f m to the %s", flat(c.at, to), ops.Direction(c.at, to).In(c.russian))
}

func flat(a, b coords.Position) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Z-b.Z)) }

// people are the NPCs that the player may need, in words.
func (c *commandContext) people(area content.Area) (words []string) {
	all := slices.DeleteFunc(slices.Clone(content.NPCs()), func(t content.NPC) bool {
		return t.Area != area.Key || flat(c.at, t.Position) > guideReach || t.Role(c.russian) == ""
	})
	slices.SortStableFunc(all, func(a, b content.NPC) int {
		return int(flat(c.at, a.Position)) - int(flat(c.at, b.Position))
	})
	seen := map[int]bool{}
	for _, t := range all {
		if !seen[t.Type] && len(words) < guideTells {
			seen[t.Type] = true
			words = append(words, t.Role(c.russian)+" "+c.way(t.Position))
		}
	}
	return words
}

// prey is the nearest place on an area from which monsters of a level come, give or take one level.
func prey(spawners []world.SpawnerView, at coords.Position, area content.Area, level int) (place coords.Position,
	ok bool) {
	nearest := math.Inf(1)
	for _, s := range spawners {
		off := max(s.Level-level, level-s.Level)
		if s.Off || off > 1 || slices.Contains(s.Types, rules.PracticeTarget) {
			continue
		}
		// A place of just the level is worth a longer walk.
		far := flat(at, s.At) * float64(1+off)
		if on, known := content.AreaOf(s.At); far < nearest && known && on.Key == area.Key {
			nearest, place, ok = far, s.At, true
		}
	}
	return place, ok
}
