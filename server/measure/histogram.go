// Package measure counts events and how long they take, cheaply enough for frequent ones. A counter that is declared
// in a [Registry] is in the status and in the metrics of Prometheus without another line.
package measure

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	stepBits = 5
	steps    = 1 << stepBits // to a power of two
	topBits  = 27            // 2^27 µs, about two minutes; longer times count as that
	// Buckets is how many there are.
	Buckets = (topBits - stepBits + 1) * steps
)

// A Histogram counts durations in buckets of about 3 %. Any number of goroutines may record at once. The zero value is
// empty.
type Histogram struct {
	counts [Buckets]atomic.Uint64
	sum    atomic.Int64 // nanoseconds
	max    atomic.Int64 // nanoseconds
}

// bucketOf returns the bucket of a time: below 32 µs the microseconds themselves, above the five bits below the
// highest.
func bucketOf(d time.Duration) int {
	us := uint64(max(d, 0) / time.Microsecond)
	if us < steps {
		return int(us)
	}
	shift := bits.Len64(us) - stepBits - 1
	return min((shift+1)*steps+int(us>>shift)-steps, Buckets-1)
}

// Bound is the bound that all times of the i-th bucket, 0 to Buckets-1, are shorter than.
func Bound(i int) time.Duration {
	i++
	if i < steps {
		return time.Duration(i) * time.Microsecond
	}
	shift := i/steps - 1
	return time.Duration(uint64(i%steps+steps)<<shift) * time.Microsecond
}

// Record counts one time.
func (h *Histogram) Record(d time.Duration) {
	h.counts[bucketOf(d)].Add(1)
	h.sum.Add(int64(max(d, 0)))
	for {
		longest := h.max.Load()
		if int64(d) <= longest || h.max.CompareAndSwap(longest, int64(d)) {
			return
		}
	}
}

// Max is the longest time so far; 0 when nothing was counted.
func (h *Histogram) Max() time.Duration { return time.Duration(h.max.Load()) }

// AddTo adds the counts so far to a distribution.
func (h *Histogram) AddTo(d *Distribution) {
	for i := range h.counts {
		n := h.counts[i].Load()
		d.Counts[i] += n
		d.Count += n
	}
	d.Sum += time.Duration(h.sum.Load())
	d.Max = max(d.Max, h.Max())
}

// Distribution returns the counts so far.
func (h *Histogram) Distribution() Distribution {
	var d Distribution
	h.AddTo(&d)
	return d
}

// A Distribution has the counts at a moment, or from one moment to another. It is plain data.
type Distribution struct {
	Counts [Buckets]uint64
	Count  uint64
	Sum    time.Duration
	Max    time.Duration // exact since the beginning, else to the end of its bucket
}

// Since returns the counts since an earlier moment.
func (d *Distribution) Since(earlier *Distribution) Distribution {
	since := Distribution{Sum: max(0, d.Sum-earlier.Sum)}
	for i := range d.Counts {
		n := d.Counts[i] - min(earlier.Counts[i], d.Counts[i])
		since.Counts[i] = n
		since.Count += n
		if n > 0 {
			since.Max = min(Bound(i), d.Max)
		}
	}
	return since
}

// Quantile is the time that a share of all, 0 to 1, does not exceed, to the end of its bucket; 0 when nothing was
// counted.
func (d *Distribution) Quantile(share float64) time.Duration {
	if d.Count == 0 {
		return 0
	}
	rank := min(max(uint64(math.Ceil(share*float64(d.Count))), 1), d.Count)
	for i, n := range d.Counts {
		if n >= rank {
			return min(Bound(i), d.Max)
		}
		rank -= n
	}
	return d.Max
}

// bounds are the bounds that Prometheus is told, which are coarser than the measured ones.
var bounds = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second,
}

// Metric is the distribution as Prometheus has it. A time counts to the first bound that is not below the end of its
// bucket, so each of the bounds may have some 3 % too few.
func (d *Distribution) Metric(desc *prometheus.Desc) prometheus.Metric {
	buckets, n, i := make(map[float64]uint64, len(bounds)), uint64(0), 0
	for _, bound := range bounds {
		for ; i < Buckets && Bound(i) <= bound; i++ {
			n += d.Counts[i]
		}
		buckets[bound.Seconds()] = n
	}
	return prometheus.MustNewConstHistogram(desc, d.Count, d.Sum.Seconds(), buckets)
}
