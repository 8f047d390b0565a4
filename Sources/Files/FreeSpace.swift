import Glibc

extension Folder {
    /// The number of bytes that this user can still write to a path's file system (`statvfs(3)`).
    package static func freeBytes(at path: String) throws(SystemError) -> Int {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last }
        let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Whether a file system has no space or inodes left for this user; false if this is unknown.
    package static func isFull(at path: String) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return false }
        // A file system that reports no blocks or inodes has no such limit.
        return status.f_blocks > 0 && status.f_bavail == 0
            || status.f_files > 0 && status.f_favail == 0
    }
}
