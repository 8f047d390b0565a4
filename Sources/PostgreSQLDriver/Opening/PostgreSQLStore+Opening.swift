import CampaignCore
import Files
import Glibc
package import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// Opens a store, which is first created or migrated if necessary, even by several hosts at the
    /// same time; blocks the thread.
    ///
    /// The store is in the first existing schema of the session's `search_path`. A newer or foreign
    /// schema is not changed.
    package static func open(
        at address: PostgreSQLAddress, options: PostgreSQLStoreOptions
    ) throws(StoreError) -> PostgreSQLStore {
        try open(at: address, options, isReadOnly: false) { db in
            let version = try StoreVersion(of: db)
            return switch version {
            case .empty, .older: try bringUpToDate(db)
            default: version
            }
        }
    }

    /// Opens an existing store, possibly on a replica, for calls that only read; blocks the thread.
    ///
    /// An older store is migrated if that is requested and possible; otherwise, this throws
    /// ``StoreError/olderVersion(_:)``. It throws ``StoreError/notFound(_:)`` if there is no store
    /// yet. Writing calls throw ``StoreError/readOnly(_:)``.
    package static func openForReading(
        at address: PostgreSQLAddress, options: PostgreSQLStoreOptions,
        migrates: Bool = true
    ) throws(StoreError) -> PostgreSQLStore {
        try open(at: address, options, isReadOnly: true) { db in
            let version = try StoreVersion(of: db)
            guard case .older = version, migrates else { return version }
            do {
                // A command that only reads must not require a run first.
                try open(at: address, options: options).close()
            } catch StoreError.readOnly, StoreError.refused {
                // The server is a replica, or the role can only read.
                return version
            }
            return try StoreVersion(of: db)
        }
    }

    /// Checks whether a store could be created, without creating it; blocks the thread.
    package static func checkPlace(at address: PostgreSQLAddress) throws(StoreError) {
        do {
            let pool = PostgreSQLPool(
                address, options: PostgreSQLPoolOptions(connections: 1, isReadOnly: true))
            defer { pool.close() }
            let schema = try pool.withConnectionNow { db in
                try db.row(
                    """
                    SELECT current_schema()::text
                    WHERE has_schema_privilege(current_schema()::text, 'CREATE') IS NOT TRUE
                    """
                ) { try $0.text(0) }
            }
            guard let schema else { return }
            throw StoreError.refused(
                address.place, reason: "the role may not create tables in the schema \(schema)")
        } catch {
            throw StoreError.opening(error, at: address.place)
        }
    }

    /// Connects, and checks the store first.
    private static func open(
        at address: PostgreSQLAddress, _ options: PostgreSQLStoreOptions, isReadOnly: Bool,
        _ look: @Sendable (PostgreSQLConnection) throws -> StoreVersion
    ) throws(StoreError) -> PostgreSQLStore {
        let (place, common) = (address.place, options.common)
        do {
            let locks = HeldLocks()
            var poolOptions = options.pool
            poolOptions.connections = options.connections
            poolOptions.lockTimeout = common.busyTimeout
            poolOptions.isReadOnly = isReadOnly
            poolOptions.prepare = { _ in locks.confirm() }
            let pool = PostgreSQLPool(address, options: poolOptions)
            let identity: String
            switch try pool.withConnectionNow(look) {
            case .current(let own): identity = own
            case .incomplete(let own) where options.isCopyTarget: identity = own
            case let version: throw version.refusal(at: place)
            }
            return PostgreSQLStore(
                address: address, pool: pool,
                keyring: PayloadKeyring(
                    of: place, source: common.payloadKey,
                    file: PayloadKeyFile(in: options.keyFolder), made: common.payloadKeyMade),
                inboxRuns: common.inboxRuns, identity: identity, locks: locks,
                lease: options.lease,
                rideOut: OutageWait(
                    patience: options.patience,
                    begun: { common.storeAway($0, options.patience) }, ended: common.storeBack))
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    /// Creates or migrates the store in one transaction, and returns its new version.
    private static func bringUpToDate(_ db: PostgreSQLConnection) throws -> StoreVersion {
        try db.executeScript("BEGIN ISOLATION LEVEL READ COMMITTED")
        do {
            try takeTurn(db)
            // Another host may have created the store while this one waited.
            var version = try StoreVersion(of: db)
            if version == .empty {
                try db.executeScript(StoreSchema.ownTable)
                try db.execute(
                    """
                    INSERT INTO hubsend_schema (version, least_version, identity)
                    VALUES (0, 0, gen_random_uuid()::text)
                    """)
                version = .older(0)
            }
            if case .older(let number) = version {
                for step in StoreSchema.steps.dropFirst(number) { try db.executeScript(step.sql) }
                try db.execute(
                    "UPDATE hubsend_schema SET version = $1, least_version = $2",
                    [StoreSchema.version, StoreSchema.leastVersion(with: StoreSchema.version)])
            }
            try db.executeScript("COMMIT")
            return try StoreVersion(of: db)
        } catch {
            // If this fails, the connection is closed and the server rolls back by itself.
            try? db.executeScript("ROLLBACK")
            throw error
        }
    }

    /// Waits until nobody else is creating or migrating the store in this schema, and keeps others
    /// from doing so until the transaction ends.
    private static func takeTurn(_ db: PostgreSQLConnection) throws {
        let timeout = try db.row("SELECT current_setting('lock_timeout')") { try $0.text(0) }
        try db.executeScript("SET LOCAL lock_timeout = 0")
        try db.execute(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('hubsend schema', n.oid::bigint))
            FROM pg_namespace n WHERE n.nspname = current_schema()
            """)
        try db.execute("SELECT set_config('lock_timeout', $1, true)", [timeout])
    }
}

extension PostgreSQLAddress {
    var place: StoreComponent { .server(description) }
}

extension StoreError {
    fileprivate static func opening(_ error: any Error, at place: StoreComponent) -> StoreError {
        switch translating(error, at: place) {
        case let error as StoreError: error
        case let error: .inaccessible(place, reason: "\(error)")
        }
    }
}

extension FileLock: HeldCampaignLock {}

extension PayloadKeyFile {
    /// This host's copy of the key for a store on a server; every host needs the same key.
    init(in folder: String) {
        let lock = Path.file("keys.lock", in: folder)
        self.init(at: Path.file("payload.key", in: folder), owner: geteuid()) {
            () throws(StoreError) in
            try StoreComponent.payloadKey(path: lock).access { () throws(SystemError) in
                try Folder.make(folder)
                return try FileLock.wait(for: 0, of: OpenFile(lock, for: .locking))
            }
        }
    }
}
