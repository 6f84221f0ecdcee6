package ops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sphereserver/data"
)

// DeletedSearch asks for the deleted characters that can come back: of an account, or with Like in their names.
type DeletedSearch struct {
	Account data.AccountID `json:"account,omitempty"` // 0: of all
	Like    string         `json:"like"`
}

// DeletedCharacter is a character that was deleted and can come back.
type DeletedCharacter struct {
	ID          data.CharacterID `json:"id"`
	Name        string           `json:"name"`
	Account     string           `json:"account"` // its login
	Slot        Ordinal          `json:"slot"`    // that it had
	TitleLevel  Ordinal          `json:"titleLevel"`
	DegreeLevel Ordinal          `json:"degreeLevel"`
	Money       int64            `json:"money"`
	Items       int              `json:"items"`
	Deleted     time.Time        `json:"deleted"`
	KeptUntil   time.Time        `json:"keptUntil"`
}

// Undelete brings a deleted character back; of several of one name the one that was deleted last.
type Undelete struct {
	CharacterName
	Slot *Ordinal `json:"slot,omitempty"` // nil: the one that it had, or the first free one
}

func (u Undelete) check(f *Faults) {
	if u.Slot != nil && (*u.Slot < 0 || *u.Slot >= data.Slots) {
		f.Add("slot", slotText, data.Slots, *u.Slot+1)
	}
}

var (
	slotText      = Text{"Нужна ячейка от 1 до %d, а не %d.", "expected a slot from 1 to %d, found %d"}
	noDeletedText = Text{"Удалённого персонажа с номером %d нет.", "There is no deleted character %d."}
	tooLateText   = Text{"%s хранился %s: вернуть его уже нельзя.", "%s was kept %s: it cannot come back any more."}
	nameAgainText = Text{"Имя «%s» или очень похожее уже носит другой персонаж: сначала переименуйте его.",
		"The name %s, or one like it, is that of another character now: rename that one first."}
	slotTakenText = Text{"Место %d на учётной записи %s занято: укажите другое.",
		"Slot %d of the account %s is taken: name another one."}
	fullText = Text{"На учётной записи %s уже %d персонажа: больше не помещается.",
		"The account %s has %d characters already: there is no room for more."}
	choosingText = Text{"Игрок с учётной записью %s как раз выбирает персонажа: подождите, пока он войдёт в мир " +
		"или выйдет.",
		"The player of the account %s is choosing a character: wait until it is in the world, or gone."}
	comesBackText = Text{"Ваш персонаж %s возвращён: он будет в списке при следующем входе.",
		"Your character %s is back: you will find it at your next login."}
)

func (c *call) listDeleted(s DeletedSearch) ([]DeletedCharacter, error) {
	if s.Account != 0 {
		if _, err := c.account(AccountName{ID: s.Account}); err != nil {
			return nil, err
		}
	}
	done, err := c.inTurn()
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := c.Store.DeletedCharacters(c, s.Account, s.Like)
	if err != nil {
		return nil, err
	}
	logins, err := c.logins()
	if err != nil {
		return nil, err
	}
	out := make([]DeletedCharacter, 0, len(found))
	for _, d := range found {
		out = append(out, DeletedCharacter{ID: d.ID, Name: d.Name, Account: logins[d.Account], Slot: Ordinal(d.Slot),
			TitleLevel: Ordinal(d.TitleLevel), DegreeLevel: Ordinal(d.DegreeLevel), Money: d.Money, Items: d.Items,
			Deleted: d.Deleted, KeptUntil: d.KeptUntil})
	}
	return out, nil
}

func (c *call) findDeleted(n CharacterName) (data.DeletedCharacter, error) {
	if n.ID != 0 {
		d, err := c.Store.DeletedByID(c, n.ID)
		return d, orElse(err, noDeletedText, n.ID)
	}
	if err := required("name", n.Name); err != nil {
		return data.DeletedCharacter{}, err
	}
	d, err := c.Store.DeletedByName(c, n.Name)
	all := func(ctx context.Context, like string) ([]data.DeletedCharacter, error) {
		return c.Store.DeletedCharacters(ctx, 0, like)
	}
	return d, orNearest(c, err, "deleted character", n.Name, all, func(d data.DeletedCharacter) string { return d.Name })
}

// undeleteCharacter brings a deleted character back with its items. Nobody may be choosing a character on its
// account: the list on that screen would not have it, and its slot be offered for a new one.
func (c *call) undeleteCharacter(u Undelete) (Character, error) {
	d, err := c.findDeleted(u.CharacterName)
	if err != nil {
		return Character{}, err
	}
	a, err := c.Store.AccountByID(c, d.Account)
	if err == nil {
		err = c.mayActOn(&a, d.Name)
	}
	if err != nil {
		return Character{}, err
	}
	online, inWorld := c.online(a.ID)
	if online && inWorld == 0 {
		return Character{}, refuse(ErrRejected, choosingText, a.Login)
	}
	slot := -1
	if u.Slot != nil {
		slot = int(*u.Slot)
	}
	audited := c.audited(d.Name, fmt.Sprintf("character %d of account %q", d.ID, a.Login))
	ch, err := c.Store.UndeleteCharacter(audited, d.ID, slot)
	switch {
	case errors.Is(err, data.ErrTooLate):
		err = refuse(data.ErrTooLate, tooLateText, d.Name, Until(d.KeptUntil))
	case errors.Is(err, data.ErrNameTaken):
		err = taken(data.ErrNameTaken, "", nameAgainText, d.Name)
	case errors.Is(err, data.ErrSlotTaken):
		err = refuse(data.ErrSlotTaken, slotTakenText, slot+1, a.Login)
	case errors.Is(err, data.ErrAccountFull):
		err = refuse(data.ErrAccountFull, fullText, a.Login, data.Slots)
	case err == nil:
		c.tell(a.ID, comesBackText, ch.Name)
	}
	return c.describeCharacter(ch, a.Login), err
}
