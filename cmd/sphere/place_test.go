package main

import (
	"runtime"
	"testing"
)

func TestUnknownZone(t *testing.T) {
	for name, want := range map[string]string{"": "", "UTC": "", "Europe/Moscow": "", ":Europe/Moscow": "",
		"/etc/localtime": "", "Europe/Moskow": "Europe/Moskow", "MSK-3": "MSK-3"} {
		t.Setenv("TZ", name)
		if got := unknownZone(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestDataInMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what a disk is can be told on Linux only")
	}
	if d := diskOf("/dev/shm"); !d.memory || d.network != "" {
		t.Skipf("/dev/shm is no memory here: %+v", d)
	}
	if d := diskOf(t.TempDir()); d.network != "" || d.readOnly {
		t.Errorf("the folder of this test is on %+v", d)
	}
	if d := diskOf("/no such folder"); d != (disk{}) {
		t.Errorf("no folder is on %+v", d)
	}
}
