package api

import (
	"errors"

	"sphereserver/server/ops"
)

// captureAnswer is how a recording of sessions goes, or how the last one ended.
type captureAnswer struct {
	On bool `json:"on"`
	*ops.Recording
}

func describeCapture(_ *Server, _ *request, state ops.Recording) (any, error) {
	if state.Path == "" {
		return captureAnswer{}, nil
	}
	return captureAnswer{state.Running, &state}, nil
}

func capture(s *Server, r *request) (any, error) {
	state, err := perform(s, r, ops.LastRecording, ops.Empty{})
	if err != nil {
		return nil, err
	}
	return describeCapture(s, r, state)
}

// captureBody begins or ends a recording; without session and account it is of all sessions.
type captureBody struct {
	On        *bool  `json:"on"`
	Session   int    `json:"session"` // id of a player in the world
	Account   string `json:"account"`
	Anonymous bool   `json:"anonymous"`
	Minutes   int    `json:"minutes"` // 0: until it is stopped
}

var oneCaptureText = text{"Укажите session или account, но не оба.",
	"Give session or account, not both."}

func (b *captureBody) check(f *fieldErrors) {
	if b.On == nil {
		f.add("on", missingText)
	}
	f.line("account", b.Account, 100, false)
	f.within("session", b.Session, 0, 0xFFFF)
	f.within("minutes", b.Minutes, 0, 7*24*60)
	if b.Session != 0 && b.Account != "" {
		f.add("session", oneCaptureText)
	}
}

func setCapture(s *Server, r *request, b *captureBody) (any, error) {
	var state ops.Recording
	var err error
	if *b.On {
		state, err = perform(s, r, ops.StartRecording, ops.RecordingOrder{
			All: b.Account == "" && b.Session == 0, Login: b.Account, Session: uint16(b.Session), Anonymous: b.Anonymous,
			Seconds: float64(b.Minutes) * 60})
	} else if state, err = perform(s, r, ops.StopRecording, ops.Empty{}); errors.Is(err, ops.ErrNoRecording) {
		return capture(s, r) // it has ended already
	}
	if err != nil {
		return nil, err
	}
	return describeCapture(s, r, state)
}
