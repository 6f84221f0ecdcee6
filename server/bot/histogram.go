package bot

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// A Histogram counts times in steps of about 3 %: every power of two of microseconds has 32 steps. Any number of goroutines may
// record at once. The zero value is empty.
type Histogram struct {
	counts [buckets]atomic.Uint64
	max    atomic.Int64 // nanoseconds
}

const (
	stepBits = 5 // 32 steps to a power of two
	steps    = 1 << stepBits
	// Up to 2^27 µs, about two minutes; what is longer counts as that.
	topBits = 27
	buckets = (topBits - stepBits + 1) * steps
)

// bucketOf returns the step of a time: below 32 µs the microseconds themselves, above the five bits below the highest.
func bucketOf(d time.Duration) int {
	us := uint64(max(d, 0) / time.Microsecond)
	if us < steps {
		return int(us)
	}
	shift := bits.Len64(us) - stepBits - 1
	return min((shift+1)*steps+int(us>>shift)-steps, buckets-1)
}

// bucketTime is the middle of a step.
func bucketTime(i int) time.Duration {
	if i < steps {
		return time.Duration(i)*time.Microsecond + time.Microsecond/2
	}
	shift := i/steps - 1
	low := uint64(i%steps+steps) << shift
	return time.Duration(low)*time.Microsecond + time.Duration(uint64(1)<<shift)*time.Microsecond/2
}

// Record counts one time.
func (h *Histogram) Record(d time.Duration) {
	h.counts[bucketOf(d)].Add(1)
	for {
		most := h.max.Load()
		if int64(d) <= most || h.max.CompareAndSwap(most, int64(d)) {
			return
		}
	}
}

// AddTo adds what the histogram has counted to a distribution.
func (h *Histogram) AddTo(d *Distribution) {
	for i := range h.counts {
		if n := h.counts[i].Load(); n > 0 {
			d.counts[i] += n
			d.Count += n
		}
	}
	d.Max = max(d.Max, time.Duration(h.max.Load()))
}

// A Distribution is what a [Histogram] has counted up to a moment.
type Distribution struct {
	Count  uint64
	Max    time.Duration // exact, since the beginning
	counts [buckets]uint64
}

// Since returns what was counted after an earlier distribution of the same histograms; Max is that of the highest step.
func (d *Distribution) Since(earlier *Distribution) *Distribution {
	out := &Distribution{Count: d.Count - earlier.Count}
	for i := range d.counts {
		if out.counts[i] = d.counts[i] - earlier.counts[i]; out.counts[i] > 0 {
			out.Max = min(bucketTime(i), d.Max)
		}
	}
	return out
}

// Quantile returns the time that a share q, 0 to 1, of the recorded ones do not exceed; 0 when there are none.
func (d *Distribution) Quantile(q float64) time.Duration {
	if d.Count == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(d.Count))), 1)
	var have uint64
	for i, n := range d.counts {
		if have += n; have >= rank {
			return min(bucketTime(i), d.Max)
		}
	}
	return d.Max
}

// A Tally is what clients count and measure. Any number of goroutines may use it at once.
type Tally struct {
	FramesIn, FramesOut atomic.Uint64
	BytesIn, BytesOut   atomic.Uint64
	Pings, Pongs        atomic.Uint64
	Said, Heard         atomic.Uint64 // lines of chat; those of the system are not counted
	Requests            atomic.Uint64 // requests about items
	Compared            atomic.Uint64 // sightings of a swarm with where its clients are
	// Answers are the times from each position message to its answer.
	Answers Histogram

	_ [64]byte // the next one of an array is another processor's
}
