package chat

import (
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

// longestSpan is for ever: no ban or mute with an end is longer.
const longestSpan = ops.LongestSpan

// parseSpan reads "30m", "12ч" or "7d"; for ever is 0.
func parseSpan(word string) (span time.Duration, ok bool) {
	switch strings.ToLower(word) {
	case "forever", "навсегда":
		return 0, true
	}
	return ops.ParseSpan(word)
}
