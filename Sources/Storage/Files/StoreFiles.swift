import Glibc

/// The store's file and those that SQLite keeps beside it: only their owner may reach them (contract, section 8.7).
struct StoreFiles {
    /// SQLite gives the files beside a database the database's own mode.
    static let sideSuffixes = ["-wal", "-shm"]

    let path: String
    /// Whom the files have to belong to.
    let owner: UInt32

    private var place: StorePlace { .store(path: path) }

    /// Makes the folder (0700) and an empty file (0600) where they are missing, and sets an existing file right.
    ///
    /// - Throws: ``StoreError`` when the place cannot be used or is unsafe.
    func create() throws(StoreError) {
        let folder = FilePath.folder(of: path)
        let existing = try StoreFolder.nearest(folder, at: place)
        try NetworkFileSystem.refuse(folder: existing, at: place)
        try StoreFolder.create(folder, at: place)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw SystemFault.error(errno, at: place) }
            return try secure()
        }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw SystemFault.error(errno, at: place)
        }
        try StoreFolder.sync(folder, at: place)
    }

    /// Checks what is there, for a call that only reads.
    ///
    /// - Throws: ``StoreError/notFound(_:)`` when there is no file, another ``StoreError`` when it is unsafe.
    func find() throws(StoreError) {
        guard try FileStatus(of: path, at: place) != nil else { throw .notFound(place) }
        try NetworkFileSystem.refuse(folder: FilePath.folder(of: path), at: place)
        try secure()
    }

    /// Takes away what others may read; refuses what others could have written, and leaves alone what is no database.
    private func secure() throws(StoreError) {
        guard try mayBeDatabase() else { throw .notAStore(place) }
        for suffix in [""] + Self.sideSuffixes {
            guard let status = try FileStatus(of: path + suffix, at: place) else { continue }
            guard status.isRegularFile else { throw .notAStore(place) }
            guard status.owner == owner else { throw .ownedByAnother(place) }
            guard !status.isWritableByOthers else { throw .writableByOthers(place) }
            guard status.isOpenToOthers else { continue }
            guard unsafe chmod(path + suffix, 0o600) == 0 else {
                throw SystemFault.error(errno, at: place)
            }
        }
    }

    /// Whether the file is empty or begins as SQLite's do (its file format, section 1.3).
    private func mayBeDatabase() throws(StoreError) -> Bool {
        guard try FileStatus(of: path, at: place)?.isRegularFile == true else { return true }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault.error(errno, at: place) }
        defer { close(descriptor) }
        let magic = Array("SQLite format 3\0".utf8)
        var head = [UInt8](repeating: 0, count: magic.count)
        let count = unsafe read(descriptor, &head, head.count)
        guard count >= 0 else { throw SystemFault.error(errno, at: place) }
        return count == 0 || head == magic
    }
}
