//go:build !unix || freebsd || dragonfly

package data

// runChild is of use only where processes can be killed and limited as Unix does.
func runChild(string) {}
