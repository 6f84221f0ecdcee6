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

func capture(s *Server, r *request) (any, error) {
	return describeCapture(perform(s, r, ops.LastRecording, ops.Empty{}))
}

func describeCapture(state ops.Recording, err error) (any, error) {
	if err != nil || state.Path == "" {
		return captureAnswer{}, err
	}
	return captureAnswer{state.Running, &state}, nil
}

// captureBody begins or ends a recording; without session and account it is of all sessions.
type captureBody struct {
	On        *bool  `json:"on"`
	Session   int    `json:"session"` // id of a player in the world
	Account   string `json:"account"`
	Anonymous bool   `json:"anonymous"`
	Minutes   int    `json:"minutes"` // 0: until it is stopped
}

func (b *captureBody) check(f *fieldErrors) {
	if b.On == nil {
		f.Add("on", missingText)
	}
	f.line("account", b.Account, 100, false)
	f.within("session", b.Session, 0, 0xFFFF)
	f.within("minutes", b.Minutes, 0, 7*24*60)
	if b.Session != 0 && b.Account != "" {
		f.Add("session", oneCaptureText)
	}
}

func setCapture(s *Server, r *request, b *captureBody) (any, error) {
	if *b.On {
		return describeCapture(perform(s, r, ops.StartRecording, ops.RecordingOrder{
			All: b.Account == "" && b.Session == 0, Login: b.Account, Session: uint16(b.Session), Anonymous: b.Anonymous,
			Seconds: float64(b.Minutes) * 60}))
	}
	state, err := perform(s, r, ops.StopRecording, ops.Empty{})
	if errors.Is(err, ops.ErrNoRecording) {
		return capture(s, r) // it has ended already
	}
	return describeCapture(state, err)
}
