package main

import (
	"time"

	"golang.org/x/sys/windows"
)

// freeBytes is how much this user may still write.
func freeBytes(dir string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(existing(dir))
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}

// descriptorLimit is 0: Windows has none that matters.
func descriptorLimit() int { return 0 }

func portHolder(uint16) string { return "" }

func clockFault() (time.Duration, error) { return 0, errNotKnown }
