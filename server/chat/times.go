package chat

import (
	"strconv"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// muteEnd is when a mute ends: one for ever in a hundred years.
func muteEnd(m data.Mute) time.Time {
	if m.Until.IsZero() {
		return m.At.AddDate(100, 0, 0)
	}
	return m.Until
}

// mutedFor says how much longer a mute lasts, as players read it.
func mutedFor(now, end time.Time, russian bool) string {
	left := end.Sub(now)
	switch minutes := int((left + time.Minute - 1) / time.Minute); {
	case left > longestSpan/2:
		return ops.Until(time.Time{}).In(russian)
	case left >= 24*time.Hour:
		return ops.Until(end).In(russian)
	case minutes < 60:
		return text("ещё %d мин", "for another %d min").In(russian, minutes)
	default:
		return text("ещё %d ч %d мин", "for another %d h %d min").In(russian, minutes/60, minutes%60)
	}
}

// spanUnits are the units in which players write times, in both languages.
var spanUnits = map[string]time.Duration{"m": time.Minute, "min": time.Minute, "м": time.Minute, "мин": time.Minute,
	"h": time.Hour, "ч": time.Hour, "d": 24 * time.Hour, "д": 24 * time.Hour}

// longestSpan keeps the ends of bans and mutes within the years that a calendar can show.
const longestSpan = 36500 * 24 * time.Hour

// parseSpan reads "30m", "12ч" or "7d"; for ever is 0.
func parseSpan(word string) (span time.Duration, ok bool) {
	word = strings.ToLower(word)
	if word == "forever" || word == "навсегда" {
		return 0, true
	}
	digits := strings.TrimRight(word,
		"abcdefghijklmnopqrstuvwxyzабвгдеёжзийклмнопрстуфхцчшщъыьэюя")
	unit, known := spanUnits[word[len(digits):]]
	n, err := strconv.Atoi(digits)
	if !known || err != nil || n < 1 || int64(n) > int64(longestSpan/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
