package ops

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

func TestTheAuditTrailIsToldInSentences(t *testing.T) {
	s := offline(t)
	inShipstone := content.Cities()[0].Position
	sword := s.kinds().Find("Knight's sword", 1)[0].Kind
	since := Since(time.Date(2030, 1, 30, 12, 0, 0, 0, time.UTC))
	until := Until(time.Date(2030, 1, 31, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct{ action, target, detail, russian, english string }{
		{"account ban", "подопытный", "for ever: за дело", "chief забанил учётную запись подопытный навсегда: за дело",
			"chief banned the account подопытный for ever: за дело"},
		{"account ban", "x", "for ever", "chief забанил учётную запись x навсегда", "chief banned the account x for ever"},
		{"account role", "x", "from player to administrator",
			"chief сменил роль учётной записи x: была «игрок», стала «администратор»",
			"chief changed the role of the account x from player to administrator"},
		{"account kick", "x", "", "chief отключил игрока с учётной записью x", "chief kicked the player of the account x"},
		{"account delete", "x", `account 3 with characters ["Аня" "Боря"]`,
			"chief удалил учётную запись x с персонажами: Аня, Боря",
			"chief deleted the account x with the characters Аня, Боря"},
		{"character move", "Аня", "from {1 2 3 0} to {4.5 5 -6 1}, in the world",
			"chief перенёс Аня; откуда: Умрад, 2048 м к востоку; куда: Умрад, 2053 м к востоку",
			"chief moved Аня; from: Umrad, 2048 m to the east; to: Umrad, 2053 m to the east"},
		{"character give", "Аня", "1 × Knight's sword (" + strconv.Itoa(sword.ID) + ", suffix -1)",
			"chief дал Аня предмет «" + sword.Name("ru") + "», штук: 1",
			"chief gave Аня the thing " + sword.Name("en") + ", pieces: 1"},
		{CharacterReset, "Аня", "unlearn: title 3, degree 1, points +8 and +0",
			"chief начал персонажа Аня заново: титул 3, степень 1, очков титула +8, степени +0",
			"chief began Аня again: title 3, degree 1, points of title +8, of degree +0"},
		{"character money", "Аня", "-50", "chief забрал у Аня денег: 50", "chief took money from Аня: 50"},
		{"server stop", "", "in 10m0s: обновление", "chief назначил остановку сервера через 10 мин: обновление",
			"chief ordered that the server stops in 10 min: обновление"},
		{"server stop", "", "in 5s", "chief назначил остановку сервера через 5 с",
			"chief ordered that the server stops in 5 s"},
		{"server stay", "", "", "chief отменил остановку сервера", "chief took back that the server stops"},
		{"rate set", "", "experience 2", "chief задал: опыт x2, пока не отменят",
			"chief set experience x2 until it is ended"},
		{"rate set", "", "drops 1.5 until 2030-01-31T12:00:00Z", "chief задал: добыча x1.5 " + until.Russian,
			"chief set drops x1.5 " + until.English},
		{"rate set", "", "money 3 from 2030-01-30T12:00:00Z", "chief задал: деньги x3 " + since.Russian + ", пока не отменят",
			"chief set money x3 " + since.English + " until it is ended"},
		{"rate set", "", "respawn 3 from 2030-01-30T12:00:00Z until 2030-01-31T12:00:00Z",
			"chief задал: возвращение монстров x3 " + since.Russian + " " + until.Russian,
			"chief set respawn of monsters x3 " + since.English + " " + until.English},
		{"motd set", "", "в 20:00: турнир", "chief задал сообщение дня: в 20:00: турнир",
			"chief set the message of the day: в 20:00: турнир"},
		{"motd end", "", "", "chief отменил сообщение дня", "chief ended the message of the day"},
		{"maintenance on", "", "", "chief объявил работы: войти могут операторы и логины из server.admit",
			"chief began maintenance: operators and the logins of server.admit get in"},
		{"maintenance on", "", "a, b", "chief объявил работы: войти могут операторы, логины из server.admit и a, b",
			"chief began maintenance: operators, the logins of server.admit and a, b get in"},
		{"maintenance off", "", "", "chief закончил работы, объявленные командой",
			"chief ended the maintenance that was begun by command"},
		{"rate end", "", "money", "chief отменил множитель: деньги", "chief ended the rate of money"},
		{"say", "", "всем привет", "chief объявил всем: всем привет", "chief announced: всем привет"},
		{"admin login", "chief", "", "chief вошёл на страницу", "chief logged in on the page"},
		{"refused", "chief", "account ban x", "chief пытался сделать то, на что не хватает роли: бан, x",
			"chief tried what takes a higher role: a ban, x"},
		{"refused", "chief", "backup restore",
			"chief пытался сделать то, на что не хватает роли: восстановление из копии",
			"chief tried what takes a higher role: restoring a backup"},
		{"refused", "chief", "account ban the other one",
			"chief пытался сделать то, на что не хватает роли: бан, the other one",
			"chief tried what takes a higher role: a ban, the other one"},
		{"refused", "chief", "GET /api/log",
			"chief пытался сделать то, на что не хватает роли: GET /api/log",
			"chief tried what takes a higher role: GET /api/log"},
		{"refused", "chief", "login", "chief пытался сделать то, на что не хватает роли: вход на страницу",
			"chief tried what takes a higher role: logging in on the page"},
		{"account kick", "x", "not done: full", "chief: не удалось: отключение игрока, x: full",
			"chief: not done: a kick, x: full"},
		{"db backup", "/srv/data/backups/a.db", "", "chief сделал резервную копию a.db", "chief made the backup a.db"},
		{"config reload", "", "", "chief велел перечитать файлы настроек", "chief had the configuration files read again"},
		{"config reload", "", "not done: configuration: a.toml:1:1: unknown key",
			"chief: не удалось: чтение файлов настроек: configuration: a.toml:1:1: unknown key",
			"chief: not done: reading the configuration files: configuration: a.toml:1:1: unknown key"},
		{"config reload", "", "not done: a.toml:1:1: unknown key\na.toml:1:1: такого ключа нет",
			"chief: не удалось: чтение файлов настроек: a.toml:1:1: такого ключа нет",
			"chief: not done: reading the configuration files: a.toml:1:1: unknown key"},
		{"balance set", "", "a.b: 1 -> 2", "chief изменил файл баланса: a.b: 1 -> 2",
			"chief changed the balance file: a.b: 1 -> 2"},
		{"balance set", "", "", "chief изменил в файле баланса только примечания",
			"chief changed only remarks of the balance file"},
		{"capture record", "all sessions", "/x", "chief начал запись обмена: все сеансы", "chief began to record: all sessions"},
		{"capture record", "session 0x4F6F", "/x", "chief начал запись обмена: сеанс 0x4F6F",
			"chief began to record: session 0x4F6F"},
		{"monster summon", "Wolf", "named of level 7 at " + fmt.Sprint(inShipstone),
			"chief призвал монстра «Волк» уровня 7: Шипстоун", "chief summoned the monster Wolf of level 7: Shipstone"},
		{"monster remove", "summoned", "3 at " + fmt.Sprint(inShipstone),
			"chief убрал монстров (призванных), сколько: 3, где: Шипстоун",
			"chief removed monsters (summoned), how many: 3, where: Shipstone"},
		{"spawner set", fmt.Sprintf("%.0f %.0f %.0f, 200 m", inShipstone.X, inShipstone.Y, inShipstone.Z), "off: 10",
			"chief отключил появление монстров: Шипстоун, на 200 м вокруг, мест: 10",
			"chief turned spawners off: Shipstone, 200 m around, places: 10"},
		{"something new", "x", "y", "chief: something new, x: y", "chief: something new, x: y"},
		{"/where", "", "", "chief дал команду /where", "chief gave the command /where"},
	} {
		e := s.Told(data.Administrator, data.AuditEntry{Who: "chief", Action: c.action, Target: c.target, Detail: c.detail})
		if e.Sentence != (Text{c.russian, c.english}) {
			t.Errorf("%s %q: %q, %q", c.action, c.detail, e.Sentence.Russian, e.Sentence.English)
		}
	}
	byOwner := data.AuditEntry{Who: "operator root", Action: "server stay"}
	if got := s.Told(data.Administrator, byOwner).Sentence; got.Russian != "оператор root отменил остановку сервера" ||
		got.English != "operator root took back that the server stops" {
		t.Errorf("found %q", got)
	}
	muted := s.Told(data.Administrator, data.AuditEntry{Who: "a", Action: "account mute", Target: "x",
		Detail: "until 2030-01-31T12:00:00Z: spam"}).Sentence.Russian
	expected := regexp.MustCompile(`^a запретил говорить учётной записи x до \d\d\.\d\d\.2030 \d\d:\d\d \S+: spam$`)
	if !expected.MatchString(muted) {
		t.Errorf("found %q", muted)
	}
}

// Every entry of a verb has words of its own: stored details are English.
func TestEveryVerbThatIsWrittenDownHasASentence(t *testing.T) {
	reads := []string{"account list", "account show", "address list", "character list", "character show", "db check",
		"status", "audit", "capture state", "spawner list", "rate list", "instance list", "character deleted", "note list",
		"account doubts", "account shared", "balance show", "motd show", "maintenance list"}
	for _, v := range Verbs() {
		if !slices.Contains(reads, v.Name()) && auditActions[v.Name()].noun.Russian == "" {
			t.Errorf("%s has no words in deeds.tsv", v.Name())
		}
	}
	for action, d := range auditActions {
		for _, p := range d.phrases {
			groups := p.detail().NumSubexp()
			for _, text := range []string{p.text.Russian, p.text.English} {
				for _, place := range regexp.MustCompile(`%\[(\d)\]`).FindAllStringSubmatch(text, -1) {
					if n := int(place[1][0] - '0'); n > groups+2 {
						t.Errorf("%s: %q has a place %d, and its pattern %d groups", action, text, n, groups)
					}
				}
			}
		}
	}
}

func TestWhyAnActFailedIsToldInBothLanguages(t *testing.T) {
	s := offline(t)
	for _, c := range []struct {
		err              error
		english, russian string
	}{
		{Reject(rules.Alive), "The character is alive.", "Персонаж жив."},
		{errors.New("disk full\nor so"), "disk full; or so", "на диске нет места"},
	} {
		s.Russian = nil
		if !errors.As(c.err, new(*Refusal)) { // the texts of other packages come from the program
			s.Russian = func(error) string { return c.russian }
		}
		entry := data.AuditEntry{Who: "chief", Action: "character revive", Target: "Сова"}
		if err := s.Record(t.Context(), entry, func() error { return c.err }); err != c.err {
			t.Errorf("%v, expected %v", err, c.err)
		}
		got := do(t, s, Audit, AuditSearch{Limit: 1})[0]
		if got.Detail != "not done: "+c.english || got.Sentence.English != "chief: not done: reviving a character, Сова: "+c.english ||
			got.Sentence.Russian != "chief: не удалось: воскрешение персонажа, Сова: "+c.russian {
			t.Errorf("found %q, %q", got.Detail, got.Sentence)
		}
	}
}
