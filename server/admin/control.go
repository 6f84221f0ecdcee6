package admin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"sphereserver/data/atomicfile"
)

// ControlFile is the name of the file in a data folder that tells how to reach the server that runs there.
const ControlFile = "control.json"

// Limits of the control listener. It is for commands on the same machine; few come at a time.
const (
	controlConnections   = 16
	controlBody          = 64 << 10         // bytes of a request
	controlHeader        = 8 << 10          // bytes of its header
	controlHeaderTimeout = 5 * time.Second  // for the header
	controlReadTimeout   = 10 * time.Second // for the whole request
	controlWorkTimeout   = 10 * time.Minute // for the answer: a check reads the whole database
	controlPath          = "/v1/"
)

// controlAddress is what the control file holds.
type controlAddress struct {
	Address string `json:"address"` // 127.0.0.1:port
	Token   string `json:"token"`   // who can read the file may command the server
	PID     int    `json:"pid"`
}

// A Control is a listener through which commands reach a running server.
type Control struct {
	dir    string
	http   *http.Server
	served chan struct{} // closed when nothing is served any more
}

// ListenControl starts to listen for the commands of operators on a free port of 127.0.0.1 and writes how to
// reach it into the data folder, readable for its owner only. The server holds the folder's lock.
func ListenControl(dir string, o Operator, log *slog.Logger) (*Control, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("control listener: %w", err)
	}
	where := controlAddress{Address: l.Addr().String(), Token: rand.Text() + rand.Text(), PID: os.Getpid()}
	if err := writeControlFile(dir, where); err != nil {
		l.Close()
		return nil, fmt.Errorf("control listener: %w", err)
	}
	var connections atomic.Int32
	c := &Control{dir: dir, served: make(chan struct{}), http: &http.Server{
		Handler:           &controlHandler{operator: o, address: where.Address, token: tokenSum(where.Token), log: log},
		ReadHeaderTimeout: controlHeaderTimeout,
		ReadTimeout:       controlReadTimeout,
		WriteTimeout:      controlWorkTimeout,
		IdleTimeout:       controlReadTimeout,
		MaxHeaderBytes:    controlHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ConnState: func(conn net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if connections.Add(1) > controlConnections {
					conn.Close()
				}
			case http.StateClosed, http.StateHijacked:
				connections.Add(-1)
			}
		},
	}}
	go func() {
		defer close(c.served)
		if err := c.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("control listener ended", "error", err)
		}
	}()
	return c, nil
}

// Close lets commands that are being worked on finish until ctx ends, and removes the control file.
func (c *Control) Close(ctx context.Context) error {
	removeErr := os.Remove(filepath.Join(c.dir, ControlFile))
	if errors.Is(removeErr, os.ErrNotExist) {
		removeErr = nil
	}
	err := c.http.Shutdown(ctx)
	if err != nil {
		c.http.Close()
	}
	<-c.served
	return errors.Join(err, removeErr)
}

func writeControlFile(dir string, where controlAddress) error {
	text, err := json.Marshal(where)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, ControlFile), append(text, '\n'), 0o600)
}

// controlHandler answers POST /v1/<method>.
type controlHandler struct {
	operator Operator
	address  string
	token    [sha256.Size]byte // hashed, so that comparing takes the same time whatever was sent
	log      *slog.Logger
}

func tokenSum(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

func (h *controlHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A browser that was lured to another name for this address, or that a page makes speak to us, is turned away.
	if r.Host != h.address || r.Header.Get("Origin") != "" {
		http.Error(w, "expected Host: "+h.address+" and no Origin", http.StatusForbidden)
		return
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sent := tokenSum(token)
	if subtle.ConstantTimeCompare(sent[:], h.token[:]) != 1 {
		http.Error(w, "expected the token of "+ControlFile, http.StatusUnauthorized)
		return
	}
	name, found := strings.CutPrefix(r.URL.Path, controlPath)
	work, known := calls[name]
	switch {
	case !found || !known:
		http.Error(w, "no such method", http.StatusNotFound)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "expected POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, controlBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, fmt.Sprintf("expected at most %d bytes", controlBody), http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the request ended early", http.StatusBadRequest)
		return
	}
	h.answer(w, r, name, work, body)
}

func (h *controlHandler) answer(w http.ResponseWriter, r *http.Request, name string, work call, body []byte) {
	var e envelope
	var answer any
	err := json.Unmarshal(body, &e)
	if err != nil {
		err = invalid(fmt.Errorf("expected the request as JSON: %w", err))
	} else {
		answer, err = work(As(r.Context(), e.Who), h.operator, e.Request)
	}
	out, status := reply{Answer: answer}, http.StatusOK
	if err != nil {
		out = reply{}
		out.Error, status = travelling(err)
	}
	level := slog.LevelInfo
	if name == "Report" {
		level = slog.LevelDebug // every command begins with it, to see whether anybody answers
	}
	h.log.Log(r.Context(), level, "operator", "method", name, "who", e.Who, "status", status)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(out); err != nil {
		h.log.Debug("operator: answer not sent", "method", name, "error", err)
	}
}
