package bot

import (
	"time"

	"sphereserver/packets"
	"sphereserver/world/rules"
)

// seekRoom goes to the nearest door in view that a key in the character's inventory opens, if there is one.
func (c *Client) seekRoom(now time.Time) error {
	key := c.pocketed(func(o *Object) bool { return o.Class == rules.ClassKey && o.Number != 0 })
	if key == nil {
		return nil
	}
	door := c.Nearest(func(o *Object) bool { return o.Class == rules.ClassDoor && o.Number == key.Number })
	if door = c.within(door, traderInView); door != nil {
		c.beginTask(c.unlock(key.ID, door.ID), now)
	}
	return nil
}

// unlock uses a key on its door, and waits until the vault behind that opens, which it closes.
//
// Source: protocol life 3.2; the vault is ours.
func (c *Client) unlock(key, door packets.ObjectID) func(now time.Time) error {
	var asked time.Time
	resets := 0 // of the vault, before that
	return func(now time.Time) error {
		k, d := c.Objects[key], c.Objects[door]
		vault := c.vault()
		switch {
		case !asked.IsZero() && vault != nil && vault.Resets > resets:
			c.endTask(now)
			return c.about("close", vault.ID, &packets.CloseContainer{Player: c.ID()})
		case !asked.IsZero() && now.Sub(asked) > c.patient(arrivalPatience):
			c.find(StateDiffers, "the key of its door opens nothing, at %s", placeText(c.Position))
		case !asked.IsZero():
			return nil
		case k == nil || d == nil:
		case !c.approach(d.Position, now):
			return nil
		default:
			if asked = now; vault != nil {
				resets = vault.Resets
			}
			return c.about("use", key, &packets.UseOn{Player: c.ID(), Target: door})
		}
		c.endTask(now)
		return nil
	}
}

// vault is the bank that the character has with it, which shows its vault; nil before that was told.
func (c *Client) vault() *Object {
	return c.First(func(o *Object) bool { return o.Class == packets.ClassBank && o.Parent == c.ID() })
}
