package api

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/game"
)

// recordingFolder is where recordings of sessions lie within a data folder.
const recordingFolder = "recordings"

// captureAnswer is how a recording of sessions goes, or how the last one ended.
type captureAnswer struct {
	On bool `json:"on"`
	*game.RecordingState
}

func (s *Server) capture() captureAnswer {
	r := s.o.Game.Recording()
	if r == nil {
		return captureAnswer{}
	}
	state := r.State()
	return captureAnswer{state.Running, &state}
}

func capture(s *Server, _ *request) (any, error) { return s.capture(), nil }

// captureBody begins or ends a recording; without session and account it is of all sessions.
type captureBody struct {
	On        *bool  `json:"on"`
	Session   int    `json:"session"` // id of a player in the world
	Account   string `json:"account"`
	Anonymous bool   `json:"anonymous"`
	Minutes   int    `json:"minutes"` // 0: until it is stopped
}

var oneCaptureText = text{"Укажите session или account, но не оба.", "Give session or account, not both."}

func (b *captureBody) check(f *faults) {
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

var capturingText = text{"Запись уже идёт.", "Sessions are being recorded already."}

func setCapture(s *Server, r *request, b *captureBody) (any, error) {
	if !*b.On {
		if now := s.o.Game.Recording(); now != nil {
			if err := now.Stop(); err != nil {
				return nil, err
			}
		}
		entry := data.AuditEntry{Who: r.who.name(), Action: "capture stop"}
		return s.capture(), s.o.Ops.Store.AppendAudit(r.Context(), entry)
	}
	folder := filepath.Join(s.o.Ops.Store.Dir(), recordingFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	o := game.RecordingOptions{Path: filepath.Join(folder, game.FileName(time.Now())), All: b.Account == "" && b.Session == 0, Account: b.Account,
		Session: packets.PlayerIndex(b.Session), Anonymous: b.Anonymous, For: time.Duration(b.Minutes) * time.Minute}
	if _, err := s.o.Game.StartRecording(o); errors.Is(err, game.ErrRecording) {
		return nil, refuse(http.StatusConflict, "recording", capturingText)
	} else if err != nil {
		return nil, err
	}
	entry := data.AuditEntry{Who: r.who.name(), Action: "capture start", Target: b.Account, Detail: o.Path}
	return s.capture(), s.o.Ops.Store.AppendAudit(r.Context(), entry)
}
