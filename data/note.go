package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A NoteID numbers a note. Numbers are never used again.
type NoteID int64

// A Note is a remark of an operator about an account, for other operators.
type Note struct {
	ID      NoteID    `json:"id"`
	Account AccountID `json:"account"`
	Login   string    `json:"login"` // of the account
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	Text    string    `json:"text"`
}

// MaxNotes is how many notes an account can have.
const MaxNotes = 200

// ErrTooManyNotes is the error of an account that has [MaxNotes].
var ErrTooManyNotes = errors.New("the account has 200 notes already")

const selectNote = `SELECT n.id, n.account, a.login, n.at, n.by, n.text
	FROM notes n JOIN accounts a ON a.id = n.account `

func scanNote(row *sql.Rows) (n Note, err error) {
	return n, row.Scan(&n.ID, &n.Account, &n.Login, stamp{&n.At}, &n.By, &n.Text)
}

// AddNote stores a note of 1 to 500 characters. ErrTooManyNotes when the account has too many, ErrNotFound when there
// is none.
func (s *Store) AddNote(ctx context.Context, account AccountID, by, text string) (Note, error) {
	return create(ctx, s, func(t *tx) (Note, error) {
		if err := t.hasAccount(account); err != nil {
			return Note{}, err
		}
		has, err := readOne(background, t, single[int], "SELECT count(*) FROM notes WHERE account = ?", account)
		if err == nil && has >= MaxNotes {
			err = fmt.Errorf("data: account %d: %w", account, ErrTooManyNotes)
		}
		if err != nil {
			return Note{}, err
		}
		id, err := t.insert(insertInto("notes", "account, at, by, text"), account, toMillis(s.now()), by, text)
		if err != nil {
			return Note{}, wrap(err, "note on account %d", account)
		}
		return readOne(background, t, scanNote, selectNote+"WHERE n.id = ?", id)
	})
}

// Notes lists the notes on an account, 0 for all accounts, the newest first, at most so many.
func (s *Store) Notes(ctx context.Context, account AccountID, most int) ([]Note, error) {
	out, err := readAll(ctx, s.reads, scanNote, selectNote+"WHERE n.account = ?1 OR ?1 = 0 ORDER BY n.id DESC LIMIT ?2",
		account, most)
	return out, wrap(err, "list notes")
}

// NoteByID finds a note; ErrNotFound when there is none.
func (s *Store) NoteByID(ctx context.Context, id NoteID) (Note, error) {
	n, err := readOne(ctx, s.reads, scanNote, selectNote+"WHERE n.id = ?", id)
	return n, wrapRead(err, "note %d", id)
}

// DeleteNote removes a note; ErrNotFound when there is none.
func (s *Store) DeleteNote(ctx context.Context, id NoteID) error {
	return s.changeOne(ctx, fmt.Sprintf("note %d", id), "DELETE FROM notes WHERE id = ?", id)
}
