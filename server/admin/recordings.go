package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
	"sphereserver/packets/capture/recording"
)

// RecordingsFolder is the folder in a data folder in which recordings of sessions are made that are given no place.
const RecordingsFolder = "recordings"

// A Recorder is a running server that can record sessions; a [Live] may be one.
type Recorder interface {
	// BeginRecording records what the order asks for, into a file that does not exist yet.
	BeginRecording(RecordingOrder) (Recording, error)
	// EndRecording ends the recording that goes on and returns when its file is whole; without one that is an error.
	EndRecording() (Recording, error)
	// LastRecording is the recording that goes on, or the last one; false without any.
	LastRecording() (Recording, bool)
}

// A RecordingOrder asks for a recording of sessions. Exactly one of All, Login and Session is set.
type RecordingOrder struct {
	Path      string  `json:"path"` // absolute; "" lets the server choose
	All       bool    `json:"all,omitempty"`
	Login     string  `json:"login,omitempty"`   // of the account whose sessions are recorded
	Session   uint16  `json:"session,omitempty"` // index of the player whose session is recorded
	Anonymous bool    `json:"anonymous,omitempty"`
	Seconds   float64 `json:"seconds,omitempty"` // how long; 0 until it is stopped
}

// A Recording is a recording of sessions, as it goes or as it has ended.
type Recording struct {
	Path     string    `json:"path"`
	Running  bool      `json:"running"`
	Started  time.Time `json:"started"`
	Sessions int       `json:"sessions"`
	Frames   int       `json:"frames"`
	Bytes    int64     `json:"bytes"`
	Lost     int       `json:"lost"`            // sessions that are recorded in part, since the file was written too slowly
	Why      string    `json:"why,omitempty"`   // it has ended
	Error    string    `json:"error,omitempty"` // that has ended it
}

// ErrNoRecording is what there is to say when there is no recording.
var ErrNoRecording = errors.New("no sessions are being recorded")

func (o *Ops) recorder() (Recorder, error) {
	r, ok := o.Live.(Recorder)
	if !ok {
		return nil, fmt.Errorf("recording: %w", ErrNotRunning)
	}
	return r, nil
}

// StartRecording begins to record sessions; without a running server that is an error.
func (o *Ops) StartRecording(ctx context.Context, order RecordingOrder) (Recording, error) {
	r, err := o.recorder()
	if err != nil {
		return Recording{}, err
	}
	if order.Path == "" {
		folder := filepath.Join(o.Store.Dir(), RecordingsFolder)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return Recording{}, fmt.Errorf("recording: %w", err)
		}
		order.Path = filepath.Join(folder, recording.FileName(time.Now()))
	}
	if order.Path, err = filepath.Abs(order.Path); err != nil {
		return Recording{}, invalid(fmt.Errorf("recording: %w", err))
	}
	if order.Login != "" {
		if _, err := o.Account(ctx, AccountName{Login: order.Login}); err != nil {
			return Recording{}, err
		}
	}
	state, err := r.BeginRecording(order)
	if err != nil {
		return Recording{}, invalid(err)
	}
	return state, o.Store.AppendAudit(ctx, data.AuditEntry{Who: o.who(ctx), Action: "capture record", Target: recordingTarget(order), Detail: order.Path})
}

func recordingTarget(o RecordingOrder) string {
	switch {
	case o.All:
		return "all sessions"
	case o.Login != "":
		return o.Login
	}
	return fmt.Sprintf("session 0x%04X", o.Session)
}

// StopRecording ends the recording that goes on.
func (o *Ops) StopRecording(ctx context.Context, _ Nothing) (Recording, error) {
	r, err := o.recorder()
	if err != nil {
		return Recording{}, err
	}
	state, err := r.EndRecording()
	if err != nil {
		return state, err
	}
	return state, o.Store.AppendAudit(ctx, data.AuditEntry{Who: o.who(ctx), Action: "capture stop", Target: state.Path})
}

// LastRecording tells of the recording that goes on, or the last one. The zero value is none.
func (o *Ops) LastRecording(context.Context, Nothing) (Recording, error) {
	r, err := o.recorder()
	if err != nil {
		return Recording{}, err
	}
	state, _ := r.LastRecording()
	return state, nil
}

// StartRecording asks the server for [Ops.StartRecording].
func (c *Client) StartRecording(ctx context.Context, o RecordingOrder) (Recording, error) {
	return ask[Recording](ctx, c, "StartRecording", o)
}

// StopRecording asks the server for [Ops.StopRecording].
func (c *Client) StopRecording(ctx context.Context, n Nothing) (Recording, error) {
	return ask[Recording](ctx, c, "StopRecording", n)
}

// LastRecording asks the server for [Ops.LastRecording].
func (c *Client) LastRecording(ctx context.Context, n Nothing) (Recording, error) {
	return ask[Recording](ctx, c, "LastRecording", n)
}
