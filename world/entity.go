package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// An entity is anything that has a place in the world: a player or an object hangs on it.
type entity struct {
	space.Body[entity]
	index  int32     // in core.all[Sort]; outside: out of the world again
	timers int32     // in schedule.heap
	inside *instance // nil: in the open world
	player *player   // one of these two
	object *object
}

// outside is the index of an entity that has been in the world.
const outside = -1

// gone reports whether an entity has left the world.
func (e *entity) gone() bool { return e.index == outside }

// show has events show an entity where it is.
func (e *entity) show() {
	if e.player != nil {
		e.player.Position = e.At
	} else {
		e.object.Position = e.At
	}
}

// A body is the part of an entity that space knows.
type body = space.Body[entity]

type (
	// An EntityID names an entity while the world runs. No object gets one that another has had.
	EntityID = space.ID
	// A PlayerID names a player while it is in the world. The sender of [Enter] chooses it, unique among the players
	// inside.
	PlayerID = space.PlayerID
)

// MaxPlayerID is the greatest number of a player.
const MaxPlayerID = space.MaxPlayerID

const (
	players = space.Players
	others  = space.Others
)

// A Player is a character as it enters and leaves the world.
type Player struct {
	ID         PlayerID
	Character  int64 // the same character may not enter twice
	Name       string
	Account    string // the account that plays it
	Role       Role
	Title      int // level less one
	Degree     int
	Position   coords.Position
	Pools      rules.Pools
	Appearance Appearance
	Entered    time.Time

	// Items and VaultItems are those with which it enters and leaves, and nil in other events: in the world they are kept
	// elsewhere.
	Items      []rules.Item // carried, in any order
	VaultItems []rules.Item // in the vault of the account
	Vault      int64        // number of the account that owns the vault, 0: none
	Money      int64        // 0 to MaxMoney
	Progress   rules.Progress
	Revision   int64 // how many changes of progress or place it has had
	Tally      rules.Tally

	// Effects are those with which it enters and leaves, and nil in other events, like Items.
	Effects []rules.Effect

	Cooldowns rules.Cooldowns // replaced, never changed
}

// An Object is an entity that is no player. It does not change: a changed one is removed and put again.
type Object struct {
	ID       EntityID
	Position coords.Position
	Kind     Kind
}

// A Kind says which kind of object it is, with its data, such as [NPC], [Portal] or [GroundItem]. Kinds are plain data.
type Kind interface{ kind() }

// A NPC is a non-player character that does not fight.
type NPC struct {
	Class int    // object class of the wire
	Name  int32  // number of the name, protocol ingame 9.7; one of the recorded people has 0
	Model string // name of the model, empty for that of the class
	Title string // name of the title, empty for none
	Type  int
	Label string              // for people, such as "Торговец"
	Tier  int                 // lowest tier of a trader's goods; 0: as its name says
	Key   string              // of the row of the content table from which it comes
	Rooms Rooms               // of a tavern keeper
	Giver *rules.MissionGiver // of missions; nil: it gives none. It is not to be changed
}

// Rooms are those of a tavern, by the numbers of their keys, from the first to the last; the zero value is none.
type Rooms struct{ First, Last uint16 }

// A Portal leads somewhere else.
type Portal struct {
	Class  int    // object class of the wire
	Number uint32 // of a door the key that it wants; of a great teleport its text, in the low 16 bits
	To     coords.Position
	Place  string // key of the destination, empty if it is not known
	Key    string // of the row of the content table from which it comes
}

// GroundItem is an item that lies in the world.
type GroundItem struct {
	rules.Item
	OnGround rules.OnGround
}

// IsBag reports whether others may lie in it.
func (g GroundItem) IsBag() bool { return rules.ClassOf(g.Class).Room > 0 }

func (GroundItem) kind() {}
func (NPC) kind()        {}
func (Portal) kind()     {}

// An Appearance is how others see a player, without its place and its HP. Appearances are compared with ==.
//
// Source: protocol ingame 9.3.
type Appearance struct {
	Face, Hair, HairColour, Tattoo byte
	Female                         bool

	Clan     string // empty for none
	ClanRank int    // 0 senior to 4 candidate, -1 none

	Title, Degree    int // as they are shown: absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Worn             rules.Worn
	Mark             bool // overhead
}

// A Role is a player's rights beyond playing; each has the rights of those before it.
type Role uint8

// The roles.
const (
	Anyone Role = iota
	Helper
	GameMaster
	Administrator
)
