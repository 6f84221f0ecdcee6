//go:build !unix

package main

func ignoreTerminalStops() {}
