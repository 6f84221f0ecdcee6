package ops

import "sphereserver/data"

// The verbs. On most roads an account or character may be named in any way that its request has.
var (
	AddAccount    = verb("account add", data.Administrator, Anybody, (*call).addAccount)
	ListAccounts  = verb("account list", data.Helper, Anybody, (*call).listAccounts)
	ShowAccount   = verb("account show", data.Helper, Anybody, (*call).showAccount)
	SetPassword   = verb("account passwd", data.Administrator, Below, (*call).setPassword)
	SetRole       = verb("account role", data.Administrator, Below, (*call).setRole)
	BanAccount    = verb("account ban", data.GameMaster, Below, (*call).banAccount)
	UnbanAccount  = verb("account unban", data.GameMaster, Below, (*call).unbanAccount)
	KickAccount   = verb("account kick", data.Helper, Below, (*call).kickAccount)
	MuteAccount   = verb("account mute", data.Helper, Below, (*call).muteAccount)
	UnmuteAccount = verb("account unmute", data.Helper, Below, (*call).unmuteAccount)
	DeleteAccount = verb("account delete", data.Administrator, Below, (*call).deleteAccount)

	AddNote    = verb("note add", data.Helper, NotAbove, (*call).addNote)
	ListNotes  = verb("note list", data.Helper, Anybody, (*call).listNotes)
	DeleteNote = verb("note delete", data.GameMaster, Anybody, (*call).deleteNote)
	ListDoubts = verb("account doubts", data.Helper, Anybody, (*call).listDoubts)
	ListShared = verb("account shared", data.Helper, Anybody, (*call).listShared)

	BanAddress      = verb("address ban", data.Administrator, Anybody, (*call).banAddress)
	UnbanAddress    = verb("address unban", data.Administrator, Anybody, (*call).unbanAddress)
	ListAddressBans = verb("address list", data.Administrator, Anybody, (*call).listAddressBans)

	ListCharacters   = verb("character list", data.Helper, Anybody, (*call).listCharacters)
	ShowCharacter    = verb("character show", data.Helper, Anybody, (*call).showCharacter)
	MoveCharacter    = verb("character move", data.GameMaster, NotAbove, (*call).moveCharacter)
	UnstuckCharacter = verb("character unstuck", data.GameMaster, NotAbove, (*call).unstuckCharacter)
	RenameCharacter  = verb("character rename", data.Administrator, NotAbove, (*call).renameCharacter)
	DeleteCharacter  = verb("character delete", data.Administrator, NotAbove, (*call).deleteCharacter)
	ListDeleted      = verb("character deleted", data.Helper, Anybody, (*call).listDeleted)

	UndeleteCharacter = verb("character undelete", data.Administrator, NotAbove, (*call).undeleteCharacter)

	GiveItem        = verb("character give", data.GameMaster, NotAbove, (*call).giveItem)
	SetMoney        = verb("character money", data.Administrator, NotAbove, (*call).setMoney)
	SetLevels       = verb("character level", data.Administrator, NotAbove, (*call).setLevels)
	SetPoints       = verb("character points", data.Administrator, NotAbove, (*call).setPoints)
	ClearItems      = verb("character clear", data.Administrator, NotAbove, (*call).clearItems)
	HealCharacter   = verb("character heal", data.GameMaster, NotAbove, (*call).healCharacter)
	ReviveCharacter = verb("character revive", data.GameMaster, NotAbove, (*call).reviveCharacter)
	OrderMission    = verb("character mission", data.GameMaster, NotAbove, (*call).orderMission)

	Say       = verb("say", data.GameMaster, Anybody, (*call).say)
	SpawnNPC  = verb("npc spawn", data.GameMaster, Anybody, (*call).spawnNPC)
	RemoveNPC = verb("npc remove", data.GameMaster, Anybody, (*call).removeNPC)

	SummonMonster  = verb("monster summon", data.GameMaster, Anybody, (*call).summonMonster)
	RemoveMonsters = verb("monster remove", data.GameMaster, Anybody, (*call).removeMonsters)
	ListSpawners   = verb("spawner list", data.Helper, Anybody, (*call).listSpawners)
	TurnSpawners   = verb("spawner set", data.GameMaster, Anybody, (*call).turnSpawners)

	ListInstances = verb("instance list", data.Helper, Anybody, (*call).listInstances)
	EnterInstance = verb("instance enter", data.GameMaster, NotAbove, (*call).enterInstance)

	Backup        = verb("db backup", data.Administrator, Anybody, (*call).backup)
	RestoreBackup = verb("backup restore", data.Administrator, Anybody, (*call).restoreBackup)
	KeepDatabase  = verb("backup keep", data.Administrator, Anybody, (*call).keepDatabase)
	DeleteBackup  = verb("backup delete", data.Administrator, Anybody, (*call).deleteBackup)
	Check         = verb("db check", data.Administrator, Anybody, (*call).check)
	StopServer    = verb("server stop", data.Administrator, Anybody, (*call).stopServer)
	CancelStop    = verb("server stay", data.Administrator, Anybody, (*call).cancelStop)
	OrderRate     = verb("rate set", data.Administrator, Anybody, (*call).setRate)
	EndRate       = verb("rate end", data.Administrator, Anybody, (*call).endRate)
	ListRates     = verb("rate list", data.Helper, Anybody, (*call).listRates)
	SetMotd       = verb("motd set", data.GameMaster, Anybody, (*call).setMotd)
	EndMotd       = verb("motd end", data.GameMaster, Anybody, (*call).endMotd)
	ShowMotd      = verb("motd show", data.Helper, Anybody, (*call).showMotd)
	GetReport     = verb("status", data.Helper, Anybody, (*call).report)
	Audit         = verb("audit", data.Helper, Anybody, (*call).audit)

	BeginMaintenance = verb("maintenance on", data.Administrator, Anybody, (*call).beginMaintenance)
	EndMaintenance   = verb("maintenance off", data.Administrator, Anybody, (*call).endMaintenance)
	ShowMaintenance  = verb("maintenance list", data.Helper, Anybody, (*call).showMaintenance)

	ShowBalance = verb("balance show", data.Administrator, Anybody, (*call).showBalance)
	SetBalance  = verb("balance set", data.Administrator, Anybody, (*call).setBalance)

	ReloadConfiguration = verb("config reload", data.Administrator, Anybody, (*call).reloadConfiguration)

	StartRecording = verb("capture record", data.Administrator, Anybody, (*call).startRecording)
	StopRecording  = verb("capture stop", data.Administrator, Anybody, (*call).stopRecording)
	LastRecording  = verb("capture state", data.Administrator, Anybody, (*call).lastRecording)
)

// Verbs returns the verbs in the order of the documents.
func Verbs() []Any {
	return []Any{
		AddAccount, ListAccounts, ShowAccount, SetPassword, SetRole, BanAccount, UnbanAccount, KickAccount,
		MuteAccount, UnmuteAccount, DeleteAccount, AddNote, ListNotes, DeleteNote, ListDoubts, ListShared,
		BanAddress, UnbanAddress, ListAddressBans,
		ListCharacters, ShowCharacter, MoveCharacter, UnstuckCharacter, RenameCharacter, DeleteCharacter,
		ListDeleted, UndeleteCharacter,
		GiveItem, SetMoney, SetLevels, SetPoints, ClearItems, HealCharacter, ReviveCharacter, OrderMission, Say,
		SpawnNPC, RemoveNPC, SummonMonster, RemoveMonsters,
		ListSpawners, TurnSpawners, ListInstances, EnterInstance, Backup, RestoreBackup,
		KeepDatabase, DeleteBackup, Check, StopServer, CancelStop, OrderRate, EndRate, ListRates, SetMotd, EndMotd, ShowMotd,
		BeginMaintenance, EndMaintenance, ShowMaintenance, GetReport, Audit,
		ShowBalance, SetBalance, ReloadConfiguration,
		StartRecording, StopRecording, LastRecording,
	}
}
