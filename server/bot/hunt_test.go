package bot_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

const (
	lootRing  packets.ObjectID = 0x2001
	lootPear  packets.ObjectID = 0x2002
	ratHP                      = 64
	ratBlow                    = 20
	classPear packets.Class    = 650
)

// A den is a fake with one monster, which strikes back, dies of some blows and leaves a bag.
type den struct {
	*fake
	hp, blows int
	inBag     int
	length    int              // of the frame of the last blow
	weapon    packets.ObjectID // that has struck last, 0 for fists
	deadly    bool
	died      bool
}

func (d *den) asks(c packets.Command) {
	me := d.index.ID()
	switch c := c.(type) {
	case *packets.FistBlow:
		d.weapon = packets.NoObject
		d.struck(c.Target)
	case *packets.UseOn:
		d.weapon = d.object
		d.struck(c.Target)
	case *packets.Use:
		d.release()
		if d.object == lootBag {
			pear := itemRecord{id: lootPear, class: classPear, count: 1, parent: lootBag}
			ring := itemRecord{id: lootRing, class: 550, gameID: 1, durability: 9, parent: lootBag}
			d.about(lootBag, packets.ClassLootBag, contMan(&packets.ResetSlots{}), fill(0, lootPear, 9), fill(1, lootRing, 7))
			d.together(pear.spawn(), ring.spawn())
		}
	case *packets.PickUp:
		d.release()
		item, class, slot, weight := packets.ObjectID(c.Item), classPear, uint8(28), int32(9)
		if item == lootRing {
			class, slot, weight = 550, 29, 7
		}
		body := []packets.Section{section(item, class, contMan(&packets.PutInto{Parent: me})),
			d.mine(fill(slot, item, weight))}
		if d.inBag--; d.inBag == 0 {
			body = append(body, packets.Removal(lootBag))
		} else {
			body = append(body, section(lootBag, packets.ClassLootBag, clearSlot(0)))
		}
		d.together(body...)
	case *packets.TakeInHand:
		d.release()
	case *packets.SpendPoints:
		d.own(&packets.SetStat{Stat: packets.StatBaseStrength, Value: c.Deltas[0]},
			&packets.SetStat{Stat: packets.StatFreeTitlePoints, Value: 0})
	}
}

func (d *den) struck(target packets.ObjectID) {
	me := d.index.ID()
	d.release()
	if target != rat || d.hp <= 0 {
		return
	}
	d.blows++
	d.length = d.bytes
	d.hp -= ratBlow
	if d.hp > 0 {
		d.rat(ratLoses(ratBlow, me))
		if d.deadly && !d.died {
			d.died = true
			d.own(&packets.ReceiveHit{Source: uint16(rat), HP: -100000, Flags: packets.HitKills})
			time.AfterFunc(5*time.Second, func() {
				d.own(manager(&packets.SetCoordinates{X: fakePlace.X, Y: fakePlace.Y, Z: fakePlace.Z}), stat(packets.StatHP, 50),
					&packets.ReceiveHit{Flags: packets.HitRevives})
			})
		} else {
			d.together(section(rat, packets.ClassMonster, &packets.RegionManager{Command: &packets.Attack{Animation: 0x1D}}),
				d.mine(&packets.ReceiveHit{Source: uint16(rat), HP: -5}))
		}
		return
	}
	d.inBag = 2
	d.together(section(rat, packets.ClassMonster, ratLoses(ratBlow, me), ratDies(me)),
		d.mine(stat(packets.StatTitleXP, 9), stat(packets.StatFreeTitlePoints, 4)), packets.Removal(rat), lootSpawn())
}

// hunted runs a hunter beside a monster for a while.
func hunted(t *testing.T, change func(*den), look func(*testing.T, *den, *bot.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f, conn := newFake(t)
		f.sixSilent = true // it would tell the HP of the beginning
		d := &den{fake: f, hp: ratHP}
		change(d)
		f.asked = d.asks
		f.entered = func() {
			m := ratSpawn()
			m.D = 0
			f.own(stat(packets.StatTitle, 0), stat(packets.StatTitleXP, 0), stat(packets.StatDegree, 0),
				stat(packets.StatDegreeXP, 0), stat(packets.StatSatiety, 50))
			f.rat(m)
		}
		f.start()
		defer f.stop()
		c := bot.New(conn, bot.Options{Hunt: true})
		defer c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
		defer cancel()
		if err := errors.Join(c.Handshake(ctx), c.Appear(ctx, bot.Identity{Login: "l", Password: "p", Name: "Hero"}),
			c.Run(ctx)); err != nil {
			t.Error(err)
		}
		for _, v := range c.Violations() {
			if v.Kind != bot.Missing { // the fake is silent each six seconds
				t.Error(v)
			}
		}
		look(t, d, c)
	})
}

// A hunter draws its sword, goes to the monster, kills it, takes all items out of the bag, and spends its points.
func TestAHunterKillsAndLoots(t *testing.T) {
	hunted(t, func(*den) {}, func(t *testing.T, d *den, c *bot.Client) {
		if c.Kills() != 1 || d.blows != 4 || d.weapon != fakeSword || d.inBag != 0 || c.Tally().Looted.Load() != 2 {
			t.Errorf("%d kills by %d blows with %s, %d things left", c.Kills(), d.blows, d.weapon, d.inBag)
		}
		if d.length != 0x2C { // protocol fight 1.1, today's generation
			t.Errorf("a blow of %d bytes", d.length)
		}
		if slot, ok := c.Carries(lootRing); !ok || slot != 29 || c.Stats[packets.StatBaseStrength] != 2 ||
			c.Stats[packets.StatFreeTitlePoints] != 0 {
			t.Errorf("slot %d, %v", slot, c.Stats)
		}
		if c.Stats[packets.StatHP] != fakeHP-15 || c.Tally().Experience.Load() != 9 {
			t.Errorf("HP %d, %d experience", c.Stats[packets.StatHP], c.Tally().Experience.Load())
		}
	})
}

// A hunter that has died goes on when it lives again.
func TestAHunterDiesAndGoesOn(t *testing.T) {
	hunted(t, func(d *den) { d.deadly = true }, func(t *testing.T, d *den, c *bot.Client) {
		if c.Deaths() != 1 || c.Dead() || c.Stats[packets.StatHP] != 40 || d.blows != 4 || c.Kills() != 1 {
			t.Errorf("%d deaths, HP %d, %d blows, %d kills", c.Deaths(), c.Stats[packets.StatHP], d.blows, c.Kills())
		}
	})
}
