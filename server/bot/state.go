package bot

import (
	"sphereserver/coords"
	"sphereserver/packets"
)

// Stats are the values of the own character that the server has told.
//
// Source: protocol ingame 12.1.
type Stats struct {
	values [64]int32
	known  uint64
}

// Get returns a value; ok is false while the server has not told it.
func (s *Stats) Get(stat packets.Stat) (value int32, ok bool) {
	i := stat & 63
	return s.values[i], s.known&(1<<i) != 0
}

// Value returns a value, 0 while it is unknown.
func (s *Stats) Value(stat packets.Stat) int32 { return s.values[stat&63] }

func (s *Stats) set(stat packets.Stat, v int32) {
	i := stat & 63
	s.values[i] = v
	s.known |= 1 << i
}

// A Slot is one place of the own character for items.
//
// Source: protocol ingame 10.1, 10.3.
type Slot struct {
	Item   packets.ObjectID // 0: empty
	Weight int32            // of the whole stack
}

// An Object is what the client holds: a item, somebody, another player. What it was made with is in Spawn or Player.
type Object struct {
	ID        packets.ObjectID
	Class     packets.Class
	Position  coords.Position // as spawned or last moved
	Parent    packets.ObjectID
	Placement packets.Placement // as spawned or last put
	Count     int               // of a stack, 0 while it was not told

	Spawn  *packets.SpawnSnapshot // of all but players
	Player *packets.PlayerSpawn   // of other players: as spawned, with the changes of their nameplates since
	Gear   *packets.SetWornGear   // what another player wears
	Slots  map[uint8]Slot         // of a container
	Goods  map[uint8]Article      // of a trader
	Sign   *Sign                  // what was told of somebody or something that stands in the world, nil for nothing

	since   int64 // milliseconds of the client's life, for what must follow soon
	unit    int32 // what one of a stack weighs, or a bag without what is in it
	weighed bool  // unit is known
}

// A Sign is what a client is told of townsfolk, doors and the like besides their spawn; what was not told is zero.
//
// Source: protocol ingame 9.1.
type Sign struct {
	Name       int32  // code of the name
	Model      string // of a townsman
	Title      string // key of a townsman's title
	Occupation uint32 // of a townsman
	Number     uint32 // of a door
	To         coords.Position
	Told       bool // To is known
}

// An Item is a item in a slot of the own character.
type Item struct {
	Slot   int
	ID     packets.ObjectID
	Class  packets.Class
	GameID int // number in the client's item table, 0 for classes without
	Suffix int
	Count  int // of a stack, 1 for what does not stack
	Weight int32
}

// Items returns what the character carries, by slot. A slot whose item has not been spawned is left out.
func (c *Client) Items() []Item {
	var out []Item
	for i, slot := range c.Slots {
		o := c.Objects[slot.Item]
		if slot.Item == packets.NoObject || o == nil {
			continue
		}
		it := Item{Slot: i, ID: o.ID, Class: o.Class, Count: max(o.Count, 1), Weight: slot.Weight}
		if o.Spawn != nil {
			it.GameID, it.Suffix = int(o.Spawn.C), int(o.Spawn.D)
		}
		out = append(out, it)
	}
	return out
}

// A Screen is the character screen.
type Screen struct {
	Characters [3]Character
}

// A Character is one slot of the character screen.
type Character struct {
	packets.CharacterRecord
	Empty bool // a character can be created here
}

// Free returns the first empty slot, -1 if there is none.
func (s *Screen) Free() int {
	for i := range s.Characters {
		if s.Characters[i].Empty {
			return i
		}
	}
	return -1
}

// Find returns the slot of the character with this name, -1 if there is none.
func (s *Screen) Find(name string) int {
	for i := range s.Characters {
		if !s.Characters[i].Empty && s.Characters[i].Name == name {
			return i
		}
	}
	return -1
}

// NewCharacter is what [Client.Create] asks for. Looks count from the digit '0'; 0 means '0'.
//
// Source: protocol session 6.6.
type NewCharacter struct {
	Name                           string
	Face, Hair, HairColour, Tattoo byte
	Female                         bool
}

func (n *NewCharacter) look() int32 {
	var word uint32
	for i, b := range [...]byte{n.Face, n.Hair, n.HairColour, n.Tattoo} {
		if b == 0 {
			b = '0'
		}
		word |= uint32(b) << (8 * i)
	}
	if n.Female {
		return packets.FemaleLook(word)
	}
	return int32(word)
}

// World is the own character as it enters the world.
type World struct {
	packets.WorldSnapshot
	Position coords.Position
}
