//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// hideInput keeps a terminal from showing what is typed; false when in is no terminal.
func hideInput(in io.Reader) (restore func(), hidden bool) {
	f, ok := in.(*os.File)
	if !ok {
		return func() {}, false
	}
	before, err := unix.IoctlGetTermios(int(f.Fd()), getTerminal)
	if err != nil {
		return func() {}, false
	}
	quiet := *before
	quiet.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(int(f.Fd()), setTerminal, &quiet); err != nil {
		return func() {}, false
	}
	return func() { unix.IoctlSetTermios(int(f.Fd()), setTerminal, before) }, true
}
