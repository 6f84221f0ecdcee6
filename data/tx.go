package data

import (
	"context"
	"database/sql"
)

// A tx is the writer's connection within a transaction. Statements are prepared once and kept.
type tx struct {
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

// background has no Done channel, which spares the driver a goroutine for each statement.
var background = context.Background()

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if s := t.statements[query]; s != nil {
		return s, nil
	}
	s, err := t.conn.PrepareContext(background, query)
	if err != nil {
		return nil, err
	}
	t.statements[query] = s
	return s, nil
}

func (t *tx) command(query string, args ...any) error {
	_, err := t.exec(query, args...)
	return err
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(background, args...)
}

// insert executes an INSERT and returns the id of the new row.
func (t *tx) insert(query string, args ...any) (int64, error) {
	r, err := t.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// change executes an UPDATE or DELETE and returns how many rows it met.
func (t *tx) change(query string, args ...any) (int64, error) {
	r, err := t.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads one row inside the transaction; sql.ErrNoRows when there is none.
func (t *tx) row(query string, args []any, dest ...any) error {
	s, err := t.prepare(query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(background, args...).Scan(dest...)
}

// exists says whether a query has any row.
func (t *tx) exists(query string, args ...any) (bool, error) {
	var one int
	err := t.row("SELECT EXISTS ("+query+")", args, &one)
	return one == 1, err
}
