package main

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// hideInput keeps a console from showing what is typed; false when in is no console.
func hideInput(in io.Reader) (restore func(), hidden bool) {
	f, ok := in.(*os.File)
	if !ok {
		return func() {}, false
	}
	console := windows.Handle(f.Fd())
	var before uint32
	if err := windows.GetConsoleMode(console, &before); err != nil {
		return func() {}, false
	}
	if err := windows.SetConsoleMode(console, before&^windows.ENABLE_ECHO_INPUT); err != nil {
		return func() {}, false
	}
	return func() { windows.SetConsoleMode(console, before) }, true
}
