// Package inmemory puts the temporary folders of a test's program into memory, where there is room: a store that waits
// for a disk after each write waits longer than most tests compute. Only tests import it, for that alone.
//
// Benchmarks and tests behind the tag "system" measure disks, and stay on them. So does each run with a TMPDIR.
package inmemory
