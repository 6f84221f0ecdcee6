package data

import (
	"context"
	"fmt"
	"time"
)

// An AuditEntry says who has done what to whom.
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

// AuditTrail lists the newest entries first, at most limit of them; target "" means all targets.
func (s *Store) AuditTrail(ctx context.Context, target string, limit int) ([]AuditEntry, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id, at, who, action, target, detail FROM audit
		WHERE target = ?1 OR ?1 = '' ORDER BY id DESC LIMIT ?2`, target, limit)
	if err != nil {
		return nil, fmt.Errorf("data: read the audit trail: %w", err)
	}
	defer rows.Close()
	var out []AuditEntry
	for rows.Next() {
		var e AuditEntry
		if err := rows.Scan(&e.ID, stamp{&e.At}, &e.Who, &e.Action, &e.Target, &e.Detail); err != nil {
			return nil, fmt.Errorf("data: read the audit trail: %w", err)
		}
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("data: read the audit trail: %w", err)
	}
	return out, nil
}
