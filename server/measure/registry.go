package measure

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/prometheus/client_golang/prometheus"
)

// A Registry knows all that a server measures. It implements [prometheus.Collector]. Declare first, then measure:
// declaring is not safe beside anything else.
type Registry struct {
	families []family
	byName   map[string]bool
}

// A family is one declaration: a value, or a value for each label.
type family struct {
	name    string // in the status; a label is joined to it
	desc    *prometheus.Desc
	collect func(f *family, emit func(name string, count uint64, m prometheus.Metric))
}

func (r *Registry) add(f family) {
	if r.byName[f.name] {
		panic("measure: " + f.name + " is declared twice")
	}
	if r.byName == nil {
		r.byName = map[string]bool{}
	}
	r.byName[f.name] = true
	r.families = append(r.families, f)
}

// Describe implements [prometheus.Collector].
func (r *Registry) Describe(to chan<- *prometheus.Desc) {
	for i := range r.families {
		to <- r.families[i].desc
	}
}

// Collect implements [prometheus.Collector].
func (r *Registry) Collect(to chan<- prometheus.Metric) {
	r.each(func(_ string, _ uint64, m prometheus.Metric) { to <- m })
}

// Values returns all counts, by the names of the status. Counts by a label are left out where they are 0.
func (r *Registry) Values() map[string]uint64 {
	values := make(map[string]uint64, len(r.families))
	r.each(func(name string, n uint64, _ prometheus.Metric) {
		if name != "" {
			values[name] = n
		}
	})
	return values
}

func (r *Registry) each(emit func(name string, count uint64, m prometheus.Metric)) {
	for i := range r.families {
		f := &r.families[i]
		f.collect(f, emit)
	}
}

// A Counter only grows. Any number of goroutines may add to it at once.
type Counter struct{ n atomic.Uint64 }

// Add counts n more.
func (c *Counter) Add(n uint64) { c.n.Add(n) }

// Load returns the count.
func (c *Counter) Load() uint64 { return c.n.Load() }

// Counter declares a counter by its names in the status and in Prometheus.
func (r *Registry) Counter(name, metric, help string) *Counter {
	c := new(Counter)
	r.CounterFunc(name, metric, help, c.Load)
	return c
}

// CounterFunc declares a count that is kept elsewhere.
func (r *Registry) CounterFunc(name, metric, help string, load func() uint64) {
	r.add(family{name, prometheus.NewDesc(metric, help, nil, nil),
		func(f *family, emit func(string, uint64, prometheus.Metric)) {
			n := load()
			emit(f.name, n, prometheus.MustNewConstMetric(f.desc, prometheus.CounterValue, float64(n)))
		}})
}

// DurationFunc declares a time that is known elsewhere: nanoseconds in the status, seconds in Prometheus.
func (r *Registry) DurationFunc(name, metric, help string, load func() time.Duration) {
	r.add(family{name, prometheus.NewDesc(metric, help, nil, nil),
		func(f *family, emit func(string, uint64, prometheus.Metric)) {
			d := load()
			emit(f.name, uint64(d), prometheus.MustNewConstMetric(f.desc, prometheus.GaugeValue, d.Seconds()))
		}})
}

// Histogram declares a histogram, which Prometheus is told and the status is not.
func (r *Registry) Histogram(metric, help string) *Histogram {
	h := new(Histogram)
	r.add(family{metric, prometheus.NewDesc(metric, help, nil, nil),
		func(f *family, emit func(string, uint64, prometheus.Metric)) {
			d := h.Distribution()
			emit("", 0, d.Metric(f.desc))
		}})
	return h
}

// A Label is an enumeration of values with names.
type Label interface {
	~uint8
	fmt.Stringer
}

// A CounterBy counts by a label. The zero value is empty; any number of goroutines may add to it at once.
type CounterBy[L Label] struct{ counts [256]atomic.Uint64 }

// Add counts one more.
func (c *CounterBy[L]) Add(l L) { c.counts[l].Add(1) }

// Counts returns the count of each label that has one.
func (c *CounterBy[L]) Counts() map[string]uint64 {
	counts := map[string]uint64{}
	for i := range c.counts {
		if n := c.counts[i].Load(); n > 0 {
			counts[L(i).String()] = n
		}
	}
	return counts
}

// DeclareBy declares a counter by a label: name and label make the name in the status.
func DeclareBy[L Label](r *Registry, c *CounterBy[L], name, metric, help, label string) {
	desc := prometheus.NewDesc(metric, help, []string{label}, nil)
	r.add(family{name, desc, func(f *family, emit func(string, uint64, prometheus.Metric)) {
		for value, n := range c.Counts() {
			m := prometheus.MustNewConstMetric(f.desc, prometheus.CounterValue, float64(n), value)
			emit(f.name+"_"+statusName(value), n, m)
		}
	}})
}

// statusName makes a part of a name in the status of a label's words.
func statusName(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '_'
		case r == ',' || r == '\'':
			return -1
		}
		return unicode.ToLower(r)
	}, words)
}
