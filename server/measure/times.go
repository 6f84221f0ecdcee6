// Package measure counts how long things take, cheaply enough for what happens often, so that operators can be told of medians and
// outliers.
package measure

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	stepBits = 3
	steps    = 1 << stepBits // to a power of two
	topBits  = 27            // 2^27 µs, about two minutes; what is longer counts as that
	// Buckets is how many there are.
	Buckets = (topBits - stepBits + 1) * steps
)

// Times counts durations in buckets of about 12 %. Any number of goroutines may record at once. The zero value is empty.
type Times struct {
	counts [Buckets]atomic.Uint64
	sum    atomic.Int64 // nanoseconds
}

// bucketOf returns the bucket of a time: below 8 µs the microseconds themselves, above the three bits below the highest.
func bucketOf(d time.Duration) int {
	us := uint64(max(d, 0) / time.Microsecond)
	if us < steps {
		return int(us)
	}
	shift := bits.Len64(us) - stepBits - 1
	return min((shift+1)*steps+int(us>>shift)-steps, Buckets-1)
}

// Bound is what all times of the i-th bucket, 0 to Buckets-1, are shorter than.
func Bound(i int) time.Duration {
	i++
	if i < steps {
		return time.Duration(i) * time.Microsecond
	}
	shift := i/steps - 1
	return time.Duration(uint64(i%steps+steps)<<shift) * time.Microsecond
}

// Record counts one time.
func (t *Times) Record(d time.Duration) {
	t.counts[bucketOf(d)].Add(1)
	t.sum.Add(int64(max(d, 0)))
}

// Counted returns what has been counted so far.
func (t *Times) Counted() Counted {
	var c Counted
	for i := range t.counts {
		c.Counts[i] = t.counts[i].Load()
	}
	c.Sum = time.Duration(t.sum.Load())
	return c
}

// Counted is what had been counted at a moment, or from one moment to another. It is plain data.
type Counted struct {
	Counts [Buckets]uint64
	Sum    time.Duration
}

// Since is what has been counted since an earlier moment.
func (c Counted) Since(earlier Counted) Counted {
	for i := range c.Counts {
		c.Counts[i] -= min(earlier.Counts[i], c.Counts[i])
	}
	c.Sum = max(0, c.Sum-earlier.Sum)
	return c
}

// N is how many times were counted.
func (c *Counted) N() (n uint64) {
	for _, k := range c.Counts {
		n += k
	}
	return n
}

// Quantile is the time that a share of all, 0 to 1, does not exceed, to the end of its bucket; 0 when nothing was counted.
func (c *Counted) Quantile(share float64) time.Duration {
	n := c.N()
	if n == 0 {
		return 0
	}
	rank := min(max(uint64(share*float64(n)+0.999999), 1), n)
	for i, k := range c.Counts {
		if k >= rank {
			return Bound(i)
		}
		rank -= k
	}
	return Bound(Buckets - 1)
}

// Max is the longest time, to the end of its bucket; 0 when nothing was counted.
func (c *Counted) Max() time.Duration {
	for i := Buckets - 1; i >= 0; i-- {
		if c.Counts[i] > 0 {
			return Bound(i)
		}
	}
	return 0
}
