//go:build race

package sim_test

import "runtime"

// The race detector sees races by their order, not by chance, and with hundreds of goroutines on several processors it has failed in
// itself ("ThreadSanitizer: CHECK failed"). So the whole server has one processor with it.
func init() { runtime.GOMAXPROCS(1) }
