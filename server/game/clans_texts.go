package game

import (
	"errors"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
)

// clanRefusals are the answers when the store refuses a change of a clan.
var clanRefusals = []struct {
	err  error
	text ops.Text
}{
	{data.ErrNameTaken, text("Клан с таким или очень похожим названием уже есть.",
		"There is a clan of that name already, or of one that looks like it.")},
	{data.ErrInClan, clanOwnText},
	{data.ErrNoClan, text("Вы не состоите в клане.", "You are not in a clan.")},
	{data.ErrClanFull, text("В клане больше нет мест.", "The clan is full.")},
	{data.ErrRankTooLow, text("Ваш ранг в клане этого не позволяет.", "Your rank in the clan does not allow that.")},
	{data.ErrNotFound, text("В вашем клане такого нет.", "There is nobody of that name in your clan.")},
}

// clanRefusal makes a player's mistake of a refusal of the store.
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
	clanNameText = text("Название клана: от 1 до %d букв одного алфавита, цифр, «-» и «_», первой — буква; между словами "+
		"по одному пробелу.",
		"A clan's name: 1 to %d letters of one alphabet, digits, “-” and “_”, a letter first, with single "+
			"spaces between words.")
	clanKeptText = text("Такое название оставлено для операторов сервера.",
		"That name is kept for the operators of the server.")
	clanFoundedText  = text("Клан «%s» создан.", "The clan “%s” was founded.")
	clanLeftText     = text("Вы вышли из клана «%s».", "You have left the clan “%s”.")
	clanExpelledText = text("%s больше не в клане.", "%s is no longer in the clan.")
	clanRankText     = text("%s: %s.", "%s: %s.")
	clanTakenInText  = text("%s теперь в клане.", "%s is in the clan now.")
	clanTheirsText   = text("%s уже состоит в клане.", "%s is in a clan already.")
	clanNoneText     = text("Этот игрок не состоит в клане.", "That player is not in a clan.")
	clanAskAboveText = text("В клан принимают сеньор и сенешали: обратитесь к ним.",
		"Only the senior and seneschals take people in: ask one of them.")
	clanApplicantText   = text("%s хочет вступить в ваш клан.", "%s wants to join your clan.")
	clanAppliedText     = text("Просьба о вступлении передана.", "Your request to join was passed on.")
	clanNoApplicantText = text("Этот игрок не просился в клан, или просьба устарела.",
		"That player has not asked to join, or too long ago.")
	clanRecruitText = text("%s зовёт вас в клан «%s». Чтобы вступить, попроситесь в его клан.",
		"%s asks you to join the clan “%s”. To join, apply to it.")
	clanWaitsText = text("Вы уже спросили этого игрока: он ещё не ответил.",
		"You have asked that player already, and it has not answered yet.")
	clanRecruitedText = text("Вы позвали игрока %s в клан.", "You have asked %s to join the clan.")
	clanNobodyText    = text("Этого игрока сейчас нет в мире.", "That player is not in the world now.")
)
