package data

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"sphereserver/world/rules"
)

// An effectList stores a character's effects as JSON; none is an empty text. It serves Scan and Exec alike.
type effectList struct{ e *[]rules.Effect }

// A storedEffect is a [rules.Effect] as it is stored.
type storedEffect struct {
	ID     int              `json:"id"`
	Key    string           `json:"key"`
	Kind   rules.EffectKind `json:"kind"`
	Tier   int              `json:"tier"`
	Length int              `json:"length"`
	Bonus  rules.Bonus      `json:"bonus"`
	Caster int64            `json:"caster"`
	Left   int64            `json:"left"` // milliseconds
}

// Scan reads the text of effectsText.
func (l effectList) Scan(v any) error {
	*l.e = nil
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("effects: expected a text, found %T", v)
	}
	if text == "" {
		return nil
	}
	var stored []storedEffect
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return fmt.Errorf("effects: %w", err)
	}
	for _, s := range stored {
		left := min(max(s.Left, 0), maxEffectLeft.Milliseconds())
		*l.e = append(*l.e, rules.Effect{ID: s.ID, Key: s.Key, Kind: s.Kind, Tier: s.Tier, Length: s.Length,
			Bonus: s.Bonus, Caster: s.Caster, Left: time.Duration(left) * time.Millisecond})
	}
	return nil
}

// Value is the text that is stored.
func (l effectList) Value() (driver.Value, error) { return effectsText(*l.e), nil }

// maxEffectLeft is more than any length code says.
const maxEffectLeft = 365 * 24 * time.Hour

// effectsText is how effects are stored.
func effectsText(effects []rules.Effect) string {
	if len(effects) == 0 {
		return ""
	}
	stored := make([]storedEffect, len(effects))
	for i := range effects {
		e := &effects[i]
		// A part of a millisecond counts as one: a stored effect is never over.
		left := (e.Left + time.Millisecond - 1).Milliseconds()
		stored[i] = storedEffect{e.ID, e.Key, e.Kind, e.Tier, e.Length, e.Bonus, e.Caster, left}
	}
	text, err := json.Marshal(stored)
	if err != nil { // there is nothing in it that JSON has no word for
		return ""
	}
	return string(text)
}

// checkEffects says which effect a character cannot have.
func checkEffects(effects []rules.Effect) error {
	for i := range effects {
		e := &effects[i]
		if !e.Sound() {
			return fmt.Errorf("effects: expected one that can be, found %+v", *e)
		}
		if !e.Beside(effects[:i]) {
			return fmt.Errorf("effects: expected %d at most, each of another id, found one more: %+v", rules.MaxEffects, *e)
		}
	}
	return nil
}
