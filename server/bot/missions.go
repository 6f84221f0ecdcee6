package bot

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// This file takes a client's missions and does them: to a giver, to the entrance, into the dungeon, to the target,
// out again.
//
// Source: protocol life 4.

// A quest is the client's knowledge of its mission besides the key, and its work on it.
type quest struct {
	kind      byte            // of the mission that it has, or had last
	taken     bool            // a mission of an untold kind was given
	place     packets.MapMark // where it leads, along the ground
	marked    bool            // the place has been told
	inside    bool            // the character is in the dungeon of a mission
	entrance  packets.MapMark // of that dungeon
	requested bool            // the window has asked for a mission
	chests    int             // of the dungeon that it is still going to look into
	opened    []packets.ObjectID
	asked     time.Time // to enter or to leave, or to be relieved of something; zero: it does not wait for that
	next      time.Time // nothing is done before
	since     time.Time // from then on the place, and there the target, should be known
	tries     int       // to get in or out, or to hand over, in vain
	failures  int       // flights and deaths
	asks      int       // for a rank of a guild since the last mission
	led       escort
	wants     wanted
	done      Missions
}

// Missions are the outcomes of a client's missions.
type Missions struct {
	Taken, Fulfilled, Paid, GivenUp int
	Dungeons                        int // that it has entered
}

// missionKinds are the letters of all kinds. Source: protocol life 4.1.
const missionKinds = "kbfhpsqc"

// A kindTally counts the missions of a kind.
type kindTally struct{ taken, paid, givenUp atomic.Uint64 }

// missionKind is the tally of a kind; all that are not known have one.
func (t *Tally) missionKind(kind byte) *kindTally {
	if i := strings.IndexByte(missionKinds, kind); i >= 0 {
		return &t.kinds[i]
	}
	return &t.kinds[len(missionKinds)]
}

// Missions returns the outcomes of the client's missions since it connected.
func (c *Client) Missions() Missions { return c.quest.done }

const (
	missionTries    = 3
	missionRetry    = 5 * time.Second  // before it asks again for a mission
	missionPause    = time.Second      // between the request and the look at its outcome
	targetPatience  = 90 * time.Second // outside: another player may have killed it
	entrancePatch   = 10               // metres around an entrance from which it can be used
	markPatch       = 1.5              // metres around a mark within which its person stands
	mostChests      = 3                // that it looks into in a dungeon
	chestAbove      = 0.9              // of the greatest HP: they may have traps
	likesTheCommand = 3                // one in so many uses commands in place of things and people
)

// Texts of the client about missions. Source: protocol life 4.2.
const (
	textFulfilled   = 73
	textMission     = 75
	textMissionOver = 77
)

// MissionKey is the key of the mission that the character has, nil without one.
func (c *Client) MissionKey() *Object {
	if o := c.Objects[c.Slots[rules.SlotMission].Item]; o != nil && o.Class == packets.ClassMission && o.Target != nil {
		return o
	}
	return nil
}

// AskForMission asks the giver in the open trade window for a mission, as the client's window may.
//
// Source: protocol life 4.3; the bytes are ours.
func (c *Client) AskForMission(giver packets.ObjectID, goal rules.MissionGoal) error {
	id := uint32(giver)
	return c.about("ask for a mission", giver,
		&packets.MissionRequest{Data: []byte{byte(goal), byte(id), byte(id >> 8), 0}})
}

// missionText notes a text about missions in a body.
func (c *Client) missionText(text int) {
	switch q := &c.quest; text {
	case textMission:
		c.update.mission = true
		q.tries, q.failures, q.asks, q.requested, q.next, q.since = 0, 0, 0, false, time.Time{}, time.Now()
		q.marked, q.asked, q.led, q.wants = false, time.Time{}, escort{}, wanted{}
		q.taken = true
		q.done.Taken++
		c.tally.Missions.Add(1)
	case textFulfilled:
		c.update.mission, c.update.fulfilled = true, true
		q.asked, q.tries = time.Time{}, 0
	case textMissionOver:
		c.update.mission = true
		c.givenUp(timeOver)
	}
}

// missionTold notes the text of the key of a mission.
func (c *Client) missionTold(o *Object, m *packets.MissionTarget) {
	q := &c.quest
	o.Target, q.kind = m, m.Template[0]
	if q.taken {
		q.taken = false
		c.tally.missionKind(q.kind).taken.Add(1)
	}
}

// missionMarked notes where the mission leads.
func (c *Client) missionMarked(m *packets.MapMark) {
	c.quest.place, c.quest.marked, c.quest.since = *m, true, time.Now()
}

// judgeMission looks at the messages of a body about a mission: its end takes the key and pays, and the death of its
// target by the own character is its end.
//
// Source: protocol life 4.2, row 648.
func (c *Client) judgeMission(frame []byte) {
	u, q := &c.update, &c.quest
	if u.slain && !u.fulfilled && c.MissionKey() != nil && !c.dead() {
		c.find(MissionFails, "its target has died, and it goes on: %s", shown(frame))
	}
	if !u.fulfilled {
		return
	}
	q.done.Fulfilled++
	c.tally.MissionsFulfilled.Add(1)
	if !slices.ContainsFunc(u.changes, func(ch slotChange) bool {
		return int(ch.slot) == rules.SlotMission && ch.was != packets.NoObject && c.Slots[ch.slot].Item == packets.NoObject
	}) {
		c.find(PaidOtherwise, "a mission is fulfilled, and no key is taken: %s", shown(frame))
	}
	if c.Money <= u.money && !u.rewarded {
		c.find(PaidOtherwise, "a mission is fulfilled, and nothing is paid: %s", shown(frame))
		return
	}
	q.done.Paid++
	c.tally.MissionsPaid.Add(1)
	c.tally.missionKind(q.kind).paid.Add(1)
}

// rewards are the values of a character in which missions pay, besides money.
var rewards = [...]packets.Stat{packets.StatTitle, packets.StatTitleXP, packets.StatDegree, packets.StatDegreeXP,
	packets.StatKarmaPoints}

// missionSlain notes that the own character has killed a monster.
func (c *Client) missionSlain(o *Object) {
	key := c.MissionKey()
	c.update.slain = c.update.slain || key != nil && key.ends() && o.Name == key.Target.Name
}

// targetGone notes that a monster is not shown any more: if it is the target of the mission, another one is waited for
// from now on, however long the fight for it was.
func (c *Client) targetGone(o *Object) {
	if key := c.MissionKey(); key != nil && o.Name == key.Target.Name {
		c.quest.since = time.Now()
	}
}

// missionPlaced notes that the server has put the character somewhere.
func (c *Client) missionPlaced(at coords.Position) {
	q := &c.quest
	switch among := rules.AmongInstances(at); {
	case !among:
		q.inside = false
	case !q.inside && !q.asked.IsZero():
		q.inside, q.entrance, q.since = true, q.place, time.Now()
		q.chests, q.opened = c.rand.IntN(mostChests+1), nil
		q.done.Dungeons++
		c.tally.Dungeons.Add(1)
	}
	q.asked, q.tries = time.Time{}, 0
}

// doMission does the next thing about missions.
func (c *Client) doMission(now time.Time) (bool, error) {
	q, key := &c.quest, c.MissionKey()
	switch {
	case now.Before(q.next):
	case c.Trader != packets.NoObject && (key != nil || q.requested):
		q.requested, q.next = false, now.Add(missionRetry)
		if key != nil {
			q.next = time.Time{}
		}
		return true, c.CloseTrade()
	case key == nil && q.inside:
		return true, c.leaveMission(now)
	case key == nil:
		return true, c.seekMission(now)
	default:
		return true, c.pursue(key, now)
	}
	return true, nil
}

// pursue does the next thing about the mission that the character has.
func (c *Client) pursue(key *Object, now time.Time) error {
	q, m := &c.quest, key.mission()
	parcel := c.owns(rules.ClassParcel) != nil
	switch {
	case q.failures >= missionTries:
		return c.dropMission(beaten, now)
	case q.tries >= missionTries:
		return c.dropMission(inVain, now)
	case q.inside && c.lookIntoChest(now):
		return nil
	case parcel && m.Returns():
		return c.returnParcel(now)
	case m.Inside() && !q.inside:
		return c.enterMission(key, now)
	}
	switch m.Kind() {
	case rules.KillInside, rules.KillOutside:
		return c.seekTarget(key, now)
	case rules.RegainParcel:
		return c.regainParcel(key, now)
	case rules.FetchParcel:
		return c.fetchParcel(now)
	case rules.BringParcel:
		return c.bringParcel(key, now)
	case rules.FreePerson, rules.GuidePerson:
		return c.lead(m.Kind(), now)
	case rules.Collect:
		return c.collect(now)
	}
	return c.dropMission(unknownKind, now)
}

// mission is the mission as its key describes it.
func (o *Object) mission() rules.Mission {
	return rules.Mission{Template: string(o.Target.Template[:]), Target: o.Target.Name}
}

// ends reports whether the mission of a key ends when its target dies.
func (o *Object) ends() bool {
	kind := o.Target.Template[0]
	return kind == rules.KillInside || kind == rules.KillOutside
}

// missionCommand says something to the server about missions.
func (c *Client) missionCommand(words string, now time.Time) error {
	return c.request("/mission "+words, now)
}

// request says something to the server that changes slots or the place of the character.
func (c *Client) request(words string, now time.Time) error {
	words = strings.TrimSpace(words)
	c.busy.asked = now
	c.busy.requests = append(c.busy.requests, pendingRequest{what: words, ends: slotTold | placeTold, at: now})
	c.tally.Requests.Add(1)
	return c.Say(channelNormal, words)
}

// A giveUp is why a mission was given up.
type giveUp uint8

// The reasons.
const (
	beaten      giveUp = iota // it has fled or died too often
	inVain                    // the server refused a step of the mission, which is told as a violation
	noRoom                    // for its thing, and no item to do without
	tooPoor                   // to buy the things to collect
	notToBeHad                // no trader sells and no monster leaves the things to collect, as far as it knows
	tooLong                   // the things to collect have not been found
	unknownKind               // the client knows no missions of the kind
	timeOver                  // the server has ended it
	giveUps                   // count
)

var giveUpTexts = [giveUps]string{"beaten", "in vain", "no room", "too poor", "not to be had", "not found in time",
	"unknown kind", "time over"}

// givenUp counts a mission that is given up.
func (c *Client) givenUp(why giveUp) {
	c.quest.done.GivenUp++
	c.tally.MissionsGivenUp.Add(1)
	c.tally.givenUp[why].Add(1)
	c.tally.missionKind(c.quest.kind).givenUp.Add(1)
	c.tell("gives its mission up: %s", giveUpTexts[why])
}

func (c *Client) dropMission(why giveUp, now time.Time) error {
	q := &c.quest
	q.tries, q.failures, q.next = 0, 0, now.Add(missionRetry)
	c.givenUp(why)
	return c.missionCommand("drop", now)
}

// fleeMission runs to the door out of the dungeon: no word leads out of a fight.
func (c *Client) fleeMission(now time.Time) error {
	q := &c.quest
	if now.Before(q.next) {
		return nil
	}
	door := c.nearestOf(rules.ClassDoorOut)
	if door == nil {
		return c.flee(now)
	}
	if c.hunter.prey != packets.NoObject || c.busy.task != nil {
		c.hunter.prey, c.busy.task = packets.NoObject, nil
		c.walker.follow(nil, now)
	}
	if !c.approach(door.Position, now) {
		return nil
	}
	c.tally.Fled.Add(1)
	q.failures++
	q.next, q.asked = now.Add(missionPause), now
	return c.Use(door.ID)
}

// Classes of givers of missions, and of the masters of guilds. Source: protocol life 1.1, 5.1.
var (
	giverClasses  = [...]packets.Class{205, 208, 209}
	masterClasses = [...]packets.Class{216}
)

// seekMission goes to the nearest giver of missions, and asks for one: as the client's window does, or by command. It
// goes to the master of a guild when one nearby has a rank for the character.
func (c *Client) seekMission(now time.Time) error {
	q := &c.quest
	master, rises := c.nearestGiver(c.givesRank)
	rises = rises && q.asks < missionTries && c.Position.Distance(master) < wayFar
	giver, at, ok := c.giverInSight(giverClasses[:]), coords.Position{}, false
	if rises {
		giver, at, ok = c.giverInSight(masterClasses[:]), master, true
		if giver != nil && master.Distance(giver.Position) > markPatch {
			giver = nil // the master of another guild
		}
	} else if giver == nil {
		at, ok = c.nearestGiver(func(g *rules.MissionGiver) bool { return g.Guild == 0 })
	}
	if giver == nil {
		if ok && (!c.walker.following() || c.walker.roaming) {
			c.goTo(at, now)
		}
		return nil
	}
	if !c.approach(giver.Position, now) {
		return nil
	}
	if _, free := c.FreeSlot(); !free { // a parcel may come with the mission
		if _, err := c.makeRoom(now); err != nil {
			return err
		}
	}
	goal := rules.MissionGoal(c.rand.IntN(int(rules.MissionGoals)))
	switch {
	case rises:
		q.asks++
		q.next = now.Add(missionRetry)
		return c.request("/guild rise", now)
	case c.Trader == giver.ID:
		q.requested, q.next = true, now.Add(missionPause)
		return c.AskForMission(giver.ID, goal)
	case c.rand.IntN(likesTheCommand) == 0:
		q.next = now.Add(missionRetry)
		return c.missionCommand("take "+goal.Name("en"), now)
	}
	q.next = now.Add(missionPause)
	return c.OpenTrade(giver.ID)
}

// giverInSight is the nearest object of some classes, nil for none.
func (c *Client) giverInSight(classes []packets.Class) (nearest *Object) {
	for _, class := range classes {
		if o := c.nearestOf(class); o != nil &&
			(nearest == nil || c.Position.Distance(o.Position) < c.Position.Distance(nearest.Position)) {
			nearest = o
		}
	}
	return nearest
}

// givesRank reports whether a giver is the master of a guild that has a rank for the character.
func (c *Client) givesRank(g *rules.MissionGiver) bool {
	stat := func(s packets.Stat) int { return int(c.Stats[s]) }
	is := rules.Progress{Guild: max(stat(packets.StatGuild)-guildAbove, 0), GuildRank: stat(packets.StatGuildRank)}
	_, why := rules.NextRank(g.Guild, stat(packets.StatTitle), stat(packets.StatDegree), &is)
	return g.Guild != 0 && why == 0
}

// guildAbove is the difference between the value of a guild and its number. Source: protocol ingame 10.9.
const guildAbove = 64

// nearestGiver is the place of the nearest giver on the continent that fits, by the server's own table.
func (c *Client) nearestGiver(fits func(*rules.MissionGiver) bool) (at coords.Position, ok bool) {
	from := c.Position
	here, open := content.ContinentOf(from)
	least := math.Inf(1)
	for _, t := range content.NPCs() {
		g := t.Giver()
		if d := from.Distance(t.Position); open && t.Area == here.Key && d < least && g != nil && fits(g) {
			at, least, ok = t.Position, d, true
		}
	}
	return at, ok
}

// approachMark goes to the place that is marked, of which no height is known, and reports whether the character is
// there.
func (c *Client) approachMark(now time.Time) bool {
	q := &c.quest
	if !q.marked {
		if now.Sub(q.since) > c.patient(entryPatience) {
			c.find(Missing, "no mark of where the mission leads")
			q.tries = missionTries
		}
		return false
	}
	return c.approach(coords.Position{X: q.place.X, Y: c.Position.Y, Z: q.place.Z}, now)
}

// waitsFor reports whether the character waits for an answer of a door or a person, and notes when that was in vain.
func (c *Client) waitsFor(what string, now time.Time) bool {
	q := &c.quest
	switch {
	case q.asked.IsZero():
		return false
	case now.Sub(q.asked) < c.patient(arrivalPatience):
		return true
	}
	q.asked = time.Time{}
	if q.tries++; q.tries == missionTries {
		c.find(MissionFails, "%s, at %s", what, placeText(c.Position))
	}
	return false
}

// enterMission goes to the entrance and uses it, with the key.
func (c *Client) enterMission(key *Object, now time.Time) error {
	q := &c.quest
	if c.waitsFor("the key of a mission lets nobody in", now) || !c.approachMark(now) {
		return nil
	}
	q.asked = now
	entrance := c.Nearest(func(o *Object) bool { return o.Class == rules.ClassMissionEntrance && o.Number == key.Number })
	if c.within(entrance, entrancePatch) != nil && c.rand.IntN(likesTheCommand) > 0 {
		return c.Use(entrance.ID)
	}
	return c.missionCommand("enter", now)
}

// lookIntoChest begins to loot the nearest chest of the dungeon, if there is one into which the character is going to
// look.
func (c *Client) lookIntoChest(now time.Time) bool {
	q := &c.quest
	if q.chests == 0 || c.health() < chestAbove {
		return false
	}
	chest := c.nearestStanding(func(o *Object) bool {
		return o.Class == rules.ClassChest && !slices.Contains(q.opened, o.ID)
	})
	if chest == nil {
		return false
	}
	q.chests--
	q.opened = append(q.opened, chest.ID)
	c.tally.Chests.Add(1)
	c.beginTask(c.loot(chest.ID), now)
	c.busy.giveUp = now.Add(lootTime)
	return true
}

// leaveMission comes out of the dungeon, and may look into a chest before.
func (c *Client) leaveMission(now time.Time) error {
	q := &c.quest
	if c.lookIntoChest(now) {
		return nil
	}
	if c.waitsFor("the way out of a dungeon leads nowhere", now) {
		return nil
	}
	byDoor := c.options.Seed%likesTheCommand > 0 || q.tries > 0 || now.Sub(c.fight.hitAt) < 2*rules.Calm
	if door := c.nearestOf(rules.ClassDoorOut); door != nil && byDoor {
		if !c.approach(door.Position, now) {
			return nil
		}
		q.asked = now
		return c.Use(door.ID)
	}
	q.asked = now
	return c.missionCommand("leave", now)
}

// seekTarget goes for the target of the mission, where that is in sight, or to where it should be.
func (c *Client) seekTarget(key *Object, now time.Time) error {
	q, h := &c.quest, &c.hunter
	for _, o := range c.beasts {
		if o.Name != key.Target.Name || o.Monster.Dying {
			continue
		}
		if now.Before(h.avoid[o.ID]) {
			q.failures++
			delete(h.avoid, o.ID)
		}
		h.prey, h.since, q.since = o.ID, now, now
		return nil
	}
	if !q.inside && !c.approachMark(now) {
		q.since = now
		return nil
	}
	patience := targetPatience
	if q.inside {
		patience = entryPatience
	}
	if now.Sub(q.since) > c.patient(patience) {
		c.find(MissionFails, "its target %d is not shown at %s", key.Target.Name, placeText(c.Position))
		q.tries = missionTries
	}
	return nil
}
