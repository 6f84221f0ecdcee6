package bot

import (
	"fmt"
	"time"

	"sphereserver/packets"
)

// The animations of a player that strikes. Source: protocol fight 1.1.
const (
	swordBlow = 0x09
	fistBlow  = 0x17
	// blowBytes is the length of today's blow with a weapon; the bytes at its end are unknown.
	blowBytes = 0x2C
)

// Strike asks for a blow at something that fights, or at a player: with the weapon that was taken in hand, or with
// fists. Source: protocol fight 1.1.
func (c *Client) Strike(target packets.ObjectID) error {
	if _, err := c.heldObject("strike", target); err != nil {
		return err
	}
	weapon := c.Objects[c.busy.inHand]
	if isCrossbow(c.kindOf(weapon)) {
		c.craft.shots++
	}
	own := &Object{ID: c.ID(), Class: packets.ClassPlayer}
	c.fight.struckAt, c.fight.echoes = time.Now(), target
	c.tally.Blows.Add(1)
	if weapon == nil || weapon.Parent != c.ID() {
		return c.Send(&packets.Body{Sections: []packets.Section{commandsTo(own, &packets.Animation{Number: fistBlow},
			&packets.FistBlow{Target: target})}})
	}
	b := &packets.Body{Sections: []packets.Section{commandsTo(own, &packets.Animation{Number: swordBlow}),
		commandsTo(weapon, &packets.UseOn{Player: c.ID(), Target: target})}}
	if c.options.Dialect == packets.Dialect2026 {
		f := packets.Frame{Direction: packets.FromClient, Channel: packets.ChannelGameplay, Body: b}
		plain, err := f.Append(nil, c.options.Dialect)
		if err != nil {
			return fmt.Errorf("bot: strike: %w", err)
		}
		more := max(blowBytes-len(plain), 0)
		b.Tail = packets.Bits{Len: 8 * more, Data: make([]byte, more)}
	}
	return c.Send(b)
}

// CloseBag tells that the client looks into a container no more. There is no answer.
func (c *Client) CloseBag(bag packets.ObjectID) error {
	return c.about("close", bag, &packets.CloseContainer{Player: c.ID()})
}

// InHand is the item in the hand, [packets.NoObject] for fists.
func (c *Client) InHand() packets.ObjectID { return c.busy.inHand }

// useTime is how long a blow takes with the item in the hand. Source: protocol fight 7.4.
func (c *Client) useTime() time.Duration {
	if k := c.kindOf(c.Objects[c.busy.inHand]); k != nil && k.UseTime > 0 {
		return time.Duration(k.UseTime) * 10 * time.Millisecond
	}
	return 2 * time.Second
}
