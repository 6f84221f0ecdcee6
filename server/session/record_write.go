package session

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

// run writes events until the recording ends.
func (r *Recording) run() {
	defer close(r.done)
	var over <-chan time.Time
	if r.order.Seconds > 0 {
		limit := time.NewTimer(seconds(r.order.Seconds))
		defer limit.Stop()
		over = limit.C
	}
	flush := time.NewTicker(recordingFlush)
	defer flush.Stop()
	err := r.writeAll(flush.C, over)
	if err != nil {
		r.end("the file cannot be written")
	}
	// The written part is to be readable, also where the disk is full.
	err = errors.Join(err, r.to.Close(), r.file.Sync(), r.file.Close())
	if err != nil {
		r.err = fmt.Errorf("game: recording: %w", err)
		r.server.options.Log.Error("recording failed", "file", r.base(), "error", err)
		return
	}
	r.server.options.Log.Info("recorded", "file", r.base(), "why", *r.why.Load(), "sessions", r.kept.Load(), "frames",
		r.frames.Load(), "lost", r.losses.Load())
}

// writeAll writes events and, at the end, the summary. A panic is its error: the recording ends, the server goes on.
func (r *Recording) writeAll(flush, over <-chan time.Time) (err error) {
	defer func() {
		if v := recover(); v != nil {
			r.server.count.panics.Add(1)
			r.server.options.Log.Error("recording panicked", "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("a defect of the server: %v", v)
		}
	}()
	for {
		select {
		case e := <-r.queue:
			err = r.batch(&e)
		case <-flush:
			err = errors.Join(r.batch(nil), r.to.Flush())
		case <-over:
			r.end("the time is over")
		case <-r.halt:
			if err := r.batch(nil); err != nil {
				return err
			}
			return r.to.Note(recording.Ends, 0, time.Since(r.started), recording.Summary{Why: *r.why.Load(),
				Sessions: int(r.kept.Load()), Frames: int(r.frames.Load()), Lost: int(r.losses.Load())})
		}
		if err != nil {
			return err
		}
		if r.size.n.Load() >= r.server.recordings.most {
			r.end("the file has its full size")
		}
	}
}

// batch writes an event and those that have gathered behind it. The marks of lost sessions come behind all events
// queued before them.
func (r *Recording) batch(first *recorded) error {
	r.lostMu.Lock()
	marks := r.lost
	r.lost = nil
	r.lostMu.Unlock()
	n := len(r.queue)
	if first != nil {
		if err := r.write(*first); err != nil {
			return err
		}
	}
	for range n {
		if err := r.write(<-r.queue); err != nil {
			return err
		}
	}
	for _, m := range marks {
		if err := r.write(m); err != nil {
			return err
		}
	}
	return nil
}

// write writes an event.
func (r *Recording) write(e recorded) error {
	r.queued.Add(-int64(len(e.Data)))
	s := r.sessions[e.Session]
	switch note := e.note.(type) {
	case recording.Session:
		s = &recordedSession{blanker: recording.Blanker{Dialect: r.server.usualDialect(), Key: note.Key},
			heldFor: r.order.Login != ""}
		r.sessions[e.Session] = s
		if r.order.Anonymous {
			note.Address = ""
		}
		e.note = note
	case recording.Identity:
		if s == nil {
			return nil
		}
		s.blanker.LoggedIn = true
		if r.order.Anonymous {
			note.Login = r.names.Of(note.Login)
		}
		e.note = note
		if err := r.release(s); err != nil {
			return err
		}
	case dropped:
		r.forget(e.Session)
		return nil
	case recording.End, recording.Loss:
		r.forget(e.Session)
	}
	if s == nil {
		return nil
	}
	switch e.Kind {
	case recording.Client:
		e.Data = s.blanker.Frame(e.Data)
		return r.keep(s, e)
	case recording.Server:
		return r.cut(s, e)
	}
	return r.keep(s, e)
}

// cut makes frames of the bytes written to a connection.
func (r *Recording) cut(s *recordedSession, e recorded) error {
	s.stream = append(s.stream, e.Data...)
	used := 0
	for {
		frame, err := packets.CutFrame(s.stream[used:], packets.FromServer)
		if err != nil {
			return fmt.Errorf("a frame of the server: %w", err)
		}
		if frame == nil {
			break
		}
		used += len(frame)
		e.Data = slices.Clone(frame)
		if err := r.keep(s, e); err != nil {
			return err
		}
	}
	s.stream = slices.Delete(s.stream, 0, used)
	return nil
}

// keep writes an event into the file, or holds it until the session's account is known. A session that ends before is
// forgotten.
func (r *Recording) keep(s *recordedSession, e recorded) error {
	frame := e.Kind == recording.Client || e.Kind == recording.Server
	if frame && r.order.Anonymous {
		e.Data = r.names.Frame(e.Data, e.Kind, &s.blanker)
	}
	if !s.heldFor {
		return r.store(e)
	}
	if frame {
		if s.held = append(s.held, e.Record); len(s.held) > maxHeldRecords || r.held+len(e.Data) > maxHeldBytes {
			r.forget(e.Session)
			return nil
		}
		s.bytes += len(e.Data)
		r.held += len(e.Data)
		return nil
	}
	if e.Kind == recording.Opened {
		s.opened = e
	}
	return nil
}

// forget drops a session and its held events.
func (r *Recording) forget(number uint32) {
	if s := r.sessions[number]; s != nil {
		r.held -= s.bytes
		delete(r.sessions, number)
	}
}

// release writes the held events.
func (r *Recording) release(s *recordedSession) error {
	if !s.heldFor {
		return nil
	}
	s.heldFor = false
	if err := r.store(s.opened); err != nil {
		return err
	}
	for _, held := range s.held {
		if err := r.store(recorded{Record: held}); err != nil {
			return err
		}
	}
	r.held -= s.bytes
	s.held, s.bytes = nil, 0
	return nil
}

// store writes an event into the file.
func (r *Recording) store(e recorded) error {
	switch e.Kind {
	case recording.Opened:
		r.kept.Add(1)
	case recording.Client, recording.Server:
		r.frames.Add(1)
		return r.to.Write(e.Record)
	}
	return r.to.Note(e.Kind, e.Session, e.At, e.note)
}
