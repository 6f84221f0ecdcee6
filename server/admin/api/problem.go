package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"sphereserver/server/admin"
	"sphereserver/server/game"
)

// A text is a sentence for people in both languages, with the verbs of package fmt for what differs.
type text struct{ ru, en string }

func (t text) in(russian bool, args ...any) string {
	format := t.en
	if russian {
		format = t.ru
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// both is a name or a label in both languages, as JSON has it.
type both struct {
	Russian string `json:"ru"`
	English string `json:"en"`
}

// A problem is why a request is not done.
type problem struct {
	status int
	code   string // for programs
	text   text
	args   []any
	fields []fault
}

// A fault is what is wrong with one field of a body or of a query.
type fault struct {
	field string
	text  text
	args  []any
}

func (p *problem) Error() string { return p.text.in(false, p.args...) }

func refuse(status int, code string, t text, args ...any) *problem {
	return &problem{status: status, code: code, text: t, args: args}
}

// faults gathers what is wrong with a request.
type faults []fault

func (f *faults) add(field string, t text, args ...any) { *f = append(*f, fault{field, t, args}) }

// problem is nil when nothing was found.
func (f faults) problem() error {
	if len(f) == 0 {
		return nil
	}
	return &problem{status: http.StatusBadRequest, code: "invalid", text: invalidText, fields: f}
}

var (
	invalidText = text{"В запросе есть ошибки.", "Something in the request is wrong."}
	failedText  = text{"Сервер не смог выполнить запрос: %s", "The server could not do it: %s"}
	refusedText = text{"%s", "%s"}
)

// problemOf says of any error what is answered.
func problemOf(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	if ru, en, ok := game.RefusalText(err); ok {
		return refuse(http.StatusConflict, "refused", text{ru, en})
	}
	kind, status := admin.KindOf(err)
	if status == http.StatusInternalServerError {
		return refuse(status, kind, failedText, err.Error())
	}
	return refuse(status, kind, refusedText, err.Error())
}

// errorAnswer is an error as JSON has it.
type errorAnswer struct {
	Error  string            `json:"error"`
	Code   string            `json:"code"`
	Fields map[string]string `json:"fields,omitempty"`
}

func (p *problem) answer(russian bool) errorAnswer {
	a := errorAnswer{Error: p.text.in(russian, p.args...), Code: p.code}
	for _, f := range p.fields {
		if a.Fields == nil {
			a.Fields = map[string]string{}
		}
		if _, has := a.Fields[f.field]; !has {
			a.Fields[f.field] = f.text.in(russian, f.args...)
		}
	}
	return a
}

// writeJSON answers with a value; what it has of others' text cannot be taken for HTML.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone
}
