package bot

import (
	"time"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// This file is how a newcomer that lives by itself comes out of the dungeon in which it begins.
//
// Source: protocol life 2.2.

// inDungeon reports whether the character is in a dungeon of its own out of which it goes when it lives by itself:
// nobody else is there.
func (c *Client) inDungeon() bool {
	return !c.quest.inside && !c.options.Idle && rules.AmongInstances(c.Position)
}

// leaveDungeon does the next thing on the way out: takes the sword, takes the token, uses it at the teleport.
func (c *Client) leaveDungeon(now time.Time) error {
	c.due[jobTask] = now.Add(huntEvery)
	if c.Waits() || c.dead() {
		return nil
	}
	for _, class := range [...]packets.Class{packets.ClassStartSword, packets.ClassTokenStart} {
		if c.owns(class) != nil {
			continue
		}
		if o := c.nearestOf(class); o != nil {
			if _, free := c.FreeSlot(); !free || !c.approach(o.Position, now) {
				return nil
			}
			return c.PickUp(o.ID)
		}
	}
	token, teleport := c.owns(packets.ClassTokenStart), c.nearestOf(rules.ClassTeleport)
	if token == nil || teleport == nil || !c.approach(teleport.Position, now) {
		return nil
	}
	c.due[jobTask] = now.Add(taskPause)
	return c.Use(token.ID)
}

// owns is the character's item of a class; nil for none.
func (c *Client) owns(class packets.Class) *Object {
	for _, slot := range c.Slots {
		if o := c.Objects[slot.Item]; o != nil && o.Class == class {
			return o
		}
	}
	return nil
}
