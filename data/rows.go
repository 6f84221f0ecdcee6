package data

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A querier is a pool of connections, a transaction, or the writer's.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A rowScan reads the current row.
type rowScan[T any] func(row *sql.Rows) (T, error)

// each calls f for every row of a query.
func each(ctx context.Context, q querier, f func(row *sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// readAll reads every row of a query.
func readAll[T any](ctx context.Context, q querier, scan rowScan[T], query string, args ...any) ([]T, error) {
	var out []T
	err := each(ctx, q, func(row *sql.Rows) error {
		v, err := scan(row)
		out = append(out, v)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// readOne reads the row of a query that has no more; ErrNotFound when it has none.
func readOne[T any](ctx context.Context, q querier, scan rowScan[T], query string, args ...any) (T, error) {
	found, err := readAll(ctx, q, scan, query, args...)
	if err != nil || len(found) == 0 {
		var none T
		return none, cmp.Or(err, ErrNotFound)
	}
	return found[0], nil
}

// single reads a row of one column.
func single[T any](row *sql.Rows) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// scanAny reads a row of any columns.
func scanAny(row *sql.Rows) ([]any, error) {
	columns, err := row.Columns()
	if err != nil {
		return nil, err
	}
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	return values, row.Scan(pointers...)
}

// wrap adds the subject to an error; nil stays nil.
func wrap(err error, what string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("data: %s: %w", fmt.Sprintf(what, args...), err)
}

// wrapRead is wrap for something that was looked for by itself.
func wrapRead(err error, what string, args ...any) error {
	if err != nil && !errors.Is(err, ErrNotFound) {
		what = "read " + what
	}
	return wrap(err, what, args...)
}
