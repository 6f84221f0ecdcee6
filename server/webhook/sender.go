// Package webhook tells addresses that an operator has chosen of what happens on a server: in a chat of Telegram, VK or
// Discord, or to a program. The server never waits for it: messages that find no room are dropped and counted.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/data/lazyregexp"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

const (
	queueLimit = 64                // messages that wait for one address; then the oldest goes
	attempts   = 5                 // to deliver one
	firstWait  = 2 * time.Second   // after the first failure, four times as long after each other
	longWait   = 5 * time.Minute   // the longest that an address may ask for by Retry-After
	patience   = 10 * time.Second  // for one attempt
	pace       = time.Second       // from one message to the next
	lastWords  = 3 * time.Second   // for messages that wait when the server stops
	textLimit  = 1500              // characters of a message, fewer than each chat takes
	answerRead = 4 << 10           // bytes of an answer that are read
	Chat       = "chat"            // the event whose messages are put together when several wait
	userAgent  = "sphere-webhooks" // of the requests
)

// A Message is something that has happened, in both languages.
type Message struct {
	Event string
	Text  ops.Text
	At    time.Time
}

// numeric finds text that may be an IP address, which no message has.
var numeric = lazyregexp.Of(`[0-9A-Fa-f:.]{3,}`)

// withoutAddress leaves an address out.
func withoutAddress(word string) string {
	for _, bare := range []string{word, strings.TrimRight(word, ".:")} {
		_, noAddress := netip.ParseAddr(bare)
		_, noPort := netip.ParseAddrPort(bare)
		if noAddress == nil || noPort == nil {
			return "…" + word[len(bare):]
		}
	}
	return word
}

// redact removes IP addresses and control characters from a text, and cuts it at textLimit.
func redact(text string) string {
	text = numeric().ReplaceAllStringFunc(text, withoutAddress)
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7F {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > textLimit {
		text = string(runes[:textLimit-1]) + "…"
	}
	return strings.TrimSpace(text)
}

// Counts are the numbers of messages by their fate.
type Counts struct{ Sent, Failed, Dropped atomic.Uint64 }

// A Sender delivers messages to webhooks, each by a goroutine of its own.
type Sender struct {
	Counts Counts

	client *http.Client
	log    *slog.Logger
	server func() string // its name

	mu      sync.Mutex
	workers []*worker
	closed  bool
	running sync.WaitGroup
}

// New makes a sender without webhooks. transport is nil but in tests.
func New(log *slog.Logger, server func() string, transport http.RoundTripper) *Sender {
	return &Sender{log: log, server: server, client: newClient(transport)}
}

// newClient follows no redirection: messages are for one address only.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true}
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// Change replaces the webhooks. Messages for an unchanged one keep their place in its queue.
func (s *Sender) Change(hooks []config.Webhook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	before := s.workers
	s.workers = nil
	for _, h := range hooks {
		i := slices.IndexFunc(before, func(w *worker) bool { return reflect.DeepEqual(w.hook, h) })
		if i >= 0 {
			s.workers = append(s.workers, before[i])
			before = slices.Delete(slices.Clone(before), i, i+1)
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		w := &worker{sender: s, hook: h, woken: make(chan struct{}, 1), ending: make(chan struct{}), cancel: cancel}
		s.workers = append(s.workers, w)
		s.running.Go(func() { w.run(ctx) })
	}
	for _, gone := range before {
		gone.cancel()
	}
}

// Wants reports whether any webhook wants to know of an event.
func (s *Sender) Wants(event string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.workers, func(w *worker) bool { return slices.Contains(w.hook.Events, event) })
}

// Tell queues a message for all webhooks that want to know of its event. It never waits.
func (s *Sender) Tell(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workers {
		if !s.closed && slices.Contains(w.hook.Events, m.Event) {
			w.add(m)
		}
	}
}

// Close gives the messages that wait three seconds, without retries, and ends.
func (s *Sender) Close() {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	workers := s.workers
	s.mu.Unlock()
	if !first {
		return
	}
	ended := make(chan struct{})
	go func() { s.running.Wait(); close(ended) }()
	for _, w := range workers {
		close(w.ending)
	}
	last := time.NewTimer(lastWords)
	defer last.Stop()
	select {
	case <-ended:
	case <-last.C:
	}
	for _, w := range workers {
		w.cancel()
	}
	<-ended
	s.client.CloseIdleConnections()
}

// A worker delivers to one address.
type worker struct {
	sender *Sender
	hook   config.Webhook
	woken  chan struct{}
	ending chan struct{} // closed: nothing is tried again
	cancel context.CancelFunc

	failing bool // touched by run only: the last message was not delivered, which has been logged

	mu    sync.Mutex
	queue []Message
}

// add queues a message; the oldest makes room.
func (w *worker) add(m Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) >= queueLimit {
		w.queue = slices.Delete(w.queue, 0, 1)
		w.sender.Counts.Dropped.Add(1)
	}
	w.queue = append(w.queue, m)
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// next takes the next delivery: one message, or all waiting lines of the chat that fit into one.
func (w *worker) next() (m Message, text string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		return m, "", false
	}
	russian := w.hook.Russian()
	m = w.queue[0]
	text, n := redact(m.Text.In(russian)), 1
	for ; m.Event == Chat && n < len(w.queue) && w.queue[n].Event == Chat; n++ {
		more := text + "\n" + redact(w.queue[n].Text.In(russian))
		if len([]rune(more)) > textLimit {
			break
		}
		text = more
	}
	w.queue = slices.Delete(w.queue, 0, n)
	return m, text, true
}

func (w *worker) run(ctx context.Context) {
	for {
		m, text, ok := w.next()
		if ok {
			w.deliver(ctx, m, text)
			w.rest(ctx, pace)
		}
		if ctx.Err() != nil {
			w.mu.Lock()
			w.sender.Counts.Dropped.Add(uint64(len(w.queue)))
			w.mu.Unlock()
			return
		}
		if ok {
			continue
		}
		select {
		case <-w.woken:
		case <-ctx.Done():
		case <-w.ending:
			w.mu.Lock()
			left := len(w.queue)
			w.mu.Unlock()
			if left == 0 {
				return
			}
		}
	}
}

// rest waits, but not while the server stops.
func (w *worker) rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	case <-w.ending:
	}
}

// deliver tries to deliver a message, again and again if it may help.
func (w *worker) deliver(ctx context.Context, m Message, text string) {
	body, wait := w.sender.fill(&w.hook, m, text), firstWait
	for try := 1; ; try++ {
		_, err := post(ctx, w.sender.client, &w.hook, body)
		var refused *refusal
		again := err != nil && (!errors.As(err, &refused) || refused.again)
		switch {
		case err == nil:
			w.sender.Counts.Sent.Add(1)
			if w.failing {
				w.failing = false
				w.sender.log.Info("webhook delivers again", "webhook", w.hook.Name)
			}
			return
		case !again || try == attempts || w.isEnding() || ctx.Err() != nil:
			w.sender.Counts.Failed.Add(1)
			if !w.failing && ctx.Err() == nil {
				w.failing = true
				w.sender.log.Warn("webhook does not deliver; nothing more is said of it until it does", "webhook", w.hook.Name,
					"event", m.Event, "error", err)
			}
			return
		}
		if pause := wait; refused != nil && refused.after > 0 {
			w.rest(ctx, min(refused.after, longWait))
		} else {
			w.rest(ctx, pause)
		}
		wait *= 4
	}
}

func (w *worker) isEnding() bool {
	select {
	case <-w.ending:
		return true
	default:
		return false
	}
}

func (s *Sender) fill(h *config.Webhook, m Message, text string) string {
	return fill(h, s.server(), m, text)
}

func fill(h *config.Webhook, server string, m Message, text string) string {
	return h.Fill(map[string]string{"text": text, "event": m.Event, "server": redact(server),
		"time": m.At.Format(time.RFC3339), "id": strconv.Itoa(1 + int(rand.Int32N(1<<31-2)))})
}

// A refusal is an answer that is no success.
type refusal struct {
	status string
	again  bool // it may be another one later
	after  time.Duration
}

func (r *refusal) Error() string { return "the address answers " + r.status }

// post makes one attempt, and returns the beginning of the answer. Its error never has the address in it.
func post(ctx context.Context, client *http.Client, h *config.Webhook, body string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, strings.NewReader(body))
	if err != nil {
		return "", errors.New("the address is none")
	}
	r.Header.Set("Content-Type", h.MediaType())
	r.Header.Set("User-Agent", userAgent)
	resp, err := client.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return "", fmt.Errorf("no answer within %v", patience)
		}
		return "", errors.New(strings.ReplaceAll(err.Error(), h.URL, "…"))
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, answerRead)) // an answer that ends early is none the worse
	answer = strings.ReplaceAll(string(text), h.URL, "…")
	if resp.StatusCode/100 == 2 {
		return answer, nil
	}
	return answer, &refusal{status: strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode),
		again: resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout ||
			resp.StatusCode/100 == 5,
		after: retryAfter(resp.Header.Get("Retry-After"))}
}

// retryAfter reads the header of that name: seconds, or a time; 0 for neither.
func retryAfter(text string) time.Duration {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 {
		return time.Duration(min(n, longWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

var trialText = ops.Text{Russian: "Это проба: сервер «%s» может сюда писать.",
	English: "This is a trial: the server %s can write here."}

// Try sends a trial to a webhook, once, and returns the beginning of the answer, and why it was not taken.
func Try(ctx context.Context, h *config.Webhook, server string, transport http.RoundTripper) (string, error) {
	client := newClient(transport)
	defer client.CloseIdleConnections()
	m := Message{Event: "trial", At: time.Now()}
	return post(ctx, client, h, fill(h, server, m, redact(trialText.In(h.Russian(), server))))
}
