import Files
import Storage

/// Network file systems, on which SQLite's locks and shared memory do not work.
enum NetworkFileSystem {
    private static let types: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.ceph", "fuse.davfs", "fuse.gcsfuse",
        "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "lustre",
        "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "smb3", "smbfs", "vboxsf",
    ]

    /// Refuses an existing folder on a network file system; `place` is for the error.
    static func refuse(
        folder: String, at place: StoreComponent, mounts: String = "/proc/self/mountinfo"
    ) throws(StoreError) {
        let found = try place.access { () throws(SystemError) in
            let device = try FileStatus(of: folder).identity.deviceNumbers
            return kind(ofDevice: device, in: try MountList(at: mounts))
        }
        if let found { throw .networkFileSystem(place, kind: found) }
    }

    /// The type, such as `nfs4`, of the network file system with a device `major:minor`; nil for a
    /// local or unknown one.
    static func kind(ofDevice device: String, in mounts: MountList) -> String? {
        mounts.types(ofDevice: device).first(where: types.contains)
    }
}
