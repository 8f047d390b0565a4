import Glibc

extension Folder {
    /// How many bytes this user may still write to the file system of a path (`statvfs(3)`).
    ///
    /// - Parameter path: a file or folder that is there.
    /// - Throws: ``SystemFault`` when the system does not say.
    package static func freeBytes(at path: String) throws(SystemFault) -> Int {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last }
        let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Whether this user can make no more files on the file system of a path: no room is left, or no number for a file.
    ///
    /// - Parameter path: a file or folder that is there; false also when the system does not say.
    package static func isFull(at path: String) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return false }
        // A file system without blocks or numbers of its own has no end of them either.
        return status.f_blocks > 0 && status.f_bavail == 0
            || status.f_files > 0 && status.f_favail == 0
    }
}
