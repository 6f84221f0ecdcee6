package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sphereserver/world/rules"
)

// ClanID numbers a clan. Numbers are never used again.
type ClanID int64

// ClanRank is a member's place in its clan; a smaller number is a higher rank. protocol: in-game 16.2.
type ClanRank uint8

// The ranks that last. A clan has one senior: its founder, or the member that the lead has passed to.
const (
	Senior ClanRank = iota
	Seneschal
	Vassal
	Neophyte
)

// Limits of clans. The length is the room on the wire (in-game 4.3); the number of members is ours.
const (
	MaxClanNameLen = 15 // bytes of Windows-1251
	MaxClanMembers = 100
)

// Why a change of a clan is refused; a taken name is [ErrNameTaken], a character that is not in the clan [ErrNotFound].
var (
	ErrInClan     = errors.New("is in a clan already")
	ErrNoClan     = errors.New("is in no clan")
	ErrClanFull   = errors.New("the clan is full")
	ErrRankTooLow = errors.New("the clan rank does not allow it")
)

// A clanRight has the rights of members of a rank. Nobody has written the original rules down; these are ours.
type clanRight struct {
	admits bool // takes new members in, as neophytes
	rules  bool // expels members of lower ranks than its own, and moves them between those ranks
	leads  bool // hands the lead over, and is seneschal afterwards
}

var clanRights = [...]clanRight{
	Senior:    {admits: true, rules: true, leads: true},
	Seneschal: {admits: true, rules: true},
	Vassal:    {},
	Neophyte:  {},
}

// A Clan is a lasting company of characters.
type Clan struct {
	ID      ClanID
	Name    string
	Founder CharacterID // may be gone
	Created time.Time
}

// A ClanMember is a character within its clan.
type ClanMember struct {
	Character CharacterID
	Name      string
	Rank      ClanRank
}

// A ClanChange is a change of a clan that is on the disk: what was before and what is, so that each member can be told.
type ClanChange struct {
	Clan    Clan
	Who     ClanMember   // the member that it is about: as it is now, or as it was before it left
	Before  []ClanMember // all members by rank, as they were
	Members []ClanMember // as they are now; none: the clan has been dissolved
}

// CheckClanName says which rule a clan's name breaks: 1 to 15 characters by the rules of [rules.CheckName], and single
// spaces between words.
func CheckClanName(name string) error {
	if _, err := rules.CheckText("clan name", name, MaxClanNameLen); err != nil {
		return err
	}
	if strings.Join(strings.Fields(name), " ") != name {
		return fmt.Errorf("clan name %q: expected single spaces, between words only", name)
	}
	if err := rules.CheckName(strings.ReplaceAll(name, " ", "")); err != nil {
		return fmt.Errorf("clan %w", err)
	}
	return nil
}

// CreateClan founds a clan with one member, its senior. ErrInClan when the founder is in one, ErrNameTaken when there
// is a clan of that name or of one that looks like it, ErrNotFound when there is no such character.
func (s *Store) CreateClan(ctx context.Context, founder CharacterID, name string) (ClanChange, error) {
	if err := CheckClanName(name); err != nil {
		return ClanChange{}, err
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	return create(ctx, s, func(t *tx) (change ClanChange, err error) {
		if err := t.clanless(founder); err != nil {
			return change, err
		}
		key := rules.NameKey(name)
		err = t.refuseIf(fmt.Errorf("data: clan %q: %w", name, ErrNameTaken), "SELECT 1 FROM clans WHERE name_key = ?", key)
		if err != nil {
			return change, err
		}
		id, err := t.insert("INSERT INTO clans (name, name_key, founder, created) VALUES (?, ?, ?, ?)", name, key, founder,
			stamp{&now})
		if err != nil {
			return change, err
		}
		change.Clan = Clan{ClanID(id), name, founder, now}
		if err := t.addMember(&change.Clan, founder, Senior, now); err != nil {
			return change, err
		}
		return change, t.complete(&change, founder)
	})
}

// JoinClan takes a character into the clan of by, as a neophyte. ErrNoClan and ErrRankTooLow are about by, ErrInClan
// about the character.
func (s *Store) JoinClan(ctx context.Context, by, who CharacterID) (ClanChange, error) {
	now := s.now().UTC().Truncate(time.Millisecond)
	return s.changeClan(ctx, by, who, func(t *tx, c *ClanChange, by ClanMember) error {
		switch {
		case !clanRights[by.Rank].admits:
			return fmt.Errorf("data: %s takes nobody into a clan: %w", by.Name, ErrRankTooLow)
		case len(c.Before) >= MaxClanMembers:
			return fmt.Errorf("data: clan %q has %d members: %w", c.Clan.Name, len(c.Before), ErrClanFull)
		}
		if err := t.clanless(who); err != nil {
			return err
		}
		return t.addMember(&c.Clan, who, Neophyte, now)
	})
}

func (t *tx) addMember(c *Clan, who CharacterID, rank ClanRank, joined time.Time) error {
	return t.command("INSERT INTO clan_members (character, clan, rank, joined) VALUES (?, ?, ?, ?)", who, c.ID, rank,
		stamp{&joined})
}

// LeaveClan takes a character out of its clan. The lead of a senior passes to the next in rank; the last one
// dissolves the clan.
func (s *Store) LeaveClan(ctx context.Context, who CharacterID) (ClanChange, error) {
	return s.changeClan(ctx, who, who, func(t *tx, _ *ClanChange, _ ClanMember) error {
		return t.command("DELETE FROM clan_members WHERE character = ?", who)
	})
}

// ExpelFromClan takes a character out of the clan of by, which has to be of a higher rank. ErrNotFound when they are
// not in one clan.
func (s *Store) ExpelFromClan(ctx context.Context, by, who CharacterID) (ClanChange, error) {
	return s.changeClan(ctx, by, who, func(t *tx, c *ClanChange, by ClanMember) error {
		switch target, err := c.member(who); {
		case err != nil:
			return err
		case !clanRights[by.Rank].rules || target.Rank <= by.Rank:
			return fmt.Errorf("data: %s does not expel %s: %w", by.Name, target.Name, ErrRankTooLow)
		}
		return t.command("DELETE FROM clan_members WHERE character = ?", who)
	})
}

// SetClanRank gives a member of the clan of by another rank: one below by's own; by has to be above the member, too.
// A senior may make another member the senior, and is seneschal from then on.
func (s *Store) SetClanRank(ctx context.Context, by, who CharacterID, rank ClanRank) (ClanChange, error) {
	if rank > Neophyte {
		return ClanChange{}, fmt.Errorf("data: clan rank: expected %d to %d, found %d", Senior, Neophyte, rank)
	}
	return s.changeClan(ctx, by, who, func(t *tx, c *ClanChange, by ClanMember) error {
		target, err := c.member(who)
		right := clanRights[by.Rank]
		handsOver := right.leads && rank == Senior
		switch {
		case err != nil:
			return err
		case !right.rules || target.Rank <= by.Rank || rank <= by.Rank && !handsOver:
			return fmt.Errorf("data: %s does not make %s a %v: %w", by.Name, target.Name, rank, ErrRankTooLow)
		}
		if handsOver {
			if err := t.command("UPDATE clan_members SET rank = ? WHERE character = ?", Seneschal, by.Character); err != nil {
				return err
			}
		}
		return t.command("UPDATE clan_members SET rank = ? WHERE character = ?", rank, who)
	})
}

// changeClan changes the clan of by, in one transaction with all that is read of it before and after.
func (s *Store) changeClan(ctx context.Context, by, who CharacterID, do func(t *tx, c *ClanChange,
	by ClanMember) error) (ClanChange, error) {
	return create(ctx, s, func(t *tx) (change ClanChange, err error) {
		if change.Clan, err = clanOf(ctx, t, by); err != nil {
			return change, err
		}
		if change.Before, err = clanMembers(ctx, t, change.Clan.ID); err != nil {
			return change, err
		}
		actor, err := change.member(by)
		if err != nil {
			return change, err
		}
		if err := do(t, &change, actor); err != nil {
			return change, err
		}
		return change, t.complete(&change, who)
	})
}

// member finds a member as it was before the change.
func (c *ClanChange) member(id CharacterID) (ClanMember, error) {
	if i := slices.IndexFunc(c.Before, func(m ClanMember) bool { return m.Character == id }); i >= 0 {
		return c.Before[i], nil
	}
	return ClanMember{}, fmt.Errorf("data: character %d of clan %q: %w", id, c.Clan.Name, ErrNotFound)
}

// complete fills in the members after the change.
func (t *tx) complete(c *ClanChange, who CharacterID) (err error) {
	if c.Members, err = clanMembers(background, t, c.Clan.ID); err != nil {
		return err
	}
	for _, m := range slices.Concat(c.Before, c.Members) {
		if m.Character == who {
			c.Who = m
		}
	}
	return nil
}

// clanless fails for a character that does not exist or is in a clan.
func (t *tx) clanless(id CharacterID) error {
	gone := fmt.Errorf("data: character %d: %w", id, ErrNotFound)
	err := t.refuseUnless(gone, "SELECT 1 FROM characters WHERE id = ?", id)
	if err != nil {
		return err
	}
	return t.refuseIf(fmt.Errorf("data: character %d: %w", id, ErrInClan),
		"SELECT 1 FROM clan_members WHERE character = ?", id)
}

// ClanOf returns the clan of a character; ErrNoClan when it is in none.
func (s *Store) ClanOf(ctx context.Context, id CharacterID) (Clan, error) {
	return clanOf(ctx, s.reads, id)
}

func clanOf(ctx context.Context, q querier, id CharacterID) (Clan, error) {
	c, err := readOne(ctx, q, scanClan, `SELECT k.id, k.name, k.founder, k.created
		FROM clan_members m JOIN clans k ON k.id = m.clan WHERE m.character = ?`, id)
	if errors.Is(err, ErrNotFound) {
		return c, fmt.Errorf("data: character %d: %w", id, ErrNoClan)
	}
	return c, wrap(err, "read the clan of character %d", id)
}

func scanClan(row *sql.Rows) (c Clan, err error) {
	err = row.Scan(&c.ID, &c.Name, &c.Founder, stamp{&c.Created})
	return c, err
}

// ClanMembers lists the members of a clan by rank, then by how long they have been in it.
func (s *Store) ClanMembers(ctx context.Context, id ClanID) ([]ClanMember, error) {
	return clanMembers(ctx, s.reads, id)
}

func clanMembers(ctx context.Context, q querier, id ClanID) ([]ClanMember, error) {
	members, err := readAll(ctx, q, scanClanMember, `SELECT m.character, c.name, m.rank
		FROM clan_members m JOIN characters c ON c.id = m.character
		WHERE m.clan = ? ORDER BY m.rank, m.joined, m.character`, id)
	return members, wrap(err, "read the members of clan %d", id)
}

func scanClanMember(row *sql.Rows) (m ClanMember, err error) {
	err = row.Scan(&m.Character, &m.Name, &m.Rank)
	return m, err
}

var clanRankNames = [...]string{Senior: "senior", Seneschal: "seneschal", Vassal: "vassal", Neophyte: "neophyte"}

// String is the rank's name.
func (r ClanRank) String() string {
	if int(r) < len(clanRankNames) {
		return clanRankNames[r]
	}
	return fmt.Sprintf("clan rank %d", uint8(r))
}
