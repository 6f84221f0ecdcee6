//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreTerminalStops lets a program in the background read nothing from its terminal, instead of being stopped for
// trying.
func ignoreTerminalStops() { signal.Ignore(syscall.SIGTTIN) }
