package data

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A TokenID numbers a token. Numbers are never used again.
type TokenID int64

// A Token is a key with which a program does an operator's work for somebody: as the one whose account it is, with a
// role of its own that counts only as far as that of the account reaches. Of the secret only a hash is stored.
type Token struct {
	ID       TokenID
	Account  AccountID
	Login    string // of the account
	Name     string // for people
	Role     Role
	Created  time.Time
	Expires  time.Time // zero: never
	LastUsed time.Time // zero: never; to about a minute
}

const (
	tokenPrefix = "sphere_"
	// maxTokens bounds how many one account can have.
	maxTokens = 100
)

// ErrTooManyTokens is the error of an account that has a hundred.
var ErrTooManyTokens = errors.New("the account has 100 tokens already")

// CreateToken stores a new token and returns it with the secret, which nobody can find out later.
func (s *Store) CreateToken(ctx context.Context, n Token) (t Token, secret string, err error) {
	if n.Role < Helper || n.Role > Administrator {
		return Token{}, "", fmt.Errorf("data: token: expected a role from %v to %v, found %v", Helper, Administrator, n.Role)
	}
	random := rand.Text() // 130 bits
	hash := sha256.Sum256([]byte(random))
	n.Created, n.LastUsed = s.now().UTC().Truncate(time.Millisecond), time.Time{}
	err = s.do(ctx, func(t *tx) error {
		var has int
		if err := t.row("SELECT count(*) FROM admin_tokens WHERE account = ?", []any{int64(n.Account)}, &has); err != nil {
			return err
		}
		if has >= maxTokens {
			return fmt.Errorf("data: account %d: %w", n.Account, ErrTooManyTokens)
		}
		switch known, err := t.exists("SELECT 1 FROM accounts WHERE id = ?", n.Account); {
		case err != nil:
			return err
		case !known:
			return fmt.Errorf("data: account %d: %w", n.Account, ErrNotFound)
		}
		id, err := t.insert("INSERT INTO admin_tokens (account, name, role, hash, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
			n.Account, n.Name, n.Role, hash[:], stamp{&n.Created}, stamp{&n.Expires})
		n.ID = TokenID(id)
		return err
	})
	if err != nil {
		return Token{}, "", err
	}
	return n, fmt.Sprintf("%s%d_%s", tokenPrefix, n.ID, random), nil
}

const selectToken = `SELECT t.id, t.account, a.login, t.name, t.role, t.created, t.expires, t.last_used, t.hash
	FROM admin_tokens t JOIN accounts a ON a.id = t.account `

func scanToken(row scanner) (t Token, hash []byte, err error) {
	err = row.Scan(&t.ID, &t.Account, &t.Login, &t.Name, &t.Role, stamp{&t.Created}, stamp{&t.Expires}, stamp{&t.LastUsed},
		&hash)
	return t, hash, err
}

// TokenBySecret finds the token of a secret; ErrNotFound for one that is unknown, has expired or was taken back.
func (s *Store) TokenBySecret(ctx context.Context, secret string) (Token, error) {
	unknown := fmt.Errorf("data: token: %w", ErrNotFound)
	rest, ok := strings.CutPrefix(secret, tokenPrefix)
	number, random, cut := strings.Cut(rest, "_")
	id, err := strconv.ParseInt(number, 10, 64)
	if !ok || !cut || err != nil {
		return Token{}, unknown
	}
	t, hash, err := scanToken(s.reads.QueryRowContext(ctx, selectToken+"WHERE t.id = ?", id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Token{}, unknown
	case err != nil:
		return Token{}, fmt.Errorf("data: read token %d: %w", id, err)
	}
	sent := sha256.Sum256([]byte(random))
	now := s.now()
	if subtle.ConstantTimeCompare(sent[:], hash) != 1 || !t.Expires.IsZero() && !now.Before(t.Expires) {
		return Token{}, unknown
	}
	return t, nil
}

// TouchToken notes that a token was used, unless that was noted within the last minute.
func (s *Store) TouchToken(ctx context.Context, t Token) error {
	now := s.now()
	if now.Sub(t.LastUsed) < time.Minute {
		return nil
	}
	return s.doStatement(ctx, func(w *tx) error {
		_, err := w.change("UPDATE admin_tokens SET last_used = ? WHERE id = ?", toMillis(now), t.ID)
		return err
	})
}

// Tokens lists all tokens by number.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	rows, err := s.reads.QueryContext(ctx, selectToken+"ORDER BY t.id")
	if err != nil {
		return nil, fmt.Errorf("data: list tokens: %w", err)
	}
	defer rows.Close()
	var out []Token
	for rows.Next() {
		t, _, err := scanToken(rows)
		if err != nil {
			return nil, fmt.Errorf("data: list tokens: %w", err)
		}
		out = append(out, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("data: list tokens: %w", err)
	}
	return out, nil
}

// DeleteToken takes a token back; ErrNotFound when there is none of that number.
func (s *Store) DeleteToken(ctx context.Context, id TokenID) error {
	return s.doStatement(ctx, func(t *tx) error {
		n, err := t.change("DELETE FROM admin_tokens WHERE id = ?", int64(id))
		if err == nil && n == 0 {
			return fmt.Errorf("data: token %d: %w", id, ErrNotFound)
		}
		return err
	})
}
