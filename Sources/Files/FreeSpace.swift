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
}
