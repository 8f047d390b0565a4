import Glibc

/// Who owns a file and who may do what with it.
///
/// Asked by path: opening and closing a second descriptor of a database would drop the locks that SQLite holds on it.
struct FileStatus {
    let mode: mode_t
    let owner: uid_t
    /// `major:minor`, as the list of mounts has it.
    let device: String

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isWritableByOthers: Bool { mode & 0o022 != 0 }
    var isOpenToOthers: Bool { mode & 0o077 != 0 }

    /// Asks about a path, following links; nil when nothing is there.
    ///
    /// - Parameters:
    ///   - path: the file or folder.
    ///   - place: what an error names.
    /// - Throws: ``StoreError`` when the system does not say.
    init?(of path: String, at place: StorePlace) throws(StoreError) {
        var status = stat()
        guard unsafe stat(path, &status) != 0 else {
            self.mode = status.st_mode
            self.owner = status.st_uid
            self.device = Self.numbers(of: status.st_dev)
            return
        }
        guard errno == ENOENT else { throw SystemFault.error(errno, at: place) }
        return nil
    }

    /// Takes a device number apart as `<sys/sysmacros.h>` does, which Swift does not import.
    private static func numbers(of device: dev_t) -> String {
        let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
        let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
        return "\(UInt32(truncatingIfNeeded: major)):\(UInt32(truncatingIfNeeded: minor))"
    }
}
