import Glibc

/// Folders, and the names in them.
package enum Folder {
    /// Makes a folder and the missing ones above it, durably: what a file in it holds outlives a power cut only together with the
    /// names that lead there.
    ///
    /// - Parameters:
    ///   - path: relative to the current folder, or absolute.
    ///   - mode: the mode of each, from which the process's mask takes away; it is for its owner alone unless given.
    /// - Throws: ``SystemFault`` when the system refuses, or a file stands in the way.
    package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemFault) {
        if let status = try FileStatus.find(path) {
            guard status.kind == .folder else { throw SystemFault(number: ENOTDIR) }
            return
        }
        try make(Path.folder(of: path), mode: mode)
        // Another process may have been faster.
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
        try sync(Path.folder(of: path))
    }

    /// Makes a folder that was not there before, for its owner alone (mode 0700; mkdtemp(3)).
    ///
    /// - Parameters:
    ///   - parent: where.
    ///   - prefix: what its name begins with; six letters or digits follow.
    package static func makeTemporary(
        in parent: String, prefix: String
    ) throws(SystemFault) -> String {
        // mkdtemp(3) puts its own letters in the place of the six X.
        var path = Path.file(prefix + "XXXXXX", in: parent).utf8CString
        let isMade = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw .last }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes what happened to the names in a folder outlive a power cut.
    package static func sync(_ path: String) throws(SystemFault) {
        try OpenFile(path, for: .folder).sync()
    }

    /// The nearest path at or above a folder that exists.
    ///
    /// - Parameter path: may not exist yet.
    /// - Returns: a path that exists; the current folder or the root at the last.
    /// - Throws: ``SystemFault`` when the system does not say.
    package static func nearest(_ path: String) throws(SystemFault) -> String {
        var candidate = path
        while try FileStatus.find(candidate) == nil {
            candidate = Path.folder(of: candidate)
        }
        return candidate
    }

    /// The names in a folder, hidden ones too, in no order.
    ///
    /// - Throws: ``SystemFault`` when it cannot be listed.
    package static func names(in path: String) throws(SystemFault) -> [String] {
        guard let stream = unsafe opendir(path) else { throw .last }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .last }
                return names
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Takes a file's name away.
    ///
    /// - Throws: ``SystemFault``, also when nothing is there.
    package static func removeFile(_ path: String) throws(SystemFault) {
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    /// Says who may do what with a file, by its path.
    package static func setMode(_ mode: UInt32, ofFile path: String) throws(SystemFault) {
        guard unsafe chmod(path, mode) == 0 else { throw .last }
    }

    /// Whether this process has the right to write at a path: into a file, or names into a folder; false also when nothing is there.
    ///
    /// What the system forbids a process besides the rights of files, such as by Landlock, does not count (access(2)).
    package static func mayWrite(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// Whether this process may run a file as a program; false also when nothing is there.
    package static func mayRun(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }
}
