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
