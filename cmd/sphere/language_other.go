//go:build !windows

package main

func systemLanguage() string { return environmentLanguage() }
