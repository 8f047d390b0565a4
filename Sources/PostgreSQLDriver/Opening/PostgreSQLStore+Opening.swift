package import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// Opens a store, after making or migrating it, on any number of hosts; blocks the thread.
    ///
    /// The store is in the first existing schema of the session's `search_path`. A newer or foreign
    /// schema is not changed.
    package static func open(
        at address: PostgreSQLAddress, options: PostgreSQLStoreOptions
    ) throws(StoreError) -> PostgreSQLStore {
        try open(at: address, options, isReadOnly: false) { db in
            var version = try StoreVersion(of: db)
            switch version {
            case .empty, .older: version = try bringUpToDate(db)
            default: break
            }
            switch version {
            case .current(let identity): return identity
            case .incomplete(let identity) where options.isToBeFilled: return identity
            case let other: return try refused(other, at: address)
            }
        }
    }

    /// Opens an existing store, also of a replica, for calls that only read; blocks the thread.
    ///
    /// An older one is migrated if that is asked for and possible, or else
    /// ``StoreError/olderVersion(_:)`` is thrown; ``StoreError/notFound(_:)`` when nothing was run
    /// here yet. Writing calls throw ``StoreError/readOnly(_:)``.
    package static func openForReading(
        at address: PostgreSQLAddress, options: PostgreSQLStoreOptions,
        isBroughtUpToDate: Bool = true
    ) throws(StoreError) -> PostgreSQLStore {
        try open(at: address, options, isReadOnly: true) { db in
            var version = try StoreVersion(of: db)
            if case .older = version, isBroughtUpToDate {
                // A command that only reads must not need a run first.
                let change = Result { () throws(StoreError) in
                    try open(at: address, options: options).close()
                }
                switch change {
                // A replica, or a user who may only read.
                case .failure(.readOnly), .failure(.refused):
                    throw StoreError.olderVersion(.server(address.description))
                case .failure(let error): throw error
                case .success: break
                }
                version = try StoreVersion(of: db)
            }
            guard case .current(let identity) = version else {
                return try refused(version, at: address)
            }
            return identity
        }
    }

    /// Checks whether a store can be made where none is yet, without making one; blocks the thread.
    package static func checkPlace(at address: PostgreSQLAddress) throws(StoreError) {
        let place = StorePlace.server(address.description)
        do {
            let pool = PostgreSQLPool(
                address, options: PostgreSQLPoolOptions(connections: 1, isReadOnly: true))
            defer { pool.close() }
            try pool.withConnectionNow { db in
                let row = try db.row(
                    "SELECT has_schema_privilege(current_schema()::text, 'CREATE'), current_schema()::text"
                )
                guard let row, try !row.bool(0) else { return }
                throw StoreError.refused(
                    place, reason: "the role may make no tables in the schema \(try row.text(1))")
            }
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    /// Connects, and checks the store first.
    private static func open(
        at address: PostgreSQLAddress, _ options: PostgreSQLStoreOptions, isReadOnly: Bool,
        _ look: @Sendable (PostgreSQLConnection) throws -> String
    ) throws(StoreError) -> PostgreSQLStore {
        let place = StorePlace.server(address.description)
        do {
            let locks = HeldLocks()
            var poolOptions = options.pool
            poolOptions.connections = options.connections
            poolOptions.lockTimeout = options.lockTimeout
            poolOptions.isReadOnly = isReadOnly
            poolOptions.prepare = { _ in locks.confirm() }
            let pool = PostgreSQLPool(address, options: poolOptions)
            let identity = try pool.withConnectionNow(look)
            let keys = KeyFiles(in: options.keyFolder)
            return PostgreSQLStore(
                address: address, pool: pool,
                keyring: PayloadKeyring(
                    of: place, source: options.payloadKey, file: keys.payloadKey,
                    made: options.payloadKeyMade),
                inboxRuns: options.inboxRuns,
                identity: identity, locks: locks,
                lease: options.lease,
                rideOut: RideOut(
                    patience: options.patience,
                    outage: Outage(
                        begun: { options.serverAway($0, options.patience) },
                        ended: options.serverBack)))
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    private static func refused(
        _ version: StoreVersion, at address: PostgreSQLAddress
    ) throws(StoreError) -> String {
        let place = StorePlace.server(address.description)
        switch version {
        case .noSchema:
            throw .refused(place, reason: "none of the schemas in its search_path is there")
        case .empty, .current: throw .notFound(place)
        case .older: throw .olderVersion(place)
        case .incomplete: throw .incomplete(place)
        case .newer: throw .newerVersion(place)
        case .foreign: throw .notAStore(place)
        }
    }

    /// Makes or migrates the store, in one transaction, and returns what it is then.
    private static func bringUpToDate(_ db: PostgreSQLConnection) throws -> StoreVersion {
        try db.executeScript("BEGIN ISOLATION LEVEL READ COMMITTED")
        do {
            try takeTurn(db)
            // Another host may have made it while this one waited.
            switch try StoreVersion(of: db) {
            case .empty:
                try db.executeScript(StoreSchema.ownTable)
                try db.execute(
                    """
                    INSERT INTO hubsend_schema (version, least_version, identity)
                    VALUES (0, 0, gen_random_uuid()::text)
                    """)
                try migrate(from: 0, db)
            case .older(let version): try migrate(from: version, db)
            default: break
            }
            try db.executeScript("COMMIT")
            return try StoreVersion(of: db)
        } catch {
            // If this fails, the connection is closed, and the server rolls back by itself.
            try? db.executeScript("ROLLBACK")
            throw error
        }
    }

    /// Waits until nobody else makes or migrates the store in this schema, and locks that until the
    /// transaction ends.
    private static func takeTurn(_ db: PostgreSQLConnection) throws {
        guard let timeout = try db.row("SELECT current_setting('lock_timeout')") else {
            throw DamagedValue()
        }
        try db.execute("SELECT set_config('lock_timeout', '0', true)")
        try db.execute(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('hubsend schema', n.oid::bigint))
            FROM pg_namespace n WHERE n.nspname = current_schema()
            """)
        try db.execute("SELECT set_config('lock_timeout', $1, true)", [try timeout.text(0)])
    }

    private static func migrate(from version: Int, _ db: PostgreSQLConnection) throws {
        for step in StoreSchema.steps.dropFirst(version) { try db.executeScript(step.sql) }
        try db.execute(
            "UPDATE hubsend_schema SET version = $1, least_version = $2",
            [StoreSchema.version, StoreSchema.leastVersion(with: StoreSchema.version)])
    }
}

extension StoreError {
    fileprivate static func opening(_ error: any Error, at place: StorePlace) -> StoreError {
        switch translating(error, at: place) {
        case let error as StoreError: error
        case let error: .inaccessible(place, reason: "\(error)")
        }
    }
}
