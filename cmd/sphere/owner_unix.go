//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"sphereserver/data"
)

// Files of a data folder belong to the user that runs the server. A command of root would leave files there that the
// server may not read.

// ownerOf is the number of a file's owner.
func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}

// userName is the name of a user, or its number where the system has no name for it, as in an empty container.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("uid %d", uid)
}

// whose is the owner of a file, or of the nearest folder above it that can be seen, and the user of this program.
func whose(path string) (nearest, owner, user string) {
	for {
		if info, err := os.Lstat(path); err == nil {
			uid, _, _ := ownerOf(info)
			return path, userName(uid), userName(os.Geteuid())
		}
		above := filepath.Dir(path)
		if above == path {
			return path, "", ""
		}
		path = above
	}
}

// filesOf are the files of a data folder with their owners.
func filesOf(dir string) map[string]int {
	owners := map[string]int{}
	for _, folder := range []string{dir, filepath.Join(dir, data.BackupFolder)} {
		entries, _ := os.ReadDir(folder) // one that cannot be read has no files to tell of
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				if uid, _, ok := ownerOf(info); ok {
					owners[filepath.Join(folder, e.Name())] = uid
				}
			}
		}
	}
	return owners
}

// ownersIn is the owner of a data folder, and the files in it that belong to others.
func ownersIn(dir string) (owner string, others []string) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", nil
	}
	uid, _, _ := ownerOf(info)
	for path, of := range filesOf(dir) {
		if of != uid {
			others = append(others, path)
		}
	}
	return userName(uid), others
}

// keepOwners gives what root makes in the data folder of another user from now on to that user, when giveBack is
// called.
func keepOwners(dir string) (giveBack func()) {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return func() {}
	}
	uid, gid, ok := ownerOf(info)
	if !ok || uid == 0 {
		return func() {}
	}
	before := filesOf(dir)
	return func() {
		for path, of := range filesOf(dir) {
			if was, there := before[path]; of == 0 && (!there || was != 0) {
				give(path, uid, gid)
			}
		}
	}
}

// give makes a file or folder of root another user's. The folder is that user's, who may have put a link in the file's
// place: no other file may be given away by that.
func give(path string, uid, gid int) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if ok && s.Uid == 0 && (info.IsDir() || info.Mode().IsRegular() && s.Nlink == 1) {
		_ = f.Chown(uid, gid) // doctor tells of files that are left
	}
}
