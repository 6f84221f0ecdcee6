package ops

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

var (
	owl     = CharacterName{Name: "сова"}
	vasya   = named("ВАСЯ")
	network = AddressName{"203.0.113.0/24"}
	spot    = coords.Position{X: 10, Y: 150, Z: 20, Yaw: 1}
)

// entries returns the trail from its beginning, after the first skip entries.
func entries(t *testing.T, s *Service, skip int) []string {
	t.Helper()
	trail, err := by(t.Context(), s, Audit, AuditSearch{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := len(trail) - 1 - skip; i >= 0; i-- {
		out = append(out, fmt.Sprintf("%s: %s: %s", trail[i].Action, trail[i].Target, trail[i].Detail))
	}
	return out
}

// backUp makes the backup a.db.
func backUp(t *testing.T, s *Service) {
	do(t, s, Backup, File{filepath.Join(s.Store.Dir(), data.BackupFolder, "a.db")})
}

// state is all that verbs can change in the store, but for the audit trail.
func state(t *testing.T, s *Service) string {
	t.Helper()
	var out []any
	note := func(answer any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, answer)
	}
	accounts, err := s.Store.Accounts(t.Context(), "")
	note(accounts, err)
	characters, err := s.Store.FindCharacters(t.Context(), "")
	note(characters, err)
	for _, ch := range characters {
		note(s.Store.Items(t.Context(), ch.ID))
	}
	rates, err := s.Store.Rates(t.Context())
	note(rates, err)
	orders, err := s.Store.Orders(t.Context())
	note(orders, err)
	text, err := json.Marshal(append(out, s.Store.AddressBans()))
	note(nil, err)
	return string(text)
}

// Each verb, done once: its answer, its calls of the running server, and its entry in the audit trail.
func TestEachVerbIsDoneAndWrittenDown(t *testing.T) {
	backup := filepath.Join(t.TempDir(), "copy.db")
	ban := &AddressPenalty{AddressName: network, Penalty: Penalty{Reason: "bots"}}
	seen := map[string]bool{}
	for _, d := range []struct {
		verb    Any
		request any
		before  func(*testing.T, *Service) // puts the verb's target into place
		answer  string                     // a part of it, as JSON
		asked   string                     // of the running server
		trail   string                     // "" for a verb that changes nothing
	}{
		{verb: AddAccount, request: &NewAccount{Login: "Петя", Password: "secret", Role: data.Helper},
			answer: `"login":"Петя","role":"helper"`, trail: "account add: Петя: helper"},
		{verb: ListAccounts, request: &Search{Like: "АС"}, answer: `"login":"вася"`},
		{verb: ShowAccount, request: &AccountName{Character: "СОВА"}, answer: `"online":true,"characters":["Сова"]`},
		{verb: SetPassword, request: &Password{AccountName: vasya, Password: "new"}, answer: `"online":false`,
			asked: "disconnect 1: Your password was changed", trail: "account passwd: вася: "},
		{verb: SetRole, request: &RoleChange{AccountName: AccountName{ID: 1}, Role: new(data.GameMaster)},
			answer: `"role":"gamemaster"`, asked: "role 1: gamemaster; tell 1: Your role is now: game master.",
			trail: "account role: вася: from player to gamemaster"},
		{verb: BanAccount, request: &AccountBan{AccountName: vasya, Penalty: Penalty{Reason: "rude"},
			Confirm: new("вася")},
			answer: `"ban":{"reason":"rude","by":"test"`,
			asked:  "disconnect 1: Your account is kept out for ever. rude", trail: "account ban: вася: for ever: rude"},
		{verb: UnbanAccount, request: &vasya, answer: `"login":"вася"`, trail: "account unban: вася: ",
			before: func(t *testing.T, s *Service) { do(t, s, BanAccount, AccountBan{AccountName: vasya}) }},
		{verb: KickAccount, request: &Kick{vasya, "rest"}, answer: `"online":false`,
			asked: "disconnect 1: Your session was ended. rest", trail: "account kick: вася: rest"},
		{verb: MuteAccount, request: &AccountMute{vasya, Penalty{Until: time.Date(2999, 1, 2, 3, 4, 5, 0, time.UTC)}},
			answer: `"mute":{"until":"2999-01-02T03:04:05Z"`,
			asked:  "mute 1: ", trail: "account mute: вася: until 2999-01-02T03:04:05Z"},
		{verb: UnmuteAccount, request: &vasya, answer: `"login":"вася"`, asked: "mute 1: ",
			trail:  "account unmute: вася: ",
			before: func(t *testing.T, s *Service) { do(t, s, MuteAccount, AccountMute{AccountName: vasya}) }},
		{verb: DeleteAccount, request: &vasya, answer: `"online":false,"characters":["Сова"]`,
			asked: "disconnect 1: Your account was deleted.",
			trail: `account delete: вася: account 1 with characters ["Сова"]`},

		{verb: AddNote, request: &NewNote{vasya, " sells <swords> "}, answer: `"login":"вася"`,
			trail: "note add: вася: sells <swords>"},
		{verb: ListNotes, request: &NoteSearch{AccountName: owner}, answer: `"by":"test","text":"rude"}]`, before: noted},
		{verb: DeleteNote, request: &NoteName{1}, answer: `"text":"rude"`, trail: "note delete: вася: rude", before: noted},
		{verb: ListDoubts, request: &Empty{}, answer: `[{"id":1,"login":"вася"`, before: func(_ *testing.T, s *Service) {
			s.Doubts = func() []Doubt { return []Doubt{{Account: 1, Login: "вася"}} }
		}},
		{verb: ListShared, request: &Empty{}, answer: `[]`},

		{verb: BanAddress, request: ban, answer: `"prefix":"203.0.113.0/24","reason":"bots","by":"test"`,
			trail: "address ban: 203.0.113.0/24: for ever: bots"},
		{verb: UnbanAddress, request: &network, answer: `"203.0.113.0/24"`, trail: "address unban: 203.0.113.0/24: ",
			before: func(t *testing.T, s *Service) { do(t, s, BanAddress, *ban) }},
		{verb: ListAddressBans, request: &Empty{}, answer: `[{"prefix":"203.0.113.0/24","reason":"bots"`,
			before: func(t *testing.T, s *Service) { do(t, s, BanAddress, *ban) }},

		{verb: ListCharacters, request: &Search{}, answer: `"name":"Сова","account":"вася"`},
		{verb: ShowCharacter, request: &CharacterName{ID: 1}, answer: `"slot":20,"class":704`},
		{verb: MoveCharacter, request: &Move{CharacterName: owl, Position: spot}, answer: `"x":10,"y":150,"z":20`,
			asked: "teleport 1 to {10 150 20 1}",
			trail: "character move: Сова: from {1 2 3 4} to {10 150 20 1}, in the world"},
		{verb: UnstuckCharacter, request: &owl, answer: `"name":"Сова"`, asked: "teleport 1 to {",
			trail: "character unstuck: Сова: from {1 2 3 4} to {"},
		{verb: RenameCharacter, request: &Rename{owl, "Филин"}, answer: `"name":"Филин"`,
			asked: "disconnect 1: Your character Сова is now called Филин.", trail: "character rename: Сова: to Филин"},
		{verb: DeleteCharacter, request: &owl, answer: `"name":"Сова"`,
			asked: "disconnect 1: Your character Сова was deleted.",
			trail: `character delete: Сова: character 1 of account "вася", slot 1`},
		{verb: ListDeleted, request: &DeletedSearch{Like: "ов"}, answer: `"name":"Сова","account":"вася","slot":1,`,
			before: func(t *testing.T, s *Service) { do(t, s, DeleteCharacter, owl) }},
		{verb: UndeleteCharacter, request: &Undelete{CharacterName: owl, Slot: new(Ordinal(2))},
			answer: `"name":"Сова","account":"вася","slot":3,`,
			asked:  "tell 1: Your character Сова is back: you will find it at your next login.",
			trail:  `character undelete: Сова: character 1 of account "вася"`,
			before: func(t *testing.T, s *Service) { do(t, s, DeleteCharacter, owl) }},
		{verb: GiveItem, request: &Gift{CharacterName: owl, Item: "1"}, answer: `"character":"Сова"`,
			asked: "tell 1: You were given: ",
			trail: "character give: Сова: 1 × "},
		{verb: SetMoney, request: &Money{owl, 500, false}, answer: `"money":500`,
			asked: "tell 1: Your money was changed: you have 500 coins now.",
			trail: "character money: Сова: set to 500"},
		{verb: SetLevels, request: &Levels{owl, new(Ordinal(9)), nil}, answer: `"titleLevel":10,"degreeLevel":1`,
			asked: "tell 1: Your levels were changed: title 10, degree 1.", trail: "character level: Сова: title 10, degree 1"},
		{verb: SetPoints, request: &Points{owl, new(12), nil}, answer: `"title":12,"degree":0`,
			asked: "tell 1: Your points to spend were changed: title 12, degree 0.",
			trail: "character points: Сова: title 12, degree 0"},
		{verb: ClearItems, request: &Clearing{CharacterName: owl, All: true}, answer: `"name":"Сова"`,
			asked: "tell 1: Your things were destroyed.", trail: "character clear: Сова: all"},
		{verb: HealCharacter, request: &owl, answer: `"name":"Сова"`, asked: "tell 1: A game master has healed you.",
			trail: "character heal: Сова: "},
		{verb: ReviveCharacter, request: &owl, answer: `"name":"Сова"`, asked: "tell 1: A game master has revived you.",
			trail: "character revive: Сова: ", before: func(t *testing.T, s *Service) { live(t, s, 0, 5) }},

		{verb: OrderMission, request: &MissionDeed{CharacterName: owl, Do: "cancel"}, answer: `"name":"Сова"`,
			asked: "tell 1: A game master has cancelled your mission.", trail: "character mission: Сова: cancel", before: quest},
		{verb: OrderMission, request: &MissionDeed{CharacterName: owl, Do: "give", Goal: "money", Template: "K001"},
			answer: `"name":"Сова"`,
			asked:  "give 1 a mission for money: k001; tell 1: A game master has given you a mission.",
			trail:  "character mission: Сова: give k001"},

		{verb: Say, request: &Broadcast{vasya, " hello "}, answer: `"text":"hello"`,
			asked: "tell 1: hello", trail: "say: вася: hello"},
		{verb: SpawnNPC, request: &NPCSpawn{"banker", spot}, answer: `"role":{"ru":"банкир"`,
			asked: "put put: ", trail: "npc spawn: "},
		{verb: RemoveNPC, request: &NPCSpawn{At: spot}, answer: `"key":"`, asked: "remove ", trail: "npc remove: ",
			before: func(t *testing.T, s *Service) { do(t, s, SpawnNPC, NPCSpawn{"banker", spot}) }},

		{verb: SummonMonster, request: &MonsterSummon{Monster: "wolf", Level: 5, Named: true, At: spot},
			answer: `{"type":1011,"name":{"ru":"Волк","en":"Wolf"},"level":5,"named":true}`, asked: "summon 1011 of level 5",
			trail: "monster summon: Wolf: named of level 5 at {10 150 20 1}"},
		{verb: RemoveMonsters, request: &MonsterRemoval{At: spot}, answer: `{"count":1}`, asked: "remove ",
			trail:  "monster remove: summoned: 1 at {10 150 20 1}",
			before: func(t *testing.T, s *Service) { do(t, s, SummonMonster, MonsterSummon{Monster: "1011", At: spot}) }},
		{verb: ListSpawners, request: &SpawnerSearch{At: &spot},
			answer: `[{"key":"x:10:20","at":{"x":10,"y":150,"z":60,"yaw":0},"level":7,"types":[1000],"off":false}]`},
		{verb: TurnSpawners, request: &SpawnerSwitch{At: spot, Off: true}, answer: `{"count":1,"changed":1}`,
			asked: "spawner x:10:20 off true", trail: "spawner set: 10 150 20, 100 m: off: 1"},

		{verb: ListInstances, request: &Empty{},
			answer: `[{"number":7,"dungeon":"newcomers","origin":{"x":-2700,"y":4500,"z":-3900,"yaw":0},"owner":"Сова"`},
		{verb: EnterInstance, request: &InstanceEntry{CharacterName: owl, Number: 7}, answer: `"name":"Сова"`,
			asked: "enter 7 ", trail: "instance enter: Сова: from {"},

		{verb: Backup, request: &File{backup}, answer: fmt.Sprintf("%q", backup), trail: "db backup: " + backup},
		{verb: RestoreBackup, request: &BackupName{"a.db"}, answer: `"file":"a.db"`, trail: "backup restore: a.db: ",
			before: backUp},
		{verb: KeepDatabase, request: &Empty{}, answer: `"file":"a.db"`, trail: "backup keep: a.db: ",
			before: func(t *testing.T, s *Service) { backUp(t, s); do(t, s, RestoreBackup, BackupName{"a.db"}) }},
		{verb: DeleteBackup, request: &BackupName{"a.db"}, answer: `"file":"a.db"`, trail: "backup delete: a.db: ",
			before: backUp},
		{verb: Check, request: &Empty{}, answer: `{"problems":`},
		{verb: StopServer, request: &StopOrder{Seconds: new(600), Reason: "a new version"}, answer: `"reason":"a new version"`,
			asked: "plan a stop: a new version", trail: "server stop: : in 10m0s: a new version"},
		{verb: CancelStop, request: &Empty{}, answer: `"reason":"a"`, asked: "plan no stop", trail: "server stay: : ",
			before: func(t *testing.T, s *Service) { do(t, s, StopServer, StopOrder{Seconds: new(0), Reason: "a"}) }},
		{verb: ReloadConfiguration, request: &ReloadOrder{}, answer: `{"changes":[{"key":"a.b","old":"1","new":"2","restart":false}]}`,
			trail: "config reload: : "},
		{verb: ShowBalance, request: &Empty{}, answer: `{"text":"# a","sum":"1"}`},
		{verb: SetBalance, request: &BalanceOrder{Text: "# b", Sum: "1"},
			answer: `{"changes":[{"key":"a.b","old":"1","new":"2","restart":false}]}`, trail: "balance set: : a.b: 1 -> 2"},
		{verb: OrderRate, request: &RateOrder{Rate: "xp", Factor: 2}, answer: `{"rate":"experience","factor":2,"from":"`,
			asked: "rates changed", trail: "rate set: : experience 2"},
		{verb: EndRate, request: &RateName{"добыча"}, answer: `[{"rate":"drops","factor":3,`, asked: "rates changed",
			trail:  "rate end: : drops",
			before: func(t *testing.T, s *Service) { do(t, s, OrderRate, RateOrder{Rate: "drops", Factor: 3, Seconds: 60}) }},
		{verb: ListRates, request: &Empty{}, answer: `{"rate":"drops","name":{"ru":"добыча","en":"drops"},"factor":1.5,` +
			`"set":[],"file":[{"ru":"1.5","en":"1.5"}]}`},
		{verb: SetMotd, request: &MotdText{" Турнир! "}, answer: `{"text":"Турнир!","by":"test","at":"`,
			asked: `order motd: "Турнир!"`, trail: "motd set: : Турнир!"},
		{verb: EndMotd, request: &Empty{}, answer: `{"text":"of the file"}`, asked: "no order motd", trail: "motd end: : ",
			before: func(t *testing.T, s *Service) { do(t, s, SetMotd, MotdText{"a"}) }},
		{verb: ShowMotd, request: &Empty{}, answer: `{"text":"of the file"}`},
		{verb: BeginMaintenance, request: &MaintenanceOrder{[]string{"ВАСЯ", "вася"}},
			answer: `{"on":true,"admit":["friend","вася"],"by":"test","at":"`, asked: `order maintenance: "вася"`,
			trail: "maintenance on: : вася"},
		{verb: EndMaintenance, request: &Empty{}, answer: `{"on":false,"admit":["friend"]}`, asked: "no order maintenance",
			trail:  "maintenance off: : ",
			before: func(t *testing.T, s *Service) { do(t, s, BeginMaintenance, MaintenanceOrder{}) }},
		{verb: ShowMaintenance, request: &Empty{}, answer: `{"on":false,"admit":["friend"]}`},
		{verb: GetReport, request: &Empty{}, answer: `"running":false`},
		{verb: Audit, request: &AuditSearch{Target: "вася"}, answer: `"action":"account add","target":"вася"`},

		{verb: StartRecording, request: &RecordingOrder{Login: "вася", Path: "/x"}, answer: `"path":"/x","running":true`,
			trail: "capture record: вася: /x"},
		{verb: StopRecording, request: &Empty{}, answer: `"path":"/x","running":false`, trail: "capture stop: /x: ",
			before: func(t *testing.T, s *Service) { do(t, s, StartRecording, RecordingOrder{Session: 1, Path: "/x"}) }},
		{verb: LastRecording, request: &Empty{}, answer: `"path":"/x","running":true`,
			before: func(t *testing.T, s *Service) { do(t, s, StartRecording, RecordingOrder{All: true, Path: "/x"}) }},
	} {
		seen[d.verb.Name()] = true
		t.Run(d.verb.Name(), func(t *testing.T) {
			s, live := made(t)
			s.Recorder = &fakeRecorder{}
			s.Reload = func(bool) ([]SettingChange, error) { return []SettingChange{{Key: "a.b", Old: "1", New: "2"}}, nil }
			s.ReadBalance = func() (BalanceFile, error) { return BalanceFile{Text: "# a", Sum: "1"}, nil }
			s.WriteBalance = func(BalanceOrder) ([]SettingChange, error) {
				return []SettingChange{{Key: "a.b", Old: "1", New: "2"}}, nil
			}
			if d.before != nil {
				d.before(t, s)
			}
			live.log()
			live.online[1] = 1
			was, skip := state(t, s), len(entries(t, s, 0))
			answer, err := d.verb.DoAny(t.Context(), s, tester, d.request)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := json.Marshal(answer); err != nil || !strings.Contains(string(text), d.answer) {
				t.Errorf("%s, %v, expected in it %s", text, err, d.answer)
			}
			if log := live.log(); !strings.HasPrefix(log, d.asked) || d.asked == "" && log != "" {
				t.Errorf("the server was asked for %q, expected %q", log, d.asked)
			}
			trail := strings.Join(entries(t, s, skip), "; ")
			if !strings.HasPrefix(trail, d.trail) || strings.Contains(trail, "; ") || d.trail == "" && trail != "" {
				t.Errorf("the trail has %q, expected %q", trail, d.trail)
			}
			if d.trail == "" && state(t, s) != was {
				t.Error("expected that nothing is changed that is not written down")
			}
		})
	}
	for _, v := range Verbs() {
		if !seen[v.Name()] {
			t.Errorf("%s was not done", v.Name())
		}
	}
}

// owner names an account by a character of it.
var owner = AccountName{Character: "сова"}

// noted writes a note on вася.
func noted(t *testing.T, s *Service) { do(t, s, AddNote, NewNote{vasya, "rude"}) }

// do does a verb that has to succeed.
func do[R, A any](t *testing.T, s *Service, v Verb[R, A], request R) A {
	t.Helper()
	answer, err := by(t.Context(), s, v, request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Each reason for which verbs are refused: its kind, the field, and the words. Nothing is changed or written down.
func TestRefusalsChangeNothing(t *testing.T) {
	long, nobody := strings.Repeat("ы", maxText+1), named("вaся")
	past := Penalty{Until: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)}
	owls := CharacterName{Name: "Сава"}
	s, live := made(t)
	s.Recorder = &fakeRecorder{}
	was := state(t, s)
	for _, r := range []struct {
		verb    Any
		request any
		kind    error
		field   string
		english string // a part of the words
	}{
		{AddAccount, &NewAccount{Login: "a\nb", Password: "x"}, ErrInvalid, "login", "login"},
		{AddAccount, &NewAccount{Login: "petya"}, ErrInvalid, "password", "password"},
		{AddAccount, &NewAccount{Login: "Вася", Password: "x"}, data.ErrLoginTaken, "", "taken"},
		{ShowAccount, &nobody, data.ErrNotFound, "", `did you mean "вася"?`},
		{ShowAccount, &AccountName{ID: 99}, data.ErrNotFound, "", "no account 99"},
		{ShowAccount, &AccountName{Character: "Сава"}, data.ErrNotFound, "", `did you mean "Сова"?`},
		{SetPassword, &Password{AccountName: vasya}, ErrInvalid, "password", "expected"},
		{SetPassword, &Password{vasya, "a\tb"}, ErrInvalid, "password", "control"},
		{SetPassword, &Password{nobody, "x"}, data.ErrNotFound, "", "did you mean"},
		{SetRole, &RoleChange{AccountName: vasya}, ErrInvalid, "role", "required"},
		{SetRole, &RoleChange{nobody, new(data.Helper)}, data.ErrNotFound, "", "did you mean"},
		{BanAccount, &AccountBan{AccountName: vasya, Penalty: past}, ErrInvalid, "until", "2001-02-03 04:05:06"},
		{BanAccount, &AccountBan{AccountName: vasya, Penalty: Penalty{Until: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}},
			ErrInvalid, "until", "expected an end"},
		{BanAccount, &AccountBan{AccountName: vasya, Penalty: Penalty{Reason: long}}, ErrInvalid, "reason",
			"500 characters, found 501"},
		{BanAccount, &AccountBan{AccountName: vasya, Confirm: new("Вася")}, ErrUnconfirmed, "",
			"вася will be kept out, and its session ended. Its characters: Сова."},
		{UnbanAccount, &vasya, data.ErrNotFound, "", `account "вася" is not banned`},
		{KickAccount, &Kick{vasya, "a\nb"}, ErrInvalid, "reason", "line breaks"},
		{KickAccount, &Kick{nobody, ""}, data.ErrNotFound, "", "did you mean"},
		{MuteAccount, &AccountMute{vasya, past}, ErrInvalid, "until", "future"},
		{MuteAccount, &AccountMute{vasya, Penalty{Reason: "\xff"}}, ErrInvalid, "reason", "control"},
		{UnmuteAccount, &AccountName{Character: "сова"}, data.ErrNotFound, "", `account "сова" is not mute`},
		{DeleteAccount, &nobody, data.ErrNotFound, "", "did you mean"},

		{OrderRate, &RateOrder{Rate: "xp", Factor: 0}, ErrInvalid, "factor", "expected a factor from 0.1 to 100, found 0"},
		{OrderRate, &RateOrder{Rate: "xp", Factor: 1e9}, ErrInvalid, "factor", "from 0.1 to 100, found 1e+09"},
		{OrderRate, &RateOrder{Rate: "xp", Factor: math.NaN()}, ErrInvalid, "factor", "found NaN"},
		{OrderRate, &RateOrder{Rate: "exprience", Factor: 2}, ErrInvalid, "rate",
			`expected experience, drops, money or respawn, found "exprience"; did you mean "experience"?`},
		{OrderRate, &RateOrder{Factor: 2}, ErrInvalid, "rate", `expected experience, drops, money or respawn, found ""`},
		{OrderRate, &RateOrder{Rate: "xp", Factor: 2, Seconds: -1}, ErrInvalid, "seconds", "at most 366 d, found -1 s"},
		{OrderRate, &RateOrder{Rate: "xp", Factor: 2, Seconds: 31622401}, ErrInvalid, "seconds", "found 366 d 1 s"},
		{OrderRate, &RateOrder{Rate: "xp", Factor: 2, From: time.Date(2001, 2, 3, 4, 5, 6, 0, time.Local)}, ErrInvalid,
			"from", "a beginning within the next 366 days, found 2001-02-03 04:05"},
		{OrderRate, &RateOrder{Rate: "xp", Factor: 2, From: time.Date(9999, 2, 3, 4, 5, 6, 0, time.Local)}, ErrInvalid,
			"from", "found 9999-02-03 04:05"},
		{EndRate, &RateName{"x"}, ErrInvalid, "rate", `respawn, found "x"`},
		{EndRate, &RateName{"xp"}, data.ErrNotFound, "", "No rate of experience is set."},
		{EndRate, &RateName{"drops"}, data.ErrNotFound, "", "The rate of drops was not set by command but in balance.toml"},

		{SetMotd, &MotdText{" "}, ErrInvalid, "text", "required"},
		{SetMotd, &MotdText{"<b></b>"}, ErrInvalid, "text", "required"},
		{SetMotd, &MotdText{"\u00ad\u00ad"}, ErrInvalid, "text", "required"},
		{SetMotd, &MotdText{long}, ErrInvalid, "text", "500 characters, found 501"},
		{SetMotd, &MotdText{"a\nb"}, ErrInvalid, "text", "line breaks"},
		{SetMotd, &MotdText{"a 漢"}, ErrInvalid, "text", "text: players do not have the character"},
		{EndMotd, &Empty{}, data.ErrNotFound, "", "not set by command but in sphere.toml (chat.motto)"},
		{BeginMaintenance, &MaintenanceOrder{make([]string, 201)}, ErrInvalid, "admit", "at most 200 logins, found 201"},
		{BeginMaintenance, &MaintenanceOrder{[]string{"вася", "вася2"}}, data.ErrNotFound, "", `did you mean "вася"?`},
		{BeginMaintenance, &MaintenanceOrder{[]string{"вася", ""}}, ErrInvalid, "admit", "One of the logins is empty."},
		{EndMaintenance, &Empty{}, data.ErrNotFound, "", "There is no maintenance."},

		{AddNote, &NewNote{vasya, " "}, ErrInvalid, "text", "required"},
		{AddNote, &NewNote{vasya, long}, ErrInvalid, "text", "500 characters, found 501"},
		{AddNote, &NewNote{vasya, "a\nb"}, ErrInvalid, "text", "line breaks"},
		{AddNote, &NewNote{nobody, "x"}, data.ErrNotFound, "", "did you mean"},
		{ListNotes, &NoteSearch{AccountName: nobody}, data.ErrNotFound, "", "did you mean"},
		{ListNotes, &NoteSearch{Limit: -1}, ErrInvalid, "limit", "Expected 1 to 1000 lines, not -1."},
		{ListNotes, &NoteSearch{Limit: 1001}, ErrInvalid, "limit", "Expected 1 to 1000 lines, not 1001."},
		{Audit, &AuditSearch{Limit: -1}, ErrInvalid, "limit", "Expected 1 line or more, not -1."},
		{DeleteNote, &NoteName{99}, data.ErrNotFound, "", "no note 99"},
		{ListDoubts, &Empty{}, ErrNotRunning, "", "no server"},
		{BanAddress, &AddressPenalty{}, ErrInvalid, "address", "address"},
		{BanAddress, &AddressPenalty{AddressName: network, Penalty: Penalty{Reason: long}}, ErrInvalid, "reason", "500"},
		{UnbanAddress, &AddressName{"everybody"}, ErrInvalid, "address", "address"},
		{UnbanAddress, &network, data.ErrNotFound, "", "203.0.113.0/24 is not banned"},

		{ShowCharacter, &owls, data.ErrNotFound, "", `did you mean "Сова"?`},
		{ShowCharacter, &CharacterName{Name: strings.Repeat("я", 1000)}, data.ErrNotFound, "", "яяя\" not found"},
		{MoveCharacter, &Move{CharacterName: owl}, ErrInvalid, "place", "one of"},
		{MoveCharacter, &Move{CharacterName: owls, Position: spot}, data.ErrNotFound, "", "did you mean"},
		{MoveCharacter, &Move{CharacterName: owl, Place: "umrat"}, ErrInvalid, "place", "nearest name is"},
		{MoveCharacter, &Move{CharacterName: owl, Place: "x", Position: spot}, ErrInvalid, "place", "one of"},
		{MoveCharacter, &Move{CharacterName: owl, Position: coords.Position{X: float32(math.NaN())}}, ErrInvalid, "x",
			"x is NaN"},
		{MoveCharacter, &Move{CharacterName: owl, Position: coords.Position{Z: float32(math.Inf(1))}}, ErrInvalid, "x",
			"z is +Inf"},
		{MoveCharacter, &Move{CharacterName: owl, Beside: "сова"}, ErrSelf, "", "yourself"},
		{MoveCharacter, &Move{CharacterName: owl, Beside: "Сава"}, data.ErrNotFound, "", "did you mean"},
		{UnstuckCharacter, &owls, data.ErrNotFound, "", "did you mean"},
		{RenameCharacter, &Rename{owl, "1"}, ErrInvalid, "newName", "name"},
		{RenameCharacter, &Rename{owls, "Филин"}, data.ErrNotFound, "", "did you mean"},
		{DeleteCharacter, &owls, data.ErrNotFound, "", "did you mean"},
		{UndeleteCharacter, &Undelete{CharacterName: owl}, data.ErrNotFound, "", `deleted character "сова" not found`},
		{UndeleteCharacter, &Undelete{}, ErrInvalid, "name", "required"},
		{ShowCharacter, &CharacterName{Name: " "}, ErrInvalid, "name", "required"},
		{ShowAccount, &AccountName{}, ErrInvalid, "login", "required"},
		{ShowAccount, &AccountName{ID: -1}, data.ErrNotFound, "", "no account -1"},
		{ShowAccount, &AccountName{Login: strings.Repeat("x", 100000)}, data.ErrNotFound, "", "not found"},
		{UndeleteCharacter, &Undelete{CharacterName: CharacterName{ID: 1}}, data.ErrNotFound, "", "no deleted character 1"},
		{UndeleteCharacter, &Undelete{owl, new(Ordinal(3))}, ErrInvalid, "slot", "from 1 to 3, found 4"},
		{GiveItem, &Gift{CharacterName: owl, Item: " "}, ErrInvalid, "item", "required"},
		{GiveItem, &Gift{CharacterName: owl, Item: strings.Repeat("x", 101)}, ErrInvalid, "item",
			"100 characters, found 101"},
		{GiveItem, &Gift{CharacterName: owl, Item: "1", Count: new(0)}, ErrInvalid, "count", "one at a time"},
		{GiveItem, &Gift{CharacterName: owl, Item: "Лепёшка", Count: new(math.MaxInt32)}, ErrInvalid, "count",
			"count from 1 to"},
		{GiveItem, &Gift{CharacterName: owl, Item: "1", Suffix: new(9999)}, ErrInvalid, "suffix", "no such suffix"},
		{GiveItem, &Gift{CharacterName: owls, Item: "1"}, data.ErrNotFound, "", "did you mean"},
		{SetMoney, &Money{owl, math.MaxInt32 + 1, false}, ErrInvalid, "amount", "found 2147483648"},
		{SetMoney, &Money{owl, math.MinInt64, true}, ErrInvalid, "amount", "expected an amount"},
		{SetMoney, &Money{owls, 1, false}, data.ErrNotFound, "", "did you mean"},
		{SetLevels, &Levels{owl, new(Ordinal(-1)), nil}, ErrInvalid, "title", "from 1 to 240, not 0"},
		{SetLevels, &Levels{owl, nil, new(Ordinal(240))}, ErrInvalid, "degree", "from 1 to 240, not 241"},
		{SetLevels, &Levels{CharacterName: owl}, ErrInvalid, "title", "Expected a level of title, degree or both"},
		{SetLevels, &Levels{owls, new(Ordinal(1)), nil}, data.ErrNotFound, "", "did you mean"},
		{SetPoints, &Points{owl, new(-1), nil}, ErrInvalid, "title", "from 0 to 65535, not -1"},
		{SetPoints, &Points{owl, nil, new(65536)}, ErrInvalid, "degree", "from 0 to 65535, not 65536"},
		{SetPoints, &Points{CharacterName: owl}, ErrInvalid, "title", "Expected points of title, degree or both"},
		{SetPoints, &Points{owls, new(1), nil}, data.ErrNotFound, "", "did you mean"},
		{OrderMission, &MissionDeed{CharacterName: owl}, ErrInvalid, "do", "required"},
		{OrderMission, &MissionDeed{CharacterName: owl, Do: long}, ErrInvalid, "do", "Expected give, finish or cancel"},
		{OrderMission, &MissionDeed{CharacterName: owl, Do: "give", Goal: long}, ErrInvalid, "goal", "Expected the goal"},
		{OrderMission, &MissionDeed{CharacterName: owl, Do: "cancel", Goal: "money"}, ErrInvalid, "goal",
			"here money, is for give only"},
		{OrderMission, &MissionDeed{CharacterName: owl, Do: "finish", Template: "k001"}, ErrInvalid, "template",
			"here k001, is for give only"},
		{OrderMission, &MissionDeed{CharacterName: owl, Do: "give", Template: "k999x"}, data.ErrNotFound, "",
			"mission template \"k999x\" not found"},
		{OrderMission, &MissionDeed{CharacterName: owls, Do: "cancel"}, data.ErrNotFound, "", "did you mean"},
		{OrderMission, &MissionDeed{Do: "cancel"}, ErrInvalid, "name", "required"},
		{HealCharacter, &CharacterName{}, ErrInvalid, "name", "required"},
		{ReviveCharacter, &CharacterName{ID: -1}, data.ErrNotFound, "", "no character -1"},
		{ClearItems, &Clearing{CharacterName: owls}, data.ErrNotFound, "", "did you mean"},

		{Say, &Broadcast{Text: "\t"}, ErrInvalid, "text", "required"},
		{Say, &Broadcast{Text: long}, ErrInvalid, "text", "500"},
		{Say, &Broadcast{nobody, "x"}, data.ErrNotFound, "", "did you mean"},
		{SpawnNPC, &NPCSpawn{"bankir", spot}, data.ErrNotFound, "", "banker"},
		{SpawnNPC, &NPCSpawn{"", spot}, ErrInvalid, "npc", "required"},
		{SpawnNPC, &NPCSpawn{"banker", coords.Position{X: float32(math.NaN())}}, ErrInvalid, "at", "no such place"},
		{SpawnNPC, &NPCSpawn{"banker", coords.Position{Y: 1e9}}, ErrInvalid, "at", "no such place"},
		{RemoveNPC, &NPCSpawn{At: spot}, data.ErrNotFound, "", "Within 30 m"},
		{SummonMonster, &MonsterSummon{Monster: "wolg", At: spot}, data.ErrNotFound, "", "did you mean \"Wolf\""},
		{SummonMonster, &MonsterSummon{Monster: "1011", Level: 121, At: spot}, ErrInvalid, "level", "from 1 to 120, not 121"},
		{SummonMonster, &MonsterSummon{At: spot}, ErrInvalid, "monster", "required"},
		{SummonMonster, &MonsterSummon{Monster: "1011", At: content.Cities()[0].Position}, ErrInvalid, "", "in a city"},
		{SummonMonster, &MonsterSummon{Monster: "1011", At: coords.Position{Y: 1e9}}, ErrInvalid, "at", "no such place"},
		{RemoveMonsters, &MonsterRemoval{At: spot}, data.ErrNotFound, "", "Within 30 m"},
		{RemoveMonsters, &MonsterRemoval{ID: 7}, data.ErrNotFound, "", "not there any more"},
		{RemoveMonsters, &MonsterRemoval{At: spot, Radius: math.NaN()}, ErrInvalid, "radius", "from 0 to 1000"},
		{EnterInstance, &InstanceEntry{CharacterName: owl, Number: 8}, data.ErrNotFound, "", "no instance 8"},
		{EnterInstance, &InstanceEntry{CharacterName: owl, Dungeon: "x"}, data.ErrNotFound, "", "no dungeon"},
		{EnterInstance, &InstanceEntry{CharacterName: owl, Number: -1}, ErrInvalid, "number", "from 1"},
		{EnterInstance, &InstanceEntry{CharacterName: owl, Number: 7, Dungeon: "x"}, ErrInvalid, "number", "not both"},
		{EnterInstance, &InstanceEntry{Number: 7}, ErrInvalid, "name", "required"},
		{EnterInstance, &InstanceEntry{CharacterName: owls, Number: 7}, data.ErrNotFound, "", "did you mean"},
		{EnterInstance, &InstanceEntry{CharacterName: owl, Dungeon: long}, data.ErrNotFound, "", "no dungeon"},
		{ListSpawners, &SpawnerSearch{Key: "nowhere"}, data.ErrNotFound, "", "no spawner \"nowhere\""},
		{TurnSpawners, &SpawnerSwitch{Key: "nowhere"}, data.ErrNotFound, "", "no spawner \"nowhere\""},
		{TurnSpawners, &SpawnerSwitch{At: spot, Radius: 1}, data.ErrNotFound, "", "Within 1 m"},
		{TurnSpawners, &SpawnerSwitch{At: spot, Radius: -1}, ErrInvalid, "radius", "from 0 to 1000"},
		{StopRecording, &Empty{}, ErrNoRecording, "", "no sessions"},
		{StartRecording, &RecordingOrder{Login: "вaся"}, data.ErrNotFound, "", "did you mean"},
	} {
		t.Run(fmt.Sprintf("%s %s %s", r.verb.Name(), CodeOf(r.kind), r.field), func(t *testing.T) {
			_, err := r.verb.DoAny(t.Context(), s, tester, r.request)
			if !errors.Is(err, r.kind) || !strings.Contains(fmt.Sprint(err), r.english) {
				t.Fatalf("%v, expected %v with %q", err, r.kind, r.english)
			}
			var f Faults
			if errors.As(err, &f) != (r.field != "") || f != nil && (len(f) != 1 || f[0].Field != r.field) {
				t.Errorf("faults %v, expected one of %q", f, r.field)
			}
			if l := Localized(nil); errors.As(err, &l) && (l.In(true) == l.In(false) || l.In(true) == "") && f == nil {
				t.Errorf("%q in both languages", l.In(true))
			}
			if len(err.Error()) > 400 {
				t.Errorf("a refusal of %d bytes", len(err.Error()))
			}
			if log := live.log(); log != "" {
				t.Errorf("the server was asked for %q", log)
			}
			if diff := cmp.Diff(was, state(t, s)); diff != "" {
				t.Error(diff)
			}
			if trail := entries(t, s, 1); len(trail) > 0 {
				t.Errorf("the trail has %q", trail)
			}
		})
	}
}

// Several faults of a request are told in the order of its fields, each time.
func TestFaultsAreInTheOrderOfTheirFields(t *testing.T) {
	s, _ := made(t)
	for range 20 {
		_, err := by(t.Context(), s, SetPoints, Points{owl, new(-1), new(-2)})
		if title, degree, two := strings.Cut(fmt.Sprint(err), "; "); !two || !strings.Contains(title, "not -1") ||
			!strings.Contains(degree, "not -2") {
			t.Fatal(err)
		}
	}
}

// A rejection by the rules of the game is told with its reason, in the world as in the store.
func TestRejectionsTellWhy(t *testing.T) {
	s, live := made(t)
	for _, d := range []struct {
		verb    Any
		request any
	}{{GiveItem, &Gift{CharacterName: owl, Item: "1"}}, {SetMoney, &Money{owl, 1, true}},
		{SetLevels, &Levels{owl, new(Ordinal(1)), nil}}, {SetPoints, &Points{owl, new(1), nil}},
		{ClearItems, &Clearing{CharacterName: owl, All: true}}} {
		for _, why := range []rules.RejectReason{rules.StoreFailed, rules.Busy, rules.NoRoom, rules.WrongCount} {
			live.reject = why
			skip := len(entries(t, s, 0))
			_, err := d.verb.DoAny(t.Context(), s, tester, d.request)
			if !errors.Is(err, ErrRejected) || RejectedBy(err) != why || CodeOf(err) != "refused" {
				t.Errorf("%s: %v, expected to be rejected for %v", d.verb.Name(), err, why)
			}
			trail := entries(t, s, skip)
			if len(trail) != 2 || !strings.HasSuffix(trail[1], ": not done: "+err.Error()) {
				t.Errorf("%s: the trail has %q, expected what was begun and that it was not done", d.verb.Name(), trail)
			}
		}
	}
	if why := RejectedBy(errors.New("x")); why != 0 {
		t.Errorf("another error is for %v", why)
	}
}
