package data

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"sphereserver/world/rules"
)

// AccountID numbers an account. Numbers are never used again.
type AccountID int64

// CharacterID numbers a character. Numbers are never used again; the world gives out the short ids of the wire itself.
type CharacterID int64

// Role gives an account rights beyond playing.
type Role uint8

// The roles, each with the rights of those before it.
const (
	Player Role = iota
	Helper
	GameMaster
	Administrator
)

var roleNames = [...]string{Player: "player", Helper: "helper", GameMaster: "gamemaster",
	Administrator: "administrator"}

// String is the role's name as commands and JSON have it.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprintf("role %d", uint8(r))
}

// ParseRole reads a role's name.
func ParseRole(name string) (Role, error) {
	if r := slices.Index(roleNames[:], name); r >= 0 {
		return Role(r), nil
	}
	return 0, fmt.Errorf("expected one of %s, found %q", strings.Join(roleNames[:], ", "), name)
}

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the role's name.
func (r *Role) UnmarshalText(text []byte) error {
	parsed, err := ParseRole(string(text))
	if err == nil {
		*r = parsed
	}
	return err
}

// An Account is the account that a player logs in to.
type Account struct {
	ID           AccountID
	Login        string // as it was first written; compared without case
	PasswordHash string // see HashPassword
	Role         Role
	Created      time.Time
	LastLogin    time.Time // zero: never
	LastAddress  string    // where the last login came from
	Language     string    // "ru", "en", or "" for the server's default
	Dialect      string    // of the client that was used last, as package packets names it; "" until it is known
	Ban          *Ban      // nil when there is none that still holds
	Mute         *Mute     // nil when there is none that still holds
}

const selectAccount = `SELECT a.id, a.login, a.password_hash, a.role, a.created, a.last_login, a.last_address,
	a.language, a.dialect,
	b.until, b.reason, b.banned_by, b.at, m.until, m.reason, m.muted_by, m.at
	FROM accounts a LEFT JOIN account_bans b ON b.account = a.id AND (b.until = 0 OR b.until > ?1)
	LEFT JOIN account_mutes m ON m.account = a.id AND (m.until = 0 OR m.until > ?1) `

func scanAccount(row *sql.Rows) (Account, error) {
	var a Account
	var ban, mute optionalBan
	fields := []any{&a.ID, &a.Login, &a.PasswordHash, &a.Role, stamp{&a.Created}, stamp{&a.LastLogin}, &a.LastAddress,
		&a.Language, &a.Dialect}
	err := row.Scan(append(append(fields, ban.fields()...), mute.fields()...)...)
	a.Ban, a.Mute = ban.ban(), mute.ban()
	return a, err
}

// optionalBan reads the columns of a ban or a mute that there may be.
type optionalBan struct {
	until, at  sql.NullInt64
	reason, by sql.NullString
}

func (o *optionalBan) fields() []any { return []any{&o.until, &o.reason, &o.by, &o.at} }

func (o *optionalBan) ban() *Ban {
	if !o.at.Valid {
		return nil
	}
	return &Ban{Until: fromMillis(o.until.Int64), Reason: o.reason.String, By: o.by.String, At: fromMillis(o.at.Int64)}
}

// AccountByLogin finds the account of a login, without regard to case; ErrNotFound when there is none.
func (s *Store) AccountByLogin(ctx context.Context, login string) (Account, error) {
	return s.account(ctx, fmt.Sprintf("login %q", login), "WHERE a.login_key = ?2", rules.FoldName(login))
}

// AccountByID finds an account by its number; ErrNotFound when there is none.
func (s *Store) AccountByID(ctx context.Context, id AccountID) (Account, error) {
	return s.account(ctx, fmt.Sprintf("account %d", id), "WHERE a.id = ?2", id)
}

func (s *Store) account(ctx context.Context, what, where string, arg any) (Account, error) {
	a, err := readOne(ctx, s.reads, scanAccount, selectAccount+where, toMillis(s.now()), arg)
	return a, wrapRead(err, "%s", what)
}

// Accounts lists the accounts with like in their logins, without regard to case and in alphabetical order; "" lists
// all.
func (s *Store) Accounts(ctx context.Context, like string) ([]Account, error) {
	out, err := readAll(ctx, s.reads, scanAccount, selectAccount+`WHERE instr(a.login_key, ?2) > 0 OR ?3 = ''
		ORDER BY a.login_key`, toMillis(s.now()), rules.FoldName(like), like)
	return out, wrap(err, "list accounts")
}

// CreateAccount stores a new account; ErrLoginTaken when there is one of that login in any case.
func (s *Store) CreateAccount(ctx context.Context, login, passwordHash string, role Role) (Account, error) {
	if err := CheckLogin(login); err != nil {
		return Account{}, err
	}
	a := Account{Login: login, PasswordHash: passwordHash, Role: role, Created: s.now().UTC().Truncate(time.Millisecond)}
	return create(ctx, s, func(t *tx) (Account, error) {
		err := t.refuseIf(fmt.Errorf("data: login %q: %w", login, ErrLoginTaken),
			"SELECT 1 FROM accounts WHERE login_key = ?", rules.FoldName(login))
		if err != nil {
			return a, err
		}
		id, err := t.insert(`INSERT INTO accounts (login, login_key, password_hash, role, created) VALUES (?, ?, ?, ?, ?)`,
			login, rules.FoldName(login), passwordHash, role, stamp{&a.Created})
		a.ID = AccountID(id)
		return a, err
	})
}

// hasAccount is ErrNotFound when there is no such account.
func (t *tx) hasAccount(id AccountID) error {
	return t.refuseUnless(fmt.Errorf("data: account %d: %w", id, ErrNotFound), "SELECT 1 FROM accounts WHERE id = ?", id)
}

// TouchLogin notes the time and the address of a login.
func (s *Store) TouchLogin(ctx context.Context, id AccountID, at time.Time, from string) error {
	return s.changeAccount(ctx, id, "UPDATE accounts SET last_login = ?, last_address = ? WHERE id = ?", toMillis(at),
		from, id)
}

// LastAddresses are where accounts have logged in from last, the latest first.
func (s *Store) LastAddresses(ctx context.Context, most int) ([]string, error) {
	out, err := readAll(ctx, s.reads, func(row *sql.Rows) (address string, err error) {
		return address, row.Scan(&address)
	}, "SELECT last_address FROM accounts WHERE last_address <> '' ORDER BY last_login DESC LIMIT ?", most)
	return out, wrap(err, "list last addresses")
}

// SetPassword stores a new password hash, as [HashPassword] makes it; [ErrNotFound] without such an account.
func (s *Store) SetPassword(ctx context.Context, id AccountID, passwordHash string) error {
	return s.changeAccount(ctx, id, "UPDATE accounts SET password_hash = ? WHERE id = ?", passwordHash, id)
}

// SetRole changes the role of an account.
func (s *Store) SetRole(ctx context.Context, id AccountID, role Role) error {
	return s.changeAccount(ctx, id, "UPDATE accounts SET role = ? WHERE id = ?", role, id)
}

// Languages are the languages that an account can be set to.
var Languages = []string{"ru", "en"}

// SetLanguage stores which of the [Languages] the player reads.
func (s *Store) SetLanguage(ctx context.Context, id AccountID, language string) error {
	if !slices.Contains(Languages, language) {
		return fmt.Errorf("data: language: expected one of %q, found %q", Languages, language)
	}
	return s.changeAccount(ctx, id, "UPDATE accounts SET language = ? WHERE id = ?", language, id)
}

// SetDialect stores the generation of the client with which an account was last used.
func (s *Store) SetDialect(ctx context.Context, id AccountID, dialect string) error {
	return s.changeAccount(ctx, id, "UPDATE accounts SET dialect = ? WHERE id = ?", dialect, id)
}

// Dialects counts the accounts by the generation of the client that they were used with last, where it is known.
func (s *Store) Dialects(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	_, err := readAll(ctx, s.reads, func(row *sql.Rows) (n int, err error) {
		var dialect string
		err = row.Scan(&dialect, &n)
		counts[dialect] = n
		return n, err
	}, "SELECT dialect, COUNT(*) FROM accounts WHERE dialect <> '' GROUP BY dialect")
	return counts, wrap(err, "count dialects")
}

// DeleteAccount removes an account with its characters and their items.
func (s *Store) DeleteAccount(ctx context.Context, id AccountID) error {
	return s.changeAccount(ctx, id, "DELETE FROM accounts WHERE id = ?", id)
}

// changeAccount executes one statement that concerns one account.
func (s *Store) changeAccount(ctx context.Context, id AccountID, query string, args ...any) error {
	return s.changeOne(ctx, fmt.Sprintf("account %d", id), query, args...)
}
