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
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
)

// ErrNoServer is what [Connect] returns when no server has left word of itself in the data folder.
var ErrNoServer = errors.New("no server is running")

// A StaleError is what [Connect] returns when a control file is there but nobody answers: its server has not ended in order.
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

// A Client asks a running server to do an operator's work.
type Client struct {
	Who   string // for the audit trail
	where controlAddress
	http  *http.Client
}

var _ Operator = (*Client)(nil)

// Connect finds the server that runs in a data folder and makes sure that it answers. The error is ErrNoServer or a
// StaleError when there is none.
func Connect(ctx context.Context, dir string) (*Client, error) {
	path := filepath.Join(dir, ControlFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s", ErrNoServer, dir)
	}
	if err != nil {
		return nil, err
	}
	c := &Client{http: &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 1,
		Proxy:               nil, // the server is on this machine, whatever the environment says
	}}}
	if err := json.Unmarshal(text, &c.where); err != nil {
		return nil, &StaleError{Path: path, Err: fmt.Errorf("expected JSON: %w", err)}
	}
	probe, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := c.Report(probe, Nothing{}); err != nil {
		c.Close()
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &StaleError{Path: path, PID: c.where.PID, Err: err}
	}
	return c, nil
}

// Close gives up the connection.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// ask sends a request to the server and waits for its answer.
func ask[Answer any](ctx context.Context, c *Client, method string, request any) (Answer, error) {
	var none Answer
	inner, err := json.Marshal(request)
	if err != nil {
		return none, fmt.Errorf("control: %w", err)
	}
	body, err := json.Marshal(envelope{Who: c.Who, Request: inner})
	if err != nil {
		return none, fmt.Errorf("control: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.where.Address+controlPath+method, bytes.NewReader(body))
	if err != nil {
		return none, fmt.Errorf("control: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.where.Token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(r)
	if err != nil {
		return none, fmt.Errorf("control: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return none, fmt.Errorf("control: %s: the answer ended early: %w", method, err)
	}
	var out struct {
		Answer Answer     `json:"answer"`
		Error  *callError `json:"error"`
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return none, fmt.Errorf("control: %s: expected JSON, found %s: %.200q", method, resp.Status, text)
	}
	if out.Error != nil {
		return none, out.Error
	}
	return out.Answer, nil
}

// AddAccount asks the server for [Ops.AddAccount].
func (c *Client) AddAccount(ctx context.Context, n NewAccount) (Account, error) {
	return ask[Account](ctx, c, "AddAccount", n)
}

// Accounts asks the server for [Ops.Accounts].
func (c *Client) Accounts(ctx context.Context, s Search) ([]Account, error) {
	return ask[[]Account](ctx, c, "Accounts", s)
}

// Account asks the server for [Ops.Account].
func (c *Client) Account(ctx context.Context, n AccountName) (Account, error) {
	return ask[Account](ctx, c, "Account", n)
}

// SetPassword asks the server for [Ops.SetPassword].
func (c *Client) SetPassword(ctx context.Context, p Password) (Account, error) {
	return ask[Account](ctx, c, "SetPassword", p)
}

// SetRole asks the server for [Ops.SetRole].
func (c *Client) SetRole(ctx context.Context, r RoleChange) (Account, error) {
	return ask[Account](ctx, c, "SetRole", r)
}

// BanAccount asks the server for [Ops.BanAccount].
func (c *Client) BanAccount(ctx context.Context, b AccountBan) (Account, error) {
	return ask[Account](ctx, c, "BanAccount", b)
}

// UnbanAccount asks the server for [Ops.UnbanAccount].
func (c *Client) UnbanAccount(ctx context.Context, n AccountName) (Account, error) {
	return ask[Account](ctx, c, "UnbanAccount", n)
}

// KickAccount asks the server for [Ops.KickAccount].
func (c *Client) KickAccount(ctx context.Context, k Kick) (Account, error) {
	return ask[Account](ctx, c, "KickAccount", k)
}

// MuteAccount asks the server for [Ops.MuteAccount].
func (c *Client) MuteAccount(ctx context.Context, m AccountMute) (Account, error) {
	return ask[Account](ctx, c, "MuteAccount", m)
}

// UnmuteAccount asks the server for [Ops.UnmuteAccount].
func (c *Client) UnmuteAccount(ctx context.Context, n AccountName) (Account, error) {
	return ask[Account](ctx, c, "UnmuteAccount", n)
}

// Say asks the server for [Ops.Say].
func (c *Client) Say(ctx context.Context, s Saying) (Saying, error) {
	return ask[Saying](ctx, c, "Say", s)
}

// DeleteAccount asks the server for [Ops.DeleteAccount].
func (c *Client) DeleteAccount(ctx context.Context, n AccountName) (Account, error) {
	return ask[Account](ctx, c, "DeleteAccount", n)
}

// BanAddress asks the server for [Ops.BanAddress].
func (c *Client) BanAddress(ctx context.Context, b AddressBan) (AddressBan, error) {
	return ask[AddressBan](ctx, c, "BanAddress", b)
}

// UnbanAddress asks the server for [Ops.UnbanAddress].
func (c *Client) UnbanAddress(ctx context.Context, b AddressBan) (AddressBan, error) {
	return ask[AddressBan](ctx, c, "UnbanAddress", b)
}

// AddressBans asks the server for [Ops.AddressBans].
func (c *Client) AddressBans(ctx context.Context, n Nothing) ([]AddressBan, error) {
	return ask[[]AddressBan](ctx, c, "AddressBans", n)
}

// Characters asks the server for [Ops.Characters].
func (c *Client) Characters(ctx context.Context, s Search) ([]Character, error) {
	return ask[[]Character](ctx, c, "Characters", s)
}

// Character asks the server for [Ops.Character].
func (c *Client) Character(ctx context.Context, n CharacterName) (CharacterDetail, error) {
	return ask[CharacterDetail](ctx, c, "Character", n)
}

// MoveCharacter asks the server for [Ops.MoveCharacter].
func (c *Client) MoveCharacter(ctx context.Context, m Move) (Character, error) {
	return ask[Character](ctx, c, "MoveCharacter", m)
}

// RenameCharacter asks the server for [Ops.RenameCharacter].
func (c *Client) RenameCharacter(ctx context.Context, r Rename) (Character, error) {
	return ask[Character](ctx, c, "RenameCharacter", r)
}

// DeleteCharacter asks the server for [Ops.DeleteCharacter].
func (c *Client) DeleteCharacter(ctx context.Context, n CharacterName) (Character, error) {
	return ask[Character](ctx, c, "DeleteCharacter", n)
}

// Backup asks the server for [Ops.Backup].
func (c *Client) Backup(ctx context.Context, f File) (File, error) {
	return ask[File](ctx, c, "Backup", f)
}

// Check asks the server for [Ops.Check].
func (c *Client) Check(ctx context.Context, n Nothing) (CheckResult, error) {
	return ask[CheckResult](ctx, c, "Check", n)
}

// Report asks the server for [Ops.Report].
func (c *Client) Report(ctx context.Context, n Nothing) (Report, error) {
	return ask[Report](ctx, c, "Report", n)
}

// Audit asks the server for [Ops.Audit].
func (c *Client) Audit(ctx context.Context, s AuditSearch) ([]data.AuditEntry, error) {
	return ask[[]data.AuditEntry](ctx, c, "Audit", s)
}
