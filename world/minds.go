package world

import (
	"cmp"
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// mindState is the activity of a monster. Dead is [monster].ended, and stunned [mind].stunned. Source: protocol fight
// 6.2.
type mindState uint8

const (
	resting mindState = iota
	wandering
	chasing
	fighting
	returning
)

// mind is the state of a monster between two decisions.
type mind struct {
	*thoughts // nil: it sleeps, and nothing stuns or binds it
	home      coords.Position
	state     mindState
	awake     bool
	evades    bool // it returns from too far away or from a chase given up: nothing hurts it until it is home
}

// thoughts are the state of a mind that is awake. Most monsters of a world sleep.
type thoughts struct {
	thought instant // when it decided last
	turns   int     // decisions
	lonely  instant // since when no player sees it; zero: one does
	until   instant // when resting, wandering or returning ends
	hurt    instant // when it was hit last

	target *player         // of its aggro
	goal   coords.Position // to which it wanders
	strike instant         // when it may swing; zero: it has not been in range since it rested
	chase  *pursuit        // nil: it has not had to look how it comes to its target

	stunned instant // until then it does nothing
	bound   instant // until then it does not walk
}

// A pursuit is the state of a chase: the way to the target, and whether the monster is stuck.
type pursuit struct {
	way   way
	stuck stuckState
}

// rouse gives a mind room for thoughts.
func (d *mind) rouse() {
	if d.thoughts == nil {
		d.thoughts = new(thoughts)
	}
}

// pursues returns a monster's pursuit, new if there was none.
func (d *mind) pursues() *pursuit {
	if d.chase == nil {
		d.chase = new(pursuit)
	}
	return d.chase
}

// gaveUp reports whether a monster has given its target up.
func (d *mind) gaveUp() bool { return d.chase != nil && !d.chase.stuck.gaveUp.IsZero() }

// minds decide for the monsters that are awake: by the phase of their decisions, each group by id.
type minds struct {
	*core
	places *places
	vitals *vitals
	blows  blows

	awake  int
	groups [phases][]*monster
	due    []*monster // in this tick, used again
	ways   int        // that may still be looked for in this tick
}

// blows are the one way from minds into fights.
type blows interface{ swing(m *monster, at *player) }

// A monster decides three times a second: in steps 0, 6 and 13 of its phase, of which there are as many as ticks in a
// second. So as many decide in each tick.
const phases = int(time.Second / TickPeriod)

var decisions = [...]int{0, 6, 13}

func phaseOf(m *monster) int { return int(m.object.Number) % phases }

func byID(a, b *monster) int { return cmp.Compare(a.object.Number, b.object.Number) }

// wakeFor wakes an entity that is a monster when a player begins to see it.
func (mi *minds) wakeFor(e, viewer *entity) {
	if e.object != nil && e.object.monster != nil && viewer.Sort == players {
		mi.wake(e.object.monster)
	}
}

// wake makes a monster decide from now on.
func (mi *minds) wake(m *monster) {
	if m.mind.awake || m.ended {
		return
	}
	group := &mi.groups[phaseOf(m)]
	i, _ := slices.BinarySearchFunc(*group, m, byID)
	*group = slices.Insert(*group, i, m)
	mi.awake++
	m.mind.awake = true
	m.mind.rouse()
	m.mind.thought, m.mind.lonely = mi.instant(), 0
	mi.beginRest(m)
}

// sleep makes a monster decide no more.
func (mi *minds) sleep(m *monster) {
	if !m.mind.awake {
		return
	}
	group := &mi.groups[phaseOf(m)]
	if i, found := slices.BinarySearchFunc(*group, m, byID); found {
		*group = slices.Delete(*group, i, i+1)
	}
	mi.awake--
	m.mind.awake = false
}

// think runs the decisions of the monsters in this phase, in the order of their ids.
func (mi *minds) think() {
	if mi.awake == 0 {
		return
	}
	mi.due, mi.ways = mi.due[:0], waysPerTick
	for _, step := range decisions {
		phase := (int(mi.tick%uint64(phases)) + phases - step) % phases
		mi.due = append(mi.due, mi.groups[phase]...)
	}
	slices.SortFunc(mi.due, byID)
	for _, m := range mi.due {
		if m.mind.awake {
			mi.guard(m.object.Number, func() { mi.decide(m) })
		}
	}
	clear(mi.due)
}

// maxSpan is the longest time for which a monster walks at once, however late its turn comes: a little more than it has
// between two turns, so that nothing jumps when a busy machine has held up the world.
const maxSpan = 500 * time.Millisecond

// decide runs one decision of a monster. Source: protocol fight 6.2.
func (mi *minds) decide(m *monster) {
	d := &m.mind
	span := min(mi.instant().Sub(d.thought), maxSpan).Seconds()
	d.thought = mi.instant()
	d.turns++
	if mi.nobodySees(m) || m.dying || mi.instant().Before(d.stunned) {
		return
	}
	switch d.state {
	case resting:
		mi.goOnResting(m)
	case wandering:
		mi.goOnWandering(m, span)
	case chasing:
		mi.goOnChasing(m, span)
	case fighting:
		mi.goOnFighting(m, span)
	case returning:
		mi.goOnReturning(m, span)
	}
}

func (mi *minds) goOnResting(m *monster) {
	d := &m.mind
	if m.HP < m.MaxHP && mi.instant().Sub(d.hurt) >= mi.balance.Mind.HealAfter {
		mi.healMonster(m)
	}
	if mi.lookForPrey(m) || mi.instant().Before(d.until) || !mi.mayWalk(m) {
		return
	}
	b := &mi.balance.Mind
	angle, far := 2*math.Pi*m.random().Float64(), b.WanderRadius*math.Sqrt(m.random().Float64())
	d.goal = d.home
	d.goal.X += float32(far * math.Sin(angle))
	d.goal.Z += float32(far * math.Cos(angle))
	d.state, d.until = wandering, mi.instant().Add(b.WanderTime)
}

func (mi *minds) goOnWandering(m *monster, span float64) {
	d := &m.mind
	switch {
	case mi.lookForPrey(m):
	case !mi.instant().Before(d.until) || flat(m.object.At, d.goal) < arrived:
		mi.beginRest(m)
	default:
		mi.advance(m, step{to: d.goal, speed: mi.balance.Mind.WalkSpeed(m.row), span: span})
	}
}

func (mi *minds) goOnChasing(m *monster, span float64) {
	b, d := &mi.balance.Mind, &m.mind
	foe := mi.foeOnLeash(m)
	if foe == nil {
		return
	}
	switch {
	case !d.gaveUp():
	case mi.swingReaches(m, foe):
		mi.engage(m)
		return
	default:
		mi.standGivenUp(m, foe)
		return
	}
	if far := flat(m.object.At, foe.At); far > float64(m.row.Range) && mi.mayWalk(m) {
		to := foe.At
		keep := b.Keep(m.row)
		if next, ok := mi.alongWay(m, foe); ok {
			to, keep = next, 0
		}
		mi.advance(m, step{to: to, keep: keep, speed: b.ChaseSpeed(m.row, far), span: span, foe: foe})
		if !mi.inRange(m, foe, leastStep) { // it makes no smaller step
			mi.detectStuck(m, foe)
		}
	} else {
		mi.face(m, foe)
		if m.row.Speed == 0 && far > float64(m.row.Range) || far <= float64(m.row.Range) && !mi.inRange(m, foe, 0) {
			mi.detectStuck(m, foe) // it stands below or above
		}
	}
	if mi.inRange(m, foe, leastStep) {
		mi.engage(m)
	}
}

// engage begins a fight with a target that a monster has reached.
func (mi *minds) engage(m *monster) {
	d := &m.mind
	if d.state = fighting; d.chase != nil {
		d.chase.stuck = stuckState{}
	}
	if d.strike.IsZero() {
		d.strike = mi.instant().Add(time.Duration(mi.balance.Mind.FirstSwing * float64(m.delay())))
	}
}

func (mi *minds) goOnFighting(m *monster, span float64) {
	b, d := &mi.balance.Mind, &m.mind
	foe := mi.foeOnLeash(m)
	if foe == nil {
		return
	}
	if !mi.swingReaches(m, foe) {
		d.state = chasing
		mi.goOnChasing(m, span)
		return
	}
	if !mi.mayWalk(m) || !mi.advance(m, step{to: foe.At, keep: b.Keep(m.row), speed: b.ChaseSpeed(m.row, 0), span: span,
		foe: foe}) {
		mi.face(m, foe)
	}
	mi.swingIfDue(m, foe)
}

// foeOnLeash returns the target of a monster. nil: there is none, or the monster was led too far away, and goes home.
func (mi *minds) foeOnLeash(m *monster) *player {
	gaveUp, far := m.mind.gaveUp(), flat(m.object.At, m.anchor()) > mi.balance.Mind.Leash
	foe := mi.foe(m)
	if foe == nil || far {
		mi.beginReturn(m)
		m.mind.evades = far || gaveUp
		return nil
	}
	return foe
}

// standGivenUp is a decision of a monster that cannot reach its target. Nothing hurts it until it is home, or its
// target comes to it: the client says where a player stands, so a monster is not killed from a place where it
// cannot come.
func (mi *minds) standGivenUp(m *monster, foe *player) {
	if !mi.instant().Before(m.mind.chase.stuck.gaveUp) {
		mi.beginReturn(m)
		m.mind.evades = true
		return
	}
	mi.face(m, foe)
}

// swingReaches reports whether a player is within reach of a monster's swings.
func (mi *minds) swingReaches(m *monster, foe *player) bool {
	return mi.inRange(m, foe, max(mi.balance.Mind.SwingSlack, leastStep))
}

// inRange reports whether a player is within a monster's range and slack more, in metres.
func (mi *minds) inRange(m *monster, foe *player, slack float64) bool {
	return mi.reachable(foe.At, m.object.At, mi.feet(m), float64(m.row.Range)+slack)
}

// reachable reports whether a blow over so many metres reaches from one place to another with feet at a height: players
// and monsters, either way. Up and down it reaches at least as far as monsters notice, since heights are never exact.
func (mi *minds) reachable(from, to coords.Position, feet float32, reach float64) bool {
	up := math.Abs(float64(from.Y - feet))
	if up > mi.balance.Mind.NoticeHeight {
		return math.Hypot(flat(from, to), up) <= reach
	}
	return flat(from, to) <= reach
}

// swingIfDue makes a monster swing if its cooldown is over. Less than half a tick counts as over.
func (mi *minds) swingIfDue(m *monster, foe *player) {
	if !m.behaves().fights() || m.any((*rules.Effect).Tames) || mi.instant().Add(resolution).Before(m.mind.strike) {
		return
	}
	m.mind.strike = mi.instant().Add(m.delay())
	mi.blows.swing(m, foe)
}

// delay is the time between two swings of a monster.
func (m *monster) delay() time.Duration { return time.Duration(max(m.row.Delay, 1)) * time.Second }

func (mi *minds) goOnReturning(m *monster, span float64) {
	d := &m.mind
	far := flat(m.object.At, d.home)
	switch {
	case far <= mi.balance.Mind.Home:
		mi.healMonster(m)
		mi.beginRest(m)
	case !mi.instant().Before(d.until):
		mi.places.setDown(m, d.home)
		mi.healMonster(m)
		mi.beginRest(m)
	case mi.mayWalk(m):
		mi.advance(m, step{to: d.home, speed: mi.balance.Mind.ChaseSpeed(m.row, far), span: span})
	}
}

func (mi *minds) beginReturn(m *monster) {
	d := &m.mind
	d.state, d.until, d.evades = returning, mi.instant().Add(mi.balance.Mind.ReturnTime), false
	mi.calm(m)
}

// calm drops a monster's aggro: its threat list, its target and its pursuit.
func (mi *minds) calm(m *monster) {
	d := &m.mind
	clear(m.threat)
	m.threat = m.threat[:0]
	d.target, d.strike, d.chase = nil, 0, nil
}

// healMonster gives a monster all its HP back.
func (mi *minds) healMonster(m *monster) {
	if m.HP == m.MaxHP {
		return
	}
	mi.setHP(m, m.MaxHP)
	m.hits = 0
	mi.showMonster(m)
}

// showMonster tells viewers the HP of a monster.
func (mi *minds) showMonster(m *monster) {
	if to := mi.places.viewersBefore(&m.object.entity); len(to) > 0 {
		mi.tell(mi.healthSeen.put(HealthSeen{m.object.ID, m.HP, m.MaxHP, to}))
	}
}

// anchor is the place that a monster does not leave behind too far.
func (m *monster) anchor() coords.Position {
	if m.spawner != nil {
		return m.spawner.At
	}
	return m.mind.home
}

func (mi *minds) mayWalk(m *monster) bool {
	return m.row.Speed > 0 && !mi.instant().Before(m.mind.bound)
}

// lookForPrey gives an idle monster aggro on a player that its behaviour picks.
func (mi *minds) lookForPrey(m *monster) bool {
	if m.mind.turns%max(mi.balance.Mind.LookTurns, 1) != 0 || m.any((*rules.Effect).Blinds) ||
		m.any((*rules.Effect).Tames) {
		return false
	}
	prey := m.behaves().prey(mi, m)
	if prey == nil {
		return false
	}
	mi.threatOf(m, prey).noticed = true
	mi.aggro(m, prey)
	return true
}

// nearestPrey returns the nearest wanted player within a radius that a monster sees, nil for none.
func (mi *minds) nearestPrey(m *monster, radius float64, wanted func(*player) bool) (prey *player) {
	nearest := radius * radius
	for p := range m.object.InSight(players) {
		dx, dz := float64(p.At.X)-float64(m.object.At.X), float64(p.At.Z)-float64(m.object.At.Z)
		if d := dx*dx + dz*dz; d <= nearest && (prey == nil || d < nearest) && wanted(p.player) {
			prey, nearest = p.player, d
		}
	}
	return prey
}

// addThreat adds a player's blow to a monster's threat list, which draws aggro: the one way from blows into minds.
func (mi *minds) addThreat(m *monster, by *player, damage int, school rules.School) {
	if m.ended || m.dying || m.mind.evading() || by == nil || by.gone() {
		return
	}
	mi.wake(m)
	t := mi.threatOf(m, by)
	t.last = mi.instant()
	if damage > 0 {
		m.mind.hurt = mi.instant()
		t.age(mi.instant(), mi.balance.Mind.ThreatTime)
		t.recent[0].damage += damage
		t.recent[0].blows[school]++
		t.lastBy = school
	} else {
		t.noticed = true
	}
	mi.aggro(m, by)
}

// evading reports whether a monster is immune, since it has given up a chase or was led too far away from home.
func (d *mind) evading() bool {
	return d.state == returning && d.evades || d.state == chasing && d.gaveUp()
}

// idle reports whether a monster has nothing to do.
func (m *monster) idle() bool { return m.mind.state == resting || m.mind.state == wandering }

// aggro makes a monster that is not in a fight chase a player, and so for idle monsters of its spawner nearby.
func (mi *minds) aggro(m *monster, p *player) {
	if !m.behaves().fights() {
		return
	}
	mi.beginChase(m, p)
	if m.spawner == nil {
		return
	}
	for _, other := range m.spawner.alive {
		if other == m || !other.idle() || !other.mind.awake || other.dying || !other.behaves().fights() ||
			flat(other.object.At, m.object.At) > mi.balance.Mind.Help {
			continue
		}
		mi.threatOf(other, p).noticed = true
		mi.beginChase(other, p)
	}
}

func (mi *minds) beginChase(m *monster, p *player) {
	if d := &m.mind; d.state != chasing && d.state != fighting {
		d.state, d.target = chasing, p
	}
}

// threatOf returns a monster's threat of a player, new if there was none.
func (mi *minds) threatOf(m *monster, p *player) *threat {
	for i := range m.threat {
		if t := &m.threat[i]; t.by == p.ID {
			if t.last.Before(instantOf(p.Entered)) { // another player had that number
				*t = threat{by: p.ID, last: mi.instant(), turned: mi.instant()}
			}
			return t
		}
	}
	fresh := threat{by: p.ID, last: mi.instant(), turned: mi.instant()}
	if len(m.threat) >= mostThreats {
		t := mi.leastThreat(m)
		*t = fresh
		return t
	}
	m.threat = append(m.threat, fresh)
	return &m.threat[len(m.threat)-1]
}

// mostThreats bounds a monster's threat list, of which each blow and each decision reads all: else a crowd of
// thousands would make each of its blows slow. It is eight full parties. A player whose threat is dropped has no share
// of the kill unless it hits again. The number is ours.
const mostThreats = 64

// leastThreat returns the least of a monster's threats, of equal ones that of the longest ago. Threats of dead and
// absent players are less than all others.
func (mi *minds) leastThreat(m *monster) *threat {
	var least *threat
	var lowest float64
	for i := range m.threat {
		t := &m.threat[i]
		weight := -1.0
		if p := mi.player(t.by); p != nil && !isDead(p) && !t.last.Before(instantOf(p.Entered)) {
			weight = t.weight(mi.instant(), mi.balance.Mind.ThreatTime)
		}
		if least == nil || weight < lowest || weight == lowest && t.last.Before(least.last) {
			least, lowest = t, weight
		}
	}
	return least
}

// threatParts is into how many parts the time is divided for which damage counts as a threat.
const threatParts = 6

// age drops contributions from longer ago than window.
func (t *threat) age(now instant, window time.Duration) {
	part := max(window/threatParts, 1)
	n := int(now.Sub(t.turned) / part)
	if n <= 0 {
		return
	}
	t.turned = t.turned.Add(time.Duration(n) * part)
	n = min(n, threatParts)
	copy(t.recent[n:], t.recent[:threatParts-n])
	clear(t.recent[:n])
}

// weight is how great a threat a player is: its damage within window, and 1 if the monster has noticed it.
func (t *threat) weight(now instant, window time.Duration) float64 {
	sum := t.recently(now, window, window).damage
	if t.noticed {
		sum++
	}
	return float64(sum)
}

// recently sums a player's contributions within a time, at most window, for which they are kept.
func (t *threat) recently(now instant, window, within time.Duration) (sum contribution) {
	t.age(now, window)
	part := max(window/threatParts, 1)
	for i := range t.recent {
		if i > 0 && now.Sub(t.turned)+time.Duration(i-1)*part >= within {
			break
		}
		d := &t.recent[i]
		sum.damage += d.damage
		for school := range d.blows {
			sum.blows[school] += d.blows[school]
		}
	}
	return sum
}

// foe returns the target of a monster: the greatest threat that it may chase. The present target keeps the aggro until
// another one is a clearly greater threat. nil: there is none. It drops dead and absent players from the threat list.
func (mi *minds) foe(m *monster) *player {
	b, d := &mi.balance.Mind, &m.mind
	var most *player
	var now, greatest float64
	keep := m.threat[:0]
	for _, t := range m.threat {
		p := mi.player(t.by)
		if p == nil || isDead(p) || t.last.Before(instantOf(p.Entered)) {
			continue
		}
		weight := t.weight(mi.instant(), b.ThreatTime)
		keep = append(keep, t)
		if !mi.mayGoAfter(m, p) {
			continue
		}
		if p == d.target {
			now = weight
		}
		if most == nil || weight > greatest {
			most, greatest = p, weight
		}
	}
	m.threat = keep
	target := d.target
	if target == nil || target.gone() || !mi.mayGoAfter(m, target) || greatest > now && greatest >= b.ThreatSwitch*now {
		target = most
	}
	if target != d.target {
		d.target, d.chase = target, nil
	}
	return target
}

// mayGoAfter reports whether a monster can chase a player.
func (mi *minds) mayGoAfter(m *monster, p *player) bool {
	return m.object.inside == p.inside && flat(m.object.At, p.At) <= mi.balance.Mind.Lose && mi.vitals.mayBeNoticed(p) &&
		math.Abs(float64(p.At.Y)-float64(m.object.At.Y)) <= mi.balance.Mind.Lose && m.behaves().follows(mi, m, p)
}

// nobodySees puts a monster to sleep when no player has seen it for a while, and reports whether it has.
func (mi *minds) nobodySees(m *monster) bool {
	d := &m.mind
	switch {
	case len(m.object.Viewers()) > 0:
		d.lonely = 0
	case d.lonely.IsZero():
		d.lonely = mi.instant()
	case mi.instant().Sub(d.lonely) >= mi.balance.Mind.StayAwake && !m.dying:
		mi.sleep(m)
		mi.reset(m)
		return true
	}
	return false
}

// reset makes a sleeping monster as it was at its birth. It holds no threat list, and no thoughts unless an effect of
// now stuns or binds it.
func (mi *minds) reset(m *monster) {
	mi.calm(m)
	m.threat, m.mind.state, m.mind.evades = nil, resting, false
	mi.forget(m)
	mi.setHP(m, m.MaxHP)
	m.hits = 0
	if m.object.At != m.mind.home {
		mi.places.moveObject(m.object, m.mind.home)
	}
}

// forget drops the thoughts of a sleeping monster that nothing stuns or binds.
func (mi *minds) forget(m *monster) {
	d, now := &m.mind, mi.instant()
	if d.thoughts != nil && !d.awake && !now.Before(d.stunned) && !now.Before(d.bound) {
		d.thoughts = nil
	}
}

// beginRest makes a monster stand for a while.
func (mi *minds) beginRest(m *monster) {
	b := &mi.balance.Mind
	mi.calm(m)
	m.mind.state = resting
	m.mind.until = mi.instant().Add(rules.Between(m.random(), b.WanderMin, b.WanderMax))
}
