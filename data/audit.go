package data

import (
	"context"
	"database/sql"
	"time"
)

// An AuditEntry is an act of an operator: its author, its verb and its target.
type AuditEntry struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`     // filled in when zero
	Who    string    `json:"who"`    // "operator", "admin page", a login
	Action string    `json:"action"` // "account ban"
	Target string    `json:"target"` // a login or a character's name
	Detail string    `json:"detail"`
}

type auditKey struct{}

// Audited returns a context that makes every write of the [Store] put e into the audit trail, in the same transaction:
// either both are stored or neither.
func Audited(ctx context.Context, e AuditEntry) context.Context {
	return context.WithValue(ctx, auditKey{}, e)
}

// AppendAudit stores an entry that belongs to no write.
func (s *Store) AppendAudit(ctx context.Context, e AuditEntry) error {
	return s.do(context.WithValue(ctx, auditKey{}, nil), func(t *tx) error { return t.audit(s.now(), e) })
}

func (t *tx) audit(now time.Time, e AuditEntry) error {
	if e.At.IsZero() {
		e.At = now
	}
	return t.command("INSERT INTO audit (at, who, action, target, detail) VALUES (?, ?, ?, ?, ?)",
		stamp{&e.At}, e.Who, e.Action, e.Target, e.Detail)
}

// An AuditFilter chooses entries of the audit trail; the zero value chooses all.
type AuditFilter struct {
	Target string    // a login or a character's name
	Who    string    // a part of the operator's name
	Action string    // the beginning of the action: "account", "account ban"
	Since  time.Time // not before
	Before int64     // id of the entry before which all are, 0: of any
}

// AuditTrail lists the newest entries first, at most limit of them.
func (s *Store) AuditTrail(ctx context.Context, f AuditFilter, limit int) ([]AuditEntry, error) {
	out, err := readAll(ctx, s.reads, scanAuditEntry, `SELECT id, at, who, action, target, detail FROM audit
		WHERE (target = ?1 OR ?1 = '') AND (instr(who, ?2) > 0 OR ?2 = '') AND substr(action, 1, length(?3)) = ?3
		AND at >= ?4 AND (id < ?5 OR ?5 = 0) ORDER BY id DESC LIMIT ?6`,
		f.Target, f.Who, f.Action, toMillis(f.Since), f.Before, limit)
	return out, wrap(err, "read the audit trail")
}

func scanAuditEntry(row *sql.Rows) (e AuditEntry, err error) {
	err = row.Scan(&e.ID, stamp{&e.At}, &e.Who, &e.Action, &e.Target, &e.Detail)
	return e, err
}
