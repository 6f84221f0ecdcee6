package oplog

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A disk that has room for a part of a line gets none of it, and the next one when there is room again.
func TestABoundedFileOnAFullDisk(t *testing.T) {
	b, path, log := boundedFile(t, 1<<20)
	before := strings.Repeat("x", 89) + "\n"
	if _, err := b.Write([]byte(before)); err != nil {
		t.Fatal(err)
	}
	var was unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 100, Max: unix.RLIM_INFINITY}, &was); err != nil {
		t.Skip("files cannot be limited here: ", err)
	}
	_, err := b.Write([]byte(strings.Repeat("y", 89) + "\n"))
	if e := unix.Prlimit(0, unix.RLIMIT_FSIZE, &was, nil); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, unix.EFBIG) || !strings.Contains(log.String(), "are lost") {
		t.Errorf("a disk that is full: %v\n%s", err, log)
	}
	has(t, path, before)
	if _, err := b.Write([]byte("z\n")); err != nil {
		t.Error(err)
	}
	has(t, path, before+"z\n")
}
