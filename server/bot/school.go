package bot

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// A School is how a hunter fights when it can afford to.
type School uint8

// The schools. A client without one has the school of its seed: a sixth of a swarm each.
const (
	OfSeed School = iota
	Swords
	Axes
	Archery // a crossbow and arrows
	Fists
	White         // the best white attack mantra, while there is MP for it
	Black         // the best black one
	eitherMantras // the best of both
	schools
)

// Schools are all, in order.
func Schools() []School { return []School{Swords, Axes, Archery, Fists, White, Black} }

// A way is how a school fights.
type way struct {
	name   string
	own    []int  // classes of its weapons, or of its mantras
	casts  bool   // these are mantras
	raises [8]int // base values, in which proportion it raises them: weapons need most of one
}

const (
	classSword    = 500
	classAxe      = 501
	classCrossbow = 502
	classWhite    = 1000
	classBlack    = rules.ClassBlackMantra
)

var ways = [schools]way{
	Swords:  {"sword", []int{classSword}, false, [8]int{2, 1, 0, 1, 1, 0, 1, 0}},
	Axes:    {"axe", []int{classAxe}, false, [8]int{2, 1, 0, 1, 1, 0, 1, 0}},
	Archery: {"crossbow", []int{classCrossbow}, false, [8]int{0, 1, 2, 1, 1, 0, 1, 0}},
	Fists:   {"fists", nil, false, [8]int{0, 1, 0, 1, 1, 0, 1, 0}},
	White:   {"white mantras", []int{classWhite}, true, [8]int{0, 1, 0, 1, 2, 4, 2, 1}},
	Black:   {"black mantras", []int{classBlack}, true, [8]int{0, 1, 0, 1, 2, 1, 2, 4}},

	eitherMantras: {"mantras", []int{classWhite, classBlack}, true, [8]int{0, 1, 0, 1, 2, 1, 2, 4}},
}

// String is the school's name for people.
func (s School) String() string { return ways[s].name }

// Magical reports whether the school fights with mantras.
func (s School) Magical() bool { return ways[s].casts }

// helped reports whether the school needs a blade beside its own weapon, which costs arrows or MP.
func (s School) helped() bool { return s.Magical() || s == Archery }

// isBlade reports whether a kind is a sword or an axe.
func isBlade(k *rules.Kind) bool {
	held := rules.ClassOf(k.Class).Held
	return held == rules.Sword || held == rules.Axe
}

func (c *Client) school() School {
	if s := c.options.School; s != OfSeed {
		return s
	}
	all := Schools()
	return all[c.options.Seed%uint64(len(all))]
}

// ofSchool reports whether a kind is a weapon or a mantra of the client's school.
func (c *Client) ofSchool(k *rules.Kind) bool { return slices.Contains(c.fights().own, k.Class) }

// fights is how the client fights: as its school does, but a white mage with tables in which no white mantra attacks,
// as in those of the original client, takes black ones. It would never learn anything of its degree by a blade.
func (c *Client) fights() *way {
	if c.craft.fights == nil {
		school := c.school()
		if school == White && !slices.ContainsFunc(c.options.Catalogue.Kinds(), c.isWhiteAttack) {
			school = eitherMantras
		}
		c.craft.fights = &ways[school]
	}
	return c.craft.fights
}

// isWhiteAttack reports whether a kind is a white mantra that attacks one enemy.
func (c *Client) isWhiteAttack(k rules.Kind) bool {
	return k.Class == classWhite && c.hurtsOne(&k, &k.Columns)
}

// shippedBalance is the balance that ships.
var shippedBalance = sync.OnceValue(rules.DefaultBalance)

// numbersOf are the kind of an item by the server's own tables and its numbers with its suffix; nil if it is not known.
func (c *Client) numbersOf(o *Object) (*rules.Kind, rules.Columns) {
	k := c.kindOf(o)
	if k == nil {
		return nil, rules.Columns{}
	}
	return k, c.options.Catalogue.Numbers(k, int(o.Spawn.D))
}

// able reports whether the character meets the requirements of a thing.
func (c *Client) able(n *rules.Columns) bool {
	for i, need := range n.Need.Stats {
		if int(c.Stats[packets.StatStrength+packets.Stat(i)]) < need {
			return false
		}
	}
	return int(c.Stats[packets.StatTitle]) >= n.Need.Title && int(c.Stats[packets.StatDegree]) >= n.Need.Degree
}

func isArrow(o *Object) bool { return int(o.Class) == classArrow }

const (
	classArrow   = 503
	classHealing = 470
	classPowder  = 453
)

// arrows are the stack in the slot that a crossbow takes from, nil if there is none.
func (c *Client) arrows() *Object { return c.Objects[c.Slots[rules.SlotAmmunition].Item] }

func isCrossbow(k *rules.Kind) bool { return k != nil && rules.ClassOf(k.Class).Held == rules.Crossbow }

// A means is the weapon of a hunter's next blow: the item in its hand, or a thing that casts.
type means struct {
	spell *Object // nil: the item in the hand
	reach float64 // metres
	use   time.Duration
}

// means chooses the weapon of the next blow.
func (c *Client) means() means {
	blow := &c.options.Balance.Blow
	if c.school().Magical() {
		if o, n := c.bestSpell(c.Stats[packets.StatMP]); o != nil {
			reach, _ := blow.Reach(&n)
			return means{o, max(reach-1, strikeRange), blow.UseTime(&n)}
		}
	}
	m := means{nil, strikeRange, c.useTime()}
	if k, n := c.numbersOf(c.Objects[c.busy.inHand]); isCrossbow(k) {
		reach, _ := blow.Reach(&n)
		m.reach = max(reach-1, strikeRange)
	}
	return m
}

// easyCost is the cost of an attack mantra to the character, which may be a beginner.
func (c *Client) easyCost(costMP int) int {
	_, costMP = c.options.Balance.Effect.EasyMantra(rules.Attack{}, costMP, int(c.Stats[packets.StatDegree])+1)
	return costMP
}

// bestSpell is the strongest attack that the character carries and can pay with so many MP alone, nil without one.
func (c *Client) bestSpell(mp int32) (best *Object, numbers rules.Columns) {
	best = c.strongest(func(k *rules.Kind, n *rules.Columns) float64 {
		if !c.attacks(k, n) || int(mp) < c.easyCost(-n.UseMP) {
			return 0
		}
		return float64(-min(n.Attack, n.Magic))
	})
	_, numbers = c.numbersOf(best)
	return best, numbers
}

// attacks reports whether a thing casts an attack at one enemy that the character can use and that costs no HP.
func (c *Client) attacks(k *rules.Kind, n *rules.Columns) bool {
	return c.hurtsOne(k, n) && c.ofSchool(k) && c.able(n)
}

// hurtsOne reports whether a thing casts an attack at one enemy that costs no HP.
func (c *Client) hurtsOne(k *rules.Kind, n *rules.Columns) bool {
	s, ok := c.options.Balance.Effect.SpellOf(k.Class, k, n)
	return ok && s.Attack && !s.Area && s.CostHP == 0
}

// heals reports whether a thing gives its user HP, and costs MP at most.
func (c *Client) heals(k *rules.Kind, n *rules.Columns) bool {
	s, ok := c.options.Balance.Effect.SpellOf(k.Class, k, n)
	return ok && s.HP > 0 && s.CostHP == 0 && c.able(n) &&
		slices.Contains([]int{classWhite, classHealing, classPowder}, k.Class)
}

// lasts reports whether a thing can be used again and again.
func lasts(k *rules.Kind) bool { return rules.ClassOf(k.Class).Use.Kept() }

// Cast asks to use a mantra or a powder on a target. Source: protocol fight 1.1.
func (c *Client) Cast(thing, target packets.ObjectID) error {
	if _, err := c.heldObject("cast at", target); err != nil {
		return err
	}
	c.fight.struckAt = time.Now()
	c.tally.Casts.Add(1)
	return c.about("cast", thing, &packets.UseOn{Player: c.ID(), Target: target})
}

// drinkTime is how long a hunter waits between two healing things.
const drinkTime = 3 * time.Second

// drink uses a healing thing when few HP are left: a mantra if there is one. At rest it uses mantras only, and until it
// is well.
func (c *Client) drink(now time.Time) (bool, error) {
	enough := huntAbove
	if !c.hurried(now) {
		enough = restedAbove
	}
	if c.health() >= enough || now.Before(c.hunter.uses) {
		return false, nil
	}
	var best *Object
	for _, o := range c.inventory() {
		k, n := c.numbersOf(o)
		if k == nil || !c.heals(k, &n) || int(c.Stats[packets.StatMP]) < -n.UseMP {
			continue
		}
		if lasts(k) {
			best = o
			break
		}
		if best == nil && c.health() < huntAbove {
			best = o
		}
	}
	if best == nil {
		return false, nil
	}
	c.tally.Drunk.Add(1)
	if k := c.kindOf(best); lasts(k) {
		return true, c.castOnItself(best, now)
	}
	c.hunter.uses = now.Add(drinkTime)
	c.fight.struckAt = now // one thing at a time
	return true, c.Use(best.ID)
}

// castOnItself casts a mantra, and waits until that has taken its time.
func (c *Client) castOnItself(o *Object, now time.Time) error {
	_, n := c.numbersOf(o)
	c.hunter.uses = now.Add(max(drinkTime, c.options.Balance.Blow.UseTime(&n)+time.Second))
	c.walker.rest = later(c.walker.rest, now.Add(time.Second))
	return c.Cast(o.ID, c.ID())
}

// refill turns HP into MP by a mantra, at rest and for a school that needs many: HP come back sooner.
func (c *Client) refill(now time.Time) (bool, error) {
	mp, most := c.Stats[packets.StatMP], c.Stats[packets.StatMaxMP]
	if !c.school().Magical() || c.hurried(now) || c.health() < huntAbove || float64(mp) >= restedAbove*float64(most) {
		return false, nil
	}
	best := c.strongest(func(k *rules.Kind, n *rules.Columns) float64 {
		s, ok := c.refills(k, n)
		if !ok || int(c.Stats[packets.StatHP]) <= 2*s.CostHP {
			return 0
		}
		return float64(s.MP)
	})
	if best == nil {
		return false, nil
	}
	if now.Before(c.hunter.uses) {
		c.walker.rest = later(c.walker.rest, now.Add(time.Second))
		return true, nil
	}
	return true, c.castOnItself(best, now)
}

// refills reports whether a thing is a mantra that gives the character MP, and for how many HP.
func (c *Client) refills(k *rules.Kind, n *rules.Columns) (s rules.Spell, ok bool) {
	s, ok = c.options.Balance.Effect.SpellOf(k.Class, k, n)
	return s, ok && k.Class == classWhite && s.MP > 0 && s.Effect.ID == 0 && c.able(n)
}

// ward casts the best mantra of armour on itself before a fight, when the last one is about to end.
func (c *Client) ward(now time.Time) (bool, error) {
	h := &c.hunter
	if now.Before(h.warded) || now.Before(h.uses) || c.hurried(now) {
		return false, nil
	}
	best := c.strongest(func(k *rules.Kind, n *rules.Columns) float64 {
		if !c.wards(k, n) || int(c.Stats[packets.StatMP]) < 2*-n.UseMP {
			return 0
		}
		return float64(n.Bonus.PhysicalDefence)
	})
	if best == nil {
		return false, nil
	}
	_, n := c.numbersOf(best)
	h.warded = now.Add(time.Duration(n.EffectSeconds()) * time.Second * 9 / 10)
	return true, c.castOnItself(best, now)
}

// wards reports whether a thing is a mantra that makes its caster harder to hurt for a while.
func (c *Client) wards(k *rules.Kind, n *rules.Columns) bool {
	s, ok := c.options.Balance.Effect.SpellOf(k.Class, k, n)
	return ok && k.Class == classWhite && s.Effect.ID != 0 && !s.Harms() && s.CostHP == 0 && n.Bonus.PhysicalDefence > 0 &&
		n.EffectSeconds() >= longWard && c.able(n)
}

// longWard is how many seconds a mantra of armour lasts at least that is worth its MP.
const longWard = 300

// strongest is the thing in the inventory that is worth most, nil if none is worth more than 0.
func (c *Client) strongest(worth func(k *rules.Kind, n *rules.Columns) float64) (best *Object) {
	most := 0.0
	for _, o := range c.inventory() {
		if k, n := c.numbersOf(o); k != nil {
			if w := worth(k, &n); w > most {
				best, most = o, w
			}
		}
	}
	return best
}

// nock puts arrows where the crossbow takes them from, and lets go of a crossbow without any.
func (c *Client) nock() (bool, error) {
	if c.school() != Archery || c.arrows() != nil {
		return false, nil
	}
	for slot, o := range c.inventory() {
		if isArrow(o) {
			c.hunter.arms = time.Time{}
			return true, c.Move(c.ID(), slot, rules.SlotAmmunition)
		}
	}
	if isCrossbow(c.kindOf(c.Objects[c.busy.inHand])) {
		c.busy.inHand, c.hunter.arms = packets.NoObject, time.Time{}
		return true, c.Take(packets.EmptyHand)
	}
	return false, nil
}

// A wish is something that a hunter would buy.
type wish struct {
	shop  rules.ShopKind
	fits  func(k *rules.Kind, n *rules.Columns) bool
	count int    // of it
	purse uint32 // with so much money it sets out for it
	spare uint32 // it keeps so much money for other things
}

const (
	arrowsWanted  = 100
	arrowsTooFew  = 20
	healingWanted = 5
	foodWanted    = 5
)

// wishes are the things that the character lacks, the most urgent first: food if it is hungry, a mantra that heals,
// weapons of its school, food, mantras, healing things, better gear.
func (c *Client) wishes() (all []wish) {
	has := func(fits func(k *rules.Kind, n *rules.Columns) bool) (count int) {
		for _, o := range c.inventory() {
			if k, n := c.numbersOf(o); k != nil && fits(k, &n) {
				count += max(o.Count, 1)
			}
		}
		return count
	}
	lacks := func(least int, w wish) {
		if has(w.fits) < least {
			all = append(all, w)
		}
	}
	food := func() { lacks(1, wish{rules.Tavern, feeds, foodWanted, 15, 0}) }
	starves := c.Stats[packets.StatSatiety] < hungry
	if starves {
		food()
	}
	mends := c.mends()
	if !mends { // it is cheap, and spares more rest than anything else
		lacks(1, wish{rules.Magic, func(k *rules.Kind, n *rules.Columns) bool { return lasts(k) && c.heals(k, n) }, 1, 0, 0})
	}
	switch school := c.school(); {
	case school == Archery:
		bow := func(k *rules.Kind, n *rules.Columns) bool { return isCrossbow(k) && c.able(n) }
		arrow := func(k *rules.Kind, _ *rules.Columns) bool { return k.Class == classArrow }
		lacks(1, wish{rules.Weapons, bow, 1, 120, 0})
		if o := c.arrows(); has(bow) > 0 && (o == nil || o.Count < arrowsTooFew) {
			lacks(arrowsTooFew, wish{rules.Weapons, arrow, arrowsWanted, 40, 0})
		}
	case school.Magical():
		lacks(1, wish{rules.Magic, c.attacks, 1, 0, 0})
		if !c.has(c.attacks) && !starves { // it saves for its first one
			food()
			return all
		}
		lacks(1, wish{rules.Magic, func(k *rules.Kind, n *rules.Columns) bool {
			_, ok := c.refills(k, n)
			return ok
		}, 1, 30, 0})
	}
	if !starves {
		food()
	}
	lacks(1, wish{rules.Magic, c.wards, 1, 40, 0})
	if !mends {
		lacks(2, wish{rules.Magic, c.heals, healingWanted, 30, 0}) // powders: potions are in taverns, far from the hunt
	}
	return append(all, c.gear()...)
}

// mends reports whether the character has a mantra that heals.
func (c *Client) mends() bool {
	return c.has(func(k *rules.Kind, n *rules.Columns) bool { return lasts(k) && c.heals(k, n) })
}

// has reports whether the character has a thing in its inventory.
func (c *Client) has(fits func(k *rules.Kind, n *rules.Columns) bool) bool {
	return c.first(func(o *Object) bool {
		k, n := c.numbersOf(o)
		return k != nil && fits(k, &n)
	}) != nil
}

// feeds reports whether a kind is food that is worth its place.
func feeds(k *rules.Kind, _ *rules.Columns) bool { return packets.Class(k.Class) == classBread }

const classBread packets.Class = 653

// An errand is a trader that has something for the character.
type errand struct {
	shop rules.ShopKind
	at   coords.Position
}

// errands are the nearest traders where the character could buy its wishes, with its money and the price of its loot.
func (c *Client) errands() (all []errand) {
	funds := c.funds()
	for _, w := range c.wishes() {
		if funds < w.purse {
			continue
		}
		if t, ok := c.trader(w, funds); ok && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// funds are the character's money and about what its loot is worth to a trader.
func (c *Client) funds() uint32 {
	worth := 0
	for _, o := range c.inventory() {
		if c.sellable(o) {
			if k := c.kindOf(o); k != nil {
				worth += int(rules.SellFraction * float64(max(o.Count, 1)*c.options.Catalogue.Worth(k, int(o.Spawn.D))))
			}
		}
	}
	return c.Money + uint32(min(worth, math.MaxInt32))
}

// trader is the nearest one that has what the character wishes and can pay, in a town or a village: those of villages
// have better things. It is false without one that is near enough.
func (c *Client) trader(w wish, funds uint32) (found errand, ok bool) {
	area, _ := content.AreaOf(c.Position)
	nearest := float64(tradeFar)
	for _, t := range content.NPCs() {
		kind := rules.ShopKind(t.Type)
		is := kind == w.shop || w.shop == anyShop && kind >= rules.Tavern && kind <= rules.Weapons
		d := c.Position.Distance(t.Position)
		if !is || t.Area != area.Key || d >= nearest {
			continue
		}
		if w.fits == nil || slices.ContainsFunc(c.shelves(kind, t.Tier), func(o rules.Offer) bool {
			return uint32(o.Price)+w.spare <= max(w.purse, funds) && w.fits(o.Kind, &o.Kind.Columns)
		}) {
			found, nearest, ok = errand{w.shop, t.Position}, d, true
		}
	}
	return found, ok
}

// tradeFar is how far a hunter goes to a trader, in metres.
const tradeFar = 2500

// shelves are about the goods of traders of a tier: their suffixes, which change each day, are not known.
func (c *Client) shelves(kind rules.ShopKind, tier int) []rules.Offer {
	key := stock{c.options.Catalogue, kind, tier}
	if known, ok := stocks.Load(key); ok {
		return known.([]rules.Offer)
	}
	offers := key.of.Shelves(rules.ShopOf(int(kind), 0, tier, 0))
	stocks.Store(key, offers)
	return offers
}

// A stock is a sort of traders: the catalogue of their goods, these, and the first tier of them.
type stock struct {
	of   *content.Catalogue
	kind rules.ShopKind
	tier int
}

// stocks are the goods of each sort of traders, as [rules.Offer]s.
var stocks sync.Map

const (
	shopEvery = 6 * time.Minute
)

// wished finds a wish of the character among a trader's goods, and how many of it to buy.
func (c *Client) wished(trader *Object) (slot uint8, count int) {
	if _, free := c.FreeSlot(); !free || trader == nil {
		return 0, 0
	}
	for _, w := range c.wishes() {
		best, worth, price := uint8(0), 0.0, uint32(0)
		for _, n := range slices.Sorted(maps.Keys(trader.Goods)) {
			a := trader.Goods[n]
			o := c.Objects[a.Item]
			k, numbers := c.numbersOf(o)
			if k == nil || a.Price == 0 || a.Price > c.Money || !w.fits(k, &numbers) {
				continue
			}
			_, is := c.serves(k, &numbers)
			if is < worth || is == worth && a.Price <= price {
				continue
			}
			best, worth, price = n, is, a.Price
			count = min(w.count, int(c.Money/a.Price), max(o.Count, 1))
		}
		if count > 0 {
			return best, count
		}
	}
	return 0, 0
}

// keeps reports whether the character wants to keep an item, at any price that a trader would pay.
func (c *Client) keeps(o *Object) bool {
	k, n := c.numbersOf(o)
	switch {
	case k == nil:
		return false
	case c.quests() && slices.Contains(c.quest.wants.kinds, k.ID):
		return true
	case c.better(k, &n) > 0:
		return true
	case c.school() == Archery && isArrow(o):
		return true
	}
	switch what, worth := c.serves(k, &n); what {
	case striking, helping, healing, refilling, warding:
		return c.better(k, &n) == 0 && o == c.first(func(other *Object) bool { // of two alike it keeps one
			k, n := c.numbersOf(other)
			if k == nil {
				return false
			}
			same, as := c.serves(k, &n)
			return same == what && as == worth
		})
	case protecting:
		return false
	}
	return c.heals(k, &n) && !c.mends()
}

// A craft has the client's expectations of things that it uses up and pays for.
type craft struct {
	fights *way // nil until it is asked for, see [Client.fights]

	owes bool  // MP that a spell costs have not been told
	mp   int32 // the MP expected then
	hp   int32 // HP that a spell costs have not been told: so many

	used []usedUp // in this body

	shots, spent int // with a crossbow, and arrows that have gone
}

// usedUp is a stack of which one was used, and how many it had.
type usedUp struct {
	id    packets.ObjectID
	class packets.Class
	had   int
}

// thingUsed notes the cost of the use of a thing, when it is told that the own character uses it.
func (c *Client) thingUsed(o *Object, m *packets.Used) {
	k, n := c.numbersOf(o)
	if m.Player != c.ID() || k == nil || c.options.Dialect == packets.Classic {
		return
	}
	s, ok := c.options.Balance.Effect.SpellOf(k.Class, k, &n)
	if !ok {
		return
	}
	t := &c.craft
	if s.Attack && rules.ClassOf(k.Class).Use == rules.Mantra {
		s.CostMP = c.easyCost(s.CostMP)
	}
	if s.CostMP > 0 {
		t.owes, t.mp = c.knows(packets.StatMP), c.Stats[packets.StatMP]-int32(s.CostMP)
	}
	t.hp = int32(s.CostHP)
	if !rules.ClassOf(k.Class).Use.Kept() {
		t.used = append(t.used, usedUp{o.ID, o.Class, max(o.Count, 1)})
	}
}

// endUse judges the messages of a body about used things: one of a stack goes, MP fall by exactly the cost of a spell.
func (c *Client) endUse(frame []byte) {
	t, v := &c.craft, &c.update.vitals
	for _, u := range t.used {
		left := 0
		if o := c.Objects[u.id]; o != nil {
			left = max(o.Count, 1)
		}
		if left != u.had-1 {
			c.find(WrongSum, "%s %s was %d, one is used, and is %d: %s", u.class, u.id, u.had, left, shown(frame))
		}
	}
	t.used = t.used[:0]
	if !t.owes || !v.toldMP && !v.maxTold {
		return
	}
	t.owes = false
	if mp := c.Stats[packets.StatMP]; !v.maxTold && !v.regained && mp != t.mp && !c.options.AllowExternalChanges {
		c.find(WrongSum, "%d MP after a spell, expected %d: %s", mp, t.mp, shown(frame))
	}
}

// counted judges the new number of a stack of arrows that is being shot: no more go than there were shots. Those that
// were shot while the store was slow go together.
func (c *Client) counted(o *Object, is int) {
	if was, t := o.Count, &c.craft; isArrow(o) && c.arrows() == o && is < was {
		if t.spent += was - is; t.spent > t.shots {
			c.find(WrongSum, "%d arrows then %d: %d have gone by %d shots", was, is, t.spent, t.shots)
		}
	}
	o.Count = is
}
