//go:build !windows

package main

// stopWithin is how long an orderly stop may take.
var stopWithin = stopPatience

// prepareConsole has nothing to do: consoles are UTF-8.
func prepareConsole() (restore func()) { return func() {} }

// doubleClicked is about Windows.
func doubleClicked() bool { return false }
