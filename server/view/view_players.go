package view

import (
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// ObjectPlaced shows that an object is somewhere else at once.
func (v *View) ObjectPlaced(e *world.ObjectPlaced) {
	v.showMoved(e.Viewers, e.ID, e.To, func(id packets.ObjectID, class packets.Class) *packets.Body {
		return packets.Message(v.clock, id, class, jump(e.To))
	})
}

// TeleportSeen shows that a player is somewhere else at once.
func (v *View) TeleportSeen(e *world.TeleportSeen) {
	v.show(e.Viewers, e.ID, v.person(e.ID, jump(e.To)))
}

// Appeared gives a client a player.
func (v *View) Appeared(e *world.Appeared) {
	viewer, p := e.Viewer, e.Player
	c := v.tells(viewer)
	if c == nil || viewer == p.ID || !c.hold(p.ID) {
		return
	}
	frames, ok := v.people[p]
	if !ok {
		frames = v.drawn(p)
		v.people[p] = frames
	}
	v.put(c, frames)
}

func (v *View) drawn(p *world.Player) []byte {
	start := len(v.frames)
	out, err := appendPerson(v.frames, v.clock, v.Dialect, p)
	if err != nil {
		v.Log.Error("cannot encode a player", "player", p.Name, "error", err)
		return nil
	}
	v.frames = out
	return out[start:]
}

// Vanished takes an entity from a client, and before an object its contents that the client knows.
func (v *View) Vanished(e *world.Vanished) {
	id, isPlayer := e.ID.Player()
	if !isPlayer {
		v.encodeFor(e.Viewer, func(f *itemEncoder) {
			if o, ok := f.ids.Object(e.ID); ok {
				f.lose(e.ID)
				f.remove(o)
			}
		})
	} else if c := v.tells(e.Viewer); c != nil && c.drop(id) {
		v.put(c, v.removal(playerID(id)))
	}
}

func (v *View) removal(id packets.ObjectID) []byte {
	return v.encode(&packets.Body{Clock: v.clock, Sections: []packets.Section{packets.Removal(id)}})
}

// ObjectAppeared gives a client an object, under an id of its own.
func (v *View) ObjectAppeared(e *world.ObjectAppeared) {
	c, o := v.tells(e.Viewer), e.Object
	if c == nil {
		return
	}
	if m, ok := o.Kind.(*world.Monster); ok && m.HP == 0 {
		return // it has fallen in the tick in which it came into sight: nobody is shown the dying
	}
	drawn := v.drawing(o, v.dialectOf(c))
	if len(drawn.frame) == 0 {
		return
	}
	if k, held := c.IDs.Object(o.ID); held { // the player has just dropped it
		c.IDs.change(k.objectID(), func(k *IDEntry) { k.Kind = drawn.kind })
		return
	}
	if id, ok := c.IDs.add(IDEntry{Kind: drawn.kind, Class: drawn.class, Object: o.ID, At: o.Position}); ok {
		v.putAddressed(c, drawn.frame, id)
	}
}

// drawing is how an object looks. Most look the same for long, where they are; a monster only in this tick.
func (v *View) drawing(o *world.Object, d packets.Dialect) drawing {
	kept := v.objects
	if _, monster := o.Kind.(*world.Monster); monster {
		kept = v.monsters
	}
	as := sketch{o.ID, d}
	drawn, ok := kept[as]
	if !ok || drawn.at != o.Position { // a led NPC may have walked where nobody saw it
		drawn = v.drawnObject(o, d)
		if len(kept) >= keptSpawns {
			clear(kept)
		}
		kept[as] = drawn
	}
	return drawn
}

func (v *View) drawnObject(o *world.Object, d packets.Dialect) drawing {
	kind, section, err := spawnObject(o, v.Tables, d)
	var frame []byte
	if err == nil {
		frame, err = packets.AppendServer(nil, &packets.Body{Sections: []packets.Section{section}}, d)
	}
	if err != nil {
		v.Log.Error("cannot encode an object", "error", err)
	}
	return drawing{kind, section.Class, o.Position, frame}
}

// AppearanceChanged shows that a player looks different: the changes, or if they cannot be told, all of it.
func (v *View) AppearanceChanged(e *world.AppearanceChanged) {
	regions, again := lookChange(&e.Before, &e.Player.Appearance)
	switch {
	case again:
		frames := append(v.removal(playerID(e.Player.ID)), v.drawn(e.Player)...)
		v.show(e.Viewers, e.Player.ID, frames)
	case len(regions) > 0:
		v.show(e.Viewers, e.Player.ID, v.person(e.Player.ID, regions...))
	}
}

// HealthSeen shows an entity's HP, and the most that it can have unless that was told before.
func (v *View) HealthSeen(e *world.HealthSeen) {
	newMax := true
	id, isPlayer := e.ID.Player()
	if !isPlayer && e.MaxHP > mostHP {
		return
	}
	if isPlayer {
		if c := v.tells(id); c != nil {
			newMax = c.maxHP != e.MaxHP
			c.maxHP = e.MaxHP
		}
	}
	v.showEntity(e.Viewers, e.ID, func(id packets.ObjectID, class packets.Class) *packets.Body {
		if rules.ClassOf(int(class)).Monster {
			return packets.Message(v.clock, id, class, monsterHP(e.HP, e.MaxHP))
		}
		return packets.Message(v.clock, id, class, healthChange(e.HP, e.MaxHP, newMax)...)
	})
}

func (v *View) person(id world.PlayerID, regions ...packets.Region) []byte {
	return v.encode(packets.Message(v.clock, playerID(id), packets.ClassPlayer, regions...))
}
