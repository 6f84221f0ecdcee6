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

// A Token is a key with which a program does an operator's work: in the name of its account, with a role of its own
// that never exceeds the account's. Of the secret only a hash is stored.
type Token struct {
	ID       TokenID   `json:"id"`
	Account  AccountID `json:"-"`
	Login    string    `json:"login"` // of the account
	Name     string    `json:"name"`  // for people
	Role     Role      `json:"role"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`  // zero: never
	LastUsed time.Time `json:"lastUsed,omitzero"` // zero: never; to about a minute
	hash     []byte
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
	n, err = create(ctx, s, func(t *tx) (Token, error) {
		has, err := readOne(ctx, t, single[int], "SELECT count(*) FROM admin_tokens WHERE account = ?", n.Account)
		if err != nil {
			return n, err
		}
		if has >= maxTokens {
			return n, fmt.Errorf("data: account %d: %w", n.Account, ErrTooManyTokens)
		}
		if err := t.hasAccount(n.Account); err != nil {
			return n, err
		}
		id, err := t.insert(insertInto("admin_tokens", "account, name, role, hash, created, expires"), n.Account, n.Name,
			n.Role, hash[:], stamp{&n.Created}, stamp{&n.Expires})
		n.ID = TokenID(id)
		return n, err
	})
	if err != nil {
		return Token{}, "", err
	}
	return n, fmt.Sprintf("%s%d_%s", tokenPrefix, n.ID, random), nil
}

const selectToken = `SELECT t.id, t.account, a.login, t.name, t.role, t.created, t.expires, t.last_used, t.hash
	FROM admin_tokens t JOIN accounts a ON a.id = t.account `

func scanToken(row *sql.Rows) (t Token, err error) {
	err = row.Scan(&t.ID, &t.Account, &t.Login, &t.Name, &t.Role, stamp{&t.Created}, stamp{&t.Expires}, stamp{&t.LastUsed},
		&t.hash)
	return t, err
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
	t, err := readOne(ctx, s.reads, scanToken, selectToken+"WHERE t.id = ?", id)
	switch {
	case errors.Is(err, ErrNotFound):
		return Token{}, unknown
	case err != nil:
		return Token{}, wrapRead(err, "token %d", id)
	}
	sent := sha256.Sum256([]byte(random))
	now := s.now()
	if subtle.ConstantTimeCompare(sent[:], t.hash) != 1 || !t.Expires.IsZero() && !now.Before(t.Expires) {
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
		return w.command("UPDATE admin_tokens SET last_used = ? WHERE id = ?", toMillis(now), t.ID)
	})
}

// Tokens lists all tokens by number, those whose time is over too. The secrets are not in the store, only their hashes.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	out, err := readAll(ctx, s.reads, scanToken, selectToken+"ORDER BY t.id")
	return out, wrap(err, "list tokens")
}

// DeleteToken deletes a token; ErrNotFound if no token has that number.
func (s *Store) DeleteToken(ctx context.Context, id TokenID) error {
	return s.changeOne(ctx, fmt.Sprintf("token %d", id), "DELETE FROM admin_tokens WHERE id = ?", id)
}
