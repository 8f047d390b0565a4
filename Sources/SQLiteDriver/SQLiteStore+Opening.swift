import Files
import GRDB
import Glibc
package import Storage

extension SQLiteStore {
    /// Opens a store, which is first created or migrated if necessary; a newer or foreign file is
    /// left unchanged.
    package static func open(
        at path: String, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> SQLiteStore {
        // SQLite keeps its files next to the file that a link leads to.
        let path = Path.resolved(path)
        let files = StoreFiles(path: path, owner: options.owner, isNamed: options.isNamed)
        let place = files.place
        if try files.size() == 0 { _ = try StoreRemains(besides: files) }
        let inode = try files.create()
        // Two processes must not create the same store at the same time.
        let turn = try inode.waitForTurn()
        defer { turn.release() }
        do {
            try inode.takeName()
            guard Folder.mayWrite(Path.folder(of: path)) else {
                throw StoreError.inaccessible(place, reason: "its folder cannot be written")
            }
            TemporaryFiles.keep(in: Path.folder(of: path))
            try inspect(files, options, mayBeOlder: true)
            var configuration = configuration(options)
            configuration.prepareDatabase { db in
                // Only a new file can be set up to return space page by page.
                guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in try setUp(db, path: path, options: options) }
            try StoreSchema.migrator.migrate(pool)
            return SQLiteStore(inode, pool, options)
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    /// Opens an existing store for calls that only read; writing calls throw
    /// ``StoreError/readOnly(_:)``.
    ///
    /// An older store is migrated if that is requested and possible; otherwise this throws
    /// ``StoreError/olderVersion(_:)``. Throws ``StoreError/notFound(_:)`` if there is no store
    /// yet.
    package static func openForReading(
        at path: String, options: StoreOptions = StoreOptions(), migrates: Bool = true
    ) throws(StoreError) -> SQLiteStore {
        let path = Path.resolved(path)
        let files = StoreFiles(path: path, owner: options.owner)
        let place = files.place
        if try files.size() == 0 { _ = try StoreRemains(besides: files) }
        let inode = try files.find()
        do {
            try inode.takeName()
            // If only reading is allowed, the few rows to be sorted are sorted in memory.
            let isWritable = Folder.mayWrite(Path.folder(of: path))
            if isWritable { TemporaryFiles.keep(in: Path.folder(of: path)) }
            do {
                try inspect(files, options, mayBeOlder: false)
            } catch StoreError.olderVersion where isWritable && migrates {
                // The store is also migrated here, because a command that only reads must not
                // require a run first.
                try open(at: path, options: options).close()
                try inspect(files, options, mayBeOlder: false)
            }
            var configuration = configuration(options)
            configuration.readonly = true
            if !isWritable {
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            return SQLiteStore(inode, pool, options)
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    private init(_ inode: StoreInode, _ pool: DatabasePool, _ options: StoreOptions) {
        path = pool.path
        self.inode = inode
        self.pool = pool
        var configuration = pool.configuration
        configuration.readonly = true
        readers = QuickReaders(path: path, configuration: configuration)
        keyring = PayloadKeyring(besideStoreAt: path, options: options)
        forgottenKey = PayloadKeyFile(
            besideStoreAt: path, ending: NameHash.fileEnding, owner: options.owner)
        inboxRuns = InboxRuns(most: options.inboxRuns)
        room = RecordingRoom(ofStoreAt: path)
    }

    static func configuration(_ options: StoreOptions) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.label = "hubsend.store"
        configuration.prepareDatabase { db in
            // Damage is found when a page is read, not when it is used.
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            RowSeal.addFunctions(to: db)
        }
        return configuration
    }

    /// Examines the file through a read-only connection, so that a foreign or damaged file is not
    /// changed.
    private static func inspect(
        _ files: StoreFiles, _ options: StoreOptions, mayBeOlder: Bool
    ) throws {
        let (path, place) = (files.path, files.place)
        // Another process may be writing, so damage is reported only if it is still there at the
        // next check.
        for turn in 1...looks {
            let remains = try StoreRemains(besides: files)
            let look: StoreFacts
            do {
                look = try self.look(path, options: options)
            } catch {
                let known = StoreError.translating(error, at: place)
                // An intact store accepts all these statements.
                if case StoreError.unexpected = known { throw StoreError.corrupt(place) }
                throw known
            }
            switch look.version {
            case .current: break
            case .empty:
                guard !remains.mark.isSaved else { throw StoreError.gone(place, besides: path) }
                if !mayBeOlder { throw StoreError.notFound(place) }
            case .older: if !mayBeOlder { throw StoreError.olderVersion(place) }
            case .newer: throw StoreError.newerVersion(place)
            case .foreign: throw StoreError.notAStore(place)
            }
            guard let problem = remains.problem(look, at: path) else { return }
            let isSame = try StoreRemains(besides: files) == remains
            if turn == looks || turn > 1 && isSame { throw problem }
        }
    }

    /// How many times to check a store that others are writing to before it is considered damaged.
    private static let looks = 10

    private static func look(_ path: String, options: StoreOptions) throws -> StoreFacts {
        var configuration = configuration(options)
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
                .read(StoreFacts.init)
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // A process was killed while creating the file, and its open transaction must be rolled
            // back first.
            configuration.readonly = false
            return try DatabaseQueue(path: path, configuration: configuration)
                .read(StoreFacts.init)
        }
    }

    private static func setUp(_ db: Database, path: String, options: StoreOptions) throws {
        let place = StoreComponent.store(path: path)
        // GRDB would not notice a disk that fails in between, and readers would wait for the
        // writer.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else {
            throw StoreError.inputOutput(place, code: Int(ResultCode.SQLITE_IOERR.rawValue))
        }
        // GRDB sets NORMAL with the write-ahead log, so a power failure could undo the last
        // commits.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 else {
            throw StoreError.settingRefused(place, setting: "synchronous = FULL")
        }
        // 4 MiB can hold the last pages of all trees that grow; after a burst, the log shrinks to
        // 64 MiB again.
        try db.execute(sql: "PRAGMA cache_size = -4096; PRAGMA journal_size_limit = 67108864")
        // Deleted data is overwritten, so that a purged payload is no longer in the file.
        try db.execute(sql: "PRAGMA main.secure_delete = ON")
        if let pages = options.maximumPages {
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }
}
