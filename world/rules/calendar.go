package rules

import "time"

// A Moment is a moment of the game's calendar, which runs 12 times faster than real time: a day of the game is two real
// hours. It has years of 365 days, no leap years.
type Moment struct {
	Year    int // 0 to 1023; the client shows 7800 more
	Month   int // 1 to 12
	Day     int // 1 to 31
	Hour    int // 0 to 23
	Minute  int // 0 to 59
	Quarter int // 0 to 3, of the minute
}

const (
	quartersPerDay = 24 * 60 * 4
	daysPerYear    = 365
	commonYear     = 2001 // whose months are those of the game: no leap year
	firstYear      = 392
	yearsOnWire    = 1024
	calendarOrigin = 0x4900FAE80 // seconds before 1970
)

// Calendar returns the moment of the game at a real time. It is the calendar of the newest known server, said to be
// that of the original service.
//
// Source: protocol session 4.3.
func Calendar(now time.Time) Moment {
	quarters := (now.Unix() + calendarOrigin) * 48 / 60 // 12 × 4 per real minute
	day := time.Date(commonYear, time.January, 1+int(quarters/quartersPerDay%daysPerYear), 0, 0, 0, 0, time.UTC)
	ofDay := int(quarters % quartersPerDay)
	return Moment{Year: int((quarters/(daysPerYear*quartersPerDay) + firstYear) % yearsOnWire), Month: int(day.Month()),
		Day: day.Day(), Hour: ofDay / 240, Minute: ofDay % 240 / 4, Quarter: ofDay % 4}
}

// GameDay numbers the days of the game, of two hours each: what changes daily, such as traders' goods, goes by it.
func GameDay(now time.Time) uint64 {
	return uint64((now.Unix()+calendarOrigin)*48/60) / quartersPerDay
}
