package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// clockFault is the kernel's estimate of how wrong its clock is at most, kept by the program that synchronises it.
func clockFault() (time.Duration, error) {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	if err != nil {
		return 0, err
	}
	if state == unix.TIME_ERROR || t.Status&unix.STA_UNSYNC != 0 {
		return 0, errNotKnown
	}
	return time.Duration(t.Maxerror) * time.Microsecond, nil
}

// portHolder names the process that listens on a TCP port, as far as this user may see.
func portHolder(port uint16) string {
	inode := listeningInode(port)
	if inode == "" {
		return ""
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == "socket:["+inode+"]" {
			pid := strings.Split(link, "/")[2]
			name, _ := os.ReadFile("/proc/" + pid + "/comm")
			return fmt.Sprintf("%s (%s)", strings.TrimSpace(string(name)), pid)
		}
	}
	return ""
}

// listeningInode is the number of the socket that listens on a port.
func listeningInode(port uint16) string {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			// sl, local address:port, remote address:port, state, … and the inode as the tenth
			words := strings.Fields(s.Text())
			if len(words) < 10 || words[3] != "0A" {
				continue
			}
			_, at, _ := strings.Cut(words[1], ":")
			if n, err := strconv.ParseUint(at, 16, 16); err == nil && uint16(n) == port {
				return words[9]
			}
		}
	}
	return ""
}
