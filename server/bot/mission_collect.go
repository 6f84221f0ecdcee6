package bot

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/lazyregexp"
	"sphereserver/world/rules"
)

// This file is how a client does missions of collecting: it buys the things, picks them up or takes them from monsters.
//
// Source: protocol life 4.1, 4.4.

// wanted are the things to collect.
type wanted struct {
	kinds  []int // numbers of the kinds with that name; nil while it is not known
	count  int
	asked  time.Time // the server, for the thing
	tries  int       // to ask that
	since  time.Time // it is known
	quarry []int     // types of monsters that leave it
	seller seller    // the nearest one that has it
	sold   bool      // there is one
}

// A seller is a trader that has the wanted thing.
type seller struct {
	at    coords.Position
	price int64 // of one
}

const (
	collectTime  = 5 * time.Minute
	collectRange = 40 // metres to lying things
)

// kindsByName are the kinds of things by their names in each language.
var kindsByName = sync.OnceValue(func() map[string][]int {
	all := map[string][]int{}
	for i := range content.Default().Kinds() {
		k := &content.Default().Kinds()[i]
		names := []string{k.Name("ru"), k.Name("en")}
		for _, name := range slices.Compact(names) {
			all[name] = append(all[name], k.ID)
		}
	}
	return all
})

// countedName is the end of a name and how many there are to be of it.
var countedName = lazyregexp.Of(`, (\d{1,4})\b`)

// namedKinds finds the kinds that a line names, and how many of them; count 0 for none. Of several names that end at
// one place the longest counts.
func namedKinds(line string) (kinds []int, count int) {
	names := kindsByName()
	for _, at := range countedName().FindAllStringSubmatchIndex(line, -1) {
		n, _ := strconv.Atoi(line[at[2]:at[3]])
		for i := range line[:at[0]] {
			if found := names[line[i:at[0]]]; len(found) > 0 && n > 0 {
				return found, n
			}
		}
	}
	return nil, 0
}

// missionLine looks for the things to collect in a system message: clients are told them nowhere else.
func (c *Client) missionLine(text string) {
	w := &c.quest.wants
	if c.quest.kind != rules.Collect || len(w.kinds) > 0 {
		return
	}
	if w.kinds, w.count = namedKinds(text); w.count > 0 {
		w.since, w.tries = time.Now(), 0
		w.quarry = quarryOf(w.kinds)
		w.seller, w.sold = sellerOf(w.kinds, c.Position)
	}
}

// isWanted reports whether an object is a thing to collect.
func (c *Client) isWanted(o *Object) bool {
	k := c.kindOf(o)
	key := c.MissionKey()
	return k != nil && key != nil && slices.Contains(c.quest.wants.kinds, k.ID) &&
		(o.Spawn.D >= 0 || !(&rules.Mission{Template: string(key.Target.Template[:])}).Fine(k))
}

// missing is how many things are still to be collected.
func (c *Client) missing() int {
	n := c.quest.wants.count
	for _, o := range c.inventory() {
		if c.isWanted(o) {
			n -= max(o.Count, 1)
		}
	}
	return n
}

// collect does the next step of collecting.
func (c *Client) collect(now time.Time) error {
	q := &c.quest
	w := &q.wants
	switch {
	case len(w.kinds) == 0:
		return c.askWhatIsWanted(now)
	case c.missing() <= 0:
		return c.toGiver(now)
	case now.Sub(w.since) > collectTime:
		return c.dropMission(tooLong, now)
	}
	if room, err := c.roomForParcel(now); !room {
		return err
	}
	o := c.nearestStanding(func(o *Object) bool {
		return o.OnGround() && c.isWanted(o) && !c.hunter.avoid[o.ID].After(now)
	})
	if o != nil && c.Position.Distance(o.Position) < collectRange {
		if there, err := c.comeUpTo(o, now); !there {
			return err
		}
		c.hunter.shun(o.ID, now) // whatever the outcome
		return c.PickUp(o.ID)
	}
	affordable := w.seller.price*int64(c.missing()) <= int64(c.Money)
	switch {
	case w.sold && affordable:
		c.beginTask(c.buyWanted(), now)
		c.busy.giveUp = now.Add(townTime)
		return nil
	case len(w.quarry) > 0:
		if found, err := c.goHunting(now); found || err != nil {
			return err
		}
	case w.sold:
		return c.dropMission(tooPoor, now)
	}
	return c.dropMission(notToBeHad, now)
}

// askWhatIsWanted asks the server for the things to collect.
func (c *Client) askWhatIsWanted(now time.Time) error {
	w := &c.quest.wants
	switch {
	case now.Sub(w.asked) < c.patient(arrivalPatience):
		return nil
	case w.tries == missionTries:
		c.find(MissionFails, "nothing says what is to be collected")
		c.quest.tries = missionTries
		return nil
	}
	w.tries++
	w.asked = now
	return c.missionCommand("", now)
}

// sellerOf is the nearest trader of the continent that has one of some kinds, by the server's own tables.
func sellerOf(kinds []int, from coords.Position) (nearest seller, ok bool) {
	here, open := content.ContinentOf(from)
	for _, t := range content.NPCs() {
		if !open || t.Area != here.Key || ok && from.Distance(t.Position) >= from.Distance(nearest.at) {
			continue
		}
		for _, o := range content.Default().Shelves(rules.ShopOf(t.Type, int(t.Name), t.Tier, 0)) {
			if slices.Contains(kinds, o.Kind.ID) {
				nearest, ok = seller{t.Position, int64(o.Price)}, true
				break
			}
		}
	}
	return nearest, ok
}

// buyWanted goes to the trader and buys the wanted things. A trader that was no use is not asked again.
func (c *Client) buyWanted() func(time.Time) error {
	w := &c.quest.wants
	opened, deals, arrived := false, 0, time.Time{}
	return func(now time.Time) error {
		trader := c.nearestStanding(func(o *Object) bool {
			return o.Occupation >= firstShop && o.Occupation <= lastShop && o.Position.Distance(w.seller.at) < markPatch
		})
		switch {
		case trader == nil && !c.approach(w.seller.at, now):
			return nil
		case trader == nil && arrived.IsZero():
			arrived = now
			return nil
		case trader == nil && now.Sub(arrived) < c.patient(entryPatience):
			return nil
		case trader != nil && !opened:
			there, err := c.comeUpTo(trader, now)
			if there {
				opened, err = true, c.OpenTrade(trader.ID)
			}
			return err
		case trader != nil && c.Trader == trader.ID && c.missing() > 0 && deals < dealsAtOnce && len(c.missingSpawn) > 0:
			return nil // the goods are about to be shown
		case trader != nil && c.Trader == trader.ID && c.missing() > 0 && deals < dealsAtOnce:
			for _, slot := range slices.Sorted(maps.Keys(trader.Goods)) {
				a := trader.Goods[slot]
				if o := c.Objects[a.Item]; o != nil && c.isWanted(o) && a.Price > 0 && a.Price <= c.Money {
					deals++
					return c.Buy(slot, min(c.missing(), max(o.Count, 1)))
				}
			}
		}
		w.sold = false
		c.endTask(now)
		return nil
	}
}

// quarryOf is which types of monsters leave one of some kinds.
func quarryOf(kinds []int) (types []int) {
	monsters := content.Default().Monsters()
	for i := range monsters {
		if slices.ContainsFunc(monsters[i].Trophies[:], func(t rules.Trophy) bool {
			return t.Chance > 0 && slices.Contains(kinds, t.Kind)
		}) {
			types = append(types, monsters[i].ID)
		}
	}
	return types
}

// quarry is which types of monsters the character hunts for its mission; nil for none.
func (c *Client) quarry() []int {
	if c.quest.kind != rules.Collect || c.MissionKey() == nil {
		return nil
	}
	return c.quest.wants.quarry
}
