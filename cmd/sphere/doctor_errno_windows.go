package main

import "golang.org/x/sys/windows"

// Why a program may not listen.
const (
	errInUse     = windows.WSAEADDRINUSE
	errForbidden = windows.WSAEACCES
	errNotHere   = windows.WSAEADDRNOTAVAIL
)
