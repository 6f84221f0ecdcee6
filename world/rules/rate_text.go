package rules

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Words of rates as people write them, in either language. We write the first ones.
var (
	everyWords = []string{"every", "каждые", "каждый", "каждую", "каждое"}
	fromWords  = []string{"from", "с", "со"}
	toWords    = []string{"to", "до", "until", "till"}
	andWords   = []string{"and", "и"}
	dayWords   = []struct {
		days    Days
		words   []string // English first
		russian string   // behind the first of its words for every
	}{
		{EveryDay, []string{"day", "день", "дни"}, "каждый день"},
		{Weekend, []string{"weekend", "weekends", "выходные"}, "каждые выходные"},
		{Workdays, []string{"workday", "workdays", "weekday", "weekdays", "будни"}, "каждые будни"},
		{1 << time.Monday, []string{"monday", "понедельник"}, "каждый понедельник"},
		{1 << time.Tuesday, []string{"tuesday", "вторник"}, "каждый вторник"},
		{1 << time.Wednesday, []string{"wednesday", "среда", "среду"}, "каждую среду"},
		{1 << time.Thursday, []string{"thursday", "четверг"}, "каждый четверг"},
		{1 << time.Friday, []string{"friday", "пятница", "пятницу"}, "каждую пятницу"},
		{1 << time.Saturday, []string{"saturday", "суббота", "субботу"}, "каждую субботу"},
		{1 << time.Sunday, []string{"sunday", "воскресенье"}, "каждое воскресенье"},
	}
)

// ParseFactor reads a factor as people write it: 2, 2.5, 2,5, x2 or 2x.
func ParseFactor(text string) (factor float64, ok bool) {
	text = strings.NewReplacer("х", "x", "×", "x", ",", ".").Replace(strings.ToLower(text))
	if bare, before := strings.CutPrefix(text, "x"); before {
		text = bare
	} else {
		text = strings.TrimSuffix(text, "x")
	}
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	factor, err := strconv.ParseFloat(text, 64)
	return factor, err == nil
}

// ParseRate reads a rate as files have it, in either language and with times of a location:
//
//	2
//	2 every weekend
//	1.5 every friday and saturday 18:00-02:00
//	3 from 2026-12-31 18:00 to 2027-01-02
//
// A date without a time is the beginning of its day.
func ParseRate(text string, loc *time.Location) (r Rate, ok bool) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return r, false
	}
	var err error
	if r.Factor, err = strconv.ParseFloat(words[0], 64); err != nil || !(r.Factor >= LeastRate && r.Factor <= MostRate) {
		return r, false
	}
	switch words = words[1:]; {
	case len(words) == 0:
		return r, true
	case slices.Contains(everyWords, words[0]):
		return r, r.parseWeek(words[1:])
	}
	for len(words) > 0 {
		at := &r.From
		switch {
		case slices.Contains(toWords, words[0]) && r.To.IsZero():
			at = &r.To
		case !slices.Contains(fromWords, words[0]) || !r.From.IsZero():
			return r, false
		}
		n := 1
		for n < len(words) && !slices.Contains(fromWords, words[n]) && !slices.Contains(toWords, words[n]) {
			n++
		}
		if *at, ok = ParseMoment(strings.Join(words[1:n], " "), loc); !ok {
			return r, false
		}
		words = words[n:]
	}
	return r, r.From.IsZero() || r.To.IsZero() || r.From.Before(r.To)
}

// momentForms are the forms in which a moment may be written.
var momentForms = []string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02", "02.01.2006 15:04", "02.01.2006"}

// ParseMoment reads a day, or a day and a time, in a location.
func ParseMoment(text string, loc *time.Location) (time.Time, bool) {
	for _, form := range momentForms {
		if t, err := time.ParseInLocation(form, text, loc); err == nil && t.Year() > 1 {
			return t, true
		}
	}
	return time.Time{}, false
}

// momentText is a moment as ParseMoment reads it, in its location.
func momentText(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(momentForms[1])
	}
	return t.Format(momentForms[0])
}

// parseWeek reads days of the week and perhaps a span of hours.
func (r *Rate) parseWeek(words []string) bool {
	r.End = 24 * time.Hour
	for i, word := range words {
		days := daysOf(word)
		switch {
		case days != 0:
			r.Days |= days
		case slices.Contains(andWords, word) || slices.Contains(everyWords, word):
		default:
			from, to, ok := strings.Cut(strings.ReplaceAll(word, "–", "-"), "-")
			begin, ok1 := clockTime(from)
			end, ok2 := clockTime(to)
			if !ok || !ok1 || !ok2 || begin == 24*time.Hour || i != len(words)-1 {
				return false
			}
			if end <= begin {
				end += 24 * time.Hour
			}
			r.Begin, r.End = begin, end
		}
	}
	return r.Days != 0
}

func daysOf(word string) Days {
	for i := range dayWords {
		if slices.Contains(dayWords[i].words, word) {
			return dayWords[i].days
		}
	}
	return 0
}

// clockTime reads a time of day, up to 24:00.
func clockTime(text string) (time.Duration, bool) {
	if text == "24:00" {
		return 24 * time.Hour, true
	}
	t, err := time.Parse("15:04", text)
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, err == nil
}

func clockText(d time.Duration) string {
	if d > 24*time.Hour {
		d -= 24 * time.Hour
	}
	minutes := int(d / time.Minute)
	two := func(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
	return two(minutes/60) + ":" + two(minutes%60)
}

// When is when a rate holds, as ParseRate reads it behind the factor; "" for always.
func (r *Rate) When(language string) string {
	i := 0 // of the words that are written
	if language == "ru" {
		i = 1
	}
	if r.Days == 0 {
		var parts []string
		if !r.From.IsZero() {
			parts = append(parts, fromWords[i], momentText(r.From))
		}
		if !r.To.IsZero() {
			parts = append(parts, toWords[i], momentText(r.To))
		}
		return strings.Join(parts, " ")
	}
	var parts []string
	for left, k := r.Days, 0; left != 0 && k < len(dayWords); k++ {
		d := &dayWords[k]
		if left&d.days != d.days || bits.OnesCount8(uint8(d.days)) > 1 && d.days != left {
			continue
		}
		left &^= d.days
		word := d.words[0]
		if i == 1 {
			word = d.russian
		}
		parts = append(parts, word)
	}
	text := strings.Join(parts, " "+andWords[i]+" ")
	if i == 0 {
		text = everyWords[0] + " " + text
	}
	if r.Begin != 0 || r.End != 24*time.Hour {
		text += " " + clockText(r.Begin) + "-" + clockText(r.End)
	}
	return text
}

// Text is a rate as ParseRate reads it.
func (r *Rate) Text(language string) string {
	return strings.TrimSpace(strconv.FormatFloat(r.Factor, 'g', -1, 64) + " " + r.When(language))
}
