// Package passwords hashes passwords where players do not feel it: in a process of its own, of lower priority, which is
// the same program started once more. A hash takes tens of milliseconds of a processor and 19 MiB. A thread of lower
// priority would not do: the runtime stops all threads together now and then, and waits for one that gets no processor.
//
// A program that makes a [Worker] first asks [Called], before anything else, and does [Main] if so.
package passwords

import (
	"context"

	"sphereserver/data"
)

// Here hashes passwords in this process.
type Here struct{}

// Hash makes the hash that an account stores.
func (Here) Hash(_ context.Context, password string) (string, error) {
	return data.HashPassword(password, data.DefaultHashParams)
}

// Verify reports whether a password fits a hash.
func (Here) Verify(_ context.Context, hash, password string) (bool, error) {
	ok, _, err := data.VerifyPassword(hash, password)
	return ok, err
}

// The messages between the two processes, as gobs: the child's greeting, and then an answer to each question, in any
// order.
type (
	greeting struct{ Protocol int }
	question struct {
		ID       uint64
		Password string
		Verify   bool // against Hash; otherwise one is made with Params
		Hash     string
		Params   data.HashParams
	}
	answer struct {
		ID    uint64
		Right bool
		Hash  string
		Fault string // empty for none
	}
)

// protocol is the version of those types: the program on the disk may be a newer one.
const protocol = 1
