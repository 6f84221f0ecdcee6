package ops

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

const (
	usualClearing = 30    // metres around in which summoned monsters are removed
	usualArea     = 100   // metres around in which spawners are turned
	mostArea      = 1_000 // metres of either
	mostSummoned  = 1_000 // living monsters that operators have summoned
)

var (
	monsterLevelText = Text{"Нужен уровень от 1 до %d, а не %d.", "Expected a level from 1 to %d, not %d."}
	radiusText       = Text{"Нужно расстояние от 0 до %d м, а не %v.", "Expected a radius from 0 to %d m, not %v."}
	summonedText     = Text{"Призванных монстров уже %d, больше нельзя: сначала уберите лишних.",
		"There are %d summoned monsters already, no more are possible: remove some first."}
	townText      = Text{"В городе монстров не бывает.", "There are no monsters in a city."}
	noMonsterText = Text{"В %.0f м нет монстров, призванных командой.",
		"Within %.0f m there is no monster that was summoned."}
	goneMonsterText = Text{"Этого монстра уже нет.", "This monster is not there any more."}
	noSpawnerText   = Text{"Места появления «%s» нет.", "There is no spawner %q."}
	noSpawnersText  = Text{"В %.0f м нет мест появления монстров.", "Within %.0f m there are no spawners."}
	badPlaceText    = Text{"Такого места в мире нет.", "There is no such place in the world."}
)

func checkPlace(f *Faults, at coords.Position) {
	if at.Check() != nil {
		f.Add("at", badPlaceText)
	}
}

func checkRadius(f *Faults, radius float64) {
	if !(radius >= 0 && radius <= mostArea) {
		f.Add("radius", radiusText, mostArea, radius)
	}
}

func (r MonsterSummon) check(f *Faults) {
	checkPlace(f, r.At)
	if r.Level < 0 || r.Level > world.MaxMonsterLevel {
		f.Add("level", monsterLevelText, world.MaxMonsterLevel, r.Level)
	}
	if strings.TrimSpace(r.Monster) == "" {
		f.Add("monster", emptyText)
	}
}

func (r MonsterRemoval) check(f *Faults) {
	checkPlace(f, r.At)
	checkRadius(f, r.Radius)
}

func (r SpawnerSearch) check(f *Faults) {
	if r.At != nil {
		checkPlace(f, *r.At)
	}
	checkRadius(f, r.Radius)
}

func (r SpawnerSwitch) check(f *Faults) {
	checkPlace(f, r.At)
	checkRadius(f, r.Radius)
}

// findMonster finds a type by its number or name in either language.
func (s *Service) findMonster(name string) (*rules.Monster, error) {
	kinds := s.kinds()
	if id, err := strconv.Atoi(strings.TrimSpace(name)); err == nil {
		if m := kinds.Monster(id); m != nil {
			return m, nil
		}
	}
	var known []string
	all := kinds.Monsters()
	for i := range all {
		for _, of := range []string{all[i].Name("ru"), all[i].Name("en")} {
			if strings.EqualFold(of, strings.TrimSpace(name)) {
				return &all[i], nil
			}
			known = append(known, of)
		}
	}
	return nil, notFound("monster", name, known)
}

func nameOfMonster(m *rules.Monster) Text { return Text{m.Name("ru"), m.Name("en")} }

func (c *call) summonMonster(r MonsterSummon) (SummonedMonster, error) {
	row, err := c.findMonster(r.Monster)
	if err != nil {
		return SummonedMonster{}, err
	}
	if c.Runtime == nil {
		return SummonedMonster{}, ErrNotRunning
	}
	if content.Zones().Town(r.At, c.world().Balance.Spawn.TownFree) {
		return SummonedMonster{}, refuse(ErrInvalid, townText)
	}
	if r.Level == 0 {
		r.Level = min(max((row.Low+row.High)/2+1, 1), world.MaxMonsterLevel)
	}
	summoned := 0
	for o := range c.world().Objects() {
		if m, ok := o.Kind.(*world.Monster); ok && m.Spawns == 0 {
			summoned++
		}
	}
	if summoned >= mostSummoned {
		return SummonedMonster{}, refuse(ErrInvalid, summonedText, mostSummoned)
	}
	named := ""
	if r.Named {
		named = "named "
	}
	if r.Rewards {
		named += "rewarding "
	}
	err = c.command(row.Name("en"), fmt.Sprintf("%sof level %d at %v", named, r.Level, r.At),
		world.Summon{Type: row.ID, Level: r.Level, Named: r.Named, At: r.At, Worthless: !r.Rewards})
	return SummonedMonster{row.ID, nameOfMonster(row), r.Level, r.Named}, err
}

func (c *call) removeMonsters(r MonsterRemoval) (RemovedMonsters, error) {
	if c.Runtime == nil {
		return RemovedMonsters{}, ErrNotRunning
	}
	var found []world.EntityID
	target := allSummoned
	radius := cmp.Or(r.Radius, usualClearing)
	for o := range c.world().Objects() {
		m, ok := o.Kind.(*world.Monster)
		switch {
		case !ok:
		case r.ID != 0 && o.ID == r.ID:
			found, r.At = append(found, o.ID), o.Position
			target = strconv.Itoa(m.Type)
			if row := c.kinds().Monster(m.Type); row != nil {
				target = row.Name("en")
			}
		case r.ID == 0 && m.Spawns == 0 && r.At.Distance(o.Position) <= radius:
			found = append(found, o.ID)
		}
	}
	switch {
	case len(found) == 0 && r.ID != 0:
		return RemovedMonsters{}, refuse(data.ErrNotFound, goneMonsterText)
	case len(found) == 0:
		return RemovedMonsters{}, refuse(data.ErrNotFound, noMonsterText, radius)
	}
	slices.Sort(found)
	return RemovedMonsters{len(found)}, c.record(target, fmt.Sprintf("%d at %v", len(found), r.At), func() error {
		for _, id := range found {
			c.Runtime.Command(world.Remove{ID: id})
		}
		return nil
	})
}

// spawnersOf are the spawners of a key, or within a radius of a place on its continent, or all.
func (c *call) spawnersOf(key string, at *coords.Position, radius float64) (found []world.SpawnerView, err error) {
	if c.Runtime == nil {
		return nil, ErrNotRunning
	}
	for _, s := range c.world().Spawners {
		near := at == nil
		if at != nil {
			here, _ := content.AreaOf(*at)
			there, _ := content.AreaOf(s.At)
			near = here.Key == there.Key && math.Hypot(float64(s.At.X-at.X), float64(s.At.Z-at.Z)) <= radius
		}
		if key == s.Key || key == "" && near {
			found = append(found, s)
		}
	}
	if key != "" && len(found) == 0 {
		return nil, refuse(data.ErrNotFound, noSpawnerText, shortName(key))
	}
	return found, nil
}

func (c *call) listSpawners(r SpawnerSearch) ([]Spawner, error) {
	found, err := c.spawnersOf(r.Key, r.At, cmp.Or(r.Radius, usualArea))
	out := []Spawner{}
	for _, s := range found {
		if s.Off || !r.Off {
			out = append(out, Spawner(s))
		}
	}
	return out, err
}

// turnSpawners stores which spawners are off before it tells the world.
func (c *call) turnSpawners(r SpawnerSwitch) (SpawnersTurned, error) {
	radius := cmp.Or(r.Radius, usualArea)
	found, err := c.spawnersOf(r.Key, &r.At, radius)
	if err != nil {
		return SpawnersTurned{}, err
	}
	if len(found) == 0 {
		return SpawnersTurned{}, refuse(data.ErrNotFound, noSpawnersText, radius)
	}
	var keys []string
	for _, s := range found {
		if s.Off != r.Off {
			keys = append(keys, s.Key)
		}
	}
	out := SpawnersTurned{len(found), len(keys)}
	if len(keys) == 0 {
		return out, nil
	}
	target, detail := r.Key, "on"
	if target == "" {
		target = fmt.Sprintf("%.0f %.0f %.0f, %.0f m", r.At.X, r.At.Y, r.At.Z, radius)
	}
	if r.Off {
		detail = "off"
	}
	if err := c.Store.TurnSpawners(c.audited(target, fmt.Sprintf("%s: %d", detail, len(keys))), keys, r.Off); err != nil {
		return SpawnersTurned{}, err
	}
	for _, key := range keys {
		c.Runtime.Command(world.SetSpawners{Key: key, Off: r.Off})
	}
	return out, nil
}
