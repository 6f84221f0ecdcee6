package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"sphereserver/server/ops"
)

type text = ops.Text

func both(russian, english string) text { return text{Russian: russian, English: english} }

// An apiError is why a request is not done.
type apiError struct {
	status int
	code   string // for programs
	text   text
	args   []any
	fields ops.Faults
}

func (e *apiError) Error() string { return e.In(false) }

// In writes the error in a language.
func (e *apiError) In(russian bool) string { return e.text.In(russian, e.args...) }

func refusal(status int, code, russian, english string) *apiError {
	return &apiError{status: status, code: code, text: both(russian, english)}
}

func (e *apiError) with(args ...any) *apiError {
	return &apiError{status: e.status, code: e.code, text: e.text, args: args}
}

func fault(field string, t text, args ...any) *apiError {
	var f ops.Faults
	f.Add(field, t, args...)
	return errorOf(f)
}

// statuses are the statuses of HTTP for the kinds of errors of package ops; 409 for all others.
var statuses = map[string]int{
	"not-found": http.StatusNotFound, "invalid": http.StatusBadRequest,
	"role": http.StatusForbidden, "key": http.StatusForbidden,
	"unavailable": http.StatusServiceUnavailable, "closed": http.StatusServiceUnavailable,
	"failed": http.StatusInternalServerError,
}

func errorOf(err error) *apiError {
	var own *apiError
	var refused *ops.Refusal
	e := &apiError{code: ops.CodeOf(err), text: sameText, args: []any{err.Error()}}
	e.status = cmp.Or(statuses[e.code], http.StatusConflict)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &e.fields):
		e.text, e.args = invalidText, nil
	case errors.As(err, &refused):
		if e.text, e.args = refused.Text, refused.Args; refused.Field != "" {
			e.fields = ops.Faults{refused}
		}
	case e.code == "failed":
		e.text = failedText
	}
	return e
}

type errorAnswer struct {
	Error  string            `json:"error"`
	Code   string            `json:"code"`
	Fields map[string]string `json:"fields,omitempty"`
}

func (e *apiError) answer(russian bool) errorAnswer {
	a := errorAnswer{Error: e.In(russian), Code: e.code, Fields: map[string]string{}}
	for _, f := range e.fields {
		if _, has := a.Fields[f.Field]; !has {
			a.Fields[f.Field] = f.In(russian)
		}
	}
	return a
}

// writeIfNew answers with a value, or that it is the one which the caller has: pages ask again every few seconds for
// what rarely changes.
func (r *request) writeIfNew(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		writeJSON(r.w, http.StatusInternalServerError, errorAnswer{Error: err.Error(), Code: "failed"})
		return
	}
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	h := r.w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-store")
	if r.Header.Get("If-None-Match") == tag {
		r.w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	_, _ = r.w.Write(append(body, '\n')) // a client that has gone
}

// writeJSON answers with a value; others' text in it cannot be taken for HTML.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone
}
