package admin

import (
	"context"
	"errors"
	"fmt"

	"sphereserver/coords"
	"sphereserver/data"
)

// Characters lists characters in alphabetical order.
func (o *Ops) Characters(ctx context.Context, s Search) ([]Character, error) {
	found, err := o.Store.FindCharacters(ctx, s.Like)
	if err != nil {
		return nil, err
	}
	accounts, err := o.Store.Accounts(ctx, "")
	if err != nil {
		return nil, err
	}
	logins := make(map[data.AccountID]string, len(accounts))
	for _, a := range accounts {
		logins[a.ID] = a.Login
	}
	out := make([]Character, 0, len(found))
	for _, c := range found {
		out = append(out, o.describeCharacter(c, logins[c.Account]))
	}
	return out, nil
}

// Character tells everything that is stored of one.
func (o *Ops) Character(ctx context.Context, n CharacterName) (CharacterDetail, error) {
	c, a, err := o.findCharacter(ctx, n.Name)
	if err != nil {
		return CharacterDetail{}, err
	}
	items, err := o.Store.Items(ctx, c.ID)
	if err != nil {
		return CharacterDetail{}, err
	}
	d := CharacterDetail{
		Character: o.describeCharacter(c, a.Login), Female: c.Female, Tutorial: c.Tutorial,
		TitleXP: c.TitleXP, DegreeXP: c.DegreeXP, TitlePoints: c.TitlePoints, DegreePoints: c.DegreePoints,
		Strength: c.Strength, Agility: c.Agility, Accuracy: c.Accuracy, Endurance: c.Endurance,
		Earth: c.Earth, Air: c.Air, Water: c.Water, Fire: c.Fire,
		HP: c.HP, MaxHP: data.MaxHP(c.TitleLevel, c.DegreeLevel), MP: c.MP, MaxMP: data.MaxMP(c.TitleLevel, c.DegreeLevel),
		Satiety: c.Satiety, MaxSatiety: c.MaxSatiety, Karma: c.KarmaCount, KarmaType: data.KarmaType(c.KarmaCount),
		Clan: c.ClanName, ClanRank: int(c.ClanRank), Guild: c.Guild, GuildLevel: c.GuildLevel,
		PlayedSeconds: int64(c.Played.Seconds()), Items: []Item{},
	}
	for _, i := range items {
		d.Items = append(d.Items, Item{
			ID: i.ID, Container: i.In, Slot: i.Slot, Class: i.Class, GameID: i.GameID, Suffix: i.Suffix, Count: i.Count,
			Durability: i.Durability, MaxDurability: i.MaxDurability, Premium: i.Premium, Bound: i.Bound, Weight: i.Weight,
		})
	}
	return d, nil
}

// MoveCharacter puts a character somewhere else: in the world by a teleport, otherwise where it is stored.
func (o *Ops) MoveCharacter(ctx context.Context, m Move) (Character, error) {
	c, a, err := o.findCharacter(ctx, m.Name)
	if err != nil {
		return Character{}, err
	}
	p := m.Position
	if m.KeepYaw {
		p.Yaw = c.Position.Yaw
	}
	if err := data.CheckPosition(p); err != nil {
		return Character{}, invalid(fmt.Errorf("character %q: %w", c.Name, err))
	}
	detail := fmt.Sprintf("from %v to %v", c.Position, p)
	moved, err := o.moveOnline(ctx, c.ID, p)
	if err != nil {
		return Character{}, err
	}
	if moved {
		entry := data.AuditEntry{Who: o.who(ctx), Action: "character move", Target: c.Name, Detail: detail + ", in the world"}
		if err := o.Store.AppendAudit(ctx, entry); err != nil {
			return Character{}, err
		}
		c.Position = p
		return o.describeCharacter(c, a.Login), nil
	}
	if err := o.Store.MoveCharacter(o.audited(ctx, "character move", c.Name, detail), c.ID, p); err != nil {
		return Character{}, err
	}
	// It may have entered the world just before, at the old place.
	if _, err := o.moveOnline(ctx, c.ID, p); err != nil {
		return Character{}, err
	}
	c.Position = p
	return o.describeCharacter(c, a.Login), nil
}

func (o *Ops) moveOnline(ctx context.Context, id data.CharacterID, p coords.Position) (bool, error) {
	if o.Live == nil {
		return false, nil
	}
	moved, err := o.Live.MoveOnline(ctx, id, p)
	if err != nil {
		return false, fmt.Errorf("teleport character %d: %w", id, err)
	}
	return moved, nil
}

// RenameCharacter gives a character another name, while nobody plays on its account.
func (o *Ops) RenameCharacter(ctx context.Context, r Rename) (Character, error) {
	if err := data.CheckName(r.NewName); err != nil {
		return Character{}, invalid(err)
	}
	c, a, err := o.findCharacter(ctx, r.Name)
	if err != nil {
		return Character{}, err
	}
	err = o.alone(ctx, c.Account, "the character was renamed", func() error {
		return o.Store.RenameCharacter(o.audited(ctx, "character rename", c.Name, "to "+r.NewName), c.ID, r.NewName)
	})
	if err != nil {
		return Character{}, err
	}
	if c, err = o.Store.CharacterByID(ctx, c.ID); err != nil {
		return Character{}, err
	}
	return o.describeCharacter(c, a.Login), nil
}

// DeleteCharacter removes a character with its items, while nobody plays on its account.
func (o *Ops) DeleteCharacter(ctx context.Context, n CharacterName) (Character, error) {
	c, a, err := o.findCharacter(ctx, n.Name)
	if err != nil {
		return Character{}, err
	}
	detail := fmt.Sprintf("character %d of account %q, slot %d", c.ID, a.Login, c.Slot)
	err = o.alone(ctx, c.Account, "the character was deleted", func() error {
		c, err = o.Store.DeleteCharacterByID(o.audited(ctx, "character delete", c.Name, detail), c.ID)
		return err
	})
	if err != nil {
		return Character{}, err
	}
	return o.describeCharacter(c, a.Login), nil
}

// findCharacter finds a character and its account, or the nearest name for the error.
func (o *Ops) findCharacter(ctx context.Context, name string) (data.Character, data.Account, error) {
	c, err := o.Store.CharacterByName(ctx, name)
	if errors.Is(err, data.ErrNotFound) {
		all, listErr := o.Store.FindCharacters(ctx, "")
		if listErr != nil {
			return c, data.Account{}, err
		}
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].Name
		}
		return c, data.Account{}, notFound("character", name, names)
	}
	if err != nil {
		return c, data.Account{}, err
	}
	a, err := o.Store.AccountByID(ctx, c.Account)
	return c, a, err
}

func (o *Ops) describeCharacter(c data.Character, login string) Character {
	out := Character{
		ID: c.ID, Name: c.Name, Account: login, Slot: c.Slot, TitleLevel: c.TitleLevel, DegreeLevel: c.DegreeLevel,
		Money: c.Money, Position: c.Position, Created: c.Created, LastSeen: c.LastSeen,
	}
	if o.Live != nil {
		_, inWorld := o.Live.Online(c.Account)
		out.Online = inWorld == c.ID
	}
	return out
}
