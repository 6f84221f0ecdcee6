package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"sphereserver/packets"
	"sphereserver/server/measure"
)

// A Table shows the figures of a swarm as they change: in place on a terminal, else a line now and then.
type Table struct {
	w        io.Writer
	words    func(line string) string // puts a line into the reader's language
	terminal bool
	drawn    int // lines on the terminal
	last     *Figures
}

// NewTable returns a table that writes to w; words puts its lines, which are English, into the
// reader's language; nil leaves them.
func NewTable(w io.Writer, terminal bool, words func(line string) string) *Table {
	if words == nil {
		words = func(line string) string { return line }
	}
	return &Table{w: w, words: words, terminal: terminal, last: &Figures{Answers: new(measure.Distribution)}}
}

// Follow shows the figures until ctx ends.
func (t *Table) Follow(ctx context.Context, s *Swarm) {
	every := 5 * time.Second
	if t.terminal {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			t.Show(s.Figures())
		}
	}
}

// Show shows the figures of now; rates and answers are those since the last time.
func (t *Table) Show(f *Figures) {
	defer func() { t.last = f }()
	if !t.terminal {
		fmt.Fprintln(t.w, t.words(t.line(f)))
		return
	}
	t.rewind()
	lines := t.lines(f)
	for i := range lines {
		lines[i] = t.words(lines[i])
	}
	fmt.Fprint(t.w, strings.Join(lines, "\x1b[K\n"), "\x1b[K\n\x1b[J")
	t.drawn = len(lines)
}

// Finish replaces the table by the summary of the whole run.
func (t *Table) Finish(f *Figures) {
	t.rewind()
	if t.drawn > 0 {
		fmt.Fprint(t.w, "\x1b[J")
	}
	fmt.Fprint(t.w, Summary(f, t.words))
}

func (t *Table) line(f *Figures) string {
	return fmt.Sprintf("%s  connected %d  in world %d  pings/s %.0f  answers %s  disconnects %d  findings %d",
		clockText(f.Elapsed), f.Connected, f.InWorld, t.rate(f, f.Pings, t.last.Pings),
		answersText(f.Answers.Since(t.last.Answers), " "), f.DisconnectCount(), f.ViolationCount())
}

// answersText tells how long answers took: half of them, nearly all, all.
func answersText(d measure.Distribution, separator string) string {
	return "p50 " + milliseconds(d.Quantile(0.5)) + separator + "p99 " + milliseconds(d.Quantile(0.99)) + separator +
		"max " + milliseconds(d.Max)
}

func (t *Table) lines(f *Figures) []string {
	l := t.last
	out := []string{
		fmt.Sprintf("%s  %d of %d started, %d connected, %d in the world", clockText(f.Elapsed), f.Started, f.Wanted,
			f.Connected, f.InWorld),
		fmt.Sprintf("  pings     %8.0f /s   answers %s", t.rate(f, f.Pings, l.Pings),
			answersText(f.Answers.Since(l.Answers), ", ")),
		fmt.Sprintf("  received  %8.0f /s   %s/s", t.rate(f, f.FramesIn, l.FramesIn),
			bytesText(t.rate(f, f.BytesIn, l.BytesIn))),
		fmt.Sprintf("  sent      %8.0f /s   %s/s", t.rate(f, f.FramesOut, l.FramesOut),
			bytesText(t.rate(f, f.BytesOut, l.BytesOut))),
	}
	return append(append(out, f.optional(
		fmt.Sprintf("  compared  %8.0f /s   sightings with where the clients are", t.rate(f, f.Compared, l.Compared)),
		fmt.Sprintf("  chat      %8.1f /s   said, %.1f/s heard", t.rate(f, f.Said, l.Said), t.rate(f, f.Heard, l.Heard)),
		fmt.Sprintf("  things    %8.1f /s   requests", t.rate(f, f.Requests, l.Requests)),
		fmt.Sprintf("  put back  %8.1f /s   positions that the server did not believe", t.rate(f, f.PutBack, l.PutBack)))...),
		troubles(f, false)...)
}

// optional leaves out the empty ones of four lines, and adds the lines about the hunt and missions.
func (f *Figures) optional(compared, chat, things, putBack string) (lines []string) {
	if f.Compared > 0 {
		lines = append(lines, compared)
	}
	if f.Said+f.Heard > 0 {
		lines = append(lines, chat)
	}
	if f.Requests > 0 {
		lines = append(lines, things)
	}
	if f.Blows+f.Kills+f.Deaths > 0 {
		lines = append(lines, f.hunt(f.Elapsed), "  blows     told after "+answersText(f.Echoes, ", "))
	}
	if f.Missions > 0 {
		lines = append(lines, f.missions()...)
	}
	if f.PutBack > 0 {
		lines = append(lines, putBack)
	}
	return lines
}

func (t *Table) rate(f *Figures, now, before uint64) float64 {
	return perSecond(now-before, f.Elapsed-t.last.Elapsed)
}

func troubles(f *Figures, examples bool) []string {
	out := []string{fmt.Sprintf("  disconnects %d, findings %d", f.DisconnectCount(), f.ViolationCount())}
	for _, reason := range slices.Sorted(maps.Keys(f.Disconnects)) {
		out = append(out, fmt.Sprintf("    %s × %d", reason, f.Disconnects[reason]))
	}
	for _, one := range f.Violations {
		out = append(out, fmt.Sprintf("    %s × %d", one.Kind, one.Count))
		if examples {
			for _, e := range one.Examples {
				out = append(out, "      "+e)
			}
		}
	}
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// rateText shows a rate, with a digit behind the point where it would else be near nothing.
func rateText(perSecond float64) string {
	if perSecond < 10 {
		return fmt.Sprintf("%.1f", perSecond)
	}
	return fmt.Sprintf("%.0f", perSecond)
}

// Summary is the report of a run when it is over; words are those of a [Table].
func Summary(f *Figures, words func(line string) string) string {
	d := f.Answers
	lines := []string{
		fmt.Sprintf("%s  %d %s, %d %s into the world, %d at once", clockText(f.Elapsed), f.Started,
			plural(f.Started, "client", "clients"), f.Entries, plural(f.Entries, "entry", "entries"), f.Peak),
		fmt.Sprintf("  pings     %d, answered %d, %s /s on average", f.Pings, f.Pongs,
			rateText(perSecond(f.Pings, f.Elapsed))),
		fmt.Sprintf("  answers   p50 %s, p90 %s, p99 %s, p99.9 %s, max %s", milliseconds(d.Quantile(0.5)),
			milliseconds(d.Quantile(0.9)), milliseconds(d.Quantile(0.99)), milliseconds(d.Quantile(0.999)), milliseconds(d.Max)),
		fmt.Sprintf("  received  %d frames, %s", f.FramesIn, bytesText(float64(f.BytesIn))),
		fmt.Sprintf("  sent      %d frames, %s", f.FramesOut, bytesText(float64(f.BytesOut))),
	}
	lines = append(lines, f.optional(
		fmt.Sprintf("  compared  %d sightings with where the clients are", f.Compared),
		fmt.Sprintf("  chat      %d lines said, %d heard", f.Said, f.Heard),
		fmt.Sprintf("  things    %d requests, %d journeys by tokens", f.Requests, f.Journeys),
		fmt.Sprintf("  put back  %d times: the server did not believe where a client was", f.PutBack))...)
	lines = append(lines, troubles(f, true)...)
	if f.Entries == 0 {
		lines = append(lines, "  nobody came into the world")
	}
	for i := range lines {
		if words != nil {
			lines[i] = words(lines[i])
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func clockText(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func bytesText(n float64) string {
	unit := 0
	for ; n >= 1<<10 && unit < 3; unit++ {
		n /= 1 << 10
	}
	return fmt.Sprintf([...]string{"%.0f B", "%.1f KiB", "%.1f MiB", "%.1f GiB"}[unit], n)
}

func perSecond(n uint64, in time.Duration) float64 {
	if in <= 0 {
		return 0
	}
	return float64(n) / in.Seconds()
}

func (t *Table) rewind() {
	if t.drawn > 0 {
		fmt.Fprintf(t.w, "\x1b[%dA", t.drawn)
	}
}

func (c *Client) tellScreen(login string) {
	if c.options.Tell == nil {
		return
	}
	c.tell("logged in as %q", login)
	for i := range c.Screen.Characters {
		r := &c.Screen.Characters[i]
		if r.Empty {
			c.tell("  slot %d: empty", i)
			continue
		}
		c.tell("  slot %d: %s, title %d, degree %d, HP %d/%d, MP %d/%d, satiety %d/%d", i, r.Name, r.Title+1, r.Degree+1,
			r.HP, r.MaxHP, r.MP, r.MaxMP, r.Satiety, r.MaxSatiety)
	}
}

func (c *Client) tellWorld() {
	if c.options.Tell == nil {
		return
	}
	c.tell("in the world as %s at %s, it is %s, %d players", c.Snapshot.Name, placeText(c.Position), c.Time, c.Players)
	c.tell("  %s, satiety %d/%d, money %d", c.pools(), c.Stats[packets.StatSatiety],
		c.Stats[packets.StatMaxSatiety], c.Money)
	for _, it := range c.Items() {
		s := fmt.Sprintf("  slot %d: %s %s", it.Slot, it.Class, it.ID)
		if it.GameID != 0 {
			s += fmt.Sprintf(", number %d", it.GameID)
		}
		if it.Count > 1 {
			s += fmt.Sprintf(", %d pieces", it.Count)
		}
		c.tell("%s, weight %d", s, it.Weight)
	}
}

func (c *Client) pools() string {
	return fmt.Sprintf("HP %d/%d, MP %d/%d", c.Stats[packets.StatHP], c.Stats[packets.StatMaxHP],
		c.Stats[packets.StatMP], c.Stats[packets.StatMaxMP])
}

// Status is a line about how the client is, for people.
func (c *Client) Status() string {
	var d measure.Distribution
	c.tally.Answers.AddTo(&d)
	s := fmt.Sprintf("at %s, %s, %d positions answered, p50 %s, max %s, %s, %d players", placeText(c.Position), c.pools(),
		d.Count, milliseconds(d.Quantile(0.5)), milliseconds(d.Max), c.Time, c.Players)
	objects := 0
	for _, o := range c.Objects {
		if o.Player == nil && o.Parent == packets.NoObject {
			objects++
		}
	}
	var around []string
	if c.people > 0 {
		around = append(around, fmt.Sprintf("%d players", c.people))
	}
	if objects > 0 {
		around = append(around, fmt.Sprintf("%d objects", objects))
	}
	if len(around) > 0 {
		s += ", near: " + strings.Join(around, ", ")
	}
	return s
}

// milliseconds shows a time as people read latencies.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	digits := 2
	for limit := 10.0; ms >= limit && digits > 0; limit *= 10 {
		digits--
	}
	return fmt.Sprintf("%.*f ms", digits, ms)
}

// counts are what clients count, of the type T: as they count it, or as it is at a moment.
type counts[T any] struct {
	Pings             T `json:"pings"`
	Pongs             T `json:"pongs"`
	FramesIn          T `json:"frames_in"`
	FramesOut         T `json:"frames_out"`
	BytesIn           T `json:"bytes_in"`
	BytesOut          T `json:"bytes_out"`
	Said              T `json:"lines_said"`  // lines of chat
	Heard             T `json:"lines_heard"` // those of the system are not counted
	Requests          T `json:"requests_about_things"`
	Journeys          T `json:"journeys_by_tokens"`
	Compared          T `json:"sightings_compared"` // of a swarm with where its clients are
	PutBack           T `json:"put_back"`           // times that the server did not believe a position
	Blows             T `json:"blows"`              // at monsters
	Casts             T `json:"casts"`              // spells at enemies
	Drunk             T `json:"drunk"`              // things that heal
	Kills             T `json:"kills"`              // of monsters
	Deaths            T `json:"deaths"`             // of clients
	Fled              T `json:"fled"`               // times that a client ran away
	Levels            T `json:"levels_gained"`
	Experience        T `json:"experience_gained"`
	Looted            T `json:"looted"` // items taken out of bags
	Earned            T `json:"money_earned"`
	Spent             T `json:"money_spent"`
	Missions          T `json:"missions_taken"`
	MissionsFulfilled T `json:"missions_fulfilled"`
	MissionsPaid      T `json:"missions_paid"`
	MissionsGivenUp   T `json:"missions_given_up"` // or out of time
	Dungeons          T `json:"dungeons_entered"`  // of missions
	Chests            T `json:"chests_looked_into"`
	Traps             T `json:"traps_sprung"` // of chests, that have hurt a player
	Prey              T `json:"-"`            // levels of the killed monsters, summed up
}

// all are the counts, in the order of the fields.
func (c *counts[T]) all() (all []*T) {
	fields := reflect.ValueOf(c).Elem()
	for i := range fields.NumField() {
		all = append(all, fields.Field(i).Addr().Interface().(*T))
	}
	return all
}

// Counts are the counts of tallies at a moment.
type Counts struct {
	counts[uint64]
	// Kinds are the outcomes of missions by the letter of the kind, GivenUpFor how many were given up by reason; both
	// without zeros.
	Kinds      map[string]KindCounts `json:"mission_kinds"`
	GivenUpFor map[string]uint64     `json:"missions_given_up_for"`
}

// KindCounts are the outcomes of the missions of a kind.
type KindCounts struct {
	Taken   uint64 `json:"taken"`
	Paid    uint64 `json:"paid"`
	GivenUp uint64 `json:"given_up"`
}

// String says it in the order of the fields: "12/10/1".
func (k KindCounts) String() string { return fmt.Sprintf("%d/%d/%d", k.Taken, k.Paid, k.GivenUp) }

func (c *Counts) add(t *Tally) {
	from := t.all()
	for i, n := range c.all() {
		*n += from[i].Load()
	}
	if c.Kinds == nil {
		c.Kinds, c.GivenUpFor = map[string]KindCounts{}, map[string]uint64{}
	}
	for i := range t.kinds {
		from, letter := &t.kinds[i], missionKinds[i:min(i+1, len(missionKinds))]
		k := c.Kinds[letter]
		k.Taken, k.Paid, k.GivenUp = k.Taken+from.taken.Load(), k.Paid+from.paid.Load(), k.GivenUp+from.givenUp.Load()
		if k != (KindCounts{}) {
			c.Kinds[letter] = k
		}
	}
	for why := range t.givenUp {
		if n := t.givenUp[why].Load(); n > 0 {
			c.GivenUpFor[giveUpTexts[why]] += n
		}
	}
}

// missions say the outcomes of missions.
func (c *Counts) missions() []string {
	out := []string{fmt.Sprintf("  missions  %d taken, %d fulfilled, %d paid, %d given up, %d dungeons entered, "+
		"%d chests looked into, %d traps sprung", c.Missions, c.MissionsFulfilled, c.MissionsPaid, c.MissionsGivenUp,
		c.Dungeons, c.Chests, c.Traps)}
	var kinds, reasons []string
	for _, letter := range slices.Sorted(maps.Keys(c.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%s %v", cmp.Or(letter, "?"), c.Kinds[letter]))
	}
	for _, why := range slices.Sorted(maps.Keys(c.GivenUpFor)) {
		reasons = append(reasons, fmt.Sprintf("%s × %d", why, c.GivenUpFor[why]))
	}
	if len(kinds) > 0 {
		out = append(out, "            by kind, taken/paid/given up: "+strings.Join(kinds, ", "))
	}
	if len(reasons) > 0 {
		out = append(out, "            given up: "+strings.Join(reasons, ", "))
	}
	return out
}

// hunt says how the hunt goes.
func (c *Counts) hunt(in time.Duration) string {
	return fmt.Sprintf("  hunt      %d kills by %d blows and %d spells, %d healing things used, "+
		"%d deaths, fled %d times, %d levels, %.0f experience an hour, "+
		"%d things looted, money +%d -%d", c.Kills, c.Blows, c.Casts, c.Drunk, c.Deaths, c.Fled, c.Levels,
		perSecond(c.Experience, in)*time.Hour.Seconds(), c.Looted, c.Earned, c.Spent)
}

// Figures are how a [Swarm] is doing at a moment.
type Figures struct {
	Elapsed   time.Duration `json:"-"`
	Wanted    int           `json:"clients"`
	Started   int           `json:"started"`
	Connected int           `json:"connected"`
	InWorld   int           `json:"in_world"`
	Peak      int           `json:"in_world_peak"` // most at once
	Entries   int           `json:"entries"`       // into the world, ever
	Looks     int           `json:"looks"`         // clients that come back to see whether they have what they had
	Counts
	Answers     *measure.Distribution `json:"-"`           // times from position messages to their answers
	Echoes      measure.Distribution  `json:"-"`           // times from blows at monsters to their answers
	Disconnects map[string]int        `json:"disconnects"` // that were not meant to be, by reason
	Violations  []Violation           `json:"findings"`
}

func (f *Figures) add(t *Tally) {
	f.Counts.add(t)
	t.Answers.AddTo(f.Answers)
	t.Echoes.AddTo(&f.Echoes)
}

// Figures returns how the swarm is doing now. It may be called while the swarm runs.
func (s *Swarm) Figures() *Figures {
	f := &Figures{Wanted: s.options.Count, Started: int(s.started.Load()), Connected: int(s.connected.Load()),
		InWorld: int(s.inWorld.Load()), Entries: int(s.entries.Load()), Looks: int(s.looks.Load()),
		Answers: new(measure.Distribution)}
	for i := range s.shards {
		f.add(&s.shards[i])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Elapsed, f.Peak = time.Since(s.begin), int(s.peak)
	f.Disconnects, f.Violations = maps.Clone(s.disconnects), copyViolations(s.violations)
	return f
}

// Figures are the figures of a single client, as of a swarm of one.
func (c *Client) Figures() *Figures {
	f := &Figures{Elapsed: time.Since(c.started), Wanted: 1, Started: 1, Answers: new(measure.Distribution),
		Violations: c.Violations()}
	f.add(c.tally)
	if c.wasInWorld {
		f.Entries, f.Peak = 1, 1
	}
	return f
}

// DisconnectCount is how many connections were lost.
func (f *Figures) DisconnectCount() (n int) {
	for _, k := range f.Disconnects {
		n += k
	}
	return n
}

// ViolationCount is how many violations there are, of all kinds.
func (f *Figures) ViolationCount() (n int) {
	for _, one := range f.Violations {
		n += one.Count
	}
	return n
}

// Clean reports whether nothing went wrong: a client was in the world, there are no violations, and none lost the
// connection.
func (f *Figures) Clean() bool {
	return f.Entries > 0 && len(f.Violations) == 0 && len(f.Disconnects) == 0
}

// MarshalJSON gives the figures for programs; times are in milliseconds, except those named as seconds.
func (f *Figures) MarshalJSON() ([]byte, error) {
	type plain Figures
	p := plain(*f)
	p.Violations = append([]Violation{}, p.Violations...)
	if p.Disconnects == nil {
		p.Disconnects = map[string]int{}
	}
	return json.Marshal(struct {
		Seconds float64 `json:"seconds"`
		plain
		Answers map[string]any `json:"answers"`
		Echoes  map[string]any `json:"blows_told"`
		Clean   bool           `json:"clean"`
	}{f.Elapsed.Seconds(), p, quantiles(f.Answers), quantiles(&f.Echoes), f.Clean()})
}

// quantiles shows times to programs, in milliseconds.
func quantiles(d *measure.Distribution) map[string]any {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	out := map[string]any{"count": d.Count, "max_ms": ms(d.Max)}
	for name, q := range map[string]float64{"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99, "p999_ms": 0.999} {
		out[name] = ms(d.Quantile(q))
	}
	return out
}
