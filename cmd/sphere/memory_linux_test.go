package main

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"testing"
)

func TestMappingsThatWereNeverWritten(t *testing.T) {
	t.Parallel()
	const maps = `00400000-01600000 r-xp 00000000 fe:00 12                 /opt/a sphere
Rss:               12000 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me
01600000-01700000 r--p 01200000 fe:00 12                 /opt/a sphere
Anonymous:             4 kB
Swap:                  0 kB
VmFlags: rd mr mw me
01700000-01800000 r--p 01300000 fe:00 12                 /opt/a sphere
Anonymous:             0 kB
Swap:                  8 kB
VmFlags: rd mr mw me
01800000-01900000 rw-p 01400000 fe:00 12                 /opt/a sphere
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd wr mr mw me
01900000-01a00000 r--p 01500000 fe:00 12                 /opt/a sphere
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd mr mw me
7f0000000000-7f0000100000 r-xp 00000000 fe:00 13         /usr/lib/libc.so.6
Anonymous:             0 kB
VmFlags: rd ex mr mw me
7f0000100000-7f0000200000 r--p 00000000 00:00 0
Anonymous:             0 kB
VmFlags: rd mr mw me
`
	want := []mapping{{0x400000, 0x1600000}, {0x1900000, 0x1a00000}}
	if got := unwritten(maps, "/opt/a sphere"); !slices.Equal(got, want) {
		t.Errorf("%x, expected %x", got, want)
	}
	if got := unwritten(maps, "/opt/another"); len(got) > 0 {
		t.Errorf("%x of a file that is not mapped", got)
	}
	if got := unwritten("zz-1 r-xp 0 0 0 /a\nAnonymous: 0 kB\nVmFlags: rd\n", "/a"); len(got) > 0 {
		t.Errorf("%x of a line that makes no sense", got)
	}
}

// The pages leave, and the program goes on with what it needs of them.
func TestPagesOfTheProgramGo(t *testing.T) { // alone, since others look at pages meanwhile
	before := residentFile(t)
	dropProgram()
	if after := residentFile(t); after > before*3/4 {
		t.Errorf("%d KiB of files are resident, %d before", after, before)
	}
}

// residentFile is how many KiB of files this process has mapped and looked at.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("RssFile:"))
	n, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
