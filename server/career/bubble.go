package career

import (
	"fmt"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// simulated calls play on simulated time, which goes by as fast as the program computes. Go offers that to tests, and
// takes no more of a test than its value.
func simulated(play func() error) (err error) {
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("career: a panic on simulated time: %v\n%s", v, debug.Stack())
			}
		}()
		err = play()
	})
	return err
}
