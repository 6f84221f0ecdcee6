//go:build !unix

package main

// hangups gives channels on which nothing comes: there is no SIGHUP.
func hangups() (reload, gone <-chan struct{}, stop func()) { return nil, nil, func() {} }
