import Files

/// The store's file and those that SQLite keeps beside it: only their owner may reach them (contract, section 8.7).
struct StoreFiles {
    /// SQLite gives the files beside a database the database's own mode.
    static let sideSuffixes = ["-wal", "-shm"]
    /// How SQLite's files begin (its file format, section 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)

    let path: String
    /// Whom the files have to belong to.
    let owner: UInt32

    private var place: StorePlace { .store(path: path) }

    /// Makes the folder (0700) and an empty file (0600) where they are missing, and sets an existing file right.
    ///
    /// - Throws: ``StoreError`` when the place cannot be used or is unsafe.
    func create() throws(StoreError) {
        let folder = Path.folder(of: path)
        let existing = try place.access { () throws(SystemFault) in try Folder.nearest(folder) }
        try NetworkFileSystem.refuse(folder: existing, at: place)
        let isThere = try place.access { () throws(SystemFault) in
            try Folder.make(folder)
            do throws(SystemFault) {
                let file = try OpenFile(path, for: .creating)
                try file.setMode(0o600)
                try file.sync()
                try Folder.sync(folder)
                return false
            } catch {
                guard error.kind == .exists else { throw error }
                return true
            }
        }
        if isThere { try secure() }
    }

    /// Checks what is there, for a call that only reads.
    ///
    /// - Throws: ``StoreError/notFound(_:)`` when there is no file, another ``StoreError`` when it is unsafe.
    func find() throws(StoreError) {
        guard try status() != nil else { throw .notFound(place) }
        try NetworkFileSystem.refuse(folder: Path.folder(of: path), at: place)
        try secure()
    }

    /// Takes away what others may read; refuses what others could have written, and leaves alone what is no database.
    private func secure() throws(StoreError) {
        guard try mayBeDatabase() else { throw .notAStore(place) }
        for suffix in [""] + Self.sideSuffixes {
            guard let status = try status(suffix) else { continue }
            guard status.kind == .regular else { throw .notAStore(place) }
            guard status.owner == owner else { throw .ownedByAnother(place) }
            guard status.mode & 0o022 == 0 else { throw .writableByOthers(place) }
            guard status.mode & 0o077 != 0 else { continue }
            try place.access { () throws(SystemFault) in
                try Folder.setMode(0o600, ofFile: path + suffix)
            }
        }
    }

    /// Asked by path: opening and closing a second descriptor of a database would drop the locks that SQLite holds on it.
    private func status(_ suffix: String = "") throws(StoreError) -> FileStatus? {
        try place.access { () throws(SystemFault) in try FileStatus.find(path + suffix) }
    }

    /// Whether the file is empty or begins as SQLite's do.
    private func mayBeDatabase() throws(StoreError) -> Bool {
        guard try status()?.kind == .regular else { return true }
        let head = try place.access { () throws(SystemFault) in
            try OpenFile(path, for: .reading).beginning(Self.magic.count)
        }
        return head.isEmpty || head == Self.magic
    }
}
