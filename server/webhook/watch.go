package webhook

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/config"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// Watched is the server that is told of.
type Watched struct {
	File string // of the webhooks; it is read again when it changes
	Log  *slog.Logger

	Counters func() map[string]uint64
	// NotReady is the reason why changes of players do not get to the disk, Backup why the last backup has failed; "" if
	// all is well.
	NotReady, Backup func() string
	Planned          func() *ops.PlannedStop
	// Follow is that of package chat; Trail reads the audit trail, newest first.
	Follow func() (tail []chat.Entry, lines <-chan chat.Entry, stop func(), ok bool)
	Trail  func(ctx context.Context, f data.AuditFilter, limit int) ([]data.AuditEntry, error)
	Told   func(reader data.Role, e data.AuditEntry) ops.AuditEntry
}

const (
	lookEvery = 2 * time.Second
	// fullAgain is how long nothing more is said of a full server.
	fullAgain = 10 * time.Minute
	// lateAfter is how many looks make the span over which ticks are counted, and lateShare which part of them, in
	// percent, takes too long in a late world.
	lateAfter = 30
	lateShare = 5
	trailRead = 64 // entries of the audit trail at one look
)

var (
	startedText = ops.Text{Russian: "Сервер запущен.", English: "The server has started."}
	endsText    = ops.Text{Russian: "Сервер останавливается. %s", English: "The server is stopping. %s"}
	plannedText = ops.Text{Russian: "Сервер остановится через %s. %s", English: "The server stops in %s. %s"}
	staysText   = ops.Text{Russian: "Сервер всё же не останавливается.", English: "The server does not stop after all."}
	fullText    = ops.Text{Russian: "Сервер полон: кому-то не хватило места.",
		English: "The server is full: there was no room for somebody."}
	savingText = ops.Text{Russian: "Действия игроков не сохраняются: посмотрите журнал сервера.",
		English: "What players do is not saved: look at the log of the server."}
	savesText = ops.Text{Russian: "Действия игроков снова сохраняются.", English: "What players do is saved again."}
	lateText  = ops.Text{Russian: "Мир опаздывает: %d%% тактов за минуту слишком долгие.",
		English: "The world is late: %d%% of the ticks of a minute take too long."}
	onTimeText = ops.Text{Russian: "Мир больше не опаздывает.", English: "The world is on time again."}
	backupText = ops.Text{Russian: "Резервная копия не сделана: посмотрите журнал сервера.",
		English: "A backup has failed: look at the log of the server."}
	backupsText = ops.Text{Russian: "Резервные копии снова делаются.", English: "Backups are made again."}
)

// said is a text with its arguments in both languages.
func said(t ops.Text, args ...any) ops.Text {
	return ops.Text{Russian: strings.TrimSpace(t.In(true, args...)), English: strings.TrimSpace(t.In(false, args...))}
}

// Ends tells that the server ends, and why.
func (s *Sender) Ends(why ops.Text) { s.say("stopping", endsText, why) }

func (s *Sender) say(event string, t ops.Text, args ...any) {
	s.Tell(Message{event, said(t, args...), time.Now()})
}

// A watch has the state at the last looks.
type watch struct {
	*Watched
	sender *Sender

	read    time.Time // when the file was written that counts
	size    int64
	planned *ops.PlannedStop
	refused uint64 // for want of room
	full    time.Time
	ticks   []ticks // of the last looks, oldest first
	trouble map[string]bool
	trail   int64 // newest entry of the audit trail that was seen; -1: none was looked for

	lines <-chan chat.Entry // nil while nobody wants them
	stop  func()
}

type ticks struct{ all, slow uint64 }

// load reads the webhooks of the file, if it has changed since. A file with mistakes changes nothing.
func (w *watch) load() {
	var at time.Time
	var size int64
	info, err := os.Stat(w.File)
	switch {
	case err == nil:
		at, size = info.ModTime(), info.Size()
	case !errors.Is(err, os.ErrNotExist):
		return // it is looked for again
	}
	if at.Equal(w.read) && size == w.size {
		return
	}
	w.read, w.size = at, size
	hooks, err := config.ReadWebhooks(w.File)
	if err != nil {
		w.Log.Error("webhooks not read, nothing was changed", "error", err)
		return
	}
	w.Log.Info("webhooks read", "webhooks", len(hooks))
	w.sender.Change(hooks)
}

// Watch tells webhooks of events on a server until ctx ends.
func (s *Sender) Watch(ctx context.Context, of Watched) {
	w := &watch{Watched: &of, sender: s, trouble: map[string]bool{}, trail: -1, stop: func() {}}
	w.load()
	s.say("started", startedText)
	w.planned, w.refused = of.Planned(), of.Counters()["ended_server_full"]
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	defer func() { w.stop() }()
	for {
		w.follow()
		select {
		case <-ctx.Done():
			return
		case line := <-w.lines:
			w.line(line)
		case <-tick.C:
			w.load()
			w.look(ctx, time.Now())
		}
	}
}

// follow listens to the chat while a webhook wants to know of it.
func (w *watch) follow() {
	switch wanted := w.sender.Wants(Chat); {
	case wanted && w.lines == nil:
		var ok bool
		if _, w.lines, w.stop, ok = w.Follow(); !ok {
			w.lines = nil // too many follow: it is tried again
		}
	case !wanted && w.lines != nil:
		w.stop()
		w.lines, w.stop = nil, func() {}
	}
}

// line tells of a line of the chat that all could hear.
func (w *watch) line(e chat.Entry) {
	var text string
	switch {
	case e.Channel != world.Normal && e.Channel != world.Trade && e.Channel != world.Special || e.To != "":
		return
	case e.Character == "":
		text = e.Text
	default:
		text = e.Character + ": " + e.Text
	}
	w.sender.Tell(Message{Chat, ops.Text{Russian: text, English: text}, e.At})
}

// look tells of the changes since the last look.
func (w *watch) look(ctx context.Context, now time.Time) {
	if p := w.Planned(); p != w.planned {
		if p == nil {
			w.sender.say("stopping", staysText)
		} else if left := p.At.Sub(now); left > 0 {
			w.sender.say("stopping", plannedText, ops.Span(left), p.Reason)
		}
		w.planned = p
	}
	counted := w.Counters()
	if refused := counted["ended_server_full"]; refused > w.refused {
		if now.Sub(w.full) >= fullAgain {
			w.full = now
			w.sender.say("full", fullText)
		}
		w.refused = refused
	}
	why := w.NotReady()
	w.troubled("saving", why != "" && why != "starting" && why != "stopping", savingText, savesText)
	w.troubled("backup", w.Backup() != "", backupText, backupsText)
	share, known := w.late(ticks{counted["ticks"], counted["ticks_slow"]})
	if known {
		w.troubled("late", share >= lateShare, lateText, onTimeText, share)
	}
	w.bans(ctx)
}

// troubled tells of a trouble when it begins and when it ends.
func (w *watch) troubled(of string, is bool, begins, ends ops.Text, args ...any) {
	switch {
	case is && !w.trouble[of]:
		w.sender.say("trouble", begins, args...)
	case !is && w.trouble[of]:
		w.sender.say("trouble", ends)
	}
	w.trouble[of] = is
}

// late is which part of the ticks of the last minute took too long, in percent; not known before, or of fewer ticks
// than ten seconds have, as in an empty world.
func (w *watch) late(now ticks) (share int, known bool) {
	w.ticks = append(w.ticks, now)
	if len(w.ticks) <= lateAfter {
		return 0, false
	}
	first := w.ticks[0]
	w.ticks = w.ticks[1:]
	all, slow := now.all-first.all, now.slow-first.slow
	if all < uint64(10*time.Second/world.TickPeriod) {
		return 0, true
	}
	return int(100 * slow / all), true
}

// bans tells of accounts that operators have banned, or let in again.
func (w *watch) bans(ctx context.Context) {
	if !w.sender.Wants("ban") {
		w.trail = -1
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	trail, err := w.Trail(ctx, data.AuditFilter{}, trailRead)
	if err != nil {
		return // it is tried again
	}
	seen := w.trail
	for i := len(trail) - 1; i >= 0; i-- {
		e := trail[i]
		if w.trail = max(w.trail, e.ID); seen < 0 || e.ID <= seen {
			continue
		}
		if e.Action == "account ban" || e.Action == "account unban" {
			w.sender.Tell(Message{"ban", w.Told(data.Player, e).Sentence, e.At})
		}
	}
	w.trail = max(w.trail, 0)
}
