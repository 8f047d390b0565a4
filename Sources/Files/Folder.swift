import Glibc

package enum Folder {
    /// Makes a folder and the missing ones above it, each for its owner alone (mode 0700), durably: what a file in it holds
    /// outlives a power cut only together with the names that lead there.
    ///
    /// - Parameter path: relative to the current folder, or absolute.
    /// - Throws: ``SystemFault`` when the system refuses, or a file stands in the way.
    package static func make(_ path: String) throws(SystemFault) {
        if let status = try FileStatus.find(path) {
            guard status.kind == .folder else { throw SystemFault(number: ENOTDIR) }
            return
        }
        try make(Path.folder(of: path))
        // Another process may have been faster.
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
        try sync(Path.folder(of: path))
    }

    /// Makes a new folder with mode 0700 and six random characters after the prefix (mkdtemp(3)).
    package static func makeTemporary(
        in parent: String, prefix: String
    ) throws(SystemFault) -> String {
        // mkdtemp(3) replaces the six X.
        var path = Path.file(prefix + "XXXXXX", in: parent).utf8CString
        let isMade = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw .last }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes changes of the names in a folder durable.
    package static func sync(_ path: String) throws(SystemFault) {
        try OpenFile(path, for: .folder).sync()
    }

    /// The nearest existing path at or above a folder, at last the current folder or the root.
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

    package static func removeFile(_ path: String) throws(SystemFault) {
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    package static func setMode(_ mode: UInt32, ofFile path: String) throws(SystemFault) {
        guard unsafe chmod(path, mode) == 0 else { throw .last }
    }

    /// Whether this process may write to a file, or into a folder; false when it does not exist.
    ///
    /// Prohibitions besides file permissions, such as Landlock's, are not seen (access(2)).
    package static func mayWrite(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// Whether this process may run a file as a program; false when it does not exist.
    package static func mayRun(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }
}
