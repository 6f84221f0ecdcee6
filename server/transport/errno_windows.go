package transport

import "golang.org/x/sys/windows"

const errAddrInUse = windows.WSAEADDRINUSE
