package world

import "time"

// An instant is a time of the world in nanoseconds of Unix time, 0 for none. Monsters and players remember many, and a
// [time.Time] takes three times the room.
type instant int64

func instantOf(t time.Time) instant { return instant(t.UnixNano()) }

// instant is the present one.
func (c *core) instant() instant { return instantOf(c.now) }

// The methods are those of [time.Time].

func (t instant) Add(d time.Duration) instant       { return t + instant(d) }
func (t instant) Sub(earlier instant) time.Duration { return time.Duration(t - earlier) }
func (t instant) Before(o instant) bool             { return t < o }
func (t instant) After(o instant) bool              { return t > o }
func (t instant) IsZero() bool                      { return t == 0 }
