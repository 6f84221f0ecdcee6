//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// Why a program may not listen.
const (
	errInUse     = syscall.EADDRINUSE
	errForbidden = syscall.EACCES
	errNotHere   = syscall.EADDRNOTAVAIL
)

// descriptorLimit is the greatest that the program can give itself.
func descriptorLimit() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil || l.Max > 1<<30 {
		return 0
	}
	return int(l.Max)
}

// hangups gives two channels: reload gets something when SIGHUP asks for the configuration to be read again, gone when
// the terminal that the program was started in has been closed, which sends the same signal. A server outlives the
// program that reads its log, such as a journal that begins again: Go would end it at the next line.
func hangups() (reload, gone <-chan struct{}, stop func()) {
	signal.Ignore(syscall.SIGPIPE)
	inTerminal := !signal.Ignored(syscall.SIGHUP) && terminalThere() // ignored: nohup
	signals, again, closed := make(chan os.Signal, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	done := make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-signals:
			case <-done:
				return
			}
			to := again
			if inTerminal && !terminalThere() {
				to = closed
			}
			select {
			case to <- struct{}{}:
			default:
			}
		}
	}()
	return again, closed, func() {
		signal.Stop(signals)
		close(done)
	}
}

// terminalThere reports whether the process has a terminal that controls it.
func terminalThere() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// ignoreTerminalStops makes a read from the terminal fail in a background program, which would otherwise be stopped.
func ignoreTerminalStops() { signal.Ignore(syscall.SIGTTIN) }

// systemLanguage is empty: only the environment's variables name a language.
func systemLanguage() string { return "" }

// stopWithin is how long an orderly stop may take.
var stopWithin = stopPatience

// prepareConsole has nothing to do: consoles are UTF-8.
func prepareConsole() (restore func()) { return func() {} }

// doubleClicked is about Windows.
func doubleClicked() bool { return false }

var errNoServices = errors.New("services of this kind are a thing of Windows; for systemd there is " +
	"contrib/sphere.service")

func installService(printer, string, []string) error { return errNoServices }

func removeService(context.Context) error { return errNoServices }

func startService(context.Context, printer) error { return errNoServices }

func stopService(context.Context) error { return errNoServices }

func runService(context.Context, func(context.Context, func()) error) error { return errNoServices }
