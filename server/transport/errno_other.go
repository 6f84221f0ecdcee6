//go:build !windows

package transport

import "syscall"

const errAddrInUse = syscall.EADDRINUSE
