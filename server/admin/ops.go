package admin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sphereserver/data"
)

// maxReasonLen in characters bounds what operators write into bans.
const maxReasonLen = 500

// Ops does an operator's work on a store. Fields may be changed before its first use only.
type Ops struct {
	Store *data.Store
	Live  Live   // nil when no server is running
	Who   string // for the audit trail: who works here unless the context says otherwise

	HashParams data.HashParams // what new passwords cost; zero: data.DefaultHashParams
}

var _ Operator = (*Ops)(nil)

type whoKey struct{}

// As returns a context in which somebody else than [Ops.Who] works.
func As(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, whoKey{}, who)
}

func (o *Ops) who(ctx context.Context) string {
	if who, ok := ctx.Value(whoKey{}).(string); ok && who != "" {
		return who
	}
	if o.Who == "" {
		return "operator"
	}
	return o.Who
}

// audited makes the writes of a context leave an entry in the audit trail.
func (o *Ops) audited(ctx context.Context, action, target, detail string) context.Context {
	return data.Audited(ctx, data.AuditEntry{Who: o.who(ctx), Action: action, Target: target, Detail: detail})
}

// ErrInvalid is the kind of errors about arguments that break a rule.
var ErrInvalid = errors.New("invalid")

// invalidError keeps the text of the rule that was broken.
type invalidError struct{ error }

func (e invalidError) Unwrap() error        { return e.error }
func (e invalidError) Is(target error) bool { return target == ErrInvalid }

func invalid(err error) error {
	if err == nil {
		return nil
	}
	return invalidError{err}
}

// alone changes an account while nobody plays on it: sessions are ended before, so that what they save is
// not lost, and once more after, in case somebody has come back in between and goes on with what is no longer so.
func (o *Ops) alone(ctx context.Context, id data.AccountID, reason string, change func() error) error {
	if err := o.disconnect(ctx, id, reason); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return o.disconnect(ctx, id, reason)
}

func (o *Ops) disconnect(ctx context.Context, id data.AccountID, reason string) error {
	if o.Live == nil {
		return nil
	}
	if online, _ := o.Live.Online(id); !online {
		return nil
	}
	if err := o.Live.Disconnect(ctx, id, reason); err != nil {
		return fmt.Errorf("disconnect account %d: %w", id, err)
	}
	return nil
}

// Backup copies the database to a file, by default one in the backup folder.
func (o *Ops) Backup(ctx context.Context, f File) (File, error) {
	if f.Path == "" {
		f.Path = data.DefaultBackupPath(o.Store.Dir(), time.Now())
	}
	if !filepath.IsAbs(f.Path) {
		abs, err := filepath.Abs(f.Path)
		if err != nil {
			return File{}, invalid(fmt.Errorf("backup: %w", err))
		}
		f.Path = abs
	}
	if err := o.Store.Backup(ctx, f.Path); err != nil {
		return File{}, err
	}
	entry := data.AuditEntry{Who: o.who(ctx), Action: "db backup", Target: f.Path}
	return f, o.Store.AppendAudit(ctx, entry)
}

// Check reads the whole database and lists what is wrong with it.
func (o *Ops) Check(ctx context.Context, _ Nothing) (CheckResult, error) {
	problems, err := o.Store.Check(ctx)
	return CheckResult{Problems: problems}, err
}

// Report says what is stored and, in a running server, what goes on.
func (o *Ops) Report(ctx context.Context, _ Nothing) (Report, error) {
	stored, err := o.Store.Counts(ctx)
	if err != nil {
		return Report{}, err
	}
	r := Report{Stored: stored}
	if o.Live != nil {
		status := o.Live.Status()
		r.Running, r.Status = true, &status
	}
	return r, nil
}

// Audit lists the newest entries of the audit trail, a hundred unless the search says how many.
func (o *Ops) Audit(ctx context.Context, s AuditSearch) ([]data.AuditEntry, error) {
	if s.Limit <= 0 {
		s.Limit = 100
	}
	return o.Store.AuditTrail(ctx, s.Target, s.Limit)
}
