package packets

import "fmt"

// A Time is a moment of the game's calendar in 32 bits, from the lowest: quarter of a minute 2, minute 6, hour 5, day
// 5, month 4, year 10. The client shows 7800 years more. Source: protocol ingame 3.3, session 4.3.
type Time uint32

// A Moment is a [Time] unpacked into the fields of the game's calendar.
type Moment struct {
	Year    int // 0 to 1023
	Month   int // 1 to 12
	Day     int // 1 to 31
	Hour    int // 0 to 23
	Minute  int // 0 to 59
	Quarter int // 0 to 3, of the minute
}

// Pack returns the moment in 32 bits. Values outside of their range are cut to their bits.
func (m Moment) Pack() Time {
	return Time(m.Quarter&3) | Time(m.Minute&63)<<2 | Time(m.Hour&31)<<8 |
		Time(m.Day&31)<<13 | Time(m.Month&15)<<18 | Time(m.Year&1023)<<22
}

// Moment returns the time unpacked.
func (t Time) Moment() Moment {
	return Moment{Year: int(t >> 22), Month: int(t >> 18 & 15), Day: int(t >> 13 & 31), Hour: int(t >> 8 & 31),
		Minute: int(t >> 2 & 63), Quarter: int(t & 3)}
}

// String shows the time as the client's calendar does.
func (t Time) String() string {
	m := t.Moment()
	return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d", m.Year+7800, m.Month, m.Day, m.Hour, m.Minute, m.Quarter*15)
}
