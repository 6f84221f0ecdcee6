package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A Slot is one place of the own character for items. Source: protocol ingame 10.1, 10.3.
type Slot struct {
	Item   packets.ObjectID // 0: empty
	Weight int32            // of the whole stack
}

// An Object is an entity that the client holds: an item, an NPC, another player. Its first values are in Spawn or
// Player.
type Object struct {
	ID        packets.ObjectID
	Class     packets.Class
	Position  coords.Position // as spawned or last moved
	Parent    packets.ObjectID
	Placement packets.Placement // as spawned or last put
	Count     int               // of a stack, 0 while it was not told

	Spawn      *packets.SpawnSnapshot // of all but players
	Player     *packets.PlayerSpawn   // of other players: as spawned, with the changes of their nameplates since
	Gear       *packets.SetWornGear   // of another player
	Slots      map[uint8]Slot         // of a container
	Resets     int                    // how often the slots were told from the beginning: at each opening
	Goods      map[uint8]Article      // of a trader
	Occupation uint32                 // of a townsman, 0 while it was not told
	Name       int32                  // code of the name that is shown over it, 0 for none
	Leads      uint16                 // of a token, the number of where it leads; 0 while it was not told
	Number     uint16                 // of an entrance, a door, a key and the key of a mission, the text that names it
	Target     *packets.MissionTarget // of the key of a mission
	Monster    *Monster               // of a monster

	since   int64 // milliseconds of the client's life, for messages that must follow soon
	unit    int32 // weight of one of a stack, or of an empty bag
	weighed bool  // unit is known
}

// An Item is an item in a slot of the own character.
type Item struct {
	Slot   int
	ID     packets.ObjectID
	Class  packets.Class
	GameID int // number in the client's item table, 0 for classes without
	Suffix int
	Count  int // of a stack, 1 for items that do not stack
	Weight int32
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
	return slices.IndexFunc(s.Characters[:], func(c Character) bool { return c.Empty })
}

// Find returns the slot of the character with this name, -1 if there is none.
func (s *Screen) Find(name string) int {
	return slices.IndexFunc(s.Characters[:], func(c Character) bool { return !c.Empty && c.Name == name })
}

// NewCharacter has the arguments of [Client.Create]. Looks count from the digit '0'; 0 means '0'. Source: protocol
// session 6.6.
type NewCharacter struct {
	Name                           string
	Face, Hair, HairColour, Tattoo byte
	Female                         bool
}

func (n *NewCharacter) look() int32 {
	var word uint32
	for i, b := range [...]byte{n.Face, n.Hair, n.HairColour, n.Tattoo} {
		word |= uint32(cmp.Or(b, '0')) << (8 * i)
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

// An Article is a line of a trader's goods. Source: protocol ingame 11.2.
type Article struct {
	Item  packets.ObjectID
	Price uint32 // of one
}

// A Belonging is one item that a character carries.
type Belonging struct {
	Place  string // "26" for a slot of the character, "26/3" for a slot of the bag there
	Class  packets.Class
	GameID int
	Suffix int
	Count  int
	Weight int32
}

// String shows the item in one line, as findings of bots do.
func (b Belonging) String() string {
	return fmt.Sprintf("slot %s: %d %s, number %d, suffix %d, weight %d", b.Place, b.Count, b.Class, b.GameID, b.Suffix,
		b.Weight)
}

// Belongings are a character's money and items, in words that stay true when it comes back: ids do not.
type Belongings struct {
	Money uint32
	Items []Belonging // by place
}

// differs says how they differ from other belongings, "" for not at all.
func (b *Belongings) differs(from *Belongings) string {
	var all []string
	if b.Money != from.Money {
		all = append(all, fmt.Sprintf("money %d, expected %d", b.Money, from.Money))
	}
	for i := range b.Items {
		if !slices.Contains(from.Items, b.Items[i]) {
			all = append(all, fmt.Sprintf("not expected: %v", b.Items[i]))
		}
	}
	for i := range from.Items {
		if !slices.Contains(b.Items, from.Items[i]) {
			all = append(all, fmt.Sprintf("expected: %v", from.Items[i]))
		}
	}
	return strings.Join(all, "; ")
}

// OnGround reports whether an object is an item that lies in the world by itself.
func (o *Object) OnGround() bool {
	return o.Spawn != nil && o.Placement == packets.Lying && o.Parent == packets.NoObject
}

// Slots of the own character. Source: protocol ingame 10.1.
const (
	FirstInventorySlot = 26
	EndOfInventory     = 36
)

// A Group is the group of the own character, as far as the server has told. Without members there is none.
// Source: protocol ingame 16.1.
type Group struct {
	Members    []GroupMember // in the order in which they were told, the own character among them
	Applicants []string      // told to the leader alone
}

// A GroupMember is a member of a [Group].
type GroupMember struct {
	Name   string
	Leader bool
}

// Has reports whether a player is a member.
func (g *Group) Has(name string) bool { return g.find(name) >= 0 }

// Leads reports whether a player is the leader.
func (g *Group) Leads(name string) bool {
	i := g.find(name)
	return i >= 0 && g.Members[i].Leader
}

func (g *Group) find(name string) int {
	return slices.IndexFunc(g.Members, func(m GroupMember) bool { return m.Name == name })
}

// A Clan is the clan of the own character, as far as the server has told. Source: protocol ingame 16.2.
type Clan struct {
	Name       string // "" for none
	Rank       int    // 0 senior to 3 neophyte, -1 none
	Members    []ClanMember
	Applicants []packets.ObjectID // players that want to join
}

// A ClanMember is a member that is in the world.
type ClanMember struct {
	ID   packets.ObjectID
	Name string
	Rank int
}

func (n *Clan) find(id packets.ObjectID) int {
	return slices.IndexFunc(n.Members, func(m ClanMember) bool { return m.ID == id })
}

// A Line is a line of chat, or of the system (then Sender is empty and Channel 0). Source: protocol ingame 15.4, 15.5.
type Line struct {
	Number  int // lines of a client count from 1
	Channel uint8
	Sender  string
	Text    string // as it came
	Message string // without the link to its writer
	// Parts says that it came as header and parts, as lines of clan and group do, and not as an object.
	Parts bool
}

var noClan = Clan{Rank: -1}
