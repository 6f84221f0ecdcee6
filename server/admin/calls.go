package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"sphereserver/data"
)

// A call is one method of an [Operator] as it travels: a request and an answer in JSON.
type call func(ctx context.Context, o Operator, request []byte) (any, error)

// calls are all methods of an Operator under the names that the control listener knows them by.
var calls = map[string]call{
	"AddAccount":      method(Operator.AddAccount),
	"Accounts":        method(Operator.Accounts),
	"Account":         method(Operator.Account),
	"SetPassword":     method(Operator.SetPassword),
	"SetRole":         method(Operator.SetRole),
	"BanAccount":      method(Operator.BanAccount),
	"UnbanAccount":    method(Operator.UnbanAccount),
	"KickAccount":     method(Operator.KickAccount),
	"MuteAccount":     method(Operator.MuteAccount),
	"UnmuteAccount":   method(Operator.UnmuteAccount),
	"DeleteAccount":   method(Operator.DeleteAccount),
	"BanAddress":      method(Operator.BanAddress),
	"UnbanAddress":    method(Operator.UnbanAddress),
	"AddressBans":     method(Operator.AddressBans),
	"Characters":      method(Operator.Characters),
	"Character":       method(Operator.Character),
	"MoveCharacter":   method(Operator.MoveCharacter),
	"RenameCharacter": method(Operator.RenameCharacter),
	"DeleteCharacter": method(Operator.DeleteCharacter),
	"Say":             method(Operator.Say),
	"Backup":          method(Operator.Backup),
	"Check":           method(Operator.Check),
	"Report":          method(Operator.Report),
	"Audit":           method(Operator.Audit),
	"StartRecording":  method(Operator.StartRecording),
	"StopRecording":   method(Operator.StopRecording),
	"LastRecording":   method(Operator.LastRecording),
}

func method[Request, Answer any](f func(Operator, context.Context, Request) (Answer, error)) call {
	return func(ctx context.Context, o Operator, request []byte) (any, error) {
		var r Request
		d := json.NewDecoder(strings.NewReader(string(request)))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, invalid(fmt.Errorf("expected the request as JSON: %w", err))
		}
		return f(o, ctx, r)
	}
}

// An envelope is what a control request carries.
type envelope struct {
	Who     string          `json:"who"` // for the audit trail
	Request json.RawMessage `json:"request"`
}

// A reply is what comes back: an answer or an error.
type reply struct {
	Answer any        `json:"answer,omitempty"`
	Error  *callError `json:"error,omitempty"`
}

// A callError is an error that has travelled. It is of the kind that it was where it arose.
type callError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

func (e *callError) Error() string { return e.Message }

// Is says whether the error was of the kind of a sentinel.
func (e *callError) Is(target error) bool {
	for _, k := range errorKinds {
		if k.name == e.Kind {
			return target == k.sentinel
		}
	}
	return false
}

// errorKinds are the errors that callers tell apart, with the HTTP status for those who speak to the listener by hand.
var errorKinds = []struct {
	name     string
	sentinel error
	status   int
}{
	{"not-found", data.ErrNotFound, http.StatusNotFound},
	{"login-taken", data.ErrLoginTaken, http.StatusConflict},
	{"name-taken", data.ErrNameTaken, http.StatusConflict},
	{"slot-taken", data.ErrSlotTaken, http.StatusConflict},
	{"invalid", ErrInvalid, http.StatusBadRequest},
	{"unavailable", data.ErrUnavailable, http.StatusServiceUnavailable},
	{"not-running", ErrNotRunning, http.StatusConflict},
	{"not-in-world", ErrNotInWorld, http.StatusConflict},
	{"closed", data.ErrClosed, http.StatusServiceUnavailable},
}

// travelling makes an error ready for its way to a client.
func travelling(err error) (*callError, int) {
	for _, k := range errorKinds {
		if errors.Is(err, k.sentinel) {
			return &callError{Kind: k.name, Message: err.Error()}, k.status
		}
	}
	return &callError{Kind: "failed", Message: err.Error()}, http.StatusInternalServerError
}

// KindOf names the kind of an error for programs, "failed" for one of no known kind, with the HTTP status that fits it.
func KindOf(err error) (kind string, status int) {
	e, status := travelling(err)
	return e.Kind, status
}
