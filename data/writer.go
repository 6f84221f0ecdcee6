package data

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// groupLimit is how many queued writes share one commit at most: enough that an fsync costs each of
// them little, few enough that the first does not wait long for the last.
const groupLimit = 512

// A writer is the one goroutine that changes the database.
//
// Policy of its queue: it is bounded, and a caller that finds it full waits until there is room or its context ends.
// A write is not done at all when its context ends before the writer has begun with it; one that has been begun is
// waited for, so its caller always knows the outcome.
//
// Policy for failures: each write of a group has its own savepoint, so one that fails takes nothing else with it.
// When the whole group fails – no space, an I/O error, a database that another program holds – its writes are tried
// once more, each alone; those that fail again get the error. The writer goes on, and later writes are tried afresh.
type writer struct {
	logger *slog.Logger
	wrote  func(time.Duration) // may be nil
	db     *sql.DB
	queue  chan *write
	done   chan struct{} // closed when the goroutine has ended

	gate   sync.RWMutex // held for reading while a write is being queued, for writing to close the queue
	closed bool

	tx      *tx // the connection, nil before the first write and after a failure
	failing atomic.Pointer[error]

	database, log   placedFile // and its write-ahead log
	number          int64      // that the writer has given the database, 0 before its first write
	changed         bool       // since the last checkpoint
	held            bool       // a reader keeps the log from shrinking
	checkpointed    time.Time
	checkpointEvery time.Duration
}

// A write is one operation that waits in the queue.
type write struct {
	run    func(*tx) error
	single bool // it is one statement, which SQLite undoes by itself when it fails
	state  atomic.Int32
	result chan error
}

// The states of a write: only one of its caller and the writer gets to change waiting to something else.
const (
	waiting = iota
	begun
	abandoned
)

func startWriter(path string, o Options) (*writer, error) {
	db, err := openWrites(path, o.busyTimeout)
	if err != nil {
		return nil, err
	}
	w := &writer{logger: o.Logger, wrote: o.Wrote, db: db, queue: make(chan *write, o.queueLimit),
		done: make(chan struct{}), database: placedFile{path: path}, log: placedFile{path: path + "-wal"},
		checkpointed: time.Now(), checkpointEvery: o.checkpointEvery}
	if w.database.info, err = os.Stat(path); err != nil {
		return nil, errors.Join(wrap(err, "open %s", path), db.Close())
	}
	go w.loop(o.lookEvery)
	return w, nil
}

// do queues a write and waits until it is on the disk or has failed. run may be called twice; it must not count on
// values that an earlier call has left in its variables.
func (s *Store) do(ctx context.Context, run func(*tx) error) error {
	return s.queueWrite(ctx, run, false)
}

// doStatement is do for a write that executes one statement only, which needs no savepoint.
func (s *Store) doStatement(ctx context.Context, run func(*tx) error) error {
	return s.queueWrite(ctx, run, true)
}

// changeOne is one change of one row, named in errors by what.
func (s *Store) changeOne(ctx context.Context, what, query string, args ...any) error {
	return s.doStatement(ctx, func(t *tx) error { return wrap(t.change(query, args...), "%s", what) })
}

// create is do for a write that makes something, which it returns.
func create[T any](ctx context.Context, s *Store, run func(*tx) (T, error)) (T, error) {
	var made, none T
	err := s.do(ctx, func(t *tx) (err error) {
		made, err = run(t)
		return err
	})
	if err != nil {
		return none, err
	}
	return made, nil
}

func (s *Store) queueWrite(ctx context.Context, run func(*tx) error, single bool) error {
	if s.writer == nil {
		return ErrReadOnly
	}
	if e, ok := ctx.Value(auditKey{}).(AuditEntry); ok {
		inner := run
		single = false
		run = func(t *tx) error {
			if err := inner(t); err != nil {
				return err
			}
			return t.audit(s.now(), e)
		}
	}
	return s.writer.submit(ctx, &write{run: run, single: single, result: make(chan error, 1)})
}

func (w *writer) submit(ctx context.Context, o *write) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("data: nothing was written: %w", context.Cause(ctx))
	}
	if w.wrote != nil {
		defer func(since time.Time) { w.wrote(time.Since(since)) }(time.Now())
	}
	if err := w.enqueue(ctx, o); err != nil {
		return err
	}
	select {
	case err := <-o.result:
		return err
	case <-ctx.Done():
		if o.state.CompareAndSwap(waiting, abandoned) {
			return fmt.Errorf("data: gave up waiting for the database, nothing was written: %w", context.Cause(ctx))
		}
		return <-o.result
	}
}

func (w *writer) enqueue(ctx context.Context, o *write) error {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.closed {
		return ErrClosed
	}
	select {
	case w.queue <- o:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("data: %d writes are waiting for the database already, nothing was written: %w", cap(w.queue),
			context.Cause(ctx))
	}
}

// stop makes the writer finish queued writes and closes its connection.
func (w *writer) stop() error {
	w.gate.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.gate.Unlock()
	<-w.done
	return w.db.Close()
}

func (w *writer) loop(lookEvery time.Duration) {
	defer close(w.done)
	defer w.disconnect()
	looks := time.NewTicker(lookEvery)
	defer looks.Stop()
	group := make([]*write, 0, groupLimit)
	for {
		select {
		case first, open := <-w.queue:
			if !open {
				return
			}
			group = append(group[:0], first)
			for len(group) < groupLimit && len(w.queue) > 0 { // nobody else takes from it
				group = append(group, <-w.queue)
			}
			w.commit(group)
			clear(group)
		case now := <-looks.C:
			w.look(now)
		}
	}
}

// commit runs a group in one transaction and answers every caller.
func (w *writer) commit(group []*write) {
	results := make([]error, len(group))
	err := w.transact(group, results)
	if err != nil && len(group) > 1 {
		for i := range group {
			if errors.As(err, new(*notBegun)) {
				results[i] = err
				continue
			}
			err = w.transact(group[i:i+1], results[i:i+1])
		}
	}
	w.noteFailure(err)
	for i, o := range group {
		o.state.CompareAndSwap(waiting, begun)
		if o.state.Load() == begun {
			o.result <- results[i]
		}
	}
}

// noteFailure logs when writing has become impossible and when it works again, not every write in between; the newest
// reason is the one that counts.
func (w *writer) noteFailure(err error) {
	switch failing, failed := isStorageFailure(err), w.failing.Load() != nil; {
	case failing:
		if !failed {
			w.logger.Error("cannot write to the database; will go on trying", "database", w.database.path, "error", err)
		}
		w.failing.Store(&err)
	case !failing && failed:
		w.logger.Info("writing to the database works again", "database", w.database.path)
		w.failing.Store(nil)
	}
}

// A notBegun is a failure that has nothing to do with the writes of a group: trying them one by one is no use.
type notBegun struct{ error }

// Unwrap is why no transaction could be begun.
func (n *notBegun) Unwrap() error { return n.error }

// transact runs the writes that nobody has abandoned in one transaction; results says how each one went. When nothing
// of the group has been stored, it returns the error that all of them have.
func (w *writer) transact(group []*write, results []error) (err error) {
	clear(results)
	defer func() {
		for i := range results {
			results[i] = cmp.Or(err, results[i])
		}
	}()
	if err := w.inPlace(); err != nil {
		return &notBegun{err}
	}
	if err := w.begin(); err != nil {
		return &notBegun{err}
	}
	for i, o := range group {
		if !o.state.CompareAndSwap(waiting, begun) && o.state.Load() == abandoned {
			continue
		}
		results[i] = w.run(o)
		if isStorageFailure(results[i]) {
			// SQLite may have rolled everything back by itself; the connection starts afresh.
			w.disconnect()
			return explain(w.database.path, results[i])
		}
	}
	if err := w.tx.command("COMMIT"); err != nil {
		w.disconnect()
		return explain(w.database.path, err)
	}
	w.changed = true
	return nil
}

// begin begins a transaction that may write.
func (w *writer) begin() error {
	err := w.connect()
	if err == nil {
		err = w.tx.command("BEGIN IMMEDIATE")
	}
	if err == nil {
		err = w.still()
	}
	if err != nil {
		w.disconnect()
		return explain(w.database.path, err)
	}
	return nil
}

// run executes one write; an error has undone all of it and nothing else.
func (w *writer) run(o *write) error {
	if o.single {
		return o.run(w.tx)
	}
	if err := w.tx.command("SAVEPOINT op"); err != nil {
		return err
	}
	err := o.run(w.tx)
	if isStorageFailure(err) {
		return err
	}
	if err != nil {
		if e := w.tx.command("ROLLBACK TO op"); e != nil {
			return &storageFailure{e}
		}
	}
	if e := w.tx.command("RELEASE op"); e != nil {
		return &storageFailure{e}
	}
	return err
}

func (w *writer) connect() error {
	if w.tx != nil {
		return nil
	}
	conn, err := w.db.Conn(background)
	if err != nil {
		return err
	}
	w.tx = &tx{conn: conn, statements: map[string]*sql.Stmt{}}
	return w.claim()
}

// disconnect closes the connection, with any transaction that it is in, for good.
func (w *writer) disconnect() {
	if w.tx == nil {
		return
	}
	for _, s := range w.tx.statements {
		s.Close()
	}
	// The pool must not hand this connection out again.
	w.tx.conn.Raw(func(any) error { return driver.ErrBadConn })
	w.tx.conn.Close()
	w.tx = nil
}
