package game

import "sphereserver/server/ops"

// orders are all commands, those of players first. docs/commands.md is made of this table.
var orders []order

func init() {
	orders = []order{
		{russian: "помощь", english: "help", args: text{"[КОМАНДА]", "[COMMAND]"},
			help: text{"Показать команды или рассказать об одной.", "List the commands, or explain one."}, do: (*asking).help},
		{russian: "кто", english: "who", args: text{"[ЧАСТЬ ИМЕНИ]", "[PART OF A NAME]"},
			help: text{"Показать, кто сейчас в мире.", "List who is in the world."}, do: (*asking).who},
		{russian: "где", english: "where", args: text{"[ИГРОК]", "[PLAYER]"},
			help: text{"Показать, где вы; помощнику — где другой игрок.", "Say where you are; helpers may ask for others."}, do: (*asking).where},
		{russian: "лично", english: "tell", args: text{"ИГРОК ТЕКСТ", "PLAYER TEXT"}, words: 2, private: true,
			help: text{"Сказать что-то одному игроку.", "Say something to one player."}, do: (*asking).tell},
		{russian: "клан", english: "clan",
			help: text{"Показать всех членов вашего клана.", "List all members of your clan."}, do: (*asking).clan},
		{russian: "застрял", english: "unstuck",
			help: text{"Перенестись в ближайший город; нужно постоять на месте.", "Go to the nearest city; you have to stand still for a while."}, do: (*asking).unstuck},
		{russian: "язык", english: "lang", args: text{"РУССКИЙ|АНГЛИЙСКИЙ", "RUSSIAN|ENGLISH"}, words: 1,
			help: text{"Выбрать язык сообщений сервера.", "Choose the language in which the server speaks to you."}, do: (*asking).lang},
		{russian: "время", english: "time",
			help: text{"Показать время и дату в мире.", "Show the time and date of the world."}, do: (*asking).time},

		{russian: "выгнать", english: "kick", verb: ops.KickAccount, args: text{"ИГРОК [ПРИЧИНА]", "PLAYER [REASON]"}, words: 1,
			help: text{"Прервать сеанс игрока; он может войти снова.", "End a player's session; he may come back."}, do: (*asking).kick},
		{russian: "заглушить", english: "mute", verb: ops.MuteAccount, args: text{"ИГРОК ВРЕМЯ|НАВСЕГДА [ПРИЧИНА]", "PLAYER TIME|FOREVER [REASON]"}, words: 2,
			help: text{"Запретить игроку говорить. Время: 30м, 12ч, 7д.", "Keep a player from speaking. Times: 30m, 12h, 7d."}, do: (*asking).mute},
		{russian: "разглушить", english: "unmute", verb: ops.UnmuteAccount, args: text{"ИГРОК", "PLAYER"}, words: 1,
			help: text{"Снова разрешить игроку говорить.", "Let a player speak again."}, do: (*asking).unmute},

		{russian: "тп", english: "tp", verb: ops.MoveCharacter, args: text{"МЕСТО|ИГРОК|X Y Z", "PLACE|PLAYER|X Y Z"}, words: 1,
			help: text{"Перенестись в место, к игроку или в точку.", "Go to a place, a player or a point."}, do: (*asking).teleport},
		{russian: "призвать", english: "summon", verb: ops.MoveCharacter, args: text{"ИГРОК", "PLAYER"}, words: 1,
			help: text{"Перенести игрока к себе.", "Bring a player to you."}, do: (*asking).summon},
		{russian: "всем", english: "say", verb: ops.Say, args: text{"ТЕКСТ", "TEXT"}, words: 1,
			help: text{"Объявить что-то всем от имени сервера.", "Announce something to all in the server's name."}, do: (*asking).announce},
		{russian: "бан", english: "ban", verb: ops.BanAccount, args: text{"ИГРОК ВРЕМЯ|НАВСЕГДА [ПРИЧИНА]", "PLAYER TIME|FOREVER [REASON]"}, words: 2,
			help: text{"Закрыть вход учётной записи игрока. Время: 30м, 12ч, 7д.", "Keep the player's account out. Times: 30m, 12h, 7d."}, do: (*asking).ban},
		{russian: "разбан", english: "unban", verb: ops.UnbanAccount, args: text{"ИГРОК", "PLAYER"}, words: 1,
			help: text{"Снова разрешить вход.", "Let the player's account in again."}, do: (*asking).unban},
		{russian: "дать", english: "give", verb: ops.GiveItem, args: text{"ИГРОК ПРЕДМЕТ [СКОЛЬКО]", "PLAYER ITEM [COUNT]"}, words: 2,
			help: text{"Положить предмет в инвентарь игрока.", "Put an item into a player's inventory."}, do: (*asking).give},
		{russian: "поставить", english: "spawn", verb: ops.SpawnNPC, args: text{"ЖИТЕЛЬ|УБРАТЬ", "TOWNSMAN|REMOVE"}, words: 1,
			help: text{"Поставить рядом жителя или убрать ближайшего поставленного; до перезапуска сервера.",
				"Put a townsman here, or remove the nearest one that was put; until the server restarts."}, do: (*asking).spawn},

		{russian: "деньги", english: "money", verb: ops.SetMoney, args: text{"ИГРОК [+|-]СУММА", "PLAYER [+|-]AMOUNT"}, words: 2,
			help: text{"Задать, добавить или отнять деньги.", "Set, add or take money."}, do: (*asking).money},
		{russian: "уровень", english: "level", verb: ops.SetLevels, args: text{"ИГРОК ТИТУЛ [СТЕПЕНЬ]", "PLAYER TITLE [DEGREE]"}, words: 2,
			help: text{"Задать уровни, от 1 до 240; 61 — первый после перерождения.", "Set levels, 1 to 240; 61 is the first after a rebirth."}, do: (*asking).level},
		{russian: "очистить", english: "clear", verb: ops.ClearItems, args: text{"ИГРОК [ВСЁ]", "PLAYER [ALL]"}, words: 1,
			help: text{"Уничтожить всё в инвентаре игрока; со словом «всё» — и надетое.", "Destroy what is in a player's inventory; with ALL also what is worn."}, do: (*asking).clear},
	}
}
