// Package lazyregexp has regular expressions that are compiled when they are first asked for. A start of the program
// needs few of its dozens, and each takes a tenth of a millisecond.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Of returns a function that compiles the pattern at its first call, and panics then if it is none. Any goroutine may
// call it.
func Of(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
