package bot

import (
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// The dead are answered without asking, and may have asked a moment before: that is answered, too.
func TestTheDeadTellTheirAnswersApart(t *testing.T) {
	now := time.Now()
	c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, now)
	fell, went := ownPlace.Origin(), shownPlace.Origin()
	c.pings.add(went, now)
	c.die(now)
	c.pong(nil, fell, 1, c.ID())
	c.pong(nil, fell, 1, c.ID())
	if len(c.pings.waiting) != 1 {
		t.Errorf("%d positions wait for their answers", len(c.pings.waiting))
	}
	c.pong(nil, went, 1, c.ID())
	if len(c.pings.waiting) != 0 || len(c.violations) > 0 {
		t.Errorf("%d positions wait for their answers, %v", len(c.pings.waiting), c.violations)
	}
}

// A character that revives where it was before has not been put back there.
func TestWhoWakesUpIsNotPutBack(t *testing.T) {
	now := time.Now()
	c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, now)
	c.options.Manual = true
	for _, at := range []coords.Position{ownPlace, shownPlace} {
		c.trail.add(at)
	}
	c.die(now)
	c.stand(ownPlace)
	if c.tally.PutBack.Load() != 0 {
		t.Error("counts as not believed")
	}
	c.revive(now, nil)
	c.trail.add(shownPlace)
	c.stand(ownPlace)
	if c.tally.PutBack.Load() != 1 {
		t.Error("is put back, and does not know it")
	}
}

// Of a bag that has vanished there is nothing to say.
func TestUseOfWhatVanishesIsOver(t *testing.T) {
	const bag, other packets.ObjectID = 0x2000, 0x2001
	now := time.Now()
	c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, now)
	for _, id := range []packets.ObjectID{bag, other} {
		c.Objects[id] = &Object{ID: id, Class: packets.ClassLootBag, Spawn: &packets.SpawnSnapshot{}, Position: shownPlace}
		c.noticeRequests(&packets.Body{Sections: []packets.Section{commandsTo(c.Objects[id],
			&packets.Use{})}}, now)
	}
	if len(c.busy.requests) != 2 {
		t.Fatalf("%d requests", len(c.busy.requests))
	}
	c.remove(&packets.Section{Object: bag}, nil)
	if len(c.busy.requests) != 1 || c.busy.requests[0].used != other {
		t.Errorf("waits for %+v", c.busy.requests)
	}
}

// A character that leaves in a fight does not know its values then.
func TestWhoLeavesAFightExpectsNothingOfIt(t *testing.T) {
	now := time.Now()
	c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, now)
	if c.fought() {
		t.Error("in peace")
	}
	c.fight.hitAt = now
	if !c.fought() {
		t.Error("hit a moment ago")
	}
	c.fight.hitAt = now.Add(-calm)
	if c.fought() {
		t.Error("hit long ago")
	}
	beast := &Object{Position: c.Position}
	c.beasts = append(c.beasts, beast)
	if !c.fought() {
		t.Error("a monster is beside it")
	}
	if beast.Position.X += noticing + 1; c.fought() {
		t.Error("the monster is far away")
	}
	c.die(now)
	if !c.fought() {
		t.Error("dead")
	}
}

// No frame may carry an earlier time than anything read before it, however slow the server is.
func TestALateFrameWithAnEarlierTimeIsAFinding(t *testing.T) {
	now := time.Now()
	c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, now)
	c.clock = newServerClock(300, now, now)
	c.pings.last.Latency = attention + 1
	c.checkFrameClock(300)
	c.checkFrameClock(301)
	if len(c.violations) > 0 {
		t.Errorf("in time: %v", c.violations)
	}
	c.checkFrameClock(300)
	if len(c.violations) != 1 || c.violations[0].Kind != ClockBackwards {
		t.Errorf("after a later one: %v", c.violations)
	}
}

// The target of a mission that others have killed comes again; the client waits for it from its death on, not from when
// it began to fight it.
func TestATargetThatIsKilledByOthersIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := enterScene(t, newScene(), 0x5A21, "Own", ownPlace, time.Now())
		c.options.Patience = 1
		const keyID, targetID, name = 0x200, 0x201, -5
		key := &Object{ID: keyID, Class: packets.ClassMission, Target: &packets.MissionTarget{Name: name}}
		copy(key.Target.Template[:], "b001")
		c.Objects[keyID], c.Slots[rules.SlotMission] = key, Slot{Item: keyID}
		c.missionMarked(&packets.MapMark{X: c.Position.X, Z: c.Position.Z})
		target := &Object{ID: targetID, Class: packets.ClassMonster, Name: name, Monster: &Monster{}}
		c.Objects[targetID], c.beasts = target, []*Object{target}
		seek := func(after time.Duration, found int) {
			t.Helper()
			time.Sleep(after)
			if err := c.seekTarget(key, time.Now()); err != nil || len(c.violations) != found {
				t.Fatalf("%v: %v", err, c.violations)
			}
		}
		seek(0, 0)
		time.Sleep(2 * targetPatience) // a long fight
		c.remove(&packets.Section{Object: targetID}, nil)
		seek(time.Second, 0)
		seek(targetPatience-time.Second, 0)
		seek(time.Second, 1)
	})
}
