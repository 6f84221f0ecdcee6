package sim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// A Ledger keeps the values that players were told of their accounts and characters, and compares them with those that
// a crash leaves: told values are stored, and stored values are told, as a whole and once. Its Watch fits
// [bot.SwarmOptions], and an Acted of [bot.Options].
type Ledger struct {
	// Fails is for how long the store fails at most: what is volatile waits for so long, too.
	Fails time.Duration
	// OwnClans says that nobody changes the clan of another: a stored clan is the told one, unless a request is on its
	// way.
	OwnClans bool
	// Killed is when the server was killed for the last time: a connection that ended later ended by that. Zero if none
	// did.
	Killed   time.Time
	Compared int              // characters, with their stores after crashes
	Accounts AccountsCompared // with those

	t      testing.TB
	begun  time.Time
	people []holder
	byName map[string]*holder

	mu    sync.Mutex
	homes map[string]*home // by login
}

// A Request is what a player waits for. What it is about may be stored and not told yet, or told by words alone.
type Request uint8

// The requests.
const (
	AboutNothing Request = iota
	AboutClan            // to found, join or leave one
	AboutThings          // to put down, to pick up, to move
	AboutTrade           // things and money
)

// A holder is a character, as far as it was told.
type holder struct {
	name   string
	client *bot.Client
	told   holding
	late   []lifeAt  // of the last seconds, oldest first
	stored []holding // left by crashes, and not told yet
	// clan and left are the clan that the client was told last, and the one before; valid if clanTold.
	clan, left string
	clanTold   bool
	asked      Request // that is not answered yet
	pay        payment
}

// A lifeAt has the volatile values that a character was told from a moment on.
type lifeAt struct {
	at time.Time
	life
}

// A life has the volatile values of a character; no HP for a dead one.
type life struct {
	hp       int
	progress progress
	group    bool // is in one
}

// Volatile values are saved every three seconds, and the last hit may not have been told any more.
const (
	volatileKept = 6 * time.Second
	oneHit       = 40
)

// couldHave reports whether stored HP fit the last seconds before the last message to the character.
func (p *holder) couldHave(c *data.Character) bool {
	if len(p.late) == 0 || p.client.Dead() {
		return true
	}
	last := p.late[len(p.late)-1]
	low, high := last.hp, max(last.hp, rules.MaxHP(c.TitleLevel, c.DegreeLevel))
	for _, h := range p.late {
		low, high = min(low, h.hp), max(high, h.hp)
	}
	return c.HP >= low-oneHit && c.HP <= high+oneHit
}

// fallsBack reports whether the stored career is behind the told one. Experience below a level does not count: that
// of the last seconds may be lost.
func (p *holder) fallsBack(stored *progress) bool {
	told := p.told.progress
	for i := range p.late {
		if was := &p.late[i].progress; was.Title == told.Title && was.Degree == told.Degree && was.before(&told) {
			told = *was
		}
	}
	return stored.before(&told)
}

// A holding has the values that change as a whole: by a kill, a death, a level, a trade, a mission.
type holding struct {
	at       time.Time
	progress progress
	items    map[int]rules.Item // by slot: class and count
	known    bool
	group    bool // was in one lately
}

// progress are the levels, the experience, the karma and the money of a character.
type progress struct {
	Title, Degree     int
	TitleXP, DegreeXP uint32
	Karma             int
	Money             int64
}

func (h *holding) same(o *holding) bool {
	return h.progress == o.progress && maps.Equal(bare(h.items), bare(o.items))
}

// lasts reports whether all but experience and karma is the same: those two are stored later than told, and have
// changed again when the rest is.
func (h *holding) lasts(o *holding) bool {
	d, e := h.progress, o.progress
	d.TitleXP, d.DegreeXP, d.Karma = e.TitleXP, e.DegreeXP, e.Karma
	return d == e && maps.Equal(bare(h.items), bare(o.items))
}

// lacks reports whether a told item, or money, is missing. Arrows do not count: a shot that is stored may not have been
// told; nor do parcels, which come and go with the steps of a mission.
func (h *holding) lacks(told *holding) bool {
	for slot, it := range told.items {
		is, counts := h.items[slot], slot != rules.SlotAmmunition && it.Class != rules.ClassParcel
		if counts && (is.Class != it.Class || is.Count < it.Count) {
			return true
		}
	}
	return h.progress.Money < told.progress.Money
}

// unlike reports whether the holding after a crash cannot follow from the told one: something is missing without a
// request, or has come without its cause. A kill brings karma together with experience, if it teaches any: a kill of
// the newcomers' monster does not. A mission pays when its key goes, and pays the group of its owner too.
func (h *holding) unlike(told *holding, asked bool) bool {
	kills := h.kills(told)
	if h.progress.of() != told.progress.of() && kills == 0 && !h.paid(told) && !told.group {
		return true
	}
	if !h.paid(told) && !told.group && h.progress.levels() > told.progress.levels()+kills {
		return true
	}
	if asked || h.paid(told) {
		return false
	}
	paid := *told
	switch { // a monster's coins come with its kill, its things only by a request
	case told.group:
		paid.progress.Money = max(told.progress.Money, h.progress.Money)
	case kills > 0:
		most := told.progress.Money + int64(kills*mostCoins)
		paid.progress.Money = max(told.progress.Money, min(h.progress.Money, most))
	}
	return h.lacks(told) || paid.lacks(h)
}

// kills is how many kills there can have been since, each of which changes karma by one or more, and gives a level at
// most.
func (h *holding) kills(told *holding) int {
	return max(h.progress.Karma-told.progress.Karma, told.progress.Karma-h.progress.Karma)
}

// levels is how many levels there are in both careers.
func (d *progress) levels() int { return d.Title + d.Degree }

// mostCoins is how many coins the monster of newcomers gives, the only one that gives any.
var mostCoins = rules.DefaultBalance().Spawn.TutorialCoinsMax

// paid reports whether a mission has been fulfilled since.
func (h *holding) paid(told *holding) bool { return told.keys() > h.keys() }

// keys is of how many missions there are keys.
func (h *holding) keys() (n int) {
	for _, it := range h.items {
		if it.Class == rules.ClassMission {
			n++
		}
	}
	return n
}

// bare returns the parts of items that are compared.
func bare(items map[int]rules.Item) map[int][2]int {
	out := make(map[int][2]int, len(items))
	for slot, it := range items {
		out[slot] = [2]int{it.Class, it.Count}
	}
	return out
}

func (h *holding) String() string { return fmt.Sprintf("%+v %v", h.progress, bare(h.items)) }

// toldLater is how soon a client is told a change that is stored already.
const toldLater = 3 * time.Second

// NewLedger returns a ledger of a swarm's clients.
func NewLedger(t testing.TB, o bot.SwarmOptions) *Ledger {
	names := make([]string, o.Count)
	for i := range names {
		names[i] = bot.SwarmName(o.Prefix, i)
	}
	return NewLedgerOf(t, names...)
}

// NewLedgerOf returns a ledger of characters: the i-th one has the i-th name.
func NewLedgerOf(t testing.TB, names ...string) *Ledger {
	l := &Ledger{t: t, begun: time.Now(), people: make([]holder, len(names)), byName: map[string]*holder{},
		homes: map[string]*home{}}
	for i, name := range names {
		l.people[i].name = name
		l.byName[name] = &l.people[i]
	}
	return l
}

// Watch looks at a client after each of its frames.
func (l *Ledger) Watch(i int, c *bot.Client) {
	p := &l.people[i]
	if !c.InWorld() {
		return
	}
	if p.client != c { // its stored changes came to no other client
		p.client, p.stored, p.late, p.asked = c, nil, nil, AboutNothing
		p.clan, p.clanTold = c.Clan.Name, false
	}
	if p.clan != c.Clan.Name {
		p.clan, p.left, p.clanTold = c.Clan.Name, p.clan, true
	}
	p.told = toldTo(c)
	l.arrives(p)
	is := life{int(c.Stats[packets.StatHP]), p.told.progress, len(c.Group.Members) > 0}
	if n := len(p.late); n == 0 || p.late[n-1].life != is {
		p.late = append(p.late, lifeAt{p.told.at, is})
	}
	for len(p.late) > 1 && p.told.at.Sub(p.late[1].at) > volatileKept+l.Fails { // the first one lasted until the second
		p.late = p.late[1:]
	}
	p.told.group = slices.ContainsFunc(p.late, func(l lifeAt) bool { return l.group })
	p.stored = slices.DeleteFunc(p.stored, func(s holding) bool { return s.lasts(&p.told) })
	l.neverTold(p)
}

// Asks says that the i-th client asks for something, which may be done and not told. It is called where Watch is.
func (l *Ledger) Asks(i int, about Request) {
	p := &l.people[i]
	p.asked, p.clanTold = about, p.clanTold && about != AboutClan
}

// Answered says that the i-th client has all of the answer, if it has asked.
func (l *Ledger) Answered(i int) { l.people[i].asked, l.people[i].clanTold = AboutNothing, true }

// neverTold reports changes that were stored and never told.
func (l *Ledger) neverTold(p *holder) {
	if len(p.stored) > 0 && time.Since(p.stored[0].at) > toldLater {
		l.t.Errorf("%v: %s was never told of %v, but %v", time.Since(l.begun), p.name, &p.stored[0], &p.told)
		p.stored = p.stored[1:]
	}
}

func toldTo(c *bot.Client) holding {
	s := c.Stats
	h := holding{at: time.Now(), known: true, items: map[int]rules.Item{},
		progress: progress{int(s[packets.StatTitle]), int(s[packets.StatDegree]), uint32(s[packets.StatTitleXP]),
			uint32(s[packets.StatDegreeXP]), int(s[packets.StatKarmaPoints]), int64(c.Money)}}
	for _, it := range c.Items() {
		if !rules.IsMutator(it.Slot) {
			h.items[it.Slot] = rules.Item{Class: int(it.Class), Count: max(it.Count, 1)}
		}
	}
	return h
}

// Audit compares a store that a crash has left with the told values, while no client reads. With over, the crashed
// server tells nothing more: otherwise stored changes may still be told a moment later.
func (l *Ledger) Audit(s *data.Store, over bool) {
	l.t.Helper()
	ctx := context.Background()
	found, err := s.FindCharacters(ctx, "")
	if err != nil {
		l.t.Fatal(err)
	}
	there := map[string]*data.Character{}
	for i := range found {
		there[found[i].Name] = &found[i]
	}
	if over {
		l.auditHomes(s, there)
	}
	for i := range l.people {
		p := &l.people[i]
		c := there[p.name]
		if !p.told.known || c == nil {
			if p.told.known {
				l.t.Errorf("%v: %s was in, and a crash leaves nothing of it", time.Since(l.begun), p.name)
			}
			continue
		}
		items, err := s.Items(ctx, c.ID)
		if err != nil {
			l.t.Fatal(err)
		}
		is := holding{at: time.Now(), known: true, items: map[int]rules.Item{},
			progress: progress{c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP, c.Karma, c.Money}}
		for _, it := range items {
			is.items[it.Slot] = rules.Item{Class: it.Class, Count: max(it.Count, 1)}
		}
		l.Compared++
		l.compare(p, c, &is, over)
	}
}

// compare reports in what a character that a crash has left is not the told one.
func (l *Ledger) compare(p *holder, c *data.Character, is *holding, over bool) {
	l.t.Helper()
	if over && !p.couldHave(c) {
		l.t.Errorf("%v: %s was told of HP %v, and a crash leaves %d", time.Since(l.begun), p.name, p.late, c.HP)
	}
	if p.clanTold && (c.ClanName == p.left && p.left != p.clan || l.OwnClans && c.ClanName != p.clan) {
		l.t.Errorf("%v: %s was told of the clan %q after %q, and a crash leaves %q", time.Since(l.begun), p.name,
			p.clan, p.left, c.ClanName)
	}
	if over {
		l.auditPay(p, c.Money)
	}
	asked := p.asked >= AboutThings || p.client != nil && p.client.Waits()
	switch {
	case is.same(&p.told):
	case p.fallsBack(&is.progress), over && is.unlike(&p.told, asked),
		over && p.asked == AboutThings && is.progress.Money != p.told.progress.Money:
		l.t.Errorf("%v: %s was told %v, and a crash leaves %v", time.Since(l.begun), p.name, &p.told, is)
	case !over && !is.lasts(&p.told) && p.client != nil && p.client.InWorld():
		p.stored = append(p.stored, *is)
	}
}

// of is the experience, in an order that compares.
func (d *progress) of() [4]int64 {
	return [4]int64{int64(d.Title), int64(d.Degree), int64(d.TitleXP), int64(d.DegreeXP)}
}

// before reports whether d is behind the told career.
func (d *progress) before(told *progress) bool {
	is, was := d.of(), told.of()
	return slices.Compare(is[:], was[:]) < 0
}
