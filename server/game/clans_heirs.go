package game

import (
	"context"
	"errors"

	"sphereserver/data"
)

// A deletingStore is the server's store. It tells members of clans in the world at once to whom the lead passes when
// a character or an account is deleted, whichever way the deletion comes.
type deletingStore struct {
	Store
	server *Server
}

// DeleteCharacter is [data.Store.DeleteCharacter].
func (s deletingStore) DeleteCharacter(ctx context.Context, id data.CharacterID) (c data.Character, err error) {
	err = s.deleting(ctx, []data.Character{{ID: id}}, func() error {
		c, err = s.Store.DeleteCharacter(ctx, id)
		return err
	})
	return c, err
}

// DeleteAccount is [data.Store.DeleteAccount].
func (s deletingStore) DeleteAccount(ctx context.Context, id data.AccountID) error {
	characters, err := s.Characters(ctx, id)
	if err != nil {
		return err
	}
	return s.deleting(ctx, characters, func() error { return s.Store.DeleteAccount(ctx, id) })
}

// deleting tells the clans of characters about their ranks once the characters are deleted. None of them is in the
// world, so none changes its clan meanwhile.
func (s deletingStore) deleting(ctx context.Context, characters []data.Character, remove func() error) error {
	var clans []data.Clan
	for i := range characters {
		switch clan, err := s.ClanOf(ctx, characters[i].ID); {
		case err == nil:
			clans = append(clans, clan)
		case !errors.Is(err, data.ErrNoClan):
			return err
		}
	}
	if err := remove(); err != nil || len(clans) == 0 {
		return err
	}
	defer s.server.clans.queue()()()
	for i := range clans {
		members, err := s.ClanMembers(context.WithoutCancel(ctx), clans[i].ID)
		if err != nil { // the deletion is done all the same
			s.server.options.Log.Error("cannot read a clan", "error", err)
		}
		s.server.clans.ranked(&clans[i], members)
	}
	return nil
}
