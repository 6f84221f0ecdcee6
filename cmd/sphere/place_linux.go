package main

import "golang.org/x/sys/unix"

// networkDisks are file systems of other machines, by the numbers of statfs.
var networkDisks = map[int64]string{unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.SMB2_SUPER_MAGIC: "SMB", unix.AFS_SUPER_MAGIC: "AFS", unix.AFS_FS_MAGIC: "AFS", unix.V9FS_MAGIC: "9P",
	unix.CEPH_SUPER_MAGIC: "Ceph", unix.CODA_SUPER_MAGIC: "Coda", unix.OCFS2_SUPER_MAGIC: "OCFS2"}

// diskOf is the kind of disk that a folder is on.
func diskOf(dir string) (d disk) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return d
	}
	d.readOnly = s.Flags&unix.ST_RDONLY != 0
	kind := int64(s.Type) // of another size on other processors
	d.memory = kind == unix.TMPFS_MAGIC || kind == unix.RAMFS_MAGIC
	d.network = networkDisks[kind]
	return d
}
