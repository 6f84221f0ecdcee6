// Package admin is what an operator does to a server's accounts, characters and database, whether the server runs or
// not: [Ops] does it on a store, [Client] asks a running server to, and [Reach] finds out which of the two is needed.
package admin

import (
	"context"
	"net/netip"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

// An Operator does what operators want. [Ops] and [Client] are the two there are.
//
// Accounts are named by their login and characters by their name, without regard to case. An unknown one is an error
// of the kind [data.ErrNotFound] that says which known one is the nearest.
type Operator interface {
	AddAccount(context.Context, NewAccount) (Account, error)
	Accounts(context.Context, Search) ([]Account, error)
	Account(context.Context, AccountName) (Account, error)
	// SetPassword ends the sessions of the account.
	SetPassword(context.Context, Password) (Account, error)
	SetRole(context.Context, RoleChange) (Account, error)
	// BanAccount ends the sessions of the account.
	BanAccount(context.Context, AccountBan) (Account, error)
	UnbanAccount(context.Context, AccountName) (Account, error)
	// KickAccount ends the sessions of the account.
	KickAccount(context.Context, Kick) (Account, error)
	MuteAccount(context.Context, AccountMute) (Account, error)
	UnmuteAccount(context.Context, AccountName) (Account, error)
	// DeleteAccount ends the sessions of the account and returns what it was.
	DeleteAccount(context.Context, AccountName) (Account, error)

	BanAddress(context.Context, AddressBan) (AddressBan, error)
	UnbanAddress(context.Context, AddressBan) (AddressBan, error)
	AddressBans(context.Context, Nothing) ([]AddressBan, error)

	Characters(context.Context, Search) ([]Character, error)
	Character(context.Context, CharacterName) (CharacterDetail, error)
	// MoveCharacter teleports a character that is in the world.
	MoveCharacter(context.Context, Move) (Character, error)
	// RenameCharacter ends the sessions of its account.
	RenameCharacter(context.Context, Rename) (Character, error)
	// DeleteCharacter ends the sessions of its account and returns what it was.
	DeleteCharacter(context.Context, CharacterName) (Character, error)

	// Say says something in the server's name to those who are in the world; without a running server that is an error.
	Say(context.Context, Saying) (Saying, error)

	Backup(context.Context, File) (File, error)
	Check(context.Context, Nothing) (CheckResult, error)
	Report(context.Context, Nothing) (Report, error)
	Audit(context.Context, AuditSearch) ([]data.AuditEntry, error)

	// StartRecording records sessions of the running server; without one it and the other two are errors.
	StartRecording(context.Context, RecordingOrder) (Recording, error)
	StopRecording(context.Context, Nothing) (Recording, error)
	LastRecording(context.Context, Nothing) (Recording, error)
}

// Live is what a running server adds: the sessions and the world. Its methods may be called from any goroutine.
type Live interface {
	// Disconnect ends the sessions of an account (if any) and returns when their characters are saved.
	Disconnect(ctx context.Context, account data.AccountID, reason string) error
	// Kick tells the player of an account why, and does what Disconnect does.
	Kick(ctx context.Context, account data.AccountID, why string) error
	// SetMute tells the session of an account, if any, of a mute that was stored; the zero value is none.
	SetMute(account data.AccountID, m data.Mute)
	// Announce says something to all in the world, Message to the player of one account; false if it is not in the world.
	Announce(text string)
	Message(account data.AccountID, text string) bool
	// Online says whether the account has a session, and the character in the world (0 if none).
	Online(account data.AccountID) (online bool, character data.CharacterID)
	// MoveOnline teleports a character that is in the world; false if it is not.
	MoveOnline(ctx context.Context, id data.CharacterID, p coords.Position) (bool, error)
	// Status is a snapshot of figures of the running server.
	Status() Status
}

// Status are figures of a running server.
type Status struct {
	Started        time.Time         `json:"started"`
	Players        int               `json:"players"`        // in the world
	Sessions       int               `json:"sessions"`       // connections, whatever their state
	AccountsOnline int               `json:"accountsOnline"` // logged in
	Characters     []OnlineCharacter `json:"characters"`     // in the world
	Goroutines     int               `json:"goroutines"`
	HeapBytes      uint64            `json:"heapBytes"`
	Counters       map[string]uint64 `json:"counters"`
}

// An OnlineCharacter is one that is in the world.
type OnlineCharacter struct {
	Name     string          `json:"name"`
	Account  string          `json:"account"` // its login
	Position coords.Position `json:"position"`
}

// Report is what there is to say of a server and its data folder.
type Report struct {
	Running bool        `json:"running"`
	Status  *Status     `json:"status,omitempty"` // nil when no server is running
	Stored  data.Counts `json:"stored"`
}

// Nothing is the request of what needs no arguments.
type Nothing struct{}

// Search asks for the accounts or characters whose name contains Like, without regard to case; "" for all.
type Search struct {
	Like string `json:"like"`
}

// AccountName names an account.
type AccountName struct {
	Login string `json:"login"`
}

// NewAccount asks for an account.
type NewAccount struct {
	Login    string    `json:"login"`
	Password string    `json:"password"`
	Role     data.Role `json:"role"`
}

// Password gives an account another password.
type Password struct {
	Login    string `json:"login"`
	Password string `json:"password"`
}

// RoleChange gives an account another role.
type RoleChange struct {
	Login string    `json:"login"`
	Role  data.Role `json:"role"`
}

// AccountBan keeps an account out.
type AccountBan struct {
	Login  string    `json:"login"`
	Until  time.Time `json:"until,omitzero"` // zero: for ever
	Reason string    `json:"reason"`
}

// Kick ends the sessions of an account.
type Kick struct {
	Login  string `json:"login"`
	Reason string `json:"reason"` // the player is told
}

// AccountMute keeps an account from speaking.
type AccountMute struct {
	Login  string    `json:"login"`
	Until  time.Time `json:"until,omitzero"` // zero: for ever
	Reason string    `json:"reason"`         // the player is told
}

// Saying is what the server says to all, or to the player of one account.
type Saying struct {
	Login string `json:"login,omitempty"` // empty: all
	Text  string `json:"text"`
}

// Ban is a ban or a mute as it is stored.
type Ban struct {
	Until  time.Time `json:"until,omitzero"` // zero: for ever
	Reason string    `json:"reason"`
	By     string    `json:"by"`
	At     time.Time `json:"at,omitzero"`
}

// AddressBan keeps an address or a network out. In a request By and At are not used, in the lifting of a ban only Prefix is.
type AddressBan struct {
	Prefix netip.Prefix `json:"prefix"`
	Ban
}

// Account is what an operator sees of one; the password hash is not among it.
type Account struct {
	ID          data.AccountID `json:"id"`
	Login       string         `json:"login"`
	Role        data.Role      `json:"role"`
	Created     time.Time      `json:"created"`
	LastLogin   time.Time      `json:"lastLogin,omitzero"`
	LastAddress string         `json:"lastAddress,omitempty"`
	Ban         *Ban           `json:"ban,omitempty"`
	Mute        *Ban           `json:"mute,omitempty"`
	Online      bool           `json:"online"`
	Characters  []string       `json:"characters"` // their names, by slot
}

// CharacterName names a character.
type CharacterName struct {
	Name string `json:"name"`
}

// Move puts a character somewhere else.
type Move struct {
	Name     string          `json:"name"`
	Position coords.Position `json:"position"`
	KeepYaw  bool            `json:"keepYaw"` // the character goes on looking where it does
}

// Rename gives a character another name.
type Rename struct {
	Name    string `json:"name"`
	NewName string `json:"newName"`
}

// Character is what a list shows of one.
type Character struct {
	ID          data.CharacterID `json:"id"`
	Name        string           `json:"name"`
	Account     string           `json:"account"` // its login
	Slot        int              `json:"slot"`    // 0 to 2
	TitleLevel  int              `json:"titleLevel"`
	DegreeLevel int              `json:"degreeLevel"` // both absolute, minus one: 0 to 239
	Money       int64            `json:"money"`
	Position    coords.Position  `json:"position"` // where it was last saved
	Created     time.Time        `json:"created"`
	LastSeen    time.Time        `json:"lastSeen,omitzero"`
	Online      bool             `json:"online"` // in the world
}

// CharacterDetail is everything that is stored of a character.
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
	MaxHP         int    `json:"maxHP"` // without items and satiety
	MP            int    `json:"mp"`
	MaxMP         int    `json:"maxMP"`
	Satiety       int    `json:"satiety"`
	MaxSatiety    int    `json:"maxSatiety"`
	Karma         int    `json:"karma"`
	KarmaType     int    `json:"karmaType"` // 1 very bad to 5 benign
	Clan          string `json:"clan"`
	ClanRank      int    `json:"clanRank"`
	Guild         int    `json:"guild"`
	GuildLevel    int    `json:"guildLevel"`
	PlayedSeconds int64  `json:"playedSeconds"`
	Items         []Item `json:"items"`
}

// Item is one thing that a character owns.
type Item struct {
	ID            rules.ItemID `json:"id"`
	Container     rules.ItemID `json:"container"` // 0: carried directly
	Slot          int          `json:"slot"`
	Class         int          `json:"class"`
	GameID        int          `json:"gameID"`
	Suffix        int          `json:"suffix"` // -1: none
	Count         int          `json:"count"`
	Durability    int          `json:"durability"`
	MaxDurability int          `json:"maxDurability"`
	Premium       int          `json:"premium"`
	Bound         bool         `json:"bound"`
	Weight        int          `json:"weight"`
}

// File names a file by its absolute path; "" lets the server choose.
type File struct {
	Path string `json:"path"`
}

// CheckResult is what a check has found: a sentence for each problem.
type CheckResult struct {
	Problems []string `json:"problems"`
}

// AuditSearch asks for the newest entries of the audit trail.
type AuditSearch struct {
	Target string `json:"target"` // a login or a character's name, "" for all
	Limit  int    `json:"limit"`
}
