package main

import (
	"bytes"
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

// queryCommand is "sphere query": the queries of server browsers, to our servers and to others'.
func queryCommand(env *environment) *cobra.Command {
	return group("query", "Ask a game server who it is and who plays there",
		aseQueryCommand(env), minecraftQueryCommand(env), w3gsQueryCommand(env), lanQueryCommand(env))
}

// A protocol is how a server is asked over UDP.
type protocol struct {
	name     string
	beside   int               // how far from the port of a game servers usually answer; 0: at that
	several  bool              // answers may come to one request
	binary   func([]byte) bool // tells the bytes of an answer from hex
	requests [][]byte
	// follow returns the requests that follow a datagram, nil for an answer; it is nil where all are answers.
	follow func(datagram []byte) ([][]byte, error)
	// decode reads an answer of a host, up to the damage if there is one. Without an answer, nothing was whole.
	decode func(host string, datagram []byte) (_ *answer, damage error)
}

// A passedOver error is why a datagram is no answer to this request.
type passedOver struct{ error }

// An inquiry asks one server over UDP, or reads its answer from a file.
type inquiry struct {
	env *environment
	*protocol
	timeout time.Duration
	retries int
	file    string // of the flag --read
	dial    dial
}

// A dial makes a socket for an address by a network, as [net.Dialer.DialContext] does.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

const (
	askTimeout = 2 * time.Second
	askRetries = 2
	maxAnswer  = 1 << 16 // bytes, as long as a datagram can be
	mostHeard  = 64      // datagrams in an attempt
)

// queryProtocolCommand completes a command that asks a server by the protocol that choose returns for its flags.
func queryProtocolCommand(
	env *environment, c *cobra.Command, choose func(*cobra.Command) (*protocol, error)) *cobra.Command {
	q := &inquiry{env: env, dial: new(net.Dialer).DialContext}
	env.withJSON(c)
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
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if q.protocol, err = choose(c); err != nil {
			return err
		}
		var r reply
		if q.file != "" {
			r, err = q.read()
		} else {
			r, err = q.ask(c.Context(), args[0])
		}
		if err != nil {
			return err
		}
		return q.show(r)
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

// A reply is the answer of a server.
type reply struct {
	from    string // the asked server, or the file
	answers [][]byte
	took    time.Duration // to the first; 0 for a file
}

// standardInput is the origin of a reply that was piped in.
const standardInput = "the standard input"

// origin is where the reply is from, behind "answer of".
func (r reply) origin() any {
	if r.from == standardInput {
		return text("стандартного ввода", standardInput)
	}
	return r.from
}

// sockets has one for each version of IP by which an address is known: many a server answers by one of them only.
func (q *inquiry) sockets(ctx context.Context, address string) ([]net.Conn, error) {
	first, err := q.dial(ctx, "udp", address)
	if err != nil {
		return nil, err
	}
	other := "udp4"
	if first.RemoteAddr().(*net.UDPAddr).IP.To4() != nil {
		other = "udp6"
	}
	if second, err := q.dial(ctx, other, address); err == nil {
		return []net.Conn{first, second}, nil
	}
	return []net.Conn{first}, nil
}

// ask asks a server, again while that is silent, and then where servers usually answer beside a game.
func (q *inquiry) ask(ctx context.Context, address string) (reply, error) {
	r := reply{from: address}
	conns, err := q.sockets(ctx, address)
	if err != nil {
		return r, err
	}
	for _, conn := range conns {
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	}
	var last any = "" // what is known but that time has run out
	for i := range (1 + q.retries) * len(conns) {
		silence, err := q.attempt(conns[i%len(conns)], &r)
		switch {
		case len(r.answers) > 0:
			return r, nil
		case ctx.Err() != nil:
			return r, failf("%s: interrupted", address)
		case err != nil:
			return r, failf("answer of %s: %v", address, err)
		case silence != nil:
			last = failf("; %v", silence)
		}
	}
	silence := failf("no answer from %s: asked %d times, waited up to %v each time%s",
		address, 1+q.retries, q.timeout, last)
	host, port, _ := net.SplitHostPort(address)
	n, _ := strconv.Atoi(port)
	if q.beside == 0 || n+q.beside > math.MaxUint16 {
		return r, silence
	}
	other, again := net.JoinHostPort(host, strconv.Itoa(n+q.beside)), *q.protocol
	again.beside = 0
	if r, err = (&inquiry{q.env, &again, q.timeout, q.retries, "", q.dial}).ask(ctx, other); err != nil {
		return r, failf("%v; nor from %s, the usual port beside that of a game", silence, other)
	}
	q.env.note("no answer from %s; this one is from %s, the usual port beside that of a game", address, other)
	return r, nil
}

// attempt sends the requests and hears the answers. It returns why there are none where more is known than that time
// has run out, or the fault of one. conn is connected: the system passes on nothing that others than the server send.
func (q *inquiry) attempt(conn net.Conn, r *reply) (silence, fault error) {
	requests, began, buf := q.requests, time.Now(), make([]byte, maxAnswer)
	for range mostHeard {
		n, err := 0, error(nil)
		for _, request := range requests {
			_, err = conn.Write(request)
			err = cmp.Or(err, conn.SetReadDeadline(time.Now().Add(q.timeout)))
		}
		if err == nil {
			n, err = conn.Read(buf)
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return silence, nil
		case err != nil:
			time.Sleep(min(q.timeout, 100*time.Millisecond)) // a server that refuses does so at once, and may not be up yet
			return err, nil
		}
		next, err := q.next(buf[:n])
		var passed passedOver
		switch requests = next; {
		case errors.As(err, &passed):
			silence = passed.error
		case err != nil:
			return nil, err
		case next == nil && !q.several:
			r.took, r.answers = time.Since(began), [][]byte{buf[:n]}
			return nil, nil
		case next == nil:
			if r.answers = append(r.answers, bytes.Clone(buf[:n])); len(r.answers) == 1 {
				r.took = time.Since(began)
				_ = conn.SetReadDeadline(time.Now().Add(min(q.timeout, 200*time.Millisecond))) // others follow closely
			}
		}
	}
	return silence, nil
}

// next returns the requests that follow a datagram, nil for an answer.
func (p *protocol) next(datagram []byte) ([][]byte, error) {
	if p.follow == nil {
		return nil, nil
	}
	return p.follow(datagram)
}

// mostReply is how many bytes of a reply in a file are read, much more than one has in hex.
const mostReply = 1 << 20

// read is the reply in a file.
func (q *inquiry) read() (reply, error) {
	r := reply{from: q.file}
	var source any = q.file
	var content []byte
	var err error
	if q.file == "-" {
		r.from, source = standardInput, text("стандартный ввод", standardInput)
		content, err = io.ReadAll(io.LimitReader(q.env.in, mostReply))
	} else {
		content, err = readBounded(q.file, mostReply)
	}
	if err == nil && !q.binary(content) {
		var digits strings.Builder
		for l := range strings.Lines(string(content)) {
			if i := strings.IndexAny(l, ";#"); i >= 0 {
				l = l[:i] + "\n"
			}
			digits.WriteString(l)
		}
		if content, err = capture.ParseHex(digits.String()); err != nil {
			err = failf("%s: %v", source, err)
		}
	}
	r.answers = [][]byte{content}
	return r, err
}

// show prints the answers, and returns the fault of one.
func (q *inquiry) show(r reply) error {
	host, origin := "", fact{key: "file", value: r.from}
	if q.file == "" {
		host, _, _ = net.SplitHostPort(r.from)
		origin.key = "address"
	}
	a, damage := q.decode(host, r.answers[0])
	if q.several {
		a, damage = &answer{}, nil
		var faults []error
		for _, datagram := range r.answers {
			if g, fault := q.decode(host, datagram); fault == nil {
				a.kind, a.games = g.kind, append(a.games, g)
			} else {
				faults = append(faults, failf("answer of %s: %v", r.origin(), fault))
			}
		}
		if len(a.games) == 0 {
			return faults[0]
		}
		for _, fault := range faults {
			q.env.note("%v", fault)
		}
		a.facts = []fact{{key: "games", value: a.games}}
	}
	var fault, took any
	if damage != nil {
		fault, damage = damage.Error(), failf("answer of %s is damaged at %v", r.origin(), damage)
	}
	if a == nil {
		return damage
	}
	size := len(bytes.Join(r.answers, nil))
	heard := sentence{"%s, %d bytes", []any{a.kind, size}}
	if ms := float64(r.took.Microseconds()) / 1000; ms > 0 {
		took, heard = ms, sentence{"%s, %d bytes in %.2f ms", []any{a.kind, size, ms}}
	}
	head := []fact{{key: "protocol", value: q.name}, origin, {key: "kind", value: a.kind}, {key: "bytes", value: size},
		{key: "milliseconds", value: took}, {key: "damage", value: fault}}
	a.facts = append(append(head, a.facts...), fact{label: "answer", shown: heard})
	return cmp.Or(q.env.print(a, a.print), damage)
}
