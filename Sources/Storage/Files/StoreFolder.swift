import Glibc

/// The folder that the store stands in.
enum StoreFolder {
    /// Makes a folder and the missing ones above it, each for its owner alone.
    ///
    /// - Parameters:
    ///   - folder: relative to the current folder, or absolute.
    ///   - place: what an error names.
    /// - Throws: ``StoreError`` when the system refuses or a file stands in the way.
    static func create(_ folder: String, at place: StorePlace) throws(StoreError) {
        if let status = try FileStatus(of: folder, at: place) {
            guard status.isFolder else { throw SystemFault.error(ENOTDIR, at: place) }
            return
        }
        try create(FilePath.folder(of: folder), at: place)
        // Another process may have been faster.
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw SystemFault.error(errno, at: place)
        }
    }

    /// Makes a new file's name in its folder durable.
    static func sync(_ folder: String, at place: StorePlace) throws(StoreError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault.error(errno, at: place) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemFault.error(errno, at: place) }
    }

    /// The nearest path at or above a folder that exists.
    ///
    /// - Parameters:
    ///   - folder: may not exist yet.
    ///   - place: what an error names.
    /// - Returns: a path that exists; the current folder or the root at the last.
    /// - Throws: ``StoreError`` when the system does not say.
    static func nearest(_ folder: String, at place: StorePlace) throws(StoreError) -> String {
        var candidate = folder
        while try FileStatus(of: candidate, at: place) == nil {
            candidate = FilePath.folder(of: candidate)
        }
        return candidate
    }
}
