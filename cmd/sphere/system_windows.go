package main

import (
	"time"

	"github.com/inconshreveable/mousetrap"
	"github.com/spf13/cobra"
	"golang.org/x/sys/windows"
)

// Why a program may not listen.
const (
	errInUse     = windows.WSAEADDRINUSE
	errForbidden = windows.WSAEACCES
	errNotHere   = windows.WSAEADDRNOTAVAIL
)

// descriptorLimit is 0: Windows has none that matters.
func descriptorLimit() int { return 0 }

func portHolder(uint16) string { return "" }

func clockFault() (time.Duration, error) { return 0, errNotKnown }

// hangups gives channels on which nothing comes: there is no SIGHUP.
func hangups() (reload, gone <-chan struct{}, stop func()) { return nil, nil, func() {} }

// whose is about Unix: Windows says who may do what in other ways.
func whose(path string) (nearest, owner, user string) { return path, "", "" }

func keepOwners(string) (giveBack func()) { return func() {} }

func ownersIn(string) (owner string, others []string) { return "", nil }

func ignoreTerminalStops() {}

// systemLanguage is the language of the user's windows, as "ru-RU".
func systemLanguage() string {
	names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(names) == 0 {
		return ""
	}
	return names[0]
}

func init() {
	cobra.MousetrapHelpText = "" // by itself it would refuse a double click on the program
}

// doubleClicked says that the program was started by a double click, in a window that closes with it.
func doubleClicked() bool { return mousetrap.StartedByExplorer() }

// stopWithin is how long an orderly stop may take. Windows ends a program 5 s after its console window was closed; in
// the time that is left when nobody is waited for any more, everybody is saved.
var stopWithin = 2500 * time.Millisecond

// codePageUTF8 is the number that Windows has for UTF-8.
const codePageUTF8 = 65001

// prepareConsole makes other programs read the output of this one as UTF-8. Output to a window is right without it.
// The console belongs to others too, so it is put back at the end.
func prepareConsole() (restore func()) {
	before, err := windows.GetConsoleOutputCP()
	if err != nil || before == codePageUTF8 || windows.SetConsoleOutputCP(codePageUTF8) != nil {
		return func() {} // there is no console
	}
	return func() { _ = windows.SetConsoleOutputCP(before) }
}
