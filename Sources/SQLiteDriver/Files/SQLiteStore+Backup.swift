import Files
import GRDB
import Storage

extension SQLiteStore {
    /// The suffixes of files next to a store.
    private static let besides = [
        "-wal", "-shm", "-journal", ".mark", ".machine", ".lock", ".key", NameHash.fileEnding,
    ]

    /// Copies the store as it is at one moment into a file, and returns the size of the copy in
    /// bytes.
    ///
    /// Other processes can read and write in the meantime. The copy is written completely or not at
    /// all, only its owner can access it, and it is checked before it is moved into place. It
    /// contains neither the store's free space nor its key. The folder must exist; links are
    /// followed.
    package func backUp(to file: String, isReplacing: Bool = false) async throws -> Int {
        try inode.checkPlace()
        return try await BlockingWork.run { [self] in
            let target = Path.resolved(file)
            try refuse(target, isReplacing: isReplacing)
            let place = StoreComponent.backup(path: target)
            do {
                let file = try FileReplacement(of: target)
                let size = try file.fill { draft in try copyPages(into: draft, of: place) }
                try file.commit()
                return size
            } catch let problem as SystemError {
                throw StoreError(problem, at: place)
            }
        }
    }

    /// Refuses a path at which the copy would destroy another file.
    private func refuse(_ target: String, isReplacing: Bool) throws(StoreError) {
        let place = StoreComponent.backup(path: target)
        let own = Self.besides.map { path + $0 }
        guard target != path, !own.contains(target) else { throw .backupIsStore(place) }
        let files = StoreFiles(path: target, owner: 0)
        // SQLite would apply the old file's log to the copy.
        for log in StoreInode.logs where try files.size(ofSide: log) > 0 {
            throw .backupIsStore(place)
        }
        let status = try place.access { () throws(SystemError) in try FileStatus.find(target) }
        guard let status else { return }
        guard status.kind == .regular else { throw .notAStore(place) }
        guard status.identity != inode.identity else { throw .backupIsStore(place) }
        guard isReplacing else { throw .backupExists(place) }
        guard let earlier = try StoreInode.find(target, isWritable: false) else { return }
        guard try earlier.isAlone() else { throw .backupIsStore(place) }
        let beginning = try earlier.beginning(StoreSchema.headerLength)
        guard beginning.isEmpty || StoreSchema.isMarked(beginning) else { throw .notAStore(place) }
    }

    /// Writes the content of the store into an empty file.
    private func copyPages(into draft: String, of backup: StoreComponent) throws {
        var configuration = pool.configuration
        configuration.readonly = true
        do {
            let source = try DatabaseQueue(path: path, configuration: configuration)
            try source.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
            }
            try source.close()
        } catch let error as DatabaseError {
            // Only the copy is being written, so it is not the store that lacks room.
            let isOfCopy = [.SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CANTOPEN]
                .contains(error.resultCode)
            throw StoreError(error, at: isOfCopy ? backup : place)
        }
        do {
            let copy = try DatabaseQueue(path: draft, configuration: configuration)
            guard try copy.read(StoreFacts.init).version == .current else { throw DamagedValue() }
            try copy.close()
        } catch {
            throw StoreError.translating(error, at: backup)
        }
    }
}
