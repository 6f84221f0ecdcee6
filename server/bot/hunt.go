package bot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// A hunter goes out of the town, fights, loots, and comes back to trade, each at its time.
type hunter struct {
	prey   packets.ObjectID
	since  time.Time // when it was chosen, or had fewer HP than ever last
	least  int       // HP that it had then; 0: not known
	place  coords.Position
	await  time.Time                      // a bag may appear at the place until then
	avoid  map[packets.ObjectID]time.Time // not to be hunted until then
	ground coords.Position                // where it hunts
	fought bool                           // it has found prey since it set out for there
	dull   []coords.Position              // grounds where it has recently found none
	vain   int                            // how many of these there were since it has last found prey
	bad    []coords.Position              // where it has recently died
	worth  int                            // level of monsters that are worth hunting on the way there and there
	bid    bool                           // by a verb
	only   bool                           // nothing but the prey
	arms   time.Time                      // when it looks again for a weapon
	uses   time.Time                      // when it may use the next thing on itself
	warded time.Time                      // its mantra of armour lasts until then
	shops  time.Time                      // when it may go shopping again
	sells  time.Time                      // when it may go to sell again
	looted []packets.ObjectID             // bags that are done with
}

const (
	huntEvery   = 250 * time.Millisecond
	strikeRange = 2.2 // metres
	preyRange   = 60  // metres
	preyTime    = 25 * time.Second
	avoidTime   = time.Minute
	bagWait     = 2 * time.Second
	bagRange    = 8 // metres from the dead
	fleeBelow   = 0.3
	huntAbove   = 0.5 // of the greatest HP
	restedAbove = 0.85
	fleeFar     = 70 // metres
	townTime    = 3 * time.Minute
	sellEvery   = 2 * time.Minute
	lootTime    = 20 * time.Second
	slotsToKeep = 1  // free, or it goes to sell
	lootToSell  = 4  // things, or that is no way worth
	hungry      = 30 // satiety below which it eats
	// A character hunts monsters of at most so many levels above its own.
	bolder = 1
	// A monster below its own level by more than a quarter of it teaches little. It hunts such only where it dares nothing
	// stronger, and looks for those that are so near first.
	wayFar  = 400 // metres
	quarter = 4
	// After so many grounds in vain, and each so many more, it is content with monsters that teach less.
	enoughVain = 3
	mostBad    = 8   // places of its deaths that it keeps away from
	badFar     = 100 // metres
	// mostDull is how many grounds without prey for it a hunter leaves out.
	mostDull = 12
	// Of so many of the nearest grounds it chooses: a monster that was killed is back when it has been at the others. In
	// a crowd it is one more for each few people that it sees, up to mostGrounds.
	nearGrounds     = 3
	mostGrounds     = 32
	peopleToAGround = 8
)

// hunt does the next thing of a hunter's life.
func (c *Client) hunt(now time.Time) error {
	h, b := &c.hunter, &c.busy
	c.due[jobTask] = now.Add(huntEvery)
	switch {
	case c.dead():
		if h.prey != packets.NoObject || b.task != nil {
			*h, b.task = hunter{avoid: h.avoid, bid: h.bid && !h.only, shops: h.shops, bad: h.bad}, nil
		}
		return nil
	case c.Waits() || len(b.locked) > 0:
		return nil
	case h.only:
		return c.attackOnly(now)
	case c.threatened():
		if done, err := c.drink(now); done || err != nil {
			return err
		}
		if c.quest.inside {
			return c.fleeMission(now)
		}
		return c.flee(now)
	case b.task != nil && now.After(b.giveUp):
		c.endTask(now)
		c.due[jobTask] = now.Add(huntEvery)
		return nil
	case b.task != nil:
		err := b.task(now)
		c.due[jobTask] = now.Add(huntEvery)
		return err
	}
	habits := [...]func(time.Time) (bool, error){c.drink, c.arm, c.spend, c.attack, c.fetchBag, c.dine, c.refill, c.ward,
		c.recover, c.goTrading, c.choosePrey, c.goHunting}
	if c.quests() {
		habits[len(habits)-1] = c.doMission
	}
	for _, do := range habits {
		if done, err := do(now); done || err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) health() float64 {
	most := c.Stats[packets.StatMaxHP]
	if most <= 0 {
		return 1
	}
	return float64(c.Stats[packets.StatHP]) / float64(most)
}

// level is the greater one of title and degree, from 1.
func (c *Client) level() int {
	return 1 + int(max(c.Stats[packets.StatTitle], c.Stats[packets.StatDegree]))
}

// hurried reports whether something has hit the character a moment ago.
func (c *Client) hurried(now time.Time) bool {
	return !c.fight.hitAt.IsZero() && now.Sub(c.fight.hitAt) < 8*time.Second
}

// threatened reports whether it is time to run: few HP are left, and something is after the character which has more,
// or so many are around it that it does not expect to outlive them.
func (c *Client) threatened() bool {
	if !c.hurried(time.Now()) {
		return false
	}
	o := c.Objects[c.fight.hitBy]
	if o == nil || o.Monster == nil || o.Monster.Dying {
		return false
	}
	return c.health() < fleeBelow && o.Monster.HP > o.Monster.MaxHP/5 || c.hopeless()
}

// flee runs away from the monster that has hit the character, towards the nearest city.
func (c *Client) flee(now time.Time) error {
	if c.walker.following() && c.hunter.prey == packets.NoObject {
		return nil
	}
	c.tally.Fled.Add(1)
	c.busy.task = nil
	c.keepAway()
	o := c.Objects[c.fight.hitBy]
	c.hunter.shun(o.ID, now)
	away := c.Position
	dx, dz := float64(c.Position.X-o.Position.X), float64(c.Position.Z-o.Position.Z)
	if city, d, ok := content.NearestCity(c.Position); ok && d > fleeFar {
		dx, dz = float64(city.Position.X-c.Position.X), float64(city.Position.Z-c.Position.Z)
	}
	r := max(math.Hypot(dx, dz), 0.1)
	away.X += float32(dx / r * fleeFar)
	away.Z += float32(dz / r * fleeFar)
	c.goTo(away, now)
	return nil
}

// shun leaves a monster alone for a while.
func (h *hunter) shun(id packets.ObjectID, now time.Time) {
	if h.avoid == nil {
		h.avoid = map[packets.ObjectID]time.Time{}
	}
	for known, until := range h.avoid {
		if now.After(until) {
			delete(h.avoid, known)
		}
	}
	h.avoid[id] = now.Add(avoidTime)
	h.prey = packets.NoObject
}

// goTo sets out for a place, unless that is not in the world.
func (c *Client) goTo(to coords.Position, now time.Time) {
	if to.Check() == nil {
		c.walker.follow([]coords.Position{to}, now)
	}
}

// kindOf is the kind of an item by the server's own tables, nil if it is not known.
func (c *Client) kindOf(o *Object) *rules.Kind {
	if o == nil || o.Spawn == nil {
		return nil
	}
	return c.options.Catalogue.Of(int(o.Class), int(o.Spawn.C), 0)
}

// arm takes the best weapon in hand that the character has.
func (c *Client) arm(now time.Time) (bool, error) {
	h := &c.hunter
	if done, err := c.nock(); done || err != nil {
		return done, err
	}
	if now.Before(h.arms) {
		return false, nil
	}
	if !c.hurried(now) {
		if done, err := c.dress(now); done || err != nil {
			return done, err
		}
	}
	h.arms = now.Add(time.Minute)
	best := c.strongest(func(k *rules.Kind, n *rules.Columns) float64 {
		switch {
		case !c.weapon(k, n):
			return 0
		case isCrossbow(k):
			return c.force(n) + preferred
		}
		return c.force(n)
	})
	if best == nil || best.ID == c.busy.inHand {
		return false, nil
	}
	return true, c.Take(best.ID)
}

// preferred is by how much of force an archer likes a crossbow better.
const preferred = 1000

// weapon reports whether the character could strike with such a thing: with a crossbow only if it has arrows.
func (c *Client) weapon(k *rules.Kind, n *rules.Columns) bool {
	if !k.Hand || !c.able(n) || c.school() == Fists {
		return false
	}
	switch rules.ClassOf(k.Class).Held {
	case rules.Sword, rules.Axe:
		return c.ofSchool(k) || c.school().helped() || packets.Class(k.Class) == packets.ClassStartSword
	case rules.Crossbow:
		return c.ofSchool(k) && c.arrows() != nil
	}
	return false
}

// spend raises base values by the points of the last levels.
func (c *Client) spend(time.Time) (bool, error) {
	const half = 4 // of the base values are of the title
	var by [2 * half]int32
	for i, free := range [...]packets.Stat{packets.StatFreeTitlePoints, packets.StatFreeDegreePoints} {
		for range min(c.Stats[free], rules.MaxPoints) {
			most, next := 0.0, i*half
			for v := i * half; v < (i+1)*half; v++ {
				has := c.Stats[packets.StatBaseStrength+packets.Stat(v)] + by[v]
				if behind := float64(c.fights().raises[v]) / float64(has+1); behind > most {
					most, next = behind, v
				}
			}
			by[next]++
		}
	}
	if by == [2 * half]int32{} {
		return false, nil
	}
	return true, c.SpendPoints(by)
}

// attack goes for the prey, and strikes it.
func (c *Client) attack(now time.Time) (bool, error) {
	h := &c.hunter
	if h.prey == packets.NoObject {
		return false, nil
	}
	o := c.Objects[h.prey]
	switch {
	case o == nil || o.Monster == nil || o.Monster.Dying:
		h.prey, h.await = packets.NoObject, now.Add(bagWait)
		return true, nil
	case o.Monster.HP < h.least || h.least == 0: // one that is healed again and again is given up
		h.since, h.least = now, o.Monster.HP
	case now.Sub(h.since) > preyTime: // not to be reached, or to be hit
		h.shun(h.prey, now)
		return false, nil
	}
	h.place = o.Position
	m := c.means()
	if c.Position.Distance(o.Position) > m.reach {
		c.chase(o, m.reach, now)
		return true, nil
	}
	if c.walker.following() {
		c.walker.follow(nil, now)
		return true, c.sendPing()
	}
	if o.Monster.HP <= 0 || now.Sub(c.fight.struckAt) < m.use {
		return true, nil
	}
	c.Position.Yaw = heading(o.Position.X-c.Position.X, o.Position.Z-c.Position.Z)
	if m.spell != nil {
		return true, c.Cast(m.spell.ID, h.prey)
	}
	return true, c.Strike(h.prey)
}

// attackOnly does an attack that a verb has asked for: it fights one monster until that is gone.
func (c *Client) attackOnly(now time.Time) error {
	if done, err := c.arm(now); done || err != nil {
		return err
	}
	_, err := c.attack(now)
	if h := &c.hunter; h.prey == packets.NoObject {
		h.bid, h.only = false, false
		c.walker.follow(nil, now)
	}
	return err
}

// quests reports whether the client does missions, by itself or by a verb.
func (c *Client) quests() bool { return c.options.Missions && c.hunts() }

// hunts reports whether the client hunts, by itself or by a verb.
func (c *Client) hunts() bool { return c.hunter.bid || c.living && c.options.Hunt }

// SetUpon begins to strike at a monster, and goes on until one of the two is dead, while verbs wait or [Client.Until]
// does.
func (c *Client) SetUpon(monster packets.ObjectID) error {
	o, err := c.heldObject("set upon", monster)
	if err != nil {
		return err
	}
	if o.Monster == nil {
		return fmt.Errorf("bot: set upon: %s is no monster", monster)
	}
	now := time.Now()
	c.hunter = hunter{prey: monster, since: now, bid: true, only: true, avoid: c.hunter.avoid}
	c.due[jobTask] = now
	return nil
}

// SetsUpon reports whether the client strikes by itself at the target of [Client.SetUpon].
func (c *Client) SetsUpon() bool { return c.hunter.only }

// Hunt lives as a hunter until a condition on the client's fields holds.
func (c *Client) Hunt(ctx context.Context, done func() bool) error {
	if err := c.at(stateInWorld, "hunt"); err != nil {
		return err
	}
	c.hunter.bid, c.hunter.only = true, false
	c.due[jobTask] = time.Now()
	defer func() {
		c.hunter.bid, c.busy.task = false, nil
		c.walker.follow(nil, time.Now())
	}()
	return c.pump(ctx, done)
}

// Loot goes to a bag and takes all that there is room for.
func (c *Client) Loot(ctx context.Context, bag packets.ObjectID) error {
	if _, err := c.heldObject("loot", bag); err != nil {
		return err
	}
	now := time.Now()
	c.hunter = hunter{bid: true, avoid: c.hunter.avoid}
	c.beginTask(c.loot(bag), now)
	c.due[jobTask] = now
	defer func() { c.hunter.bid, c.busy.task = false, nil }()
	return c.pump(ctx, func() bool { return c.busy.task == nil })
}

// chase walks to within reach of a monster, wherever it is by now.
func (c *Client) chase(o *Object, reach float64, now time.Time) {
	to, d := o.Position, c.Position.Distance(o.Position)
	part := float32((reach - 0.7) / d)
	to.X += (c.Position.X - to.X) * part
	to.Z += (c.Position.Z - to.Z) * part
	c.goTo(to, now)
}

// choosePrey chooses the nearest monster that is worth a fight and that the character expects to beat, first of all the
// one that has hit it. It rests before a fight for which it has too few HP.
func (c *Client) choosePrey(now time.Time) (bool, error) {
	h, best, nearest := &c.hunter, packets.NoObject, float64(preyRange)
	for _, o := range c.beasts {
		m, id := o.Monster, o.ID
		if m.Dying || m.Type == rules.PracticeTarget || now.Before(h.avoid[id]) ||
			(m.Level > c.level()+bolder || m.Level < h.worth || !c.dares(o, true)) &&
				(id != c.fight.hitBy || !c.hurried(now)) ||
			c.quests() && (id != c.fight.hitBy || !c.hurried(now)) && !slices.Contains(c.quarry(), m.Type) {
			continue
		}
		d := c.Position.Distance(o.Position)
		if id == c.fight.hitBy && c.hurried(now) {
			d /= 4
		}
		if o.Name != 0 {
			d *= 2 // the named hit hard
		}
		if d < nearest || d == nearest && id < best {
			best, nearest = id, d
		}
	}
	if best == packets.NoObject {
		return false, nil
	}
	if !c.hurried(now) && !c.dares(c.Objects[best], false) { // it rests first
		c.walker.follow(nil, now)
		c.walker.rest = later(c.walker.rest, now.Add(time.Second))
		return true, nil
	}
	h.prey, h.since, h.least, h.fought = best, now, 0, true
	return true, nil
}

// fetchBag goes to the bag that the last prey has left, and empties it.
func (c *Client) fetchBag(now time.Time) (bool, error) {
	h := &c.hunter
	if now.After(h.await) {
		return false, nil
	}
	for _, o := range c.bags {
		if o.Position.Distance(h.place) < bagRange && !slices.Contains(h.looted, o.ID) {
			h.await, h.looted = time.Time{}, append(h.looted[max(0, len(h.looted)-9):], o.ID)
			c.beginTask(c.loot(o.ID), now)
			c.busy.giveUp = now.Add(lootTime)
			return true, nil
		}
	}
	return true, nil
}

// loot goes to a bag, opens it and takes all that there is room for.
func (c *Client) loot(id packets.ObjectID) func(time.Time) error {
	opened, asked := false, map[packets.ObjectID]bool{}
	return func(now time.Time) error {
		bag := c.Objects[id]
		switch {
		case bag == nil:
			c.endTask(now)
			return nil
		case !opened:
			if !c.approach(bag.Position, now) {
				return nil
			}
			opened = true
			if err := c.sendPing(); err != nil {
				return err
			}
			return c.OpenBag(id)
		}
		_, room := c.FreeSlot()
		for n := range uint8(16) {
			item := bag.Slots[n].Item
			if item == packets.NoObject || !room || asked[item] {
				continue
			}
			if c.Objects[item] == nil {
				return nil // it is about to be shown
			}
			asked[item] = true
			c.tally.Looted.Add(1)
			return c.PickUp(item)
		}
		c.endTask(now)
		return c.CloseBag(id)
	}
}

// dine eats when the character is hungry.
func (c *Client) dine(time.Time) (bool, error) {
	if c.Stats[packets.StatSatiety] >= hungry {
		return false, nil
	}
	if o := c.first(isFood); o != nil {
		return true, c.Use(o.ID)
	}
	return false, nil
}

func isFood(o *Object) bool { return o.Class >= firstFood && o.Class <= lastFood }

// first is the first item in the inventory that fits, nil if there is none.
func (c *Client) first(fits func(*Object) bool) *Object {
	for _, o := range c.inventory() {
		if fits(o) {
			return o
		}
	}
	return nil
}

// recover rests until the character has HP enough for the next fight, unless something is after it.
func (c *Client) recover(now time.Time) (bool, error) {
	if c.health() >= huntAbove || c.hurried(now) {
		return false, nil
	}
	c.walker.rest = later(c.walker.rest, now.Add(time.Second))
	return true, nil
}

// shippedGrounds are the places of monsters by the numbers that ship.
var shippedGrounds = sync.OnceValue(func() []wild.Spawner {
	return wild.Spawners(content.Default().Tables, &shippedBalance().Spawn)
})

// places are the places of monsters, by the server's own rule.
func (c *Client) places() []wild.Spawner {
	o := &c.options
	switch {
	case o.Catalogue == content.Default() && o.Balance == shippedBalance():
		return shippedGrounds()
	case c.spawners == nil:
		c.spawners = wild.Spawners(o.Catalogue.Tables, &o.Balance.Spawn)
	}
	return c.spawners
}

// goHunting goes to one of the nearest places with monsters as strong as the character, and to another one when none
// is left there. The more people there are, the farther it looks: others hunt the near ones.
func (c *Client) goHunting(now time.Time) (bool, error) {
	h := &c.hunter
	if c.walker.following() && !c.walker.roaming {
		return true, nil
	}
	area, ok := content.AreaOf(c.Position)
	if !ok {
		return false, nil
	}
	if h.fought {
		h.vain = 0
	} else if c.Position.Distance(h.ground) < preyRange {
		h.dull = append(h.dull[max(0, len(h.dull)-mostDull+1):], h.ground)
		h.vain++
	}
	step := max(c.level()/quarter, 1)
	worth := c.level() - c.level()/quarter - h.vain/enoughVain*step
	var near []*wild.Spawner
	for least := worth; len(near) == 0 && least > -step; least -= step {
		if near = c.grounds(area.Key, least, wayFar); len(near) == 0 {
			near = c.grounds(area.Key, least, math.Inf(1))
		}
	}
	if len(near) == 0 {
		h.dull = nil
		return false, nil
	}
	chosen := near[c.rand.IntN(len(near))]
	h.fought, h.ground, h.worth = false, chosen.Position, min(chosen.Level-chosen.Spread, worth)
	c.travel(chosen.Position, now)
	return true, nil
}

// grounds are the nearest places of an area with monsters of a least level that the character hunts, the nearest first.
func (c *Client) grounds(area string, least int, far float64) []*wild.Spawner {
	h := &c.hunter
	quarry := c.quarry()
	isQuarry := func(monster int) bool { return slices.Contains(quarry, monster) }
	isBad := func(s *wild.Spawner) bool {
		return slices.Contains(h.dull, s.Position) ||
			slices.ContainsFunc(h.bad, func(at coords.Position) bool { return at.Distance(s.Position) < badFar })
	}
	nearer := func(a, b *wild.Spawner) bool {
		return b == nil || c.Position.Distance(a.Position) < c.Position.Distance(b.Position)
	}
	var nearest [mostGrounds]*wild.Spawner
	near := nearest[:min(nearGrounds+c.people/peopleToAGround, mostGrounds)]
	all := c.places()
	for i := range all {
		s := &all[i]
		if s.Area != area || s.Level-s.Spread > c.level() || s.Level < least || s.Position == h.ground ||
			slices.Contains(s.Types, rules.PracticeTarget) || quarry != nil && !slices.ContainsFunc(s.Types, isQuarry) ||
			c.Position.Distance(s.Position) > far || !nearer(s, near[len(near)-1]) || isBad(s) || !c.daresSome(s) {
			continue
		}
		for n := range near {
			if nearer(s, near[n]) {
				s, near[n] = near[n], s
				if s == nil {
					break
				}
			}
		}
	}
	if count := slices.Index(near, nil); count >= 0 {
		return near[:count]
	}
	return near
}
