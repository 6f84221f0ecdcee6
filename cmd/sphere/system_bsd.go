//go:build unix && !linux

package main

import "time"

func portHolder(uint16) string { return "" }

func clockFault() (time.Duration, error) { return 0, errNotKnown }
