package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sphereserver/server/ops"
)

// ErrNoServer is what [Dial] returns when no server has left word of itself in the data folder.
var ErrNoServer = errors.New("no server is running")

// A StaleError is what [Dial] returns when a control file is there but nobody answers: its server has not ended in
// order.
type StaleError struct {
	Path string
	PID  int
	Err  error
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("%s is stale: process %d, which wrote it, does not answer (%v)", e.Path, e.PID, e.Err)
}

// Unwrap is what went wrong on the way to the server.
func (e *StaleError) Unwrap() error { return e.Err }

// Dial finds the server that runs in a data folder and makes sure that it answers. The error is ErrNoServer or a
// StaleError when there is none.
func Dial(ctx context.Context, dir, who string) (*Conn, error) {
	path := filepath.Join(dir, ControlFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s", ErrNoServer, dir)
	}
	if err != nil {
		return nil, err
	}
	server := &client{who: who, http: &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 1,
		Proxy:               nil, // the server is on this machine, whatever the environment says
	}}}
	c := &Conn{server: server, close: func() error {
		server.http.CloseIdleConnections()
		return nil
	}}
	if err := json.Unmarshal(text, &server.where); err != nil {
		return nil, &StaleError{Path: path, Err: fmt.Errorf("expected JSON: %w", err)}
	}
	probe, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := Do(probe, c, ops.GetReport, ops.Empty{}); err != nil {
		c.Close()
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &StaleError{Path: path, PID: server.where.PID, Err: err}
	}
	return c, nil
}

// A client asks a running server to do an operator's work.
type client struct {
	who   string // for the audit trail
	where Address
	http  *http.Client
}

// A remoteError is an error that has travelled. It is of the kind that it was where it arose.
type remoteError struct {
	Text   string            `json:"error"`
	Code   string            `json:"code"`
	Fields map[string]string `json:"fields"`
}

func (e *remoteError) Error() string { return e.Text }

// Is says whether the error was of a kind.
func (e *remoteError) Is(kind error) bool { return kind != nil && kind == ops.KindOf(e.Code) }

// ask sends a request to the server and waits for its answer.
func (c *client) ask(ctx context.Context, verb string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	to := "http://" + c.where.Address + VerbPath(verb)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.where.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(OperatorHeader, url.QueryEscape(c.who))
	resp, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("control: %s: the answer ended early: %w", verb, err)
	}
	if resp.StatusCode != http.StatusOK {
		var failed remoteError
		if json.Unmarshal(text, &failed) == nil && failed.Code != "" {
			return &failed
		}
	} else if json.Unmarshal(text, answer) == nil {
		return nil
	}
	return fmt.Errorf("control: %s: expected JSON, found %s: %.200q", verb, resp.Status, text)
}

// VerbPath is where a verb is asked for by HTTP.
func VerbPath(verb string) string { return "/api/verbs/" + strings.ReplaceAll(verb, " ", "-") }

// OperatorHeader names who commands, for the audit trail. It is believed who has the token of the control file.
const OperatorHeader = "X-Sphere-Operator"
