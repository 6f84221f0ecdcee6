package game

import (
	"sphereserver/world/rules"
)

// thingRefusals are what a player is told when something that it wants with its belongings is not done.
var thingRefusals = map[rules.RejectReason]text{
	rules.NotInSight:   {"Здесь этого нет.", "That is not here."},
	rules.TooFar:       {"Слишком далеко.", "Too far away."},
	rules.LeadsNowhere: {"Этот жетон никуда не ведёт.", "This token leads nowhere."},
	rules.StoreFailed: {"Сервер сейчас не может это сохранить, поэтому " +
		"ничего не изменилось. Попробуйте позже.",
		"The server cannot store this now, so nothing has changed. Try again later."},
	rules.Busy: {"Слишком много действий сразу. Подождите немного.",
		"Too much at once. Wait a moment."},
	rules.BusyObject: {"Это уже берёт кто-то другой.", "Somebody else is taking it."},
	rules.Promised: {"Пока это предназначено другому.",
		"For a while this is meant for somebody else."},
	rules.NotYours:  {"У вас нет этой вещи.", "You do not have that."},
	rules.NoSlot:    {"Сюда это положить нельзя.", "It cannot be put there."},
	rules.Occupied:  {"Это место занято.", "That place is taken."},
	rules.EmptySlot: {"Здесь ничего нет.", "There is nothing there."},
	rules.NoRoom:    {"Нет свободного места.", "There is no free place."},
	rules.Lacking: {"Ваших умений для этого недостаточно.",
		"You do not meet its requirements."},
	rules.IsBound: {"Эта вещь принадлежит только вам, отдать её нельзя.",
		"This thing is bound to you and cannot be given away."},
	rules.TooDeep: {"Сумки нельзя так глубоко вкладывать друг в друга.",
		"Bags cannot be put so deep into each other."},
	rules.NotEmpty:    {"Сначала освободите эту сумку.", "Empty that bag first."},
	rules.NoContainer: {"Сюда ничего нельзя положить.", "Nothing can be put in there."},
	rules.NotOpen:     {"Сначала откройте это.", "Open it first."},
	rules.NoUse:       {"Это нельзя так использовать.", "That cannot be used like this."},
	rules.Dead:        {"Мёртвые этого не могут.", "The dead cannot do that."},
	rules.BadPlace:    {"Здесь положить нельзя.", "It cannot be put down there."},
	rules.TooMuchThere: {"Здесь и так слишком много вещей.",
		"Too many things lie there already."},
	rules.NoTrader: {"Он не торгует.", "He does not trade."},
	rules.NoArticle: {"Такого товара по этой цене больше нет.",
		"There is no such article at that price any more."},
	rules.WrongCount: {"Столько сразу нельзя.", "Not in that number at once."},
	rules.TooPoor: {"Не хватает денег, здоровья или праны.",
		"Not enough money, HP or MP."},
	rules.TooRich: {"Столько денег у одного быть не может.",
		"Nobody can have that much money."},
	rules.Worthless: {"За это ничего не дадут.", "Nobody pays anything for that."},
	rules.NoPoints:  {"Не хватает очков.", "Not enough points."},
}
