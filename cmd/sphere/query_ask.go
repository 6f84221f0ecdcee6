package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/capture"
)

// An inquiry is the common part of the commands that ask a server over UDP.
type inquiry struct {
	env     *environment
	timeout time.Duration
	retries int
	file    string // of the flag --read
	beside  int    // how far from the port of a game servers usually answer; 0: at that
}

const (
	askTimeout = 2 * time.Second
	askRetries = 2
	maxAnswer  = 1 << 16 // bytes, as long as a datagram can be
)

// command completes a command that asks a server.
func (q *inquiry) command(c *cobra.Command) *cobra.Command {
	q.env.addJSONFlag(c)
	f := c.Flags()
	f.DurationVar(&q.timeout, "timeout", askTimeout, "how long to wait for each answer")
	f.IntVar(&q.retries, "retries", askRetries, "how often to ask again")
	f.StringVar(&q.file, "read", "", "read an answer from this `FILE` (or -) instead of asking: its bytes, "+
		"or hex with comments behind ; and #")
	c.Args = func(c *cobra.Command, args []string) error {
		if err := checkPatience(c, q.timeout, q.retries); err != nil || q.file != "" {
			return cmp.Or(err, expect(0)(c, args))
		}
		if err := expect(0, "an address HOST:PORT")(c, args); err != nil {
			return err
		}
		if !isHostPort(args[0]) {
			return usagef(c, "expected an address HOST:PORT, found %q", args[0])
		}
		return nil
	}
	return c
}

// checkPatience returns the fault of a timeout or a number of retries.
func checkPatience(c *cobra.Command, timeout time.Duration, retries int) error {
	switch {
	case timeout <= 0:
		return usagef(c, "--timeout: expected more than 0, found %v", timeout)
	case retries < 0:
		return usagef(c, "--retries: expected 0 or more, found %d", retries)
	}
	return nil
}

// A reply is a datagram that has come back.
type reply struct {
	from  string // the asked server, or the file
	bytes []byte
	took  time.Duration // 0 for a file
}

// heard has the facts that every result tells of its reply.
type heard struct {
	Protocol     string  `json:"protocol"`
	Address      string  `json:"address,omitempty"`
	File         string  `json:"file,omitempty"`
	Kind         string  `json:"kind"` // of answer
	Bytes        int     `json:"bytes"`
	Milliseconds float64 `json:"milliseconds,omitempty"`
	Damage       string  `json:"damage,omitempty"` // the fault, and its byte
}

func (q *inquiry) heard(protocol, kind string, r reply, damage error) heard {
	h := heard{Protocol: protocol, Kind: kind, Bytes: len(r.bytes)}
	h.Milliseconds = float64(r.took.Microseconds()) / 1000
	if q.file != "" {
		h.File = r.from
	} else {
		h.Address = r.from
	}
	if damage != nil {
		h.Damage = damage.Error()
	}
	return h
}

func (h *heard) row(out *report) []string {
	text := out.w.say("%s, %d bytes", h.Kind, h.Bytes)
	if h.Milliseconds > 0 {
		text += " " + out.w.say("in %.2f ms", h.Milliseconds)
	}
	return []string{"answer", text}
}

// reply is the answer of a file or a server: binary tells the bytes of an answer from hex, talk asks for one.
func (q *inquiry) reply(ctx context.Context, args []string, binary func([]byte) bool, talk conversation) (reply,
	error) {
	if q.file != "" {
		return q.read(binary)
	}
	return q.ask(ctx, args[0], talk)
}

// A conversation is one attempt: it sends its requests and returns the answer.
type conversation func(l *line) ([]byte, error)

// errSilence is why an attempt has failed that may be repeated.
var errSilence = errors.New("no answer")

// ask holds a conversation with a server, again while that is silent.
func (q *inquiry) ask(ctx context.Context, address string, talk conversation) (reply, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "udp", address)
	if err != nil {
		return reply{}, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	l := &line{conn: conn, timeout: q.timeout, buf: make([]byte, maxAnswer)}
	for range 1 + q.retries {
		began := time.Now()
		answer, err := talk(l)
		switch {
		case err == nil:
			return reply{address, answer, time.Since(began)}, nil
		case ctx.Err() != nil:
			return reply{}, failf("%s: interrupted", address)
		case !errors.Is(err, errSilence):
			return reply{}, failf("answer of %s: %v", address, err)
		}
	}
	var why any = ""
	if l.last != nil {
		why = failf("; %v", l.last)
	}
	silence := failf("no answer from %s: asked %d times, waited up to %v each time%s",
		address, 1+q.retries, q.timeout, why)
	other := q.other(address)
	if other == "" {
		return reply{}, silence
	}
	again := *q
	again.beside = 0
	r, err := again.ask(ctx, other, talk)
	if err != nil {
		return reply{}, failf("%v; nor from %s, the usual port beside that of a game", silence, other)
	}
	q.env.note("no answer from %s; this one is from %s, the usual port beside that of a game", address, other)
	return r, nil
}

// other is the usual query address of a game with this address, empty for none.
func (q *inquiry) other(address string) string {
	host, port, err := net.SplitHostPort(address)
	n, _ := strconv.Atoi(port)
	if err != nil || q.beside == 0 || n+q.beside > math.MaxUint16 {
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(n+q.beside))
}

// A line is a connected socket: the system passes on nothing that others than the server have sent.
type line struct {
	conn    net.Conn
	timeout time.Duration
	buf     []byte
	last    error // of an answer that was ignored
}

// send sends a request, to which receive waits for the answer.
func (l *line) send(request []byte) error {
	if _, err := l.conn.Write(request); err != nil {
		return l.silence(err)
	}
	return l.conn.SetReadDeadline(time.Now().Add(l.timeout))
}

// receive returns the next datagram; it is valid until the one after it.
func (l *line) receive() ([]byte, error) {
	n, err := l.conn.Read(l.buf)
	if err != nil {
		return nil, l.silence(err)
	}
	return l.buf[:n], nil
}

// silence keeps an error that tells more than that time has run out.
func (l *line) silence(err error) error {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		l.last = err
		time.Sleep(min(l.timeout, 100*time.Millisecond)) // a server that refuses does so at once, and may not be up yet
	}
	return errSilence
}

// mostReply is how many bytes of a reply in a file are read, much more than one has in hex.
const mostReply = 1 << 20

// read is the reply in a file.
func (q *inquiry) read(binary func([]byte) bool) (r reply, err error) {
	if r.from = q.file; q.file == "-" {
		r.from = "the standard input"
		r.bytes, err = io.ReadAll(io.LimitReader(q.env.in, mostReply))
	} else {
		r.bytes, err = readBounded(q.file, mostReply)
	}
	if err != nil || binary(r.bytes) {
		return r, err
	}
	var digits strings.Builder
	for l := range strings.Lines(string(r.bytes)) {
		if i := strings.IndexAny(l, ";#"); i >= 0 {
			l = l[:i] + "\n"
		}
		digits.WriteString(l)
	}
	if r.bytes, err = capture.ParseHex(digits.String()); err != nil {
		return r, failf("%s: %v", r.from, err)
	}
	return r, nil
}

// show prints a result, and returns the fault of the answer.
func (q *inquiry) show(r reply, result reporter, damage error) error {
	if err := printResult(q.env, result); err != nil {
		return err
	}
	if damage != nil {
		return failf("answer of %s is damaged at %v", r.from, damage)
	}
	return nil
}
