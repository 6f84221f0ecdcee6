package game

import (
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// thingRefusals are what a player is told when something that it wants with its belongings is not done.
var thingRefusals = map[rules.RejectReason]ops.Text{
	rules.NotInSight:   text("Здесь этого нет.", "That is not here."),
	rules.TooFar:       text("Слишком далеко.", "Too far away."),
	rules.LeadsNowhere: text("Этот жетон никуда не ведёт.", "This token leads nowhere."),
	rules.StoreFailed: text("Сервер сейчас не может это сохранить, поэтому "+
		"ничего не изменилось. Попробуйте позже.",
		"The server cannot store this now, so nothing has changed. Try again later."),
	rules.Busy: text("Слишком много действий сразу. Подождите немного.",
		"Too much at once. Wait a moment."),
	rules.BusyObject: text("Это уже берёт кто-то другой.", "Somebody else is taking it."),
	rules.Promised: text("Пока это предназначено другому.",
		"For a while this is meant for somebody else."),
	rules.NotYours:  text("У вас нет этой вещи.", "You do not have that."),
	rules.NoSlot:    text("Сюда это положить нельзя.", "It cannot be put there."),
	rules.Occupied:  text("Это место занято.", "That place is taken."),
	rules.EmptySlot: text("Здесь ничего нет.", "There is nothing there."),
	rules.NoRoom:    text("Нет свободного места.", "There is no free place."),
	rules.Lacking: text("Ваших умений для этого недостаточно.",
		"You do not meet its requirements."),
	rules.IsBound: text("Эта вещь принадлежит только вам, отдать её нельзя.",
		"This thing is bound to you and cannot be given away."),
	rules.TooDeep: text("Сумки нельзя так глубоко вкладывать друг в друга.",
		"Bags cannot be put so deep into each other."),
	rules.NotEmpty:    text("Сначала освободите эту сумку.", "Empty that bag first."),
	rules.NoContainer: text("Сюда ничего нельзя положить.", "Nothing can be put in there."),
	rules.NotOpen:     text("Сначала откройте это.", "Open it first."),
	rules.NoUse:       text("Это нельзя так использовать.", "That cannot be used like this."),
	rules.Dead:        text("Мёртвые этого не могут.", "The dead cannot do that."),
	rules.BadPlace:    text("Здесь положить нельзя.", "It cannot be put down there."),
	rules.TooMuchThere: text("Здесь и так слишком много вещей.",
		"Too many things lie there already."),
	rules.NoTrader: text("Он не торгует.", "He does not trade."),
	rules.NoArticle: text("Такого товара по этой цене больше нет.",
		"There is no such article at that price any more."),
	rules.WrongCount: text("Столько сразу нельзя.", "Not in that number at once."),
	rules.TooPoor: text("Не хватает денег, здоровья или праны.",
		"Not enough money, HP or MP."),
	rules.TooRich: text("Столько денег у одного быть не может.",
		"Nobody can have that much money."),
	rules.Worthless: text("За это ничего не дадут.", "Nobody pays anything for that."),
	rules.NoPoints:  text("Не хватает очков.", "Not enough points."),
	rules.HasGuild: text("Сначала откажитесь от специальности.",
		"Give up your speciality first."),
	rules.NotSixty: text("Для этого нужен 60-й титул или 60-я степень.",
		"That needs title or degree 60."),
	rules.Greatest:     text("Предел величия достигнут.", "The limit of greatness is reached."),
	rules.AlreadyReset: text("Это можно сделать только один раз.", "That can be done only once."),
	rules.LowAlready:   text("Терять уже нечего.", "There is nothing left to give up."),
}
