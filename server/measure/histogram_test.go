package measure

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsFollowOneAnother(t *testing.T) {
	last := time.Duration(0)
	for i := range Buckets {
		if Bound(i) <= last {
			t.Fatalf("bucket %d ends at %v, the one before at %v", i, Bound(i), last)
		}
		if got := bucketOf(last); got != i {
			t.Fatalf("%v is in bucket %d, expected %d", last, got, i)
		}
		if got := bucketOf(Bound(i) - time.Nanosecond); got != i {
			t.Fatalf("just below %v is in bucket %d, expected %d", Bound(i), got, i)
		}
		last = Bound(i)
	}
	if got := bucketOf(time.Hour); got != Buckets-1 {
		t.Errorf("an hour is in bucket %d, expected the last", got)
	}
	if got := bucketOf(-time.Hour); got != 0 {
		t.Errorf("a negative time is in bucket %d, expected the first", got)
	}
}

func TestQuantilesAreNearThoseOfTheTimes(t *testing.T) {
	var times Histogram
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]time.Duration, 10000)
	for i := range all {
		all[i] = time.Duration(r.Int64N(int64(time.Second)))
		times.Record(all[i])
	}
	slices.Sort(all)
	c := times.Distribution()
	for _, share := range []float64{0.01, 0.5, 0.99, 1} {
		want := all[max(0, int(share*float64(len(all)))-1)]
		if got := c.Quantile(share); got < want || float64(got) > 1.04*float64(want)+float64(time.Microsecond) {
			t.Errorf("quantile %v: %v, expected %v to 4 %% more", share, got, want)
		}
	}
	if c.Count != uint64(len(all)) || c.Max != all[len(all)-1] {
		t.Errorf("%d times up to %v, expected %d up to %v", c.Count, c.Max, len(all), all[len(all)-1])
	}
}

func TestWhatWasCountedSinceAMoment(t *testing.T) {
	var times Histogram
	times.Record(time.Second)
	before := times.Distribution()
	times.Record(time.Millisecond)
	times.Record(time.Millisecond)
	now := times.Distribution()
	since := now.Since(&before)
	if since.Count != 2 || since.Sum != 2*time.Millisecond || since.Max < time.Millisecond ||
		since.Max > 1040*time.Microsecond {
		t.Errorf("counted %d, %v in all, up to %v; expected the two milliseconds alone", since.Count, since.Sum, since.Max)
	}
	if now.Max != time.Second || now.Quantile(1) != time.Second {
		t.Errorf("up to %v, expected the second exactly", now.Max)
	}
	var none Distribution
	if none.Quantile(0.5) != 0 || none.Max != 0 {
		t.Error("nothing counted: expected 0")
	}
}

func TestSeveralHistogramsMakeOneDistribution(t *testing.T) {
	var a, b Histogram
	a.Record(time.Millisecond)
	b.Record(time.Second)
	b.Record(time.Minute)
	var d Distribution
	a.AddTo(&d)
	b.AddTo(&d)
	if d.Count != 3 || d.Max != time.Minute || d.Sum != time.Minute+time.Second+time.Millisecond {
		t.Errorf("counted %d, %v in all, up to %v", d.Count, d.Sum, d.Max)
	}
}
