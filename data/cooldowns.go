package data

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"sphereserver/world/rules"
)

// A cooldownMap stores a character's cooldowns as JSON; none is an empty text. It serves Scan and Exec alike.
type cooldownMap struct{ c *rules.Cooldowns }

// Scan reads the text of cooldownsText.
func (m cooldownMap) Scan(v any) error {
	*m.c = nil
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("cooldowns: expected a text, found %T", v)
	}
	if text == "" {
		return nil
	}
	var stored map[int]int64
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return fmt.Errorf("cooldowns: %w", err)
	}
	*m.c = rules.Cooldowns{}
	for kind, until := range stored {
		(*m.c)[kind] = fromMillis(until)
	}
	return nil
}

// Value is the text that is stored.
func (m cooldownMap) Value() (driver.Value, error) { return cooldownsText(*m.c), nil }

// cooldownsText is how cooldowns are stored: the milliseconds of Unix time at their ends, by kinds.
func cooldownsText(cooldowns rules.Cooldowns) string {
	if len(cooldowns) == 0 {
		return ""
	}
	stored := make(map[int]int64, len(cooldowns))
	for kind, until := range cooldowns {
		stored[kind] = toMillis(until)
	}
	text, err := json.Marshal(stored) // in order of the kinds
	if err != nil {                   // there is nothing in it that JSON has no word for
		return ""
	}
	return string(text)
}
