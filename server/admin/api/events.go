package api

import (
	"context"
	"net/http"
	"time"
)

// events sends the stream to a client, until either end has enough of it.
func events(s *Server, r *request) {
	l := s.stream.join(r.who.role)
	if l == nil {
		s.fail(r, errStreams.with(maxStreams))
		return
	}
	defer s.stream.leave(l)
	control := http.NewResponseController(r.w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more is to come
	r.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	r.w.Header().Set("Cache-Control", "no-store")
	r.w.Header().Set("X-Accel-Buffering", "no") // of nginx
	check := time.NewTicker(heartbeat)
	defer check.Stop()
	for {
		var frame []byte
		select {
		case frame = <-l.queue:
		case <-check.C:
			if !s.stillAuthorized(r) {
				return
			}
			continue
		case <-l.cut:
			return
		case <-r.Context().Done():
			return
		}
		_ = control.SetWriteDeadline(time.Now().Add(streamPatient))
		if _, err := r.w.Write(frame); err != nil || control.Flush() != nil {
			return
		}
	}
}

// stillAuthorized says whether whoever listens may still: a session may have ended, a role been taken away.
func (s *Server) stillAuthorized(r *request) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	now := time.Now()
	t, session := r.who.token, r.who.session
	if t != nil && !t.Expires.IsZero() && !now.Before(t.Expires) ||
		session != nil && now.Sub(session.began) >= sessionLife {
		return false
	}
	who, err := s.callerOf(ctx, r.who.account.ID)
	return err == nil && who.role >= r.who.role && who.account.PasswordHash == r.who.account.PasswordHash
}
