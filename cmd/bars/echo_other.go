//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

// serveEcho has nothing to serve with: gnet is for development only here.
func serveEcho([]byte) (*served, error) { return nil, errNotHere }
