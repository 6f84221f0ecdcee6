//go:build unix

package main

import "syscall"

// Why a program may not listen.
const (
	errInUse     = syscall.EADDRINUSE
	errForbidden = syscall.EACCES
	errNotHere   = syscall.EADDRNOTAVAIL
)
