package chat

import (
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func init() {
	commands = append(append(playerCommands(), playerOperations()...), serverOperations()...)
}

func playerCommands() []command {
	return []command{
		{names: text("помощь", "help"), args: text("[КОМАНДА]", "[COMMAND]"), do: (*commandContext).help,
			help: text("Показать команды или рассказать об одной.",
				"List the commands, or explain one.")},
		{names: text("кто", "who"), args: text("[ЧАСТЬ ИМЕНИ]", "[PART OF A NAME]"),
			do:   (*commandContext).players,
			help: text("Показать, кто сейчас в мире.", "List who is in the world.")},
		{names: text("где", "where"), args: text("[ИГРОК]", "[PLAYER]"), do: (*commandContext).where,
			help: text("Показать, где вы; помощнику — где другой игрок.",
				"Say where you are; helpers may ask for others.")},
		{names: text("куда", "guide"), do: (*commandContext).guide,
			help: text("Показать, кто торгует и даёт задания рядом и где ближайшие монстры вашего уровня.",
				"Say who trades and gives missions near you, and where the nearest monsters of your level are.")},
		{names: text("лично", "tell"), client: "msg", args: text("ИГРОК ТЕКСТ", "PLAYER TEXT"), words: 2, private: true,
			do: (*commandContext).tell, help: text("Сказать что-то одному игроку.",
				"Say something to one player.")},
		{names: text("клан", "clan"), client: "clanlist", do: (*commandContext).clan,
			help: text("Показать всех членов вашего клана.", "List all members of your clan.")},
		{names: text("вклан", "sayclan"), args: text("ТЕКСТ", "TEXT"), words: 1, secret: true, do: sayOn(world.ClanSay),
			help: text("Сказать что-то своему клану.", "Say something to your clan.")},
		{names: text("вгруппу", "saygrp"), args: text("ТЕКСТ", "TEXT"), words: 1, secret: true, do: sayOn(world.PartySay),
			help: text("Сказать что-то своей группе.", "Say something to your group.")},
		{names: text("застрял", "unstuck"), do: (*commandContext).unstuck,
			help: text("Перенестись в ближайший город; нужно постоять на месте с пустыми руками.",
				"Go to the nearest city; you have to stand still for a while with an empty hand.")},
		{names: text("путь", "travel"), args: text("[МЕСТО]", "[PLACE]"), do: (*commandContext).travel,
			help: text("Показать ваши жетоны и лицензии или применить жетон на телепорте рядом.",
				"List your tokens and licences, or use a token on a teleport beside you.")},
		{names: text("дуэль", "duel"), args: text("ИГРОК|ДА|НЕТ", "PLAYER|YES|NO"), words: 1,
			do: (*commandContext).duel,
			help: text("Вызвать игрока на дуэль, принять вызов, отказаться или сдаться. Дуэль ничего не стоит и не "+
				"доводится "+
				"до смерти: проигрывает тот, у кого осталась десятая часть здоровья.",
				"Challenge a player to a duel, accept, decline or give up. A duel costs nothing and ends before "+
					"death: who "+
					"has a tenth of the health left has lost it.")},
		{names: text("задание", "mission"), args: text("[ВЗЯТЬ [ЦЕЛЬ]|ВОЙТИ|ВЫЙТИ|ОТДАТЬ|ПЕРЕДАТЬ ИГРОК|БРОСИТЬ]",
			"[TAKE [GOAL]|ENTER|LEAVE|HAND|GIVE PLAYER|DROP]"),
			do: (*commandContext).mission,
			help: text("Показать задание или что предлагают рядом; взять (цель: титул, степень, деньги, карма), войти в его "+
				"подземелье, выйти, отдать принесённое, передать задание игроку рядом, бросить.",
				"Show your mission, or what is offered near; take one (goal: title, degree, money, karma), enter its "+
					"dungeon, leave it, hand over what it wants, give it to a player beside you, or drop it.")},
		{names: text("торг", "trade"), args: text("ИГРОК|ЗАКОНЧИТЬ", "PLAYER|CLOSE"), words: 1, do: (*commandContext).trade,
			help: text("Начать торг с игроком рядом или закончить его. Предложенное лежит у владельца, пока его не купят.",
				"Begin to trade with a player beside you, or close the trade. What is offered stays with its owner until it is "+
					"bought.")},
		{names: text("предложить", "offer"), args: text("ЯЧЕЙКА ЦЕНА|УБРАТЬ [СКОЛЬКО]", "SLOT PRICE|NOTHING [COUNT]"), words: 2,
			do: (*commandContext).offer,
			help: text("Предложить в торге вещь из ячейки инвентаря, от 1, по цене за штуку; или больше не предлагать её.",
				"Offer in a trade the item of an inventory slot, from 1, at a price for each; or offer it no longer.")},
		{names: text("купить", "buy"), args: text("НОМЕР [СКОЛЬКО]", "NUMBER [COUNT]"), words: 1, do: (*commandContext).buy,
			help: text("Купить в торге предложенное под номером.", "Buy in a trade the item that is offered under a number.")},
		{names: text("метка", "mark"), args: text("[X Z]", "[X Z]"), do: (*commandContext).mark,
			help: text("Отметить для своей группы место на карте: где вы или X Z; для ведущего.",
				"Mark a place on the maps of your group: where you are, or X Z; for its leader.")},
		{names: text("подсказка", "firsthelp"), args: text("НОМЕР", "NUMBER"), words: 1, do: (*commandContext).firstHelp,
			help: text("Открыть страницу первой помощи клиента, от 0 до 17.",
				"Open a page of the client's first help, 0 to 17.")},
		{names: text("пароль", "password"), args: text("СТАРЫЙ НОВЫЙ НОВЫЙ", "OLD NEW NEW"), words: 3, secret: true,
			do: (*commandContext).password,
			help: text("Сменить пароль: старый, новый и новый ещё раз.",
				"Change your password: the old one, the new one, and that once more.")},
		{names: text("перерождение", "rebirth"), args: text("[ПОДТВЕРДИТЬ]", "[CONFIRM]"),
			do: resetProgress(rules.Rebirth),
			help: text("Начать новый круг с 15 уровня, когда титул или степень достигли 60.",
				"Begin the next cycle at level 15, when title or degree is at 60.")},
		{names: text("опуститьтитул", "titledown"), args: text("[ПОДТВЕРДИТЬ]", "[CONFIRM]"),
			do: resetProgress(rules.TitleDown),
			help: text("Опустить титул до 15, один раз; каждые 5 уровней титула дают уровень степени.",
				"Lower the title to 15, once; each 5 levels give one of the degree.")},
		{names: text("опуститьстепень", "degreedown"), args: text("[ПОДТВЕРДИТЬ]", "[CONFIRM]"),
			do: resetProgress(rules.DegreeDown),
			help: text("Опустить степень до 15, один раз; каждые 5 уровней степени дают уровень титула.",
				"Lower the degree to 15, once; each 5 levels give one of the title.")},
		{names: text("сброс", "resetskills"), args: text("[ПОДТВЕРДИТЬ]", "[CONFIRM]"),
			do: resetProgress(rules.Unlearn),
			help: text("Вернуть все вложенные очки характеристик, один раз.",
				"Get back all points spent on statistics, once.")},
		{names: text("отказгильдии", "resetguild"), args: text("[ПОДТВЕРДИТЬ]", "[CONFIRM]"),
			do:   resetProgress(rules.LeaveGuild),
			help: text("Отказаться от специальности гильдии.", "Give up the speciality of your guild.")},
		{names: text("язык", "lang"), args: text("РУССКИЙ|АНГЛИЙСКИЙ", "RUSSIAN|ENGLISH"), words: 1,
			do: (*commandContext).lang,
			help: text("Выбрать язык сообщений сервера.",
				"Choose the language in which the server speaks to you.")},
		{names: text("время", "time"), do: (*commandContext).time,
			help: text("Показать время и дату в мире.", "Show the time and date of the world.")},
	}
}

// playerOperations are the commands of operators on other players.
func playerOperations() []command {
	player := text("ИГРОК", "PLAYER")
	penalty := text("ИГРОК ВРЕМЯ|НАВСЕГДА [ПРИЧИНА]", "PLAYER TIME|FOREVER [REASON]")
	return []command{
		{names: text("выгнать", "kick"), verb: ops.KickAccount,
			args:  text("ИГРОК [ПРИЧИНА]", "PLAYER [REASON]"),
			words: 1, do: (*commandContext).kick,
			help: text("Прервать сеанс игрока; он может войти снова.",
				"End a player's session; he may come back.")},
		{names: text("заглушить", "mute"), verb: ops.MuteAccount, args: penalty, words: 2,
			do: (*commandContext).mute,
			help: text("Запретить игроку говорить. Время: 30м, 12ч, 7д.",
				"Keep a player from speaking. Times: 30m, 12h, 7d.")},
		{names: text("разглушить", "unmute"), verb: ops.UnmuteAccount, args: player, words: 1,
			do:   (*commandContext).unmute,
			help: text("Снова разрешить игроку говорить.", "Let a player speak again.")},
		{names: text("тп", "tp"), client: "jump", verb: ops.MoveCharacter,
			args: text("МЕСТО|ИГРОК|X Y Z", "PLACE|PLAYER|X Y Z"), words: 1, do: (*commandContext).teleport,
			help: text("Перенестись в место, к игроку или в точку.",
				"Go to a place, a player or a point.")},
		{names: text("призвать", "summon"), client: "pull", verb: ops.MoveCharacter, args: player, words: 1,
			do:   (*commandContext).summon,
			help: text("Перенести игрока к себе.", "Bring a player to you.")},
		{names: text("всем", "say"), client: "sayall", verb: ops.Say, args: text("ТЕКСТ", "TEXT"), words: 1,
			do: (*commandContext).announce,
			help: text("Объявить что-то всем от имени сервера.",
				"Announce something to all in the server's name.")},
		{names: text("бан", "ban"), verb: ops.BanAccount, args: penalty, words: 2, do: (*commandContext).ban,
			help: text("Закрыть вход учётной записи игрока. Время: 30м, 12ч, 7д.",
				"Keep the player's account out. Times: 30m, 12h, 7d.")},
		{names: text("заметка", "note"), verb: ops.AddNote, words: 1, do: (*commandContext).note,
			args: text("ИГРОК [ТЕКСТ]", "PLAYER [TEXT]"),
			help: text("Написать заметку о владельце персонажа для других операторов; без текста — показать последние.",
				"Write a note on the owner of a character for other operators; without a text, show the last ones.")},
		{names: text("разбан", "unban"), verb: ops.UnbanAccount, args: player, words: 1, do: (*commandContext).unban,
			help: text("Снова разрешить вход.", "Let the player's account in again.")},
	}
}

// serverOperations are the commands of operators on characters and on the world.
func serverOperations() []command {
	return []command{
		{names: text("дать", "give"), verb: ops.GiveItem, words: 2, do: (*commandContext).give,
			args: text("ИГРОК ПРЕДМЕТ [СКОЛЬКО]", "PLAYER ITEM [COUNT]"),
			help: text("Положить предмет в инвентарь игрока; номер жетона или ключа — после №.",
				"Put an item into a player's inventory; the number of a token or key comes after #.")},
		{names: text("исцелить", "heal"), verb: ops.HealCharacter, args: text("ИГРОК", "PLAYER"), words: 1,
			do:   (*commandContext).heal,
			help: text("Восстановить живому игроку здоровье и прану.", "Give a living player all HP and MP.")},
		{names: text("миссия", "quest"), verb: ops.OrderMission, words: 2, do: (*commandContext).quest,
			args: text("ИГРОК ДАТЬ [ЦЕЛЬ] [ШАБЛОН]|ЗАСЧИТАТЬ|ОТМЕНИТЬ", "PLAYER GIVE [GOAL] [TEMPLATE]|FINISH|CANCEL"),
			help: text("Дать игроку задание (цель: титул, степень, деньги, карма; шаблон из таблицы заданий, например k001), "+
				"засчитать или отменить его задание.",
				"Give a player a mission (goal: title, degree, money, karma; a template of the table of missions, as k001), "+
					"finish the one that it has, or cancel it.")},
		{names: text("воскресить", "revive"), verb: ops.ReviveCharacter, args: text("ИГРОК", "PLAYER"), words: 1,
			do: (*commandContext).revive,
			help: text("Воскресить мёртвого игрока на месте; потерянное не возвращается.",
				"Let a dead player live again where it lies; what it has lost stays lost.")},
		{names: text("поставить", "spawn"), verb: ops.SpawnNPC,
			args:  text("ЖИТЕЛЬ|УБРАТЬ", "TOWNSMAN|REMOVE"),
			words: 1, do: (*commandContext).spawn,
			help: text(
				"Поставить рядом жителя или убрать ближайшего "+
					"поставленного; до перезапуска сервера.",
				"Put a townsman here, or remove the nearest one that was put; until the server restarts.")},
		{names: text("монстр", "monster"), verb: ops.SummonMonster, words: 1, do: (*commandContext).monster,
			args: text("МОНСТР [УРОВЕНЬ] [ИМЕННОЙ] [НАГРАДА]|УБРАТЬ", "MONSTER [LEVEL] [NAMED] [REWARDS]|REMOVE"),
			help: text("Призвать монстра по названию или номеру или убрать всех призванных рядом. За убийство "+
				"призванного "+
				"ничего не дают, если не сказано «награда».",
				"Summon a monster by its name or number, or remove all that were summoned near. A kill of it brings "+
					"nothing "+
					"unless it is summoned with rewards.")},
		{names: text("логова", "spawners"), verb: ops.TurnSpawners, words: 1, do: (*commandContext).spawners,
			args: text("ВЫКЛ|ВКЛ [МЕТРОВ]", "OFF|ON [METRES]"),
			help: text("Отключить или включить появление монстров вокруг, обычно в 100 м; помнится и после перезапуска.",
				"Turn off or on where monsters come from around you, usually within 100 m; it holds after a restart.")},
		{names: text("подземелья", "instances"), verb: ops.ListInstances, do: (*commandContext).instances,
			help: text("Показать подземелья: чьи они, кто в них и с каких пор.",
				"List the instances of dungeons: whose they are, who is in them and since when.")},
		{names: text("подземелье", "instance"), verb: ops.EnterInstance, words: 1, do: (*commandContext).instance,
			args: text("НОМЕР|НОВОЕ [ПОДЗЕМЕЛЬЕ]|ВЫЙТИ", "NUMBER|NEW [DUNGEON]|OUT"),
			help: text("Войти в подземелье по номеру, в новое или выйти в город.",
				"Go into an instance by its number, into a new one, or out to the city.")},
		{names: text("деньги", "money"), verb: ops.SetMoney, args: text("ИГРОК [+|-]СУММА",
			"PLAYER [+|-]AMOUNT"),
			words: 2, do: (*commandContext).money,
			help: text("Задать, добавить или отнять деньги.", "Set, add or take money.")},
		{names: text("уровень", "level"), verb: ops.SetLevels, words: 2, do: (*commandContext).level,
			args: text("ИГРОК ТИТУЛ [СТЕПЕНЬ]", "PLAYER TITLE [DEGREE]"),
			help: text("Задать уровни, от 1 до 240; 61 — первый после перерождения.",
				"Set levels, 1 to 240; 61 is the first after a rebirth.")},
		{names: text("очки", "points"), verb: ops.SetPoints, words: 2, do: (*commandContext).points,
			args: text("ИГРОК ТИТУЛ [СТЕПЕНЬ]", "PLAYER TITLE [DEGREE]"),
			help: text("Задать свободные очки титула и степени.", "Set the points to spend of title and degree.")},
		{names: text("остановка", "shutdown"), verb: ops.StopServer, words: 1, do: (*commandContext).shutdown,
			args: text("ВРЕМЯ|ОТМЕНА [ПРИЧИНА]", "TIME|CANCEL [REASON]"),
			help: text("Остановить сервер через 30с, 10м или 1ч, о чём игроки узнают заранее, или отменить остановку.",
				"Stop the server in 30s, 10m or 1h, of which players are told before, or call that off.")},
		{names: text("рейт", "rate"), verb: ops.OrderRate, do: (*commandContext).rate,
			args: text("[ЧТО МНОЖИТЕЛЬ [ВРЕМЯ]|ЧТО ОТМЕНА]", "[WHAT FACTOR [TIME]|WHAT END]"),
			help: text("Показать, во сколько раз больше опыта, добычи и денег и чаще возвращаются монстры; задать, например "+
				"«опыт 2 на 2д», или отменить: «опыт отмена». Помнится и после перезапуска.",
				"Show how much more experience, drops and money there are, and respawn; set one, like “xp 2 for 2d”, or end it: "+
					"“xp end”. It holds after a restart.")},
		{names: text("очистить", "clear"), verb: ops.ClearItems, args: text("ИГРОК [ВСЁ]", "PLAYER [ALL]"),
			words: 1,
			do:    (*commandContext).clear,
			help: text(
				"Уничтожить всё в инвентаре игрока; "+
					"со словом «всё» — и надетое.",
				"Destroy what is in a player's inventory; with ALL also what is worn.")},
	}
}
