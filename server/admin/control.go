package admin

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"sphereserver/data/atomicfile"
)

// ControlFile is the name of the file in a data folder that tells how to reach the server that runs there.
const ControlFile = "control.json"

// An Address is what the control file holds.
type Address struct {
	Address string `json:"address"` // 127.0.0.1:port
	Token   string `json:"token"`   // who can read the file may command the server
	PID     int    `json:"pid"`
}

// WriteControlFile tells commands that a server listens on an address of this machine, and returns the token that
// they have to show. The file is readable for its owner only. The server holds the folder's lock.
func WriteControlFile(dir, address string) (token string, err error) {
	where := Address{Address: address, Token: rand.Text() + rand.Text(), PID: os.Getpid()}
	text, err := json.Marshal(where)
	if err != nil {
		return "", err
	}
	return where.Token, atomicfile.Write(filepath.Join(dir, ControlFile), append(text, '\n'), 0o600)
}

// RemoveControlFile tells commands that the server takes none any more.
func RemoveControlFile(dir string) error {
	if err := os.Remove(filepath.Join(dir, ControlFile)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
