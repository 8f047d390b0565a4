import Files
import GRDB

extension SQLiteStore {
    /// Opens a store for reading and writing; makes it where there is none, and brings an older one up to date.
    ///
    /// - Parameters:
    ///   - path: the file; missing folders above it are made.
    ///   - options: time limits and bounds.
    /// - Returns: the store, with every commit synced to the disk.
    /// - Throws: ``StoreError``; a newer or foreign file is left untouched.
    package static func open(
        at path: String, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> SQLiteStore {
        let place = StorePlace.store(path: path)
        let inode = try StoreFiles(path: path, owner: options.owner).create()
        // Two processes that make the same store would trip over each other.
        let turn = try inode.waitForTurn()
        defer { turn.release() }
        do {
            try inode.takeName()
            try inspect(path, options: options, mayBeOlder: true)
            let pool = try DatabasePool(path: path, configuration: configuration(options))
            try pool.writeWithoutTransaction { db in try setUp(db, path: path, options: options) }
            try StoreSchema.migrator.migrate(pool)
            return SQLiteStore(
                path: path, inode: inode, pool: pool,
                keyring: PayloadKeyring(besideStoreAt: path, options: options),
                inboxRuns: options.inboxRuns)
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    /// Opens an existing store for calls that only read; never makes one.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - options: time limits and bounds.
    /// - Returns: the store; every writing call throws ``StoreError/readOnly(_:)``.
    /// - Throws: ``StoreError/notFound(_:)`` when nothing was run here yet, or why it cannot be used.
    package static func openForReading(
        at path: String, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> SQLiteStore {
        let place = StorePlace.store(path: path)
        let inode = try StoreFiles(path: path, owner: options.owner).find()
        do {
            try inode.takeName()
            try inspect(path, options: options, mayBeOlder: false)
            var configuration = configuration(options)
            configuration.readonly = true
            return SQLiteStore(
                path: path, inode: inode,
                pool: try DatabasePool(path: path, configuration: configuration),
                keyring: PayloadKeyring(besideStoreAt: path, options: options),
                inboxRuns: options.inboxRuns)
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    private static func configuration(_ options: StoreOptions) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.label = "hubsend.store"
        return configuration
    }

    /// Looks at the file through a connection that cannot write, so that what is not ours stays as it is.
    private static func inspect(_ path: String, options: StoreOptions, mayBeOlder: Bool) throws {
        var configuration = configuration(options)
        configuration.readonly = true
        let place = StorePlace.store(path: path)
        switch try version(path, configuration) {
        case .current: return
        case .empty: if !mayBeOlder { throw StoreError.notFound(place) }
        case .older: if !mayBeOlder { throw StoreError.olderVersion(place) }
        case .newer: throw StoreError.newerVersion(place)
        case .foreign: throw StoreError.notAStore(place)
        }
    }

    private static func version(
        _ path: String, _ configuration: Configuration
    ) throws -> StoreVersion {
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
                .read(StoreVersion.init)
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // A process was killed while it made the file: what it had not committed has to be taken back before anybody can look.
            var writable = configuration
            writable.readonly = false
            return try DatabaseQueue(path: path, configuration: writable).read(StoreVersion.init)
        }
    }

    private static func setUp(_ db: Database, path: String, options: StoreOptions) throws {
        let place = StorePlace.store(path: path)
        // GRDB sets NORMAL when it turns the write-ahead log on, and then a power cut takes the last commits back.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 else {
            throw StoreError.settingRefused(place, setting: "synchronous = FULL")
        }
        // 4 MiB hold the ends of all trees that grow; after a burst the log shrinks to 64 MiB again.
        try db.execute(sql: "PRAGMA cache_size = -4096")
        try db.execute(sql: "PRAGMA journal_size_limit = 67108864")
        // What is deleted is overwritten, so that a purged payload is in the file no more.
        try db.execute(sql: "PRAGMA main.secure_delete = ON")
        if let pages = options.maximumPages {
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        try TemporaryFiles.keep(in: Path.folder(of: path), db, at: place)
    }
}
