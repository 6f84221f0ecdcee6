package api

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// Records of past events: chat, log, audit trail, backups.

// hears reports whether a role may read a line: private lines of players are for game masters.
func hears(role data.Role, e chat.Entry) bool {
	return e.Channel != world.Private || role >= data.GameMaster
}

func chatTail(s *Server, r *request) (any, error) {
	out := []chatAnswer{}
	for _, e := range s.o.Game.Chat().Tail() {
		if hears(r.who.role, e) {
			out = append(out, describeChat(e))
		}
	}
	return out[max(0, len(out)-r.asked.number["limit"]):], nil
}

// logQuery asks for lines of a level and above; without one, for all.
var logQuery = []param{{name: "level", oneOf: []string{"debug", "info", "warn", "error", ""}}, limit(500, 2000)}

func logLines(s *Server, r *request) (any, error) {
	least := slog.LevelDebug
	_ = least.UnmarshalText([]byte(r.asked.text["level"])) // none leaves it
	lines, _ := s.o.Tail.From(0)
	lines = slices.DeleteFunc(lines, func(l oplog.Line) bool { return l.Level < least })
	lines = lines[max(0, len(lines)-r.asked.number["limit"]):]
	out := make([]logAnswer, len(lines))
	for i := range lines {
		out[i] = describeLine(&s.o, lines[i])
	}
	return out, nil
}

// logAnswer is a line of the log, which is in English, with its Russian words; without, there are none.
type logAnswer struct {
	oplog.Line
	Russian *logWords `json:"russian,omitempty"`
}

type logWords struct {
	Message string            `json:"message"`
	Attrs   map[string]string `json:"attrs,omitempty"`
}

// describeLine leaves attributes out that are empty, and says where a position is.
func describeLine(o *Options, line oplog.Line) logAnswer {
	line.Attrs = maps.Clone(line.Attrs)
	maps.DeleteFunc(line.Attrs, func(_, value string) bool { return value == "" })
	var at coords.Position
	n, _ := fmt.Sscanf(line.Attrs["at"], "{%g %g %g %g}", &at.X, &at.Y, &at.Z, &at.Yaw)
	where := func(russian bool) {
		if n == 4 {
			line.Attrs["at"] = ops.Where(at).In(russian)
		}
	}
	where(false)
	a := logAnswer{Line: line}
	if o.Russian == nil {
		return a
	}
	line.Attrs = maps.Clone(line.Attrs)
	where(true)
	if in := o.Russian(line); in.Message != line.Message {
		a.Russian = &logWords{in.Message, in.Attrs}
	}
	return a
}

func audit(s *Server, r *request) (any, error) {
	return perform(s, r, ops.Audit, ops.AuditSearch{Target: r.asked.text["target"],
		Before: int64(r.asked.number["before"]), Limit: r.asked.number["limit"]})
}

func (r *request) plain(status int, line string) {
	r.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	r.w.Header().Set("Cache-Control", "no-store")
	r.w.WriteHeader(status)
	_, _ = r.w.Write([]byte(line + "\n"))
}

func healthz(_ *Server, r *request) { r.plain(http.StatusOK, "ok") }

// NotReady says why players cannot come in, or their acts do not get to the disk; empty when all is well.
func (s *Server) NotReady() string {
	switch {
	case s.o.Game.Stopping():
		return "stopping"
	case !s.ready.Load():
		return "starting"
	case s.o.Store.Failure() != nil:
		return "the database cannot be written"
	case s.meter != nil && !s.meter.saving(time.Now()): // without a page nobody measures
		return "saving fails"
	}
	return ""
}

func readyz(s *Server, r *request) {
	if why := s.NotReady(); why != "" {
		r.plain(http.StatusServiceUnavailable, why)
		return
	}
	r.plain(http.StatusOK, "ready")
}

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
	f.within("minutes", b.Minutes, 0, int(ops.LongestRecording/time.Minute))
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
