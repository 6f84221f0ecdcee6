package ops

import (
	"context"
	"fmt"
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
	Monsters int             `json:"monsters"`
	Things   int             `json:"things"` // that lie there, chests among them
	Ending   bool            `json:"ending"` // the items that have lain there are being forgotten
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
	out := []Instance{}
	for _, v := range now.Instances {
		players := inside[v.ID]
		if players == nil {
			players = []string{}
		}
		out = append(out, Instance{int(v.ID), v.Layout, v.Origin, v.Owner, v.Began, v.Emptied, players, v.Monsters, v.Things,
			v.Ending})
	}
	return out, nil
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
