package ops

import (
	"encoding/json"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Status are figures of a running server.
type Status struct {
	Started        time.Time         `json:"started"`
	Players        int               `json:"players"`        // in the world
	Sessions       int               `json:"sessions"`       // connections, in any state
	AccountsOnline int               `json:"accountsOnline"` // logged in
	Characters     []OnlineCharacter `json:"characters"`     // in the world
	Instances      int               `json:"instances"`      // of dungeons, those that end among them
	Goroutines     int               `json:"goroutines"`
	HeapBytes      uint64            `json:"heapBytes"`
	Counters       map[string]uint64 `json:"counters"`
	Page           string            `json:"page,omitempty"`   // address of the administrators' page on this machine
	Ground         *GroundStatus     `json:"ground,omitempty"` // nil: it was not imported
	Stops          *PlannedStop      `json:"stops,omitempty"`  // nil: no stop is planned
	Rates          *Text             `json:"rates,omitempty"`  // the unusual ones; nil: none
	Maintenance    bool              `json:"maintenance,omitempty"`

	// NotReady is why players cannot come in, or their acts do not get to the disk; empty when all is well.
	NotReady string `json:"notReady,omitempty"`
}

// GroundStatus is the ground that was imported from a client.
type GroundStatus struct {
	Version    int      `json:"version"` // of the importer
	Continents []string `json:"continents"`
}

// An OnlineCharacter is one that is in the world.
type OnlineCharacter struct {
	Name     string          `json:"name"`
	Account  string          `json:"account"` // its login
	Position coords.Position `json:"position"`
}

// An Ordinal counts from 0 here and from 1 among people, so also in JSON: the slots of an account, levels.
type Ordinal int

// MarshalJSON writes the number as people count.
func (o Ordinal) MarshalJSON() ([]byte, error) { return json.Marshal(int(o) + 1) }

// UnmarshalJSON reads the number as people count.
func (o *Ordinal) UnmarshalJSON(text []byte) error {
	n := int(*o) + 1
	err := json.Unmarshal(text, &n)
	*o = Ordinal(n - 1)
	return err
}

// Report is the state of a server and its data folder.
type Report struct {
	Running bool        `json:"running"`
	Status  *Status     `json:"status,omitempty"` // nil when no server is running
	Stored  data.Counts `json:"stored"`

	// FirstLink makes the first administrator. Only the owner of the machine sees it, and only until there is one.
	FirstLink string `json:"firstLink,omitempty"`
}

// Empty is the request of a verb without arguments.
type Empty struct{}

// Search asks for the accounts or characters with Like in their names, without regard to case; "" for all.
type Search struct {
	Like string `json:"like"`
}

// AccountName names an account in one of three ways, without regard to case.
type AccountName struct {
	Login     string         `json:"login,omitempty"`
	ID        data.AccountID `json:"id,omitempty"`
	Character string         `json:"character,omitempty"` // the account that this one belongs to
}

// NewAccount asks for an account.
type NewAccount struct {
	Login    string    `json:"login"`
	Password string    `json:"password"`
	Role     data.Role `json:"role"`
}

// Password gives an account another password.
type Password struct {
	AccountName
	Password string `json:"password"`
}

// RoleChange gives an account another role.
type RoleChange struct {
	AccountName
	Role *data.Role `json:"role"`
}

// AccountBan keeps an account out.
type AccountBan struct {
	AccountName
	Penalty
	Confirm *string `json:"confirm,omitempty"` // the login again, so that nobody is banned by a slip; nil: not asked for
}

// Penalty is how long a ban or a mute lasts, and why.
type Penalty struct {
	Until  time.Time `json:"until,omitzero"` // zero: for ever
	Reason string    `json:"reason"`         // the mute player is told
}

// Kick ends the sessions of an account.
type Kick struct {
	AccountName
	Reason string `json:"reason"` // the player is told
}

// AccountMute keeps an account from speaking.
type AccountMute struct {
	AccountName
	Penalty
}

// Broadcast is a message of the server to all, or to the player of one account.
type Broadcast struct {
	AccountName        // empty: all
	Text        string `json:"text"`
}

// StopOrder stops the server in some seconds, 0 to 86400.
type StopOrder struct {
	Seconds *int   `json:"seconds"`          // 0: at once; nil is refused, so that no empty request stops a server
	Reason  string `json:"reason,omitempty"` // players are told
}

// ReloadOrder makes a running server read its configuration files again; with Check it only reports the changes.
type ReloadOrder struct {
	Check bool `json:"check,omitempty"`
}

// Reloaded are the findings of a running server in its configuration files.
type Reloaded struct {
	Changes []SettingChange `json:"changes"`
}

// SettingChange is a key with a changed value. With Restart the new value counts only after one.
type SettingChange struct {
	Key     string `json:"key"`
	Old     string `json:"old"`
	New     string `json:"new"`
	Restart bool   `json:"restart"`
}

// BalanceFile is the balance file of a running server.
type BalanceFile struct {
	Text string `json:"text"`
	Sum  string `json:"sum"` // of the text, by which a change shows; empty: there is no file yet
	// Sample is a text to begin a new file with; nil when there is a file.
	Sample *Text `json:"sample,omitempty"`
}

// BalanceOrder puts a text in the place of the balance file, and makes it count; with Check it only reports the
// changes.
type BalanceOrder struct {
	Text  string `json:"text"`
	Sum   string `json:"sum"` // of the file that was edited, as in [BalanceFile]
	Check bool   `json:"check,omitempty"`
}

// PlannedStop is a stop of the server that was ordered.
type PlannedStop struct {
	At      time.Time `json:"at"`
	Reason  string    `json:"reason,omitempty"`
	Restart bool      `json:"restart,omitempty"` // whatever runs the server is to start it again
}

// RateOrder makes more of something for a while.
type RateOrder struct {
	Rate    string    `json:"rate"`              // experience, drops, money or respawn
	Factor  float64   `json:"factor"`            // how many times as much, 0.1 to 100
	From    time.Time `json:"from,omitzero"`     // zero: from now on
	Seconds int       `json:"seconds,omitempty"` // how long, up to 366 days; 0: until it is ended
}

// RateName names the kind of a rate.
type RateName struct {
	Rate string `json:"rate"` // experience, drops, money or respawn
}

// SetRate is a rate that an operator has set.
type SetRate struct {
	Rate   string    `json:"rate"`
	Factor float64   `json:"factor"`
	From   time.Time `json:"from"`
	Until  time.Time `json:"until,omitzero"` // zero: until it is ended
	By     string    `json:"by"`             // the operator that has set it
}

// RateState is how much more there is of something.
type RateState struct {
	Rate    string    `json:"rate"` // experience, drops, money or respawn
	Name    Text      `json:"name"`
	Factor  float64   `json:"factor"`           // that counts now; 1: as usual
	Changes time.Time `json:"changes,omitzero"` // when another factor counts; zero: never
	Then    float64   `json:"then,omitempty"`   // that factor
	Set     []SetRate `json:"set"`              // by operators, which count before those of the file
	File    []Text    `json:"file"`             // of balance.toml, as it has them; none when no server is running
}

// MotdText is a message of the day to set.
type MotdText struct {
	Text string `json:"text"`
}

// Motd is the message of the day that counts.
type Motd struct {
	Text string    `json:"text"`         // empty: none
	By   string    `json:"by,omitempty"` // the operator that has set it; empty: it is that of the configuration
	At   time.Time `json:"at,omitzero"`
}

// MaintenanceOrder keeps all out but operators and the named logins.
type MaintenanceOrder struct {
	Admit []string `json:"admit,omitempty"` // of accounts that there are, at most 200
}

// Maintenance is whether only operators get in, and the logins that do as well.
type Maintenance struct {
	On    bool      `json:"on"`
	File  bool      `json:"file,omitempty"` // the configuration says so
	Admit []string  `json:"admit"`          // of the configuration and of the order
	By    string    `json:"by,omitempty"`   // the operator that has begun it; empty: none has
	At    time.Time `json:"at,omitzero"`
}

// Ban is a ban or a mute as it is stored.
type Ban = data.Ban

// AddressBan is a ban of an address or a network.
type AddressBan = data.AddressBan

// AddressName names an address or a network, like 203.0.113.7 or 203.0.113.0/24.
type AddressName struct {
	Address string `json:"address"`
}

// AddressPenalty keeps an address or a network out.
type AddressPenalty struct {
	AddressName
	Penalty
	Wide bool `json:"wide,omitempty"` // the network is meant to be as wide as a provider
}

// Account is an account as operators see it, without the password hash.
type Account struct {
	ID          data.AccountID `json:"id"`
	Login       string         `json:"login"`
	Role        data.Role      `json:"role"`
	Created     time.Time      `json:"created"`
	LastLogin   time.Time      `json:"lastLogin,omitzero"`
	LastAddress string         `json:"lastAddress,omitempty"`
	LockedUntil time.Time      `json:"lockedUntil,omitzero"` // too many wrong passwords from elsewhere than LastAddress
	Ban         *Ban           `json:"ban,omitempty"`
	Mute        *Ban           `json:"mute,omitempty"`
	Online      bool           `json:"online"`
	Characters  []string       `json:"characters"` // their names, by slot
}

// CharacterName names a character in one of two ways, without regard to case.
type CharacterName struct {
	Name string           `json:"name,omitempty"`
	ID   data.CharacterID `json:"id,omitempty"`
}

// Move puts a character somewhere else: to a place of the table of places, beside a character in the world, or to a
// position.
type Move struct {
	CharacterName
	Place    string          `json:"place,omitempty"`  // key or name
	Beside   string          `json:"beside,omitempty"` // name of a character
	Position coords.Position `json:"position"`
	KeepYaw  bool            `json:"keepYaw"` // the character goes on looking where it does
}

// Rename gives a character another name.
type Rename struct {
	CharacterName
	NewName string `json:"newName"`
}

// Character is a character as lists show it.
type Character struct {
	ID          data.CharacterID `json:"id"`
	Name        string           `json:"name"`
	Account     string           `json:"account"` // its login
	Slot        Ordinal          `json:"slot"`    // 0 to 2
	TitleLevel  Ordinal          `json:"titleLevel"`
	DegreeLevel Ordinal          `json:"degreeLevel"` // both absolute: 0 to 239
	Money       int64            `json:"money"`
	Position    coords.Position  `json:"position"` // where it is, or was last saved
	Created     time.Time        `json:"created"`
	LastSeen    time.Time        `json:"lastSeen,omitzero"` // in the world: now
	Online      bool             `json:"online"`            // in the world
}

// CharacterDetail is everything that is known of a character: of one in the world as it is there now, of all others
// as stored.
type CharacterDetail struct {
	Character
	Female        bool   `json:"female"`
	Tutorial      bool   `json:"tutorial"` // has not finished the newcomers' dungeon
	TitleXP       uint32 `json:"titleXP"`
	DegreeXP      uint32 `json:"degreeXP"`
	TitlePoints   int    `json:"titlePoints"`
	DegreePoints  int    `json:"degreePoints"`
	Strength      int    `json:"strength"`
	Agility       int    `json:"agility"`
	Accuracy      int    `json:"accuracy"`
	Endurance     int    `json:"endurance"`
	Earth         int    `json:"earth"`
	Air           int    `json:"air"`
	Water         int    `json:"water"`
	Fire          int    `json:"fire"`
	HP            int    `json:"hp"`
	MaxHP         int    `json:"maxHP"` // with equipment and satiety, as the game shows it
	MP            int    `json:"mp"`
	MaxMP         int    `json:"maxMP"`
	Satiety       int    `json:"satiety"`
	MaxSatiety    int    `json:"maxSatiety"`
	Karma         int    `json:"karma"`
	KarmaType     int    `json:"karmaType"` // 1 very bad to 5 benign
	Clan          string `json:"clan"`
	ClanRank      int    `json:"clanRank"`
	Guild         int    `json:"guild"`
	PlayedSeconds int64  `json:"playedSeconds"`

	GuildLevel Ordinal `json:"guildLevel"`

	Mission *rules.Mission `json:"mission,omitempty"` // nil: none

	Fight FightDetail `json:"fight"`

	Items []rules.Item `json:"items"`
	Vault []rules.Item `json:"vault"` // of the account
}

// FightDetail has the values of a character that count in a fight, with its equipment.
type FightDetail struct {
	Dead           bool           `json:"dead"`
	Attack         int            `json:"attack"` // of a blow, before it is rolled
	MagicalAttack  int            `json:"magicalAttack"`
	Defence        int            `json:"defence"`
	MagicalDefence int            `json:"magicalDefence"`
	Effects        []EffectDetail `json:"effects"`
	Resets         []string       `json:"resets"` // made use of: rebirth, title, degree, points
	Kills          uint32         `json:"kills"`  // of monsters, in which it has had a share
	Deaths         uint32         `json:"deaths"`
	Duel           string         `json:"duel,omitempty"` // with the character of this name, now
}

// EffectDetail is an effect on a character.
type EffectDetail struct {
	Name    Text `json:"name"`
	Harmful bool `json:"harmful"`
	Seconds int  `json:"seconds"` // that are left
}

// Gift puts items into the inventory of a character.
type Gift struct {
	CharacterName
	Item   string `json:"item"`             // name, or number in the catalogue
	Count  *int   `json:"count,omitempty"`  // nil: one
	Suffix *int   `json:"suffix,omitempty"` // nil: the one in the name, or none
}

// Gave is the gift that a character got.
type Gave struct {
	Character string `json:"character"`
	Name      Text   `json:"name"` // of the thing
	Count     int    `json:"count"`
}

// Money sets a character's money, or changes it.
type Money struct {
	CharacterName
	Amount   int64 `json:"amount"`
	Relative bool  `json:"relative,omitempty"` // Amount is added
}

// Levels gives a character levels, absolute: 0 to 239. Nil leaves one as it is.
type Levels struct {
	CharacterName
	Title  *Ordinal `json:"title,omitempty"`
	Degree *Ordinal `json:"degree,omitempty"`
}

// Points gives a character points to spend, 0 to [rules.MaxPoints]. Nil leaves the points of a ladder as they are.
type Points struct {
	CharacterName
	Title  *int `json:"title,omitempty"`
	Degree *int `json:"degree,omitempty"`
}

// PointsLeft are the points that a character has to spend.
type PointsLeft struct {
	Character string `json:"character"`
	Title     int    `json:"title"`
	Degree    int    `json:"degree"`
}

// Clearing destroys the inventory of a character, or all that it carries, or only one thing.
type Clearing struct {
	CharacterName
	All  bool         `json:"all,omitempty"`
	Item rules.ItemID `json:"item,omitempty"` // number of the only one, wherever it is carried; 0: see All
}

// MissionDeed is an operator's act on a character's mission.
type MissionDeed struct {
	CharacterName
	Do       string `json:"do"`                 // give, finish or cancel
	Goal     string `json:"goal,omitempty"`     // of one that is given: title, degree, money or karma; "": title
	Template string `json:"template,omitempty"` // of one that is given: a key of the table of missions, as k001; "": any
}

// NPCSpawn puts an NPC of the table of townsfolk somewhere until the server ends.
type NPCSpawn struct {
	NPC string          `json:"npc"` // key, kind or role
	At  coords.Position `json:"at"`
}

// SpawnedNPC is an NPC that was put somewhere, or removed.
type SpawnedNPC struct {
	Key  string `json:"key"`
	Role Text   `json:"role"`
}

// MonsterSummon puts a monster somewhere until a player kills it, an operator removes it, or the server ends.
type MonsterSummon struct {
	Monster string          `json:"monster"`           // type number or name
	Level   int             `json:"level,omitempty"`   // from 1; 0: the middle of its type's levels
	Named   bool            `json:"named,omitempty"`   // it has a name of its own, and is stronger
	Rewards bool            `json:"rewards,omitempty"` // a kill of it brings the usual rewards
	At      coords.Position `json:"at"`
}

// SummonedMonster is a monster that was put somewhere.
type SummonedMonster struct {
	Type  int  `json:"type"`
	Name  Text `json:"name"`
	Level int  `json:"level"`
	Named bool `json:"named"`
}

// MonsterRemoval removes a monster, or all near a place that operators have summoned.
type MonsterRemoval struct {
	ID     world.EntityID  `json:"id,omitempty"` // of the only one; 0: all that were summoned within Radius
	At     coords.Position `json:"at"`
	Radius float64         `json:"radius,omitempty"` // metres, up to 1,000; 0: 30
}

// RemovedMonsters says how many were removed.
type RemovedMonsters struct {
	Count int `json:"count"`
}

// SpawnerSearch asks for spawners: of one key, or within Radius of a place on the same continent, or all.
type SpawnerSearch struct {
	Key    string           `json:"key,omitempty"`
	At     *coords.Position `json:"at,omitempty"`
	Radius float64          `json:"radius,omitempty"` // metres, up to 1,000; 0: 100
	Off    bool             `json:"off,omitempty"`    // only turned off ones
}

// Spawner is a place where monsters come from.
type Spawner struct {
	Key   string          `json:"key"`
	At    coords.Position `json:"at"`
	Level int             `json:"level"` // middle of its monsters' levels
	Types []int           `json:"types"`
	Off   bool            `json:"off"`
}

// SpawnerSwitch turns spawners off or on, also for the next start: one, or all within Radius of a place.
type SpawnerSwitch struct {
	Key    string          `json:"key,omitempty"`
	At     coords.Position `json:"at"`
	Radius float64         `json:"radius,omitempty"` // metres, up to 1,000; 0: 100
	Off    bool            `json:"off"`
}

// SpawnersTurned says how many spawners were asked for, and how many of them were not so already.
type SpawnersTurned struct {
	Count   int `json:"count"`
	Changed int `json:"changed"`
}

// File names a file by its absolute path; "" lets the server choose.
type File struct {
	Path string `json:"path"`
}

// BackupName names a file of the backup folder.
type BackupName struct {
	File string `json:"file"`
}

// CheckResult is the result of a check: a sentence for each problem.
type CheckResult struct {
	Problems []string `json:"problems"`
}

// AuditSearch asks for the newest entries of the audit trail.
type AuditSearch struct {
	Target string    `json:"target"`           // a login or a character's name, "" for all
	Who    string    `json:"who,omitempty"`    // a part of the operator's name
	Action string    `json:"action,omitempty"` // the beginning of actions: "account", "account ban"
	Since  time.Time `json:"since,omitzero"`   // not before
	Before int64     `json:"before,omitempty"` // id of an entry: only older ones
	Limit  int       `json:"limit"`            // up to 1000, except for the owner of the machine; 0: 100
}

// A RecordingOrder asks for a recording of sessions. Exactly one of All, Login and Session is set.
type RecordingOrder struct {
	Path      string  `json:"path"` // absolute; "" lets the server choose
	All       bool    `json:"all,omitempty"`
	Login     string  `json:"login,omitempty"`   // of the account of recorded sessions
	Session   uint16  `json:"session,omitempty"` // index of the player of the recorded session
	Anonymous bool    `json:"anonymous,omitempty"`
	Seconds   float64 `json:"seconds,omitempty"` // how long, up to a week; 0 until it is stopped
}

// A Recording is a recording of sessions, as it goes or as it has ended.
type Recording struct {
	Path     string    `json:"path"`
	Running  bool      `json:"running"`
	Started  time.Time `json:"started"`
	Sessions int       `json:"sessions"`
	Frames   int       `json:"frames"`
	Bytes    int64     `json:"bytes"`
	Lost     int       `json:"lost"`            // sessions recorded in part, since the file was written too slowly
	Why      string    `json:"why,omitempty"`   // it has ended
	Error    string    `json:"error,omitempty"` // that has ended it
}
