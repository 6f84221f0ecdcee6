package w3host

import "time"

// A bucket lets things pass at a rate, with a burst. The zero value is full.
type bucket struct {
	spent float64 // of the burst
	at    time.Duration
}

// take says whether n more may pass at the time now.
func (b *bucket) take(now time.Duration, n, perSecond, burst float64) bool {
	if d := now - b.at; d > 0 {
		b.spent = max(b.spent-d.Seconds()*perSecond, 0)
	}
	b.at = now
	if b.spent+n > burst {
		return false
	}
	b.spent += n
	return true
}
