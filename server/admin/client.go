package admin

import (
	"bytes"
	"context"
	"crypto/rand"
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

	"sphereserver/data/atomicfile"
	"sphereserver/server/ops"
)

// ControlFile is the name of the file in a data folder that tells how to reach the server that runs there.
const ControlFile = "control.json"

// ControlSocket is the name of the Unix socket in a data folder through which commands reach its server. Only the
// owner may connect, so nobody else on the machine can take the places of operators.
const ControlSocket = "control.sock"

// An Address is the contents of the control file.
type Address struct {
	// Address is [ControlSocket] in the folder of the file, or 127.0.0.1:port where there are no Unix sockets.
	Address string `json:"address"`
	Token   string `json:"token"` // a user that can read the file may command the server
	PID     int    `json:"pid"`
	Folder  string `json:"folder"` // of the server: a copy of the folder has the file, too
}

// of reports whether the server is a folder's.
func (a *Address) of(dir string) bool { return a.Folder == folderName(dir) }

// folderName is one name for a folder, for all paths that lead to it.
func folderName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

// Host is the header Host of requests to the server.
func (a Address) Host() string {
	if a.Address == ControlSocket {
		return "control"
	}
	return a.Address
}

// Dialer connects to the server that has written the control file of a folder, for any address.
func (a Address) Dialer(dir string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		d := net.Dialer{Timeout: 2 * time.Second}
		if a.Address == ControlSocket { // of this folder: it may have another path where the server runs
			return d.DialContext(ctx, "unix", filepath.Join(dir, ControlSocket))
		}
		return d.DialContext(ctx, "tcp", a.Address)
	}
}

// WriteControlFile tells commands where a server listens on this machine, and returns the token that they have to
// show. The file is readable for its owner only. The server holds the folder's lock.
func WriteControlFile(dir, address string) (token string, err error) {
	where := Address{Address: address, Token: rand.Text() + rand.Text(), PID: os.Getpid(), Folder: folderName(dir)}
	text, err := json.Marshal(where)
	if err != nil {
		return "", err
	}
	return where.Token, atomicfile.Write(filepath.Join(dir, ControlFile), append(text, '\n'), 0o600)
}

// RemoveControlFile tells commands that the server takes none any more.
func RemoveControlFile(dir string) error {
	if err := os.Remove(filepath.Join(dir, ControlFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// OperatorHeader names the operator, for the audit trail. It is believed with the token of the control file.
const OperatorHeader = "X-Sphere-Operator"

// VerbPath is where a verb is asked for by HTTP.
func VerbPath(verb string) string { return "/api/verbs/" + strings.ReplaceAll(verb, " ", "-") }

type client struct {
	who   string // for the audit trail
	where Address
	http  *http.Client

	russian bool // refusals are to be in Russian
}

func newClient(who, dir string, where Address) *client {
	return &client{who: who, where: where, http: &http.Client{Transport: &http.Transport{
		DialContext:         where.Dialer(dir),
		MaxIdleConnsPerHost: 1,
		Proxy:               nil, // the server is on this machine, in any environment
	}}}
}

// A remoteError is an error that has travelled. It is of the kind that it was where it arose.
type remoteError struct {
	Text string `json:"error"`
	Code string `json:"code"`
}

func (e *remoteError) Error() string { return e.Text }

// Is reports whether the error was of a kind.
func (e *remoteError) Is(kind error) bool { return kind != nil && kind == ops.KindOf(e.Code) }

func (c *client) ask(ctx context.Context, verb string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	to := "http://" + c.where.Host() + VerbPath(verb)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.where.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(OperatorHeader, url.QueryEscape(c.who))
	if c.russian {
		r.Header.Set("Accept-Language", "ru")
	}
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
