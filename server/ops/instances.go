package ops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Instance is a dungeon that belongs to one player or a few.
type Instance struct {
	Number   int             `json:"number"`
	Dungeon  string          `json:"dungeon"` // key of its layout
	Origin   coords.Position `json:"origin"`
	Owner    string          `json:"owner"` // the player that it was made for
	Began    time.Time       `json:"began"`
	Emptied  time.Time       `json:"emptied,omitzero"` // since when nobody is in it
	Players  []string        `json:"players"`          // that are in it
	Monsters []MonsterInside `json:"monsters"`         // alive, by name and level
	Chests   int             `json:"chests"`
	Opened   int             `json:"opened"` // of the chests: players have looked into them
	Things   []ThingInside   `json:"things"` // that lie there, other than chests, by name
	Ending   bool            `json:"ending"` // the items that have lain there are being forgotten
}

// Living is how many monsters are alive in the instance.
func (in *Instance) Living() (n int) {
	for _, m := range in.Monsters {
		n += m.Count
	}
	return n
}

// Lying is how many things lie in the instance, chests among them.
func (in *Instance) Lying() int {
	n := in.Chests
	for _, t := range in.Things {
		n += t.Count
	}
	return n
}

// MonsterInside is how many monsters of a kind are in an instance.
type MonsterInside struct {
	Name  Text `json:"name"`
	Level int  `json:"level"`
	Named bool `json:"named"` // they have names of their own, as the target of a mission has
	Count int  `json:"count"`
}

// ThingInside is how many things of a kind lie in an instance.
type ThingInside struct {
	Name  Text `json:"name"`
	Count int  `json:"count"` // pieces of a stack count each
}

// InstanceEntry brings a character into an instance: into the one of a number, or into a new one of a dungeon.
type InstanceEntry struct {
	CharacterName
	Number  int    `json:"number,omitempty"`  // from 1; 0: a new one
	Dungeon string `json:"dungeon,omitempty"` // key, empty for the newcomers'
}

var (
	noInstanceText = Text{"Подземелья %d нет.", "There is no instance %d."}
	noDungeonText  = Text{"Подземелья «%s» нет.", "There is no dungeon %q."}
	oneEntryText   = Text{"Нужен номер подземелья от 1 или название нового, но не оба.",
		"Expected the number of an instance, from 1, or the dungeon of a new one, not both."}
)

func (e InstanceEntry) check(f *Faults) {
	if e.Number < 0 || e.Number > 0 && e.Dungeon != "" {
		f.Add("number", oneEntryText)
	}
}

// listInstances lists all instances, by number.
func (c *call) listInstances(Empty) ([]Instance, error) {
	if c.Runtime == nil {
		return nil, ErrNotRunning
	}
	now := c.world()
	inside := map[world.InstanceID][]string{}
	for i := range now.Players {
		if p := &now.Players[i]; p.Instance != 0 {
			inside[p.Instance] = append(inside[p.Instance], p.Name)
		}
	}
	out, at := []Instance{}, map[world.InstanceID]*Instance{}
	for _, v := range now.Instances {
		out = append(out, Instance{Number: int(v.ID), Dungeon: v.Layout, Origin: v.Origin, Owner: v.Owner, Began: v.Began,
			Emptied: v.Emptied, Players: append([]string{}, inside[v.ID]...), Monsters: []MonsterInside{},
			Things: []ThingInside{}, Ending: v.Ending})
	}
	for i, v := range now.Instances {
		at[v.ID] = &out[i]
	}
	if len(out) > 0 {
		for o := range now.Objects() {
			if in := at[o.Instance]; in != nil {
				c.contents(in, o.Kind)
			}
		}
	}
	for i := range out {
		out[i].sort()
	}
	return out, nil
}

// contents adds an object to what an instance has in it.
func (c *call) contents(in *Instance, kind world.Kind) {
	switch k := kind.(type) {
	case *world.Monster:
		row := c.kinds().Monster(k.Type)
		if row == nil {
			return
		}
		m := MonsterInside{Name: nameOfMonster(row), Level: k.Level, Named: k.Named()}
		i := slices.IndexFunc(in.Monsters, func(o MonsterInside) bool {
			return o.Name == m.Name && o.Level == m.Level && o.Named == m.Named
		})
		if i < 0 {
			i, in.Monsters = len(in.Monsters), append(in.Monsters, m)
		}
		in.Monsters[i].Count++
	case world.GroundItem:
		if k.Class == rules.ClassChest {
			if in.Chests++; k.ID != 0 { // it has none before it is opened
				in.Opened++
			}
			return
		}
		name, _ := c.nameOf(&k.Item)
		i := slices.IndexFunc(in.Things, func(o ThingInside) bool { return o.Name == name })
		if i < 0 {
			i, in.Things = len(in.Things), append(in.Things, ThingInside{Name: name})
		}
		in.Things[i].Count += max(k.Count, 1)
	}
}

// sort brings the contents into an order that does not change from one list to the next.
func (in *Instance) sort() {
	slices.Sort(in.Players)
	slices.SortFunc(in.Monsters, func(a, b MonsterInside) int {
		named := 0
		switch { // before the others of its kind
		case a.Named && !b.Named:
			named = -1
		case b.Named && !a.Named:
			named = 1
		}
		return cmp.Or(strings.Compare(a.Name.English, b.Name.English), a.Level-b.Level, named,
			strings.Compare(a.Name.Russian, b.Name.Russian))
	})
	slices.SortFunc(in.Things, func(a, b ThingInside) int {
		return cmp.Or(strings.Compare(a.Name.English, b.Name.English), strings.Compare(a.Name.Russian, b.Name.Russian))
	})
}

// enterInstance brings a character that is in the world into an instance, and returns when it is there.
func (c *call) enterInstance(r InstanceEntry) (Character, error) {
	return c.changeCharacter(r.CharacterName, func(ch *data.Character) error {
		if c.Runtime == nil {
			return ErrNotRunning
		}
		v, err := c.player(ch.Name)
		if err != nil {
			return err
		}
		layout, detail := "", fmt.Sprintf("from %v into instance %d", v.Position, r.Number)
		if r.Number == 0 {
			if layout = r.Dungeon; r.Dungeon == "" {
				layout = content.Newcomers
			}
			if content.Pieces(layout) == nil {
				return refuse(data.ErrNotFound, noDungeonText, shortName(r.Dungeon))
			}
			detail = fmt.Sprintf("from %v into a new instance of %s", v.Position, layout)
		} else if !c.hasInstance(r.Number) {
			return refuse(data.ErrNotFound, noInstanceText, r.Number)
		}
		err = c.change(ch, detail+", in the world", Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.EnterInstance{ID: id, Number: world.InstanceID(r.Number), Layout: layout, Tag: tag}
			},
			Stored: absent})
		if err != nil {
			return err
		}
		c.tell(ch.Account, transportText)
		if v := c.inWorld(ch); v != nil {
			ch.Position = v.Position
		}
		return nil
	})
}

// absent is the part of deeds that need the world, for characters that are not there.
func absent(_ context.Context, ch *data.Character) (rules.Change, error) {
	return rules.Change{}, refuse(ErrNotInWorld, awayText, ch.Name)
}

func (c *call) hasInstance(number int) bool {
	for _, v := range c.world().Instances {
		if int(v.ID) == number && !v.Ending {
			return true
		}
	}
	return false
}
