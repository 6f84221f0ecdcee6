package ops

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sphereserver/data/lazyregexp"
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
	spanText = lazyregexp.Of(`^(?:[0-9]{1,9}[a-zа-я]+)+$`)
	spanPart = lazyregexp.Of(`([0-9]+)([a-zа-я]+)`)
)

// ParseSpan reads a length of time as people write it, in the chat as on the command line: 90s, 30m, 12ч, 7d, 1h30m.
func ParseSpan(text string) (span time.Duration, ok bool) {
	text = strings.ToLower(text)
	if !spanText().MatchString(text) {
		return 0, false
	}
	for _, part := range spanPart().FindAllStringSubmatch(text, -1) {
		unit, known := spanUnits[part[2]]
		n, _ := strconv.ParseInt(part[1], 10, 64) // at most nine digits
		if !known || n > int64((LongestSpan-span)/unit) {
			return 0, false
		}
		span += time.Duration(n) * unit
	}
	return span, span > 0
}

// spanLoose is a length of time nearly as ParseSpan reads it: a number, and perhaps the beginning of a unit.
var spanLoose = lazyregexp.Of(`^([0-9]{1,6})(?:[.,]([0-9]))?\s*([a-zа-я]*)$`)

// looseUnits are units by their first letter, in seconds.
var looseUnits = map[string]int{"": 60, "m": 60, "м": 60, "h": 3600, "ч": 3600, "d": 86400, "д": 86400, "w": 7 * 86400,
	"н": 7 * 86400}

// NearSpan returns the likely meaning of a text that ParseSpan does not read: 1,5h is 90m, 30 is 30m, 2weeks is 14d.
func NearSpan(text string) (near string, ok bool) {
	m := spanLoose().FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return "", false
	}
	letter, units := "", []string{"d", "h", "m", "s"}
	if first, _ := utf8.DecodeRuneInString(m[3]); m[3] != "" {
		letter = string(first)
	}
	if letter != "" && strings.Contains("мчдн", letter) {
		units = []string{"д", "ч", "м", "с"}
	}
	n, _ := strconv.Atoi(m[1] + "0")
	tenth, _ := strconv.Atoi(m[2])
	seconds := (n + tenth) * looseUnits[letter] / 10
	if seconds == 0 {
		return "", false
	}
	for i, unit := range []int{86400, 3600, 60, 1} {
		if seconds%unit == 0 {
			near = strconv.Itoa(seconds/unit) + units[i]
			break
		}
	}
	_, ok = ParseSpan(near)
	return near, ok
}

// secondsText is a number of seconds as a length of time; one that cannot be is a bare number.
func secondsText(n int) Text {
	if n < 0 || n > int(LongestSpan/time.Second) {
		return Text{strconv.Itoa(n) + " с", strconv.Itoa(n) + " s"}
	}
	return Span(time.Duration(n) * time.Second)
}

// Span is a length of time as players read it, to the second: "2 д", "10 мин", "1 ч 30 мин", "45 с".
func Span(d time.Duration) Text {
	left := int(d.Round(time.Second) / time.Second)
	var parts [2][]string
	days := 0 // hours are counted up to two days
	if left >= 2*86400 {
		days = 86400
	}
	for _, unit := range []struct {
		seconds          int
		russian, english string
	}{{days, "д", "d"}, {3600, "ч", "h"}, {60, "мин", "min"}, {1, "с", "s"}} {
		if unit.seconds == 0 {
			continue
		}
		if n := left / unit.seconds; n > 0 || unit.seconds == 1 && parts[0] == nil {
			parts[0] = append(parts[0], strconv.Itoa(n)+" "+unit.russian)
			parts[1] = append(parts[1], strconv.Itoa(n)+" "+unit.english)
		}
		left %= unit.seconds
	}
	return Text{strings.Join(parts[0], " "), strings.Join(parts[1], " ")}
}
