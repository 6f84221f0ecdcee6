package rules

import (
	"strconv"
	"strings"
)

// A Monster is one row of the monsters' table (13.3).
type Monster struct {
	ID        int       `json:"id"`              // monster type: the game id on the wire
	Class     int       `json:"class,omitzero"`  // 210 walks, 211 flies …
	Module    string    `json:"module"`          // column 1
	Model     string    `json:"model,omitempty"` // 2
	Speed     int       `json:"speed,omitzero"`  // 4: like a speed, unit unknown
	Flying    int       `json:"flying,omitzero"` // 5: 100 when flying
	Karma     int       `json:"karma,omitzero"`  // 6: band
	Low       int       `json:"low,omitzero"`    // 7: lowest level less one
	High      int       `json:"high,omitzero"`   // 8: highest level less one
	HPBase    int       `json:"hp_base"`         // 9: see [Monster.MaxHP]
	Physical  int       `json:"physical_defence,omitzero"`
	Magical   int       `json:"magical_defence,omitzero"` // 10, 11: defence per level
	Trophies  [2]Trophy `json:"trophies,omitzero"`        // 12–15
	Size      int       `json:"size,omitzero"`            // 17: maybe a percentage
	Attack    int       `json:"attack,omitzero"`          // 18: physical, per level, negative
	Magic     int       `json:"magic,omitzero"`           // 19: magical, per level, negative
	Weight    int       `json:"weight,omitzero"`          // 36
	Range     int       `json:"range,omitzero"`           // 38: metres
	Delay     int       `json:"delay,omitzero"`           // 39: seconds between attacks
	Effect    int       `json:"effect,omitzero"`          // 41
	Length    int       `json:"effect_length,omitzero"`   // 42
	Chance    int       `json:"chance,omitzero"`          // 44
	EffectKey string    `json:"effect_key,omitempty"`     // 48
	Habitat   string    `json:"habitat,omitempty"`        // 49: P F D M C H R N terrain, B boss, T town, U other
	Missile   int       `json:"missile,omitzero"`         // set of the visual effect that flies behind its hits, 0: none
	Changes   Bonus     `json:"changes,omitzero"`         // 22 and following: the columns of its effect
	Names     Names     `json:"names,omitempty"`
}

// A Trophy is an item that a killed monster may leave.
type Trophy struct {
	Kind   int `json:"kind,omitzero"`   // game id, 0: none
	Chance int `json:"chance,omitzero"` // per mille
}

// Name is the name of the monster, or its number.
func (m *Monster) Name(language string) string {
	if n := m.Names.In(language); n != "" {
		return n
	}
	return strings.TrimSpace(m.Module + " " + strconv.Itoa(m.ID))
}
