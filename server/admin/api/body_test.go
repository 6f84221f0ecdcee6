package api

import (
	"errors"
	"regexp"
	"testing"

	"sphereserver/server/ops"
)

// What is wrong with the JSON of a request is told in both languages, without words of package json and of our types.
func TestFaultsOfJSON(t *testing.T) {
	foreign := regexp.MustCompile(`[a-z]{3,}`)
	for raw, want := range map[string]string{
		`{`: "Expected one object of JSON: it ends early", `{"seconds":`: "Expected one object of JSON: it ends early",
		`{a`: "Expected one object of JSON: a mistake at byte 2", `[]`: "Expected one object of JSON: {…}",
		`"x"`: "Expected one object of JSON: {…}", `null`: "Expected one object of JSON: {…}",
		`{"seconds":1.5}`:  "Expected a whole number, found a number 1.5.",
		`{"seconds":"1"}`:  "Expected a whole number, found a text.",
		`{"seconds":[1]}`:  "Expected a whole number, found a list.",
		`{"seconds":{}}`:   "Expected a whole number, found an object.",
		`{"seconds":true}`: "Expected a whole number, found true or false.",
		`{"reason":5}`:     "Expected a text, found a number.",
	} {
		var a *apiError
		if err := parseBody([]byte(raw), new(ops.StopOrder)); !errors.As(err, &a) {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		told := func(russian bool) string {
			answer := a.answer(russian)
			for _, f := range answer.Fields {
				return f
			}
			return answer.Error
		}
		if told(false) != want {
			t.Errorf("%s: %q, expected %q", raw, told(false), want)
		}
		if r := told(true); foreign.MatchString(regexp.MustCompile("true").ReplaceAllString(r, "")) && raw != `{"seconds":true}` {
			t.Errorf("%s: %q in Russian", raw, r)
		}
	}
}

// A value that the type of its field refuses is told with the field, and with all that could stand there.
func TestRefusedValues(t *testing.T) {
	for _, c := range []struct {
		raw                     string
		body                    any
		field, english, russian string
	}{
		{`{"login":"a","role":"boss"}`, new(ops.RoleChange), "role",
			`Expected one of player, helper, gamemaster, administrator, found "boss".`,
			"Нужно другое (одно из: player, helper, gamemaster, administrator), а не «boss»."},
		{`{"role":5}`, new(ops.RoleChange), "role",
			"Expected one of player, helper, gamemaster, administrator, found a number.",
			"Нужно другое (одно из: player, helper, gamemaster, administrator), а не число."},
		{`{"until":"tomorrow"}`, new(ops.AccountBan), "until", `Expected a time like 2026-01-02T15:04:05Z, found "tomorrow".`,
			"Нужно другое (время в виде 2026-01-02T15:04:05Z), а не «tomorrow»."},
		{`{"Until":5}`, new(ops.AccountBan), "until", "Expected a time like 2026-01-02T15:04:05Z, found 5.",
			"Нужно другое (время в виде 2026-01-02T15:04:05Z), а не 5."},
		{`{"name":"a","title":"x"}`, new(ops.Levels), "title", "Expected a whole number, found a text.",
			"Нужно другое (целое число), а не текст."},
	} {
		var a *apiError
		if err := parseBody([]byte(c.raw), c.body); !errors.As(err, &a) {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		if got := a.answer(false).Fields[c.field]; got != c.english {
			t.Errorf("%s: %q, expected %q", c.raw, got, c.english)
		}
		if got := a.answer(true).Fields[c.field]; got != c.russian {
			t.Errorf("%s: %q, expected %q", c.raw, got, c.russian)
		}
	}
}
