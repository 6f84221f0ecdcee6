package bot

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// checkGear finds players that have been spawned without gear for too long. since is 0 when that is settled.
func (c *Client) checkGear(now time.Time) {
	ms := now.Sub(c.started).Milliseconds()
	for _, o := range c.undressed {
		if o.Gear == nil && o.since >= 0 && ms-o.since >= spawnPatience.Milliseconds() {
			o.since = -1
			c.find(MissingGear, "%s %q was spawned, but not what it wears", o.ID, o.Player.Name)
		}
	}
}

// remove takes objects out of the client's world. Source: protocol ingame 9.4.
func (c *Client) remove(s *packets.Section, frame []byte) {
	if len(s.Regions) > 0 {
		c.find(WrongClass, "removal of %s with regions: %s", s.Object, shown(frame))
	}
	if s.Object == c.ID() {
		c.find(OutOfPlace, "removal of the own character: %s", shown(frame))
		return
	}
	o := c.Objects[s.Object]
	if o == nil {
		c.find(UnknownObject, "removal of %s, which the client does not hold: %s", s.Object, shown(frame))
		return
	}
	if o.Player != nil {
		c.people--
		c.checkGearShown(o, "its removal")
	}
	c.takenOut(o)
	c.noteBag(o, false)
	delete(c.Objects, s.Object)
	c.order = c.order[:0]
	if o.Monster != nil {
		c.beasts = without(c.beasts, o)
		c.targetGone(o)
	} else if o.Class == packets.ClassLootBag {
		c.bags = without(c.bags, o)
	} else if o.Player != nil && o.Gear == nil {
		c.undressed = without(c.undressed, o)
	}
}

// without takes an object out of a list.
func without(list []*Object, o *Object) []*Object {
	return slices.DeleteFunc(list, func(other *Object) bool { return other == o })
}

// checkGearShown finds messages about a player before its equipment, which has to follow its spawn at once. Source:
// protocol ingame 9.3.
func (c *Client) checkGearShown(o *Object, what string) {
	if o.Player != nil && o.Gear == nil && o.since >= 0 {
		o.since = -1
		c.find(MissingGear, "%s of %s %q before what it wears", what, o.ID, o.Player.Name)
	}
}

// held returns the object that a section is about, if the client holds it as the class that the section says.
func (c *Client) held(s *packets.Section, r packets.Region, frame []byte) *Object {
	o := c.Objects[s.Object]
	switch {
	case o == nil:
		c.find(UnknownObject, "%s for %s %s, which the client does not hold: %s", nameOf(r), s.Class, s.Object, shown(frame))
		return nil
	case o.Class != s.Class:
		c.find(WrongClass, "%s for %s as %s, spawned as %s: %s", nameOf(r), s.Object, s.Class, o.Class, shown(frame))
		return nil
	}
	return o
}

// spawn makes an object, unless the client holds it.
func (c *Client) spawn(s *packets.Section, at coords.Position, frame []byte) *Object {
	c.checkReady("an object")
	if o := c.Objects[s.Object]; o != nil {
		c.find(SecondSpawn, "%s %s: %s", s.Class, s.Object, shown(frame))
		return nil
	}
	if s.Object == c.ID() {
		c.find(WrongID, "%s is spawned under the id of the own character: %s", s.Class, shown(frame))
		return nil
	}
	o := &Object{ID: s.Object, Class: s.Class, Position: at, since: time.Since(c.started).Milliseconds()}
	c.Objects[s.Object] = o
	c.order = c.order[:0]
	c.missingSpawn = slices.DeleteFunc(c.missingSpawn, func(u missingSpawn) bool { return u.item == s.Object })
	return o
}

// nameOf is the name of a region: of its command, if it holds one.
func nameOf(r packets.Region) string {
	if command, ok := packets.CommandOf(r); ok {
		return packets.Name(command)
	}
	return packets.Name(r)
}

func (c *Client) thing(b *packets.Body, s *packets.Section, frame []byte) {
	for _, r := range s.Regions {
		if m, ok := r.(*packets.SpawnSnapshot); ok {
			o := c.spawn(s, placed(m.X, m.Y, m.Z, m.Angle), frame)
			if o == nil {
				return
			}
			o.Spawn, o.Placement = m, m.Placement
			if o.Class == packets.ClassLootBag {
				c.bags = append(c.bags, o)
			}
			c.spawnMonster(o, m, b.Clock, frame)
			c.noteBag(o, true)
		} else if o := c.held(s, r, frame); o != nil {
			c.change(o, b, r, frame)
		} else {
			return
		}
	}
}

func (c *Client) other(b *packets.Body, s *packets.Section, frame []byte) {
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.PlayerSpawn:
			o := c.spawn(s, placed(m.X, m.Y, m.Z, m.Angle), frame)
			if o == nil {
				return
			}
			o.Player = m
			c.people++
			c.undressed = append(c.undressed, o)
			continue
		case *packets.Owner, *packets.WorldSnapshot, *packets.SetStat, *packets.PositionStream, *packets.Manager,
			*packets.ReceiveHit:
			c.find(WrongID, "%s for %s, the own character is %s: %s", nameOf(r), s.Object, c.ID(), shown(frame))
			return
		}
		o := c.held(s, r, frame)
		if o == nil {
			return
		}
		if m, ok := r.(*packets.SetWornGear); ok {
			if o.Gear == nil {
				c.undressed = without(c.undressed, o)
			}
			o.Gear = m
			continue
		}
		c.checkGearShown(o, nameOf(r))
		c.change(o, b, r, frame)
	}
}

func (c *Client) change(o *Object, b *packets.Body, r packets.Region, frame []byte) {
	switch m := r.(type) {
	case *packets.TransformUpdate:
		if !b.HasOrigin {
			c.find(NoOrigin, "%s %s: %s", o.Class, o.ID, shown(frame))
			return
		}
		c.afterDeath(o, packets.Name(m), frame)
		to := moved(m.X, m.Y, m.Z, m.Angle, b.Origin)
		c.monsterMoved(o, to, b.Clock)
		o.Position = to
	case *packets.TransformState:
		c.afterDeath(o, packets.Name(m), frame)
		if o.Monster != nil {
			o.Monster.clock = b.Clock
		}
		o.Position, o.Placement = placed(m.X, m.Y, m.Z, m.Angle), m.Placement
		c.answered(func(w *pendingRequest) bool { return w.ends == liesTold && w.in == o.ID })
	default:
		if command, ok := packets.CommandOf(r); ok {
			c.changeBy(o, command, frame)
		}
	}
}

func (c *Client) changeBy(o *Object, command packets.Command, frame []byte) {
	if c.monsterCommand(o, command, frame) {
		return
	}
	switch m := command.(type) {
	case *packets.PutInto:
		c.putInto(o, m.Parent, frame)
	case *packets.SetParent:
		c.putInto(o, m.Parent, frame)
	case *packets.LeaveContainer:
		o.Parent = packets.NoObject
	case *packets.TokenDestination:
		o.Leads = m.Destination
	case *packets.Subtype:
		o.Number = m.Number
	case *packets.KeyNumber:
		o.Number = m.Number
	case *packets.DoorNumber:
		o.Number = uint16(m.Number)
	case *packets.TeleportTexts:
		o.Number = m.Name
	case *packets.MissionTarget:
		c.missionTold(o, m)
	case *packets.DisplayName:
		o.Name = m.Code
	case *packets.StackCount:
		c.counted(o, int(m.Count))
	case *packets.StackCount8:
		c.counted(o, int(m.Count))
	case *packets.StackCount32:
		c.counted(o, int(m.Count))
	case *packets.Used:
		c.thingUsed(o, m)
		c.tokenUsed(o, m)
		c.heard(usedTold)
	case *packets.NameplateStat:
		c.nameplate(o, m.Stat, int32(m.Value), frame)
	case *packets.NameplateStat32:
		c.nameplate(o, m.Stat, int32(m.Value), frame)
	case *packets.ClanTag:
		if o.Player == nil {
			c.find(WrongClass, "a clan for %s %s: %s", o.Class, o.ID, shown(frame))
			return
		}
		switch m.Rank {
		case packets.ClanLeft:
			o.Player.Clan, o.Player.ClanRank = "", -1
		case packets.ClanJoined:
			o.Player.Clan, o.Player.ClanRank = m.Clan, packets.ClanNeophyte
		default:
			o.Player.Clan, o.Player.ClanRank = m.Clan, int8(m.Rank)
		}
	case *packets.Occupation:
		o.Occupation = m.Number
	case *packets.Goods:
		if o.Goods == nil {
			o.Goods = map[uint8]Article{}
		}
		o.Goods[m.Slot] = Article{m.Item, m.Price}
		c.expectSpawn(o.ID, m.Slot, m.Item)
	default:
		c.slotCommand(o.ID, command, frame)
	}
}

// nameplate changes a value that is shown of another player. Source: protocol ingame 9.3, 12.1.
func (c *Client) nameplate(o *Object, stat packets.Stat, value int32, frame []byte) {
	p := o.Player
	if p == nil {
		c.find(WrongClass, "%s for %s %s, which is no player: %s", stat, o.Class, o.ID, shown(frame))
		return
	}
	small := map[packets.Stat]*uint8{packets.StatKarma: &p.Karma, packets.StatTitle: &p.Title,
		packets.StatDegree: &p.Degree, packets.StatTitleRebirths: &p.TitleRebirths,
		packets.StatDegreeRebirths: &p.DegreeRebirths, packets.StatGuildRank: &p.GuildRank}
	large := map[packets.Stat]*int32{packets.StatHP: &p.HP, packets.StatMaxHP: &p.MaxHP, packets.StatGuild: &p.Guild}
	switch {
	case small[stat] != nil:
		*small[stat] = uint8(value)
	case large[stat] != nil:
		*large[stat] = value
	default:
		c.find(StateDiffers, "%s of another player %s, which clients do not show: %s", stat, o.ID, shown(frame))
	}
}

func (c *Client) putInto(o *Object, parent packets.ObjectID, frame []byte) {
	if parent != c.ID() && c.Objects[parent] == nil {
		c.find(UnknownObject, "%s %s is put into %s, which the client does not hold: %s", o.Class, o.ID, parent, shown(frame))
		return
	}
	o.Parent = parent
	c.parcelTaken(o)
}

func placed(x, y, z float32, angle coords.Angle8) coords.Position {
	return coords.Position{X: x, Y: y, Z: z, Yaw: angle.Radians()}
}

// moved is the place that a movement leads to. Its offsets count from an origin.
func moved(x, y, z coords.Rel12, angle coords.Angle8, from coords.Origin) coords.Position {
	return placed(x.Decode(from.X), y.Decode(from.Y), z.Decode(from.Z), angle)
}
