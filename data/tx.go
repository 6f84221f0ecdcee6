package data

import (
	"context"
	"database/sql"
	"strings"
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

// QueryContext makes a [querier] of it. The context is not asked, see background.
func (t *tx) QueryContext(_ context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(background, args...)
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(background, args...)
}

func (t *tx) command(query string, args ...any) error {
	_, err := t.exec(query, args...)
	return err
}

// insert executes an INSERT and returns the id of the new row.
func (t *tx) insert(query string, args ...any) (int64, error) {
	r, err := t.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// change executes an UPDATE or DELETE; ErrNotFound when there was nothing to change.
func (t *tx) change(query string, args ...any) error {
	r, err := t.exec(query, args...)
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return err
}

// exists reports whether a query has any row.
func (t *tx) exists(query string, args ...any) (bool, error) {
	return readOne(background, t, single[bool], "SELECT EXISTS ("+query+")", args...)
}

// refuseIf returns why when a query has any row.
func (t *tx) refuseIf(why error, query string, args ...any) error {
	if is, err := t.exists(query, args...); err != nil || !is {
		return err
	}
	return why
}

// refuseUnless returns why when a query has no row.
func (t *tx) refuseUnless(why error, query string, args ...any) error {
	if is, err := t.exists(query, args...); err != nil || is {
		return err
	}
	return why
}

// insertInto is an INSERT of a row with these columns.
func insertInto(table, columns string) string {
	n := strings.Count(columns, ",") + 1
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + strings.Repeat("?, ", n-1) + "?)"
}

// update is an UPDATE of these columns of one row.
func update(table, columns string) string {
	return "UPDATE " + table + " SET " + strings.ReplaceAll(columns, ", ", " = ?, ") + " = ? WHERE id = ?"
}
