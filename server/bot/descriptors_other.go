//go:build !unix

package bot

// RaiseDescriptors lets the process open as many files and connections as the system allows it, and returns how many
// that are; 0 if that cannot be told.
func RaiseDescriptors() int { return 0 }
