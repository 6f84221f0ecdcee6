package public

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// makeTimeout limits the making of one answer, queries of the store included.
const makeTimeout = 5 * time.Second

// errOff is the error of an answer that the operator does not show.
var errOff = errors.New("public: not shown here")

// An answer is one that is made, and not changed any more.
type answer struct {
	body, zipped []byte // zipped is nil where that saves nothing
	tag          string
	made         time.Time
	err          error // instead
}

// A cached answer is made at most once per period, however many ask. While a new one is made, others get the last one.
type cached struct {
	kind  string                                    // Content-Type
	life  time.Duration                             // 0: for ever
	cache string                                    // Cache-Control
	make  func(ctx context.Context) ([]byte, error) // an error is no reason to try again before its time
	log   *slog.Logger

	making sync.Mutex
	last   atomic.Pointer[answer]
}

func (c *cached) forget() {
	c.making.Lock()
	defer c.making.Unlock()
	c.last.Store(nil)
}

func (c *cached) fresh(a *answer, now time.Time) bool {
	return a != nil && (c.life == 0 && a.err == nil || now.Sub(a.made) < max(c.life, time.Second))
}

// get is the answer as it is now, or was a moment ago.
func (c *cached) get(ctx context.Context, now func() time.Time) *answer {
	last := c.last.Load()
	switch {
	case c.fresh(last, now()):
		return last
	case c.making.TryLock():
	case last != nil:
		return last // somebody is at it
	default:
		c.making.Lock()
	}
	defer c.making.Unlock()
	if last = c.last.Load(); c.fresh(last, now()) { // it was made while this one waited
		return last
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTimeout) // it is for others, too
	defer cancel()
	body, err := c.make(ctx)
	made := &answer{made: now(), err: err}
	switch {
	case err == nil:
		made.fill(body)
	case errors.Is(err, errOff):
	case last != nil && last.err == nil: // an answer of a minute ago is better than none
		c.log.Warn("public page: cannot make an answer anew", "error", err)
		made.body, made.zipped, made.tag, made.err = last.body, last.zipped, last.tag, nil
	default:
		c.log.Warn("public page: cannot make an answer", "error", err)
	}
	c.last.Store(made)
	return made
}

func (a *answer) fill(body []byte) {
	sum := sha256.Sum256(body)
	a.body, a.tag = body, fmt.Sprintf(`W/"%s"`, hex.EncodeToString(sum[:12]))
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err == nil && zipped.Len() < len(body)*9/10 {
		a.zipped = zipped.Bytes()
	}
}

// send answers a request with it.
func (a *answer) send(w http.ResponseWriter, r *http.Request, c *cached) {
	h := w.Header()
	h.Set("Content-Type", c.kind)
	h.Set("Cache-Control", c.cache)
	h.Set("ETag", a.tag)
	body := a.body
	if a.zipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(r) {
			h.Set("Content-Encoding", "gzip")
			body = a.zipped
		}
	}
	r.Header.Del("Range") // nothing here is large
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether the client can read gzip. A weight of 0 refuses it.
func takesGzip(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for one := range strings.SplitSeq(header, ",") {
			name, weight, _ := strings.Cut(strings.TrimSpace(one), ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			q, has := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			return !has || strings.Trim(q, "0.") != ""
		}
	}
	return false
}
