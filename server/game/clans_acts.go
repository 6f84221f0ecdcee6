package game

import (
	"errors"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
)

// Clients speak of clans in two ways. About themselves they found, leave, expel and rank. To another player they apply,
// and accept who has applied: then the message is about that player's object, and names the one who sends it.
//
// Source: recorded traffic of May 2023; protocol ingame 16.2 has the payloads. docs/protocol/clans.md tells the whole.

func (s *player) requestCreateClan(about *packets.Section, c *packets.CreateClan) {
	if s.own(about) {
		s.createClan(c.Clan)
	}
}

func (s *player) requestLeaveClan(about *packets.Section, c *packets.LeaveClan) {
	if s.own(about) {
		s.leaveClan(c.Name)
	}
}

// Operations of ChangeClanRank, as recorded; a rank that lasts is taken for the rank wanted.
const (
	clanExpel = 5
	clanRaise = 7
	clanLower = 8
)

func (s *player) requestClanRank(about *packets.Section, c *packets.ChangeClanRank) {
	switch {
	case !s.own(about):
	case c.Rank == clanExpel:
		s.expelFromClan(c.Name)
	case c.Rank == clanRaise:
		// Never to senior: the lead is handed over on purpose only.
		s.rankInClan(c.Name, func(r data.ClanRank) data.ClanRank { return max(r, data.Vassal) - 1 })
	case c.Rank == clanLower:
		s.rankInClan(c.Name, func(r data.ClanRank) data.ClanRank { return min(r+1, data.Neophyte) })
	case c.Rank <= uint8(data.Neophyte):
		s.rankInClan(c.Name, func(data.ClanRank) data.ClanRank { return data.ClanRank(c.Rank) })
	}
}

func (s *player) requestRecruit(about *packets.Section, c *packets.RecruitToClan) {
	if other := s.other(about, c.Player); other != nil {
		s.applyTo(other)
	}
}

func (s *player) requestAdmit(about *packets.Section, c *packets.AcceptApplicant) {
	if other := s.other(about, c.Player); other != nil {
		s.admit(other)
	}
}

// own says whether a request is about the player itself.
func (s *player) own(about *packets.Section) bool {
	return about.Class == packets.ClassPlayer && about.Object == s.ID()
}

// other is the player to whom a request is made that names a sender, who has to be this one. A request about the own
// player that names another one is understood, too: the documents have it so.
func (s *player) other(about *packets.Section, named packets.ObjectID) *player {
	if about.Class != packets.ClassPlayer || (about.Object == s.ID()) == (named == s.ID()) {
		return nil
	}
	id := about.Object
	if id == s.ID() {
		id = named
	}
	other := s.server.sessionOf(id)
	if other == nil {
		s.Tell(clanNobodyText)
	}
	return other
}

// clanRefusals are what a player is told when the store refuses a change of a clan.
var clanRefusals = []struct {
	err  error
	text ops.Text
}{
	{data.ErrNameTaken, text("Клан с таким или очень похожим названием уже "+
		"есть.",
		"There is a clan of that name already, or of one that looks like it.")},
	{data.ErrInClan, clanOwnText},
	{data.ErrNoClan, text("Вы не состоите в клане.", "You are not in a clan.")},
	{data.ErrClanFull, text("В клане больше нет мест.", "The clan is full.")},
	{data.ErrRankTooLow, text("Ваш ранг в клане этого не позволяет.",
		"Your rank in the clan does not allow that.")},
	{data.ErrNotFound, text("В вашем клане такого нет.",
		"There is nobody of that name in your clan.")},
}

// clanRefusal makes a mistake of what the store refuses.
func clanRefusal(err error) error {
	for _, r := range clanRefusals {
		if errors.Is(err, r.err) {
			return chat.UserError(r.text)
		}
	}
	return err
}

var (
	clanOwnText  = text("Вы уже состоите в клане.", "You are in a clan already.")
	clanNameText = text("Название клана: от 1 до %d букв одного алфавита, "+
		"цифр, «-» и «_», первой — буква; между словами по "+
		"одному пробелу.",
		"A clan's name: 1 to %d letters of one alphabet, digits, “-” and “_”, a letter first, with single "+
			"spaces between words.")
	clanFoundedText  = text("Клан «%s» создан.", "The clan “%s” was founded.")
	clanLeftText     = text("Вы вышли из клана «%s».", "You have left the clan “%s”.")
	clanExpelledText = text("%s больше не в клане.", "%s is no longer in the clan.")
	clanRankText     = text("%s: %s.", "%s: %s.")
	clanTakenInText  = text("%s теперь в клане.", "%s is in the clan now.")
	clanTheirsText   = text("%s уже состоит в клане.", "%s is in a clan already.")
	clanNoneText     = text("Этот игрок не состоит в клане.", "That player is not in a clan.")
	clanAskAboveText = text("В клан принимают сеньор и сенешали: обратитесь "+
		"к ним.",
		"Only the senior and seneschals take people in: ask one of them.")
	clanApplicantText = text("%s хочет вступить в ваш клан.", "%s wants to join your clan.")
	clanAppliedText   = text("Просьба о вступлении передана.",
		"Your request to join was passed on.")
	clanNoApplicantText = text("Этот игрок не просился в клан, или просьба "+
		"устарела.",
		"That player has not asked to join, or too long ago.")
	clanNobodyText = text("Этого игрока сейчас нет в мире.",
		"That player is not in the world now.")
)
