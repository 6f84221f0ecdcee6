//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

// serveBroadcast has nothing to serve with: gnet is for development only here.
func serveBroadcast([]byte) (*served, error) { return nil, errNotHere }
