package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"sphereserver/server/ops"
)

// text is a sentence for people in both languages.
type text ops.Text

// In writes the text in a language.
func (t text) In(russian bool, args ...any) string { return ops.Text(t).In(russian, args...) }

// An apiError is why a request is not done.
type apiError struct {
	status int
	code   string // for programs
	text   text
	args   []any
	fields ops.Faults
}

func (e *apiError) Error() string { return e.text.In(false, e.args...) }

func refuse(status int, code string, t text, args ...any) *apiError {
	return &apiError{status: status, code: code, text: t, args: args}
}

// fieldErrors gathers what is wrong with the form of a request.
type fieldErrors struct{ faults ops.Faults }

func (f *fieldErrors) add(field string, t text, args ...any) {
	f.faults.Add(field, ops.Text(t), args...)
}

// err is nil when nothing was found.
func (f *fieldErrors) err() error {
	if len(f.faults) == 0 {
		return nil
	}
	return errorOf(f.faults)
}

var (
	invalidText = text{"В запросе есть ошибки.", "Something in the request is wrong."}
	failedText  = text{"Сервер не смог выполнить запрос: %s", "The server could not do it: %s"}
	refusedText = text{"%s", "%s"}
)

// statuses are those of HTTP for the kinds of errors of package ops.
var statuses = map[string]int{
	"not-found": http.StatusNotFound, "login-taken": http.StatusConflict, "name-taken": http.StatusConflict, "slot-taken": http.StatusConflict,
	"invalid": http.StatusBadRequest, "role": http.StatusForbidden, "self": http.StatusConflict, "confirm": http.StatusConflict, "refused": http.StatusConflict,
	"unavailable": http.StatusServiceUnavailable, "not-running": http.StatusConflict, "not-in-world": http.StatusConflict,
	"recording": http.StatusConflict, "closed": http.StatusServiceUnavailable, "failed": http.StatusInternalServerError,
}

// errorOf says of any error what is answered.
func errorOf(err error) *apiError {
	var own *apiError
	var faults ops.Faults
	var refused *ops.Refusal
	code := ops.CodeOf(err)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &faults):
		return &apiError{status: http.StatusBadRequest, code: code, text: invalidText, fields: faults}
	case errors.As(err, &refused):
		return refuse(statuses[code], code, text(refused.Text), refused.Args...)
	case code == "failed":
		return refuse(statuses[code], code, failedText, err.Error())
	}
	return refuse(statuses[code], code, refusedText, err.Error())
}

// errorAnswer is an error as JSON has it.
type errorAnswer struct {
	Error  string            `json:"error"`
	Code   string            `json:"code"`
	Fields map[string]string `json:"fields,omitempty"`
}

func (e *apiError) answer(russian bool) errorAnswer {
	a := errorAnswer{Error: e.text.In(russian, e.args...), Code: e.code}
	for _, f := range e.fields {
		if a.Fields == nil {
			a.Fields = map[string]string{}
		}
		if _, has := a.Fields[f.Field]; !has {
			a.Fields[f.Field] = f.In(russian)
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
