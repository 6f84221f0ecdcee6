package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// badRequests are bodies that verbs refuse, by verb and body, each with a field that is wrong and words of its fault;
// "" where no field is.
func badRequests() map[string]map[string][2]string {
	long, digits := strings.Repeat("x", 5000), strings.Repeat("9", 5000)
	return map[string]map[string][2]string{
		"server-stop": {
			``: {"seconds", "обязательно"}, `{}`: {"seconds", "обязательно"}, `{"seconds":null}`: {"seconds", "обязательно"},
			`{"reason":"x"}`: {"seconds", "обязательно"}, `{"seconds":-1}`: {"seconds", "а не через -1 с"},
			`{"seconds":86401}`:                {"seconds", "не дальше чем через 24 ч"},
			`{"seconds":99999999999999999999}`: {"seconds", "целое число от -9223372036854775808 до 9223372036854775807"},
			`{"seconds":` + digits + `}`:       {"seconds", "…"}, `{"seconds":"5"}`: {"seconds", "целое число"},
			`{"second":5}`: {"second", "Такого поля"}, `{"` + long + `":5}`: {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", "Такого поля"},
			`{"seconds":0,"reason":"a\nb"}`: {"reason", "управляющих"}, `{"seconds":0,"reason":"` + long + `"}`: {"reason", "5000"},
		},
		"rate-set": {
			``: {"rate", "опыт, добыча"}, `{"rate":5}`: {"rate", "текст"}, `{"rate":"` + long + `","factor":2}`: {"rate", "опыт, добыча"},
			`{"rate":"drops"}`:                                          {"factor", "от 0.1 до 100"},
			`{"rate":"drops","factor":"2"}`:                             {"factor", "число"},
			`{"rate":"drops","factor":1e400}`:                           {"factor", "число"},
			`{"rate":"drops","factor":-1}`:                              {"factor", "от 0.1 до 100"},
			`{"rate":"drops","factor":2,"seconds":-5}`:                  {"seconds", "366 д"},
			`{"rate":"drops","factor":2,"seconds":1e9}`:                 {"seconds", "целое число"},
			`{"rate":"drops","factor":2,"from":"x"}`:                    {"from", "время в виде 2026-01-02T15:04:05Z), а не «x»"},
			`{"rate":"drops","factor":2,"from":5}`:                      {"from", "время в виде"},
			`{"rate":"drops","factor":2,"from":"` + long:                {"", "обрывается"},
			`{"rate":"drops","factor":2,"from":"9999-01-01T00:00:00Z"}`: {"from", "366 дней"},
		},
		"rate-end": {``: {"rate", "опыт"}, `{"rate":[]}`: {"rate", "текст"}},
		"motd-set": {
			``: {"text", "обязательно"}, `{"text":null}`: {"text", "обязательно"}, `{"text":1}`: {"text", "текст"},
			`{"text":"a\u0000"}`: {"text", "управляющих"}, `{"text":"漢"}`: {"text", "漢"}, `{"text":"` + long + `"}`: {"text", "5000"},
		},
		"maintenance-on": {
			`[]`: {"", "JSON"}, `null`: {"", "JSON"}, `{"admit":"a"}`: {"admit", "список"}, `{"admit":[1]}`: {"admit", "текст"},
			`{"admit":[null]}`: {"admit", "пустой"}, `{"admit":["player"," "]}`: {"admit", "пустой"},
			`{"admit":["player","nobody"]}`: {"", "«nobody» не найдено"}, `{"on":true}`: {"on", "Такого поля"},
			`{"admit":["` + strings.Repeat(`a","`, 300) + `"]}`: {"admit", "не больше 200"}, `{"admit":["` + long + `"]}`: {"", "не найдено"},
		},
		"balance-set": {
			`{"text":1}`: {"text", "текст"}, `{"text":"a","sum":1}`: {"sum", "текст"}, `{"text":"a","sum":"1","check":"yes"}`: {"check", "true"},
			``: {"", "изменил кто-то другой"}, `{"text":"a","sum":"2"}`: {"", "изменил кто-то другой"},
		},
		"config-reload": {`{"check":"a"}`: {"check", "true"}, `{"check":1}`: {"check", "true"}, `{"chek":true}`: {"chek", "Такого поля"}},
		"capture-record": {
			``: {"all", "одно из трёх"}, `{"all":true,"login":"player"}`: {"all", "одно из трёх"}, `{"all":"yes"}`: {"all", "true"},
			`{"session":-1}`: {"session", "от 0 до 65535"}, `{"session":70000}`: {"session", "от 0 до 65535"},
			`{"session":7}`: {"", "0x0007"}, `{"login":"` + long + `"}`: {"", "не найдено"}, `{"login":5}`: {"login", "текст"},
			`{"all":true,"seconds":-1}`: {"seconds", "7 д"}, `{"all":true,"seconds":1e300}`: {"seconds", "7 д"},
			`{"all":true,"path":"/tmp/x"}`: {"", "владелец машины"},
		},
		"audit": {
			`{"limit":"a"}`: {"limit", "целое число"}, `{"limit":1.5}`: {"limit", "целое число"}, `{"since":"yesterday"}`: {"since", "«yesterday»"},
			`{"before":99999999999999999999}`: {"before", "от -9223372036854775808"}, `{"target":5}`: {"target", "текст"},
		},
		"account-add": {
			`{"login":"x","password":"abcdefgh","role":"king"}`: {"role", "одно из: player, helper, gamemaster, administrator), а не «king»"},
			`{"login":"x","password":"abcdefgh","role":5}`:      {"role", "одно из: player"},
		},
	}
}

// Verbs refuse what is wrong in a request in words of the caller's language, briefly, and change nothing.
func TestVerbsRefuseBadRequests(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		o := g.game.Operators()
		o.Reload = func(bool) ([]ops.SettingChange, error) { t.Error("reloaded"); return nil, nil }
		o.ReadBalance = func() (ops.BalanceFile, error) { return ops.BalanceFile{Text: "# a", Sum: "1"}, nil }
		o.WriteBalance = func(b ops.BalanceOrder) ([]ops.SettingChange, error) {
			if b.Sum != "1" {
				return nil, ops.ErrChanged
			}
			t.Error("the balance file was written")
			return nil, nil
		}
		b := g.as(data.Administrator)
		before := g.trail()
		bad := badRequests()
		for _, verb := range slices.Sorted(maps.Keys(bad)) {
			for _, body := range slices.Sorted(maps.Keys(bad[verb])) {
				wantRefusals(t, b, verb, body, bad[verb][body])
			}
		}
		if now := g.trail(); now != before {
			t.Errorf("the audit trail is now\n%s", now)
		}
		if stop := g.game.PlannedStop(); stop != nil {
			t.Errorf("the server stops at %v", stop.At)
		}
		b.want(http.StatusOK, b.send("POST", "/api/verbs/server-stop", `{"seconds":600}`), nil)
		if g.game.PlannedStop() == nil {
			t.Error("no stop is planned, expected one in 10 minutes")
		}
	})
}

// wantRefusals expects that a request is refused in both languages.
func wantRefusals(t *testing.T, b *browser, verb, body string, want [2]string) {
	t.Helper()
	for _, russian := range []bool{true, false} {
		time.Sleep(time.Second) // not too many at once
		a := b.send("POST", "/api/verbs/"+verb, body, func(r *http.Request) {
			if russian {
				inRussian(r)
			}
		})
		var e errorAnswer
		if err := json.Unmarshal(a.body, &e); err != nil || a.status < 400 || a.status >= 500 {
			t.Errorf("%s %.60s: %d %.300s, expected a refusal", verb, body, a.status, a.body)
			continue
		}
		said, at := e.Error, e.Fields[want[0]]
		for _, f := range e.Fields {
			said += " " + f
		}
		if len(a.body) > 1000 || !utf8.ValidString(said) {
			t.Errorf("%s %.60s: %d bytes: %.300s, expected a short answer", verb, body, len(a.body), a.body)
		}
		if want[0] == "" {
			at = e.Error
		}
		if russian && !strings.Contains(at, want[1]) {
			t.Errorf("%s %.60s: %.300s, expected %q of %q", verb, body, a.body, want[1], want[0])
		}
		if foreign.MatchString(said) || russian && english.MatchString(said) {
			t.Errorf("%s %.60s: %.300s, expected words of people", verb, body, said)
		}
	}
}

var (
	foreign = regexp.MustCompile(`json: |[Uu]nmarshal|parsing time|2006|strconv|uint|int64|cannot parse|struct`)
	english = regexp.MustCompile(`[Ee]xpected|found|required|number|invalid|\ba text\b`)
)
