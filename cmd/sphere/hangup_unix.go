//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// hangups gives two channels: reload gets something when SIGHUP asks for the configuration to be read again, gone when
// the terminal that the program was started in has been closed, which sends the same signal.
func hangups() (reload, gone <-chan struct{}, stop func()) {
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

// terminalThere says whether the process has a terminal that controls it.
func terminalThere() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}
