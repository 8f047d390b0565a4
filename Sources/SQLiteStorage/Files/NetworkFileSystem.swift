import Files
import Storage

/// Network file systems, on which SQLite's locks and shared memory do not work.
enum NetworkFileSystem {
    /// What is read of the list of mounts, in bytes: more than any machine has.
    private static let longestList = 16 << 20
    private static let types: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.ceph", "fuse.davfs", "fuse.gcsfuse",
        "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "lustre",
        "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "smb3", "smbfs", "vboxsf",
    ]

    /// Refuses a folder on a network file system (contract, section 7).
    ///
    /// - Parameters:
    ///   - folder: an existing folder.
    ///   - place: what an error names.
    ///   - mounts: the kernel's list of mounts.
    /// - Throws: ``StoreError/networkFileSystem(_:kind:)``, or that the system does not say.
    static func refuse(
        folder: String, at place: StorePlace, mounts: String = "/proc/self/mountinfo"
    ) throws(StoreError) {
        let (device, text) = try place.access { () throws(SystemFault) in
            let device = try FileStatus(of: folder).identity.deviceNumbers
            // Where /proc is not mounted, nothing can be told and nothing is refused.
            guard try FileStatus.find(mounts) != nil else { return (device, "") }
            let bytes = try OpenFile(mounts, for: .reading).beginning(longestList)
            return (device, String(decoding: bytes, as: UTF8.self))
        }
        if let kind = kind(ofDevice: device, in: text) {
            throw .networkFileSystem(place, kind: kind)
        }
    }

    /// The type, such as `nfs4`, of the network file system with a device `major:minor`; nil for a
    /// local or unknown one.
    ///
    /// - Parameters:
    ///   - device: `major:minor`.
    ///   - mounts: lines as in `proc_pid_mountinfo(5)`: the third field is the device, the first after ` - ` the type.
    /// - Returns: such as `nfs4`.
    static func kind(ofDevice device: String, in mounts: String) -> String? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == device, let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.endIndex
            else { continue }
            let type = String(fields[dash + 1])
            if types.contains(type) { return type }
        }
        return nil
    }
}
