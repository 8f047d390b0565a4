import Glibc

package enum Folder {
    /// Creates a folder and its missing parents durably, so that its files survive a power cut.
    ///
    /// The process's umask reduces `mode`, which by default grants access only to the owner.
    package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        if let status = try FileStatus.find(path) {
            guard status.kind == .folder else { throw SystemError(number: ENOTDIR) }
            return
        }
        try make(Path.folder(of: path), mode: mode)
        // Another process may have created it in the meantime.
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
        try sync(Path.folder(of: path))
    }

    /// Creates a folder with mode 0700 and six random characters after the prefix (mkdtemp(3)).
    package static func makeTemporary(
        in parent: String, prefix: String
    ) throws(SystemError) -> String {
        // mkdtemp(3) replaces the six X characters.
        var path = Path.file(prefix + "XXXXXX", in: parent).utf8CString
        let isMade = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw .last }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes the creation and removal of names in a folder durable.
    package static func sync(_ path: String) throws(SystemError) {
        try OpenFile(path, for: .folder).sync()
    }

    /// The nearest existing path at or above a folder, which at the latest is the current folder or
    /// the root.
    package static func nearest(_ path: String) throws(SystemError) -> String {
        var candidate = path
        while try FileStatus.find(candidate) == nil {
            candidate = Path.folder(of: candidate)
        }
        return candidate
    }

    package struct Entry: Hashable, Sendable {
        /// The name; parts that are not UTF-8 become U+FFFD, in which case no path leads to the
        /// file.
        package let name: String
        /// Whether this is a folder; links are not followed.
        package let isFolder: Bool
    }

    /// All entries of a folder, including hidden ones, in no particular order.
    package static func entries(in path: String) throws(SystemError) -> [Entry] {
        guard let stream = unsafe opendir(path) else { throw .last }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .last }
                return entries
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe bytes.prefix { $0 != 0 }.map { $0 }
            }
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            entries.append(
                Entry(
                    name: String(decoding: name, as: UTF8.self),
                    isFolder: unsafe isFolder(entry, in: stream)))
        }
    }

    private static func isFolder(
        _ entry: UnsafeMutablePointer<dirent>, in stream: OpaquePointer
    ) -> Bool {
        let type = unsafe Int(entry.pointee.d_type)
        // On some file systems, entries have no type, so it is read with fstatat(2).
        guard type == Int(DT_UNKNOWN) else { return type == Int(DT_DIR) }
        var status = stat()
        let answer = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
            unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                unsafe fstatat(dirfd(stream), $0, &status, AT_SYMLINK_NOFOLLOW)
            }
        }
        return answer == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder, including hidden ones, in no particular order.
    package static func names(in path: String) throws(SystemError) -> [String] {
        try entries(in: path).map(\.name)
    }

    /// The existing path that looks like a missing path but has another Unicode form (NFC or NFD).
    package static func otherUnicodeForm(of path: String) -> String? {
        var found = Path.isAbsolute(path) ? "/" : "."
        var differs = false
        for step in Path.steps(of: path) {
            let next = Path.file(step, in: found)
            do throws(SystemError) {
                if try FileStatus.find(next) != nil {
                    found = next
                    continue
                }
                // Strings in different Unicode forms compare equal, so this finds the other form.
                guard let other = try names(in: found).first(where: { $0 == step }) else {
                    return nil
                }
                found = Path.file(other, in: found)
                differs = true
            } catch {
                return nil
            }
        }
        return differs ? found : nil
    }

    package static func removeFile(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    package static func setMode(_ mode: UInt32, ofFile path: String) throws(SystemError) {
        guard unsafe chmod(path, mode) == 0 else { throw .last }
    }

    /// Whether this process may write to a file or into a folder; false if it does not exist.
    ///
    /// Restrictions other than file permissions, such as Landlock, are not detected (access(2)).
    package static func mayWrite(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// Whether this process may run a file as a program; false if it does not exist.
    package static func mayRun(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }
}
