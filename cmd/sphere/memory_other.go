//go:build !linux

package main

// dropProgram leaves the pages of the program's file to the system.
func dropProgram() {}
