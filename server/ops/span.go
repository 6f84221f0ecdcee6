package ops

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// LongestSpan keeps the ends of bans and mutes within the years that a calendar can show.
const LongestSpan = 36500 * 24 * time.Hour

var spanUnits = map[string]time.Duration{
	"ms": time.Millisecond, "мс": time.Millisecond,
	"s": time.Second, "sec": time.Second, "с": time.Second, "сек": time.Second,
	"m": time.Minute, "min": time.Minute, "м": time.Minute, "мин": time.Minute,
	"h": time.Hour, "ч": time.Hour, "d": 24 * time.Hour, "д": 24 * time.Hour,
}

var (
	spanText = regexp.MustCompile(`^(?:[0-9]{1,9}[a-zа-я]+)+$`)
	spanPart = regexp.MustCompile(`([0-9]+)([a-zа-я]+)`)
)

// ParseSpan reads a length of time as people write it, in the chat as on the command line: 90s, 30m, 12ч, 7d, 1h30m.
func ParseSpan(text string) (span time.Duration, ok bool) {
	text = strings.ToLower(text)
	if !spanText.MatchString(text) {
		return 0, false
	}
	for _, part := range spanPart.FindAllStringSubmatch(text, -1) {
		unit, known := spanUnits[part[2]]
		n, _ := strconv.ParseInt(part[1], 10, 64) // at most nine digits
		if !known || n > int64((LongestSpan-span)/unit) {
			return 0, false
		}
		span += time.Duration(n) * unit
	}
	return span, span > 0
}

// Span is a length of time as players read it, to the second: "10 мин", "1 ч 30 мин", "45 с".
func Span(d time.Duration) Text {
	left := int(d.Round(time.Second) / time.Second)
	var parts [2][]string
	for _, unit := range []struct {
		seconds          int
		russian, english string
	}{{3600, "ч", "h"}, {60, "мин", "min"}, {1, "с", "s"}} {
		if n := left / unit.seconds; n > 0 || unit.seconds == 1 && parts[0] == nil {
			parts[0] = append(parts[0], strconv.Itoa(n)+" "+unit.russian)
			parts[1] = append(parts[1], strconv.Itoa(n)+" "+unit.english)
		}
		left %= unit.seconds
	}
	return Text{strings.Join(parts[0], " "), strings.Join(parts[1], " ")}
}
