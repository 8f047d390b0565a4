import Files
import GRDB
import Glibc
package import Storage

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
        // SQLite keeps the log beside the file that a link leads to; so is all that is looked for beside it.
        let path = Path.resolved(path)
        let place = StorePlace.store(path: path)
        let files = StoreFiles(path: path, owner: options.owner)
        try refuseIfGone(files)
        let inode = try files.create()
        // Two processes that make the same store would trip over each other.
        let turn = try inode.waitForTurn()
        defer { turn.release() }
        do {
            try inode.takeName()
            try keepTemporaryFiles(besideStoreAt: path)
            try inspect(path, options: options, mayBeOlder: true)
            var configuration = configuration(options)
            configuration.prepareDatabase { db in
                // Only a file that begins so can give space back page by page; one with pages is as it is.
                guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in try setUp(db, path: path, options: options) }
            try StoreSchema.migrator.migrate(pool)
            return SQLiteStore(
                path: path, inode: inode, pool: pool,
                keyring: PayloadKeyring(besideStoreAt: path, options: options),
                forgottenKey: PayloadKeyFile(
                    besideStoreAt: path, ending: NameHash.fileEnding, owner: options.owner),
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
    ///   - isBroughtUpToDate: whether one that an older version made is changed first, where that can be done; without it,
    ///     ``StoreError/olderVersion(_:)`` is thrown.
    /// - Returns: the store; every writing call throws ``StoreError/readOnly(_:)``.
    /// - Throws: ``StoreError/notFound(_:)`` when nothing was run here yet, or why it cannot be used.
    package static func openForReading(
        at path: String, options: StoreOptions = StoreOptions(), isBroughtUpToDate: Bool = true
    ) throws(StoreError) -> SQLiteStore {
        let path = Path.resolved(path)
        let place = StorePlace.store(path: path)
        let files = StoreFiles(path: path, owner: options.owner)
        try refuseIfGone(files)
        let inode = try files.find()
        do {
            try inode.takeName()
            // Where only reading is allowed, the little that is sorted is sorted in memory.
            let isWritable = Folder.mayWrite(Path.folder(of: path))
            if isWritable { TemporaryFiles.keep(in: Path.folder(of: path)) }
            do {
                try inspect(path, options: options, mayBeOlder: false)
            } catch StoreError.olderVersion where isWritable && isBroughtUpToDate {
                // An older store is brought up to date here too: a command that only reads must not need a run first.
                try open(at: path, options: options).close()
                try inspect(path, options: options, mayBeOlder: false)
            }
            var configuration = configuration(options)
            configuration.readonly = true
            if !isWritable {
                configuration.prepareDatabase { db in
                    try db.execute(sql: "PRAGMA temp_store = MEMORY")
                }
            }
            return SQLiteStore(
                path: path, inode: inode,
                pool: try DatabasePool(path: path, configuration: configuration),
                keyring: PayloadKeyring(besideStoreAt: path, options: options),
                forgottenKey: PayloadKeyFile(
                    besideStoreAt: path, ending: NameHash.fileEnding, owner: options.owner),
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
        configuration.prepareDatabase { db in
            // Damage is seen when a page is read, and not when it is used.
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        return configuration
    }

    private static func keepTemporaryFiles(besideStoreAt path: String) throws(StoreError) {
        let folder = Path.folder(of: path)
        guard Folder.mayWrite(folder) else {
            throw .inaccessible(.store(path: path), reason: "its folder cannot be written")
        }
        TemporaryFiles.keep(in: folder)
    }

    /// Refuses to begin with an empty store where one has been that knew of people who were sent to.
    private static func refuseIfGone(_ files: StoreFiles) throws(StoreError) {
        guard try files.size() == 0 else { return }
        let mark = try StoreMark(besideStoreAt: files.path).read()
        let log = try files.size(ofSide: "-wal")
        guard mark.isSaved || log > 0 else { return }
        throw .gone(.store(path: files.path), besides: files.path)
    }

    /// Looks at the file through a connection that cannot write, so that what is not ours, or damaged, stays as it is.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - options: time limits and bounds.
    ///   - mayBeOlder: whether the caller brings it up to date.
    /// - Throws: ``StoreError``, or what SQLite says.
    private static func inspect(
        _ path: String, options: StoreOptions, mayBeOlder: Bool
    ) throws {
        let place = StorePlace.store(path: path)
        let remains = try StoreRemains(besideStoreAt: path, owner: options.owner)
        let look: StoreLook
        do {
            look = try self.look(path, options: options)
        } catch let error as DatabaseError {
            let known = StoreError(error, at: place)
            // Nothing was asked that a whole store refuses.
            if case .unexpected = known { throw StoreError.corrupt(place) }
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
        guard remains.fault(look, at: path) != nil else { return }
        // Another process may have written between the two looks; then a second one finds nothing.
        let again = try StoreRemains(besideStoreAt: path, owner: options.owner)
        if let fault = again.fault(try self.look(path, options: options), at: path) { throw fault }
    }

    private static func look(_ path: String, options: StoreOptions) throws -> StoreLook {
        var configuration = configuration(options)
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
                .read(StoreLook.init)
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // A process was killed while it made the file: what it had not committed has to be taken back before anybody can look.
            var writable = configuration
            writable.readonly = false
            return try DatabaseQueue(path: path, configuration: writable).read(StoreLook.init)
        }
    }

    private static func setUp(_ db: Database, path: String, options: StoreOptions) throws {
        let place = StorePlace.store(path: path)
        // SQLite says that there is a log before the file says so. On a disk that fails in between, GRDB does not hear of it, and
        // every reader would wait for whoever writes.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else {
            throw StoreError.inputOutput(place, code: Int(ResultCode.SQLITE_IOERR.rawValue))
        }
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
    }
}
