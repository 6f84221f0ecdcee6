//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd || windows)

package main

import "io"

// hideInput cannot hide anything here.
func hideInput(io.Reader) (restore func(), hidden bool) { return func() {}, false }
