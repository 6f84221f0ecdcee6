package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

var keyInJSON = regexp.MustCompile(`"[a-z0-9_]+":`)

// readJSON reads the output of a command into a type of the interface for programs, which has names without
// underscores.
func readJSON(text string, v any) error {
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return err
	}
	return json.Unmarshal(keyInJSON.ReplaceAllFunc([]byte(text), func(key []byte) []byte {
		return bytes.ReplaceAll(key, []byte("_"), nil)
	}), v)
}

func TestJSONHasOneDialect(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	type inner struct{ Found []int }
	err := writeJSON(&out, struct {
		ops.Account
		*inner
		ops.Search `json:"search"`
		MapSHA1    string            `json:"mapSHA1"`
		HTTP       any               `json:"httpPort,omitempty"`
		Maximum    int               `json:"maxHP"`
		Rules      map[string]string `json:"rules"`
		Level      ops.Ordinal       `json:"titleLevel"`
		Secret     string            `json:"-"`
		P99        float64           `json:"p99_ms"`
	}{Account: ops.Account{ID: 1, Login: "<вася>", Role: data.Helper, Created: at}, MapSHA1: "x", Maximum: 110,
		Rules: map[string]string{"sv_maxRate": "1"}, Level: 19, P99: 0.5})
	want := `{
  "id": 1,
  "login": "<вася>",
  "role": "helper",
  "created": "2026-01-02T03:04:05Z",
  "online": false,
  "characters": [],
  "search": {
    "like": ""
  },
  "map_sha1": "x",
  "max_hp": 110,
  "rules": {
    "sv_maxRate": "1"
  },
  "title_level": 20,
  "p99_ms": 0.5
}
`
	if err != nil || out.String() != want {
		t.Errorf("%v, found\n%s", err, out.String())
	}
	for _, v := range []any{nil, []string(nil), []string{}, map[string]int(nil), ops.Empty{}} {
		out.Reset()
		if err := writeJSON(&out, v); err != nil || !json.Valid([]byte(out.String())) || v != nil && out.Len() != 3 {
			t.Errorf("%#v becomes %q, %v", v, out.String(), err)
		}
	}
}

func TestNumbersInJSONAreThoseThatPeopleSee(t *testing.T) {
	inTurn(t)
	l := populated(t)
	text, out := l.must("character", "show", "Сова"), l.must("character", "show", "Сова", "--json")
	for _, want := range []string{`"title_level": 75`, `"degree_level": 1`, `"slot": 1`, `"max_hp"`, `"game_id"`} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %s beside\n%s\nin\n%s", want, text, out)
		}
	}
	if camel := regexp.MustCompile(`"[a-z]+[A-Z]\w*":`).FindString(out); camel != "" {
		t.Errorf("found %s in\n%s", camel, out)
	}
	for _, args := range [][]string{{"status"}, {"db", "check"}, {"audit"}, {"account", "list"}, {"config", "check"},
		{"account", "list", "--banned"}, {"character", "list", "nobody"}} {
		_, out, _ := l.do("", append(args, "--json")...)
		if !json.Valid([]byte(out)) || strings.Contains(out, "null") {
			t.Errorf("%q prints %s", args, out)
		}
	}
}
