package session

import (
	"context"
	"errors"

	"sphereserver/data"
)

// hashing is the pool in which passwords are hashed: the work of many milliseconds and megabytes that nothing else may
// wait on.
type hashing struct {
	slots chan struct{}
	decoy string // of no account
}

func newHashing(workers int) (*hashing, error) {
	decoy, err := data.HashPassword("decoy", data.DefaultHashParams)
	return &hashing{slots: make(chan struct{}, workers), decoy: decoy}, err
}

var errClientGone = errors.New("the client has gone")

// run waits for a slot, and works unless nobody is there any more to be answered.
func (h *hashing) run(ctx context.Context, s *Session, work func() error) error {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h.slots }()
	if s.gone.Load() {
		return errClientGone
	}
	return work()
}
