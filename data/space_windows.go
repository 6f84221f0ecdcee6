package data

import "golang.org/x/sys/windows"

// FreeBytes is how much this user may still write on the disk of a folder, and how large that is.
func FreeBytes(folder string) (free, total uint64, err error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, 0, err
	}
	err = windows.GetDiskFreeSpaceEx(path, &free, &total, nil)
	return free, total, err
}
