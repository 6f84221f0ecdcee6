package rules

import "strings"

// Level is the middle of the levels of a spawner's monsters, from the metres to the centre of the nearest city of the
// continent, and the levels that the continent adds.
//
// Source: protocol fight 5, within 5 levels of 29 places.
func (b *SpawnBalance) Level(metres float64, more int) int {
	level := 1.0
	if b.LevelStep > 0 {
		level += (metres - b.LevelBase) / b.LevelStep
	}
	return more + int(min(max(level, 1), float64(b.MostLevel))+0.5)
}

// CommonOf is how many common monsters a spawner of a level has.
func (b *SpawnBalance) CommonOf(level int) int {
	if level <= b.EasyLevel {
		return min(b.EasyCommon, b.Common)
	}
	return b.Common
}

// SpreadOf is by how much the levels of the monsters of a spawner differ from its own.
func (b *SpawnBalance) SpreadOf(level int) int {
	if level <= b.EasyLevel {
		return min(b.EasySpread, b.LevelSpread)
	}
	return b.LevelSpread
}

// Limits of the types that ordinary spawners have. Source: protocol fight 4.3, 5.
const (
	FirstType, LastType = 1000, 1339
	PracticeTarget      = 1170
	NewcomersMonster    = 1069
	// RareType is seldom among the monsters of a spawner.
	RareType = 1210
)

// Inhabits reports whether monsters of a type and level live in the open where the habitat has a letter: P plains, F
// forest, M mountains, C cemeteries, H Haron, N Phoebe, R Rodos. Bosses and monsters of towns do not.
//
// Source: protocol fight 4.3, 5.
func (m *Monster) Inhabits(letter byte, level int) bool {
	ordinary := m.ID >= FirstType && m.ID <= LastType && m.ID != PracticeTarget && m.ID != NewcomersMonster
	return ordinary && m.Low < level && level <= m.High+1 && strings.IndexByte(m.Habitat, letter) >= 0 &&
		!strings.ContainsAny(m.Habitat, "BTU")
}
