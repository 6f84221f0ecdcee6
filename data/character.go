package data

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// Slots is how many characters an account can have. protocol: session 6.1.
const Slots = 3

// HelpPages is how many pages the client's first help has. Source: protocol life 13.
const HelpPages = 18

// A Character is the stored part of a character. Values that can be computed – maxima of HP and MP, look codes of
// equipment, defences, the karma type – are not stored. protocol: session 6.2, 11.2.
type Character struct {
	ID      CharacterID
	Account AccountID
	Slot    int // 0 to 2
	Name    string
	Female  bool

	Face, Hair, HairColour, Tattoo byte // the client's choices, counted from 48

	TitleLevel, DegreeLevel int // absolute level minus one, 0 to 239, 60 for each reset
	rules.Progress              // points to spend are 0 to 65535, Karma -1000000 to 1000000; guild: session 11.3
	rules.Tally
	HP, MP              int // current
	Satiety, MaxSatiety int
	Effects             []rules.Effect // the oldest first; their time goes on in the world only
	Cooldowns           rules.Cooldowns
	ClanName            string // "" for none; read only, see [Store.JoinClan] and its neighbours
	ClanRank            ClanRank
	Ignored             rules.Ignored // read only, see [Store.Ignore]
	Money               int64         // 0 to 2147483647
	Position            coords.Position

	Created  time.Time
	LastSeen time.Time     // zero: has never been in the world
	Played   time.Duration // in the world, all together
	Tutorial bool          // has not finished the newcomers' dungeon

	FirstHelp uint32 // pages of first help that it has been shown, 18 bits

	Revision int64 // how many changes of progress or place it has had
}

// bornColumns are set by creation and never changed by play; bornFields has the variables in the same order.
const bornColumns = "account, slot, name, female, face, hair, hair_colour, tattoo, created"

func (c *Character) bornFields() []any {
	return []any{&c.Account, &c.Slot, &c.Name, &c.Female, &c.Face, &c.Hair, &c.HairColour, &c.Tattoo, stamp{&c.Created}}
}

// sheetColumns are stored by a [rules.ProgressChange]; sheetFields has the variables in the same order. The points to
// spend on statistics are stored for old programs only: they are the sum of the others.
const sheetColumns = "title_level, degree_level, title_xp, degree_xp, title_points, degree_points, stat_points, " +
	"strength, agility, accuracy, endurance, earth, air, water, fire, hp, mp, satiety, max_satiety, karma_count, " +
	"resets, licences, guild, guild_level, revision"

func (c *Character) sheetFields() []any {
	points, b := c.TitlePoints+c.DegreePoints, &c.Base
	return []any{&c.TitleLevel, &c.DegreeLevel, &c.TitleXP, &c.DegreeXP, &c.TitlePoints, &c.DegreePoints, &points,
		&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &c.HP, &c.MP, &c.Satiety, &c.MaxSatiety, &c.Karma, &c.Resets,
		&c.Licences, &c.Guild, &c.GuildRank, &c.Revision}
}

// savedColumns are saved when a character leaves; savedFields has the variables in the same order. Money is not among
// them: only a [rules.MoneyChange] stores it, which compares, so that no save of an older state brings back spent
// money.
const savedColumns = sheetColumns + ", x, y, z, yaw, last_seen, played, tutorial, effects, first_help, " +
	"kills, deaths, cooldowns"

func (c *Character) savedFields() []any {
	return append(c.sheetFields(), &c.Position.X, &c.Position.Y, &c.Position.Z,
		&c.Position.Yaw, stamp{&c.LastSeen}, span{&c.Played}, &c.Tutorial, effectList{&c.Effects}, &c.FirstHelp,
		&c.Kills, &c.Deaths, cooldownMap{&c.Cooldowns})
}

// playColumns are changed by play; playFields has the variables in the same order.
const playColumns = savedColumns + ", money"

func (c *Character) playFields() []any { return append(c.savedFields(), &c.Money) }

// selectCharacter reads the clan from where it is kept, so that no save of an older state can bring it back.
const selectCharacter = "SELECT id, " + bornColumns + ", " + playColumns + `,
	coalesce((SELECT k.name FROM clan_members m JOIN clans k ON k.id = m.clan WHERE m.character = characters.id), ''),
	coalesce((SELECT rank FROM clan_members WHERE character = characters.id), 0), ` + selectIgnored + `
	FROM characters `

var (
	insertCharacter = insertInto("characters", "name_key, "+bornColumns+", "+playColumns)
	updateCharacter = update("characters", savedColumns)
)

// selectFields has the variables of selectCharacter.
func (c *Character) selectFields() []any {
	fields := append([]any{&c.ID}, c.bornFields()...)
	return append(append(fields, c.playFields()...), &c.ClanName, &c.ClanRank, ignoredList{&c.Ignored})
}

func scanCharacter(row *sql.Rows) (c Character, err error) {
	err = row.Scan(c.selectFields()...)
	return c, err
}

// NextProgress is the character's progress, as the next change would store it.
func (c *Character) NextProgress() rules.ProgressChange {
	return rules.ProgressChange{Character: int64(c.ID), Revision: c.Revision + 1, Title: c.TitleLevel,
		Degree: c.DegreeLevel, Progress: c.Progress,
		Pools: rules.Pools{HP: c.HP, MP: c.MP, Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}}
}

// SetProgress gives the character its new progress.
func (c *Character) SetProgress(p *rules.ProgressChange) {
	c.TitleLevel, c.DegreeLevel, c.Progress, c.Revision = p.Title, p.Degree, p.Progress, p.Revision
	c.HP, c.MP, c.Satiety, c.MaxSatiety = p.Pools.HP, p.Pools.MP, p.Pools.Satiety, p.Pools.MaxSatiety
}

// A Playing is the part of a character that is kept beside the world while it plays: the world has the rest.
type Playing struct {
	ID        CharacterID
	Name      string
	Position  coords.Position // where it was when it was chosen
	Played    time.Duration   // until then
	ClanName  string          // as in [Character]
	ClanRank  ClanRank
	Tutorial  bool
	FirstHelp uint32
	Ignored   rules.Ignored
}

// Playing is the state of a character that is kept while it plays.
func (c *Character) Playing() *Playing {
	return &Playing{c.ID, c.Name, c.Position, c.Played, c.ClanName, c.ClanRank, c.Tutorial, c.FirstHelp, c.Ignored}
}

// check says which value is out of its range: one that the wire or the schema cannot hold must not be stored.
func (c *Character) check() error {
	err := checkBounds([]bounded{
		{"slot", int64(c.Slot), 0, Slots - 1},
		{"title level", int64(c.TitleLevel), 0, rules.MaxLevel},
		{"degree level", int64(c.DegreeLevel), 0, rules.MaxLevel},
		{"title points", int64(c.TitlePoints), 0, rules.MaxPoints},
		{"degree points", int64(c.DegreePoints), 0, math.MaxUint16},
		{"HP", int64(c.HP), 0, math.MaxUint16},
		{"MP", int64(c.MP), 0, math.MaxUint16},
		{"satiety", int64(c.Satiety), 0, math.MaxUint16},
		{"maximum satiety", int64(c.MaxSatiety), 0, math.MaxUint16},
		{"karma", int64(c.Karma), -rules.MaxKarma, rules.MaxKarma},
		{"money", c.Money, 0, math.MaxInt32},
		{"first help", int64(c.FirstHelp), 0, 1<<HelpPages - 1},
	}, "character %q", c.Name)
	if err != nil {
		return err
	}
	return wrap(cmp.Or(checkEffects(c.Effects), CheckPosition(c.Position)), "character %q", c.Name)
}

// Characters lists the characters of an account in the order of their slots.
func (s *Store) Characters(ctx context.Context, id AccountID) ([]Character, error) {
	return s.characters(ctx, "WHERE account = ? ORDER BY slot", id)
}

// FindCharacters lists the characters with like in their names, without regard to case and in alphabetical order; ""
// lists all.
func (s *Store) FindCharacters(ctx context.Context, like string) ([]Character, error) {
	// The key may bring together more than the case does, never less.
	found, err := s.characters(ctx, "WHERE instr(name_key, ?) > 0 OR ? = '' ORDER BY name_key", rules.NameKey(like), like)
	return slices.DeleteFunc(found, func(c Character) bool { return !c.nameContains(like) }), err
}

func (c *Character) nameContains(like string) bool {
	return strings.Contains(rules.FoldName(c.Name), rules.FoldName(like))
}

func (s *Store) characters(ctx context.Context, where string, args ...any) ([]Character, error) {
	out, err := readAll(ctx, s.reads, scanCharacter, selectCharacter+where, args...)
	return out, wrap(err, "read characters")
}

// CharacterByName finds a character by its name, without regard to case; ErrNotFound when there is none. A name that
// only looks the same, in letters of the other alphabet, is not the same.
func (s *Store) CharacterByName(ctx context.Context, name string) (Character, error) {
	c, err := readOne(ctx, s.reads, scanCharacter, selectCharacter+"WHERE name_key = ?", rules.NameKey(name))
	if err == nil && rules.FoldName(c.Name) != rules.FoldName(name) {
		c, err = Character{}, ErrNotFound
	}
	return c, wrapRead(err, "character %q", name)
}

// CharacterByID finds a character by its number; ErrNotFound when there is none.
func (s *Store) CharacterByID(ctx context.Context, id CharacterID) (Character, error) {
	c, err := readOne(ctx, s.reads, scanCharacter, selectCharacter+"WHERE id = ?", id)
	return c, wrapRead(err, "character %d", id)
}

// nameFree is ErrNameTaken when the name of c, or one that looks like it, belongs to another character, or is kept for
// a deleted one of another account. Within a write, a name that has been found free stays free until the write is done.
func (t *tx) nameFree(c *Character, now time.Time) error {
	return t.refuseIf(fmt.Errorf("data: character %q: %w", c.Name, ErrNameTaken),
		`SELECT 1 FROM characters WHERE name_key = ?1 AND id <> ?2 UNION ALL
		SELECT 1 FROM deleted_characters WHERE name_key = ?1 AND account <> ?3 AND kept_until > ?4`,
		rules.NameKey(c.Name), c.ID, c.Account, toMillis(now))
}

// NewCharacter is a character with its first belongings; ids and Created are filled in by the store.
type NewCharacter struct {
	Character
	Items []rules.Item // carried directly
}

// carriedByNew stands for the number that a new character does not have yet.
const carriedByNew = -1

// CreateCharacter stores a new character and its items, all or nothing. ErrNameTaken when there is one of that name or
// of one that looks like it, or the name is kept for a deleted one of another account, ErrSlotTaken when its slot is
// not empty, ErrNotFound when there is no such account.
func (s *Store) CreateCharacter(ctx context.Context, n NewCharacter) (Character, []rules.Item, error) {
	c, items := n.Character, slices.Clone(n.Items)
	if err := rules.CheckName(c.Name); err != nil {
		return Character{}, nil, err
	}
	if err := c.check(); err != nil {
		return Character{}, nil, err
	}
	for i := range items {
		if items[i].In != 0 {
			return Character{}, nil, fmt.Errorf("data: item %d of new character %q: "+
				"expected one carried directly, found one in container %d", i+1, c.Name, items[i].In)
		}
		if err := checkItem(&rules.StoredItem{Item: items[i], Owner: carriedByNew}); err != nil {
			return Character{}, nil, err
		}
	}
	c.Created = s.now().UTC().Truncate(time.Millisecond)
	err := s.do(ctx, func(t *tx) error {
		if err := t.createCharacter(&c); err != nil {
			return err
		}
		for i := range items {
			id, err := t.insertItem(&rules.StoredItem{Item: items[i], Owner: int64(c.ID)})
			if err != nil {
				return wrap(err, "create character %q: item %d", c.Name, i+1)
			}
			items[i].ID = id
		}
		return nil
	})
	if err != nil {
		return Character{}, nil, err
	}
	return c, items, nil
}

func (t *tx) createCharacter(c *Character) error {
	if err := t.hasAccount(c.Account); err != nil {
		return err
	}
	err := t.refuseIf(fmt.Errorf("data: account %d, slot %d: %w", c.Account, c.Slot, ErrSlotTaken),
		"SELECT 1 FROM characters WHERE account = ? AND slot = ?", c.Account, c.Slot)
	if err != nil {
		return err
	}
	if err := t.nameFree(c, c.Created); err != nil {
		return err
	}
	fields := append([]any{rules.NameKey(c.Name)}, c.bornFields()...)
	id, err := t.insert(insertCharacter, append(fields, c.playFields()...)...)
	c.ID = CharacterID(id)
	return wrap(err, "create character %q", c.Name)
}

// DeleteCharacter removes a character with its items and returns it. Both are kept for a while: see
// [Store.KeepDeleted] and [Store.UndeleteCharacter].
func (s *Store) DeleteCharacter(ctx context.Context, id CharacterID) (Character, error) {
	return create(ctx, s, func(t *tx) (Character, error) {
		c, err := readOne(background, t, scanCharacter, selectCharacter+"WHERE id = ?", id)
		if err != nil {
			return c, wrapRead(err, "character %d", id)
		}
		if keep := time.Duration(s.keepDeleted.Load()); keep > 0 {
			if err := t.keep(id, s.now(), s.now().Add(keep)); err != nil {
				return c, wrap(err, "keep character %d", id)
			}
		}
		return c, t.command("DELETE FROM characters WHERE id = ?", id)
	})
}

// SaveCharacters stores all that play changes of each character, except belongings and money, which [Store.Apply]
// stores. Name, slot, account, gender and appearance stay.
// Those that can never be saved – out of range, or deleted in the meantime – are named in the error, which is
// [ErrPartly] then: the others are saved all the same. After any other error none is.
func (s *Store) SaveCharacters(ctx context.Context, cs []Character) error {
	var sound []*Character
	var unsound []error
	for i := range cs {
		if err := cs[i].check(); err != nil {
			unsound = append(unsound, err)
			continue
		}
		sound = append(sound, &cs[i])
	}
	var missing []error
	err := s.do(ctx, func(t *tx) error {
		missing = nil
		for _, c := range sound {
			switch err := t.saveCharacter(c); {
			case errors.Is(err, ErrNotFound):
				missing = append(missing, err)
			case err != nil:
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if never := append(unsound, missing...); len(never) > 0 {
		return fmt.Errorf("%w: %w", ErrPartly, errors.Join(never...))
	}
	return nil
}

func (t *tx) saveCharacter(c *Character) error {
	return wrap(t.change(updateCharacter, append(values(c.savedFields()), int64(c.ID))...), "save character %d", c.ID)
}

const updateLive = "UPDATE characters SET x = ?, y = ?, z = ?, yaw = ?, hp = ?, mp = ?, satiety = ?, title_xp = ?, " +
	"degree_xp = ?, karma_count = ?, kills = ?, deaths = ?, effects = ?, cooldowns = ? WHERE id = ? AND revision = ?"

// SaveLive stores the volatile values of many characters at once. Characters that have been deleted in the meantime,
// or changed to another revision, are passed over.
func (s *Store) SaveLive(ctx context.Context, states []rules.LiveState) error {
	for i := range states {
		if err := checkLive(&states[i]); err != nil {
			return fmt.Errorf("data: character %d: %w", states[i].Character, err)
		}
	}
	if len(states) == 0 {
		return nil
	}
	return s.do(ctx, func(t *tx) error {
		for i := range states {
			s := &states[i]
			p, v := &s.Position, &s.Pools
			err := t.command(updateLive, p.X, p.Y, p.Z, p.Yaw, v.HP, v.MP, v.Satiety, s.TitleXP, s.DegreeXP, s.Karma,
				s.Tally.Kills, s.Tally.Deaths, effectsText(s.Effects), cooldownsText(s.Cooldowns), s.Character,
				s.Revision)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// checkLive says which value the wire or the schema cannot hold.
func checkLive(s *rules.LiveState) error {
	for _, v := range [...]int{s.Pools.HP, s.Pools.MP, s.Pools.Satiety} {
		if v < 0 || v > rules.MaxPool {
			return fmt.Errorf("pools: expected 0 to %d, found HP %d, MP %d, satiety %d", rules.MaxPool, s.Pools.HP,
				s.Pools.MP, s.Pools.Satiety)
		}
	}
	if s.Karma < -rules.MaxKarma || s.Karma > rules.MaxKarma {
		return fmt.Errorf("karma: expected %d to %d, found %d", -rules.MaxKarma, rules.MaxKarma, s.Karma)
	}
	return cmp.Or(checkEffects(s.Effects), CheckPosition(s.Position))
}

// MoveCharacter puts a character that is not in the world somewhere else.
func (s *Store) MoveCharacter(ctx context.Context, id CharacterID, p coords.Position) error {
	if err := CheckPosition(p); err != nil {
		return fmt.Errorf("data: character %d: %w", id, err)
	}
	return s.changeOne(ctx, fmt.Sprintf("character %d", id),
		"UPDATE characters SET x = ?, y = ?, z = ?, yaw = ? WHERE id = ?", p.X, p.Y, p.Z, p.Yaw, id)
}

// RenameCharacter gives a character another name, by the rules of CheckName; ErrNameTaken when another character has
// it or one that looks like it, or it is kept for a deleted one of another account.
func (s *Store) RenameCharacter(ctx context.Context, id CharacterID, name string) error {
	if err := rules.CheckName(name); err != nil {
		return err
	}
	return s.do(ctx, func(t *tx) error {
		c, err := readOne(background, t, scanCharacter, selectCharacter+"WHERE id = ?", id)
		if err != nil {
			return wrapRead(err, "character %d", id)
		}
		c.Name = name
		if err := t.nameFree(&c, s.now()); err != nil {
			return err
		}
		return wrap(t.change("UPDATE characters SET name = ?, name_key = ? WHERE id = ?", name, rules.NameKey(name), id),
			"character %d", id)
	})
}
