package game

import "sphereserver/world"

// thingRefusals are what a player is told when something that it wants with its belongings is not done.
var thingRefusals = map[world.RejectReason]text{
	world.NotInSight:   {"Здесь этого нет.", "That is not here."},
	world.TooFar:       {"Слишком далеко.", "Too far away."},
	world.LeadsNowhere: {"Этот жетон никуда не ведёт.", "This token leads nowhere."},
	world.StoreFailed:  {"Сервер сейчас не может это сохранить, поэтому ничего не изменилось. Попробуйте позже.", "The server cannot store this now, so nothing has changed. Try again later."},
	world.Busy:         {"Слишком много действий сразу. Подождите немного.", "Too much at once. Wait a moment."},
	world.BusyObject:   {"Это уже берёт кто-то другой.", "Somebody else is taking it."},
	world.Promised:     {"Пока это предназначено другому.", "For a while this is meant for somebody else."},
	world.NotYours:     {"У вас нет этой вещи.", "You do not have that."},
	world.NoSlot:       {"Сюда это положить нельзя.", "It cannot be put there."},
	world.Occupied:     {"Это место занято.", "That place is taken."},
	world.EmptySlot:    {"Здесь ничего нет.", "There is nothing there."},
	world.NoRoom:       {"Нет свободного места.", "There is no free place."},
	world.Lacking:      {"Ваших умений для этого недостаточно.", "You do not meet its requirements."},
	world.IsBound:      {"Эта вещь принадлежит только вам, отдать её нельзя.", "This thing is bound to you and cannot be given away."},
	world.TooDeep:      {"Сумки нельзя так глубоко вкладывать друг в друга.", "Bags cannot be put so deep into each other."},
	world.NotEmpty:     {"Сначала освободите эту сумку.", "Empty that bag first."},
	world.NoContainer:  {"Сюда ничего нельзя положить.", "Nothing can be put in there."},
	world.NotOpen:      {"Сначала откройте это.", "Open it first."},
	world.NoUse:        {"Это нельзя так использовать.", "That cannot be used like this."},
	world.Dead:         {"Мёртвые этого не могут.", "The dead cannot do that."},
	world.BadPlace:     {"Здесь положить нельзя.", "It cannot be put down there."},
	world.TooMuchThere: {"Здесь и так слишком много вещей.", "Too many things lie there already."},
	world.NoTrader:     {"Он не торгует.", "He does not trade."},
	world.NoArticle:    {"Такого товара по этой цене больше нет.", "There is no such article at that price any more."},
	world.WrongCount:   {"Столько сразу нельзя.", "Not in that number at once."},
	world.TooPoor:      {"Не хватает денег, здоровья или праны.", "Not enough money, HP or MP."},
	world.TooRich:      {"Столько денег у одного быть не может.", "Nobody can have that much money."},
	world.Worthless:    {"За это ничего не дадут.", "Nobody pays anything for that."},
	world.NoPoints:     {"Не хватает очков.", "Not enough points."},
}
