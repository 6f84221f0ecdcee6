package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

// ErrNoRoom says that a copy of the database was not begun, since the disk could not hold it.
var ErrNoRoom = errors.New("there is not enough room on the disk")

// spareSpace is the room that a backup in the data folder leaves to the database, in bytes: its log may grow to
// [logLimit], and the file by as much at each checkpoint.
const spareSpace = 4 * logLimit

// A diskSpace tells how many bytes may still be written on the disk of a folder, and how large that is, see
// [FreeBytes].
type diskSpace func(folder string) (free, total uint64, err error)

// copyBytes is the size of the copy that VACUUM INTO makes: without the pages that are free.
const copyBytes = `SELECT (pages.page_count - unused.freelist_count) * size.page_size
	FROM pragma_page_count pages, pragma_freelist_count unused, pragma_page_size size`

// A vacuuming copies a database into a file by VACUUM INTO. It begins none for which the disk has no room: SQLite would
// take the last byte from the database that it copies, and then fail.
type vacuuming struct {
	space diskSpace
	spare uint64 // bytes that are to stay free
}

func (v vacuuming) into(ctx context.Context, c interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, to string) error {
	var need uint64
	if err := c.QueryRowContext(ctx, copyBytes).Scan(&need); err != nil {
		return err
	}
	folder := filepath.Dir(to)
	free, total, err := v.space(folder)
	if need += v.spare; err == nil && total > 0 && free < need { // some file systems do not tell
		const mib = 1 << 20
		return fmt.Errorf("%w: %d MiB are free in %s, %d MiB are needed", ErrNoRoom, free/mib, folder, (need+mib-1)/mib)
	}
	_, err = c.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}
