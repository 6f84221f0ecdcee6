//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

func serveBare([]byte) (*served, error) { return nil, errNotHere }
