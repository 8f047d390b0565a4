import GRDB
import Storage

/// The seal of a row in a small table: a digest of its other columns that reveals damage.
///
/// Triggers of the writing connection update the seal with each change, so that no statement can
/// omit it. Rows of older versions never get a seal, because those versions may still change them.
enum RowSeal {
    private struct Table {
        let name: String
        let key: [String]
        let columns: [String]
        /// Columns that were added later; the digest ends with the last one that is not NULL, so
        /// that older rows keep their digest.
        var added: [String] = []

        /// The SQL for the seal of a row.
        func seal(_ row: String = "") -> String {
            "row_seal(\(columns.count), \((columns + added).map { row + $0 }.joined(separator: ", ")))"
        }
    }

    private static let runs = Table(
        name: "runs", key: ["key"],
        columns: [
            "key", "id", "campaign", "hub", "occurrence", "is_rehearsal", "state", "reason", "kind",
            "is_message_private", "campaign_path", "delivery", "fingerprints", "named", "duplicate",
            "excluded", "final", "requests", "stop_request", "started", "finished", "expires",
            "revoked", "purged", "recipients_digest", "notifications_digest", "deliveries_digest",
        ],
        added: [
            "push_options", "plan", "pause", "resumes", "waves_digest", "fallback_requests",
            "deliveries_deleted", "started_by",
        ])
    private static let platforms = Table(
        name: "run_platforms", key: ["run", "position"],
        columns: ["run", "position", "platform", "claimed", "claimed_at"], added: ["waves_digest"])
    private static let sums = Table(name: "run_sums", key: ["run"], columns: ["run", "sums"])
    private static let claims = Table(
        name: "wave_claims", key: [], columns: ["run", "platform", "wave", "claimed"])
    private static let waves = Table(
        name: "run_waves", key: [], columns: ["run", "number", "first", "last", "turn", "zones"])

    /// The SQL for the seal that a row of `run_sums` must have.
    static let ofSums = sums.seal()
    /// The SQL for digests of rows in tables without a seal.
    static let (ofClaims, ofWaves) = (claims.seal(), waves.seal())

    /// Every connection needs these functions.
    ///
    /// `row_seal(n, …)` is a digest of the first n values and of the following ones up to the last
    /// that is not NULL. `changed_sum(sum, old, new)` is a sum of digests after one of them has
    /// changed, because SQLite would turn too large a sum into a floating-point number. It is NULL
    /// if the sum is NULL.
    static func addFunctions(to db: Database) {
        db.add(
            function: DatabaseFunction("row_seal", argumentCount: nil, pure: true) { values in
                let least = 1 + (Int.fromDatabaseValue(values[0]) ?? 0)
                let last = values.lastIndex { !$0.isNull } ?? 0
                return RowDigest(values[1..<max(least, last + 1)]).value
            })
        db.add(
            function: DatabaseFunction("changed_sum", argumentCount: 3, pure: true) { values in
                let numbers = values.map { Int64.fromDatabaseValue($0) ?? 0 }
                return values[0].isNull ? nil : numbers[0] &- numbers[1] &+ numbers[2]
            })
    }

    /// Creates the triggers if the connection has none; each writing transaction begins with this.
    ///
    /// SQLite drops the triggers with the temporary tables when their location changes (`PRAGMA
    /// temp_store`).
    static func keep(_ db: Database) throws {
        guard try !db.hasRow("SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' LIMIT 1")
        else { return }
        for table in [runs, platforms, sums] {
            let row = table.key.map { "\($0) = new.\($0)" }.joined(separator: " AND ")
            // Other columns are left out, because a change to them must not hide damage to the
            // columns listed here.
            let columns = (table.columns + table.added).joined(separator: ", ")
            for (name, change) in [("insert", "INSERT"), ("update", "UPDATE OF \(columns)")] {
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER \(table.name)_seal_\(name) AFTER \(change) ON \(table.name)
                        WHEN new.seal IS NOT NULL BEGIN
                            UPDATE \(table.name) SET seal = \(table.seal("new.")) WHERE \(row);
                        END
                        """)
            }
        }
        // The sum of the digests of a platform's rows (``RunDigests``).
        for (change, old) in [("INSERT", "NULL"), ("UPDATE", claims.seal("old."))] {
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER wave_claims_digest_\(change) AFTER \(change) ON wave_claims BEGIN
                        UPDATE run_platforms
                        SET waves_digest = changed_sum(waves_digest, \(old), \(claims.seal("new.")))
                        WHERE run = new.run AND position = new.platform;
                    END
                    """)
        }
    }

    /// Verifies all rows of runs and of their few platforms.
    static func check(_ db: Database) throws {
        let damage = try [runs, platforms].contains { table in
            try db.hasRow("SELECT 1 FROM \(table.name) WHERE seal <> \(table.seal()) LIMIT 1")
        }
        // A run and its platforms were either sealed together when the run began or not at all.
        let isUnsealed = try db.hasRow(
            """
            SELECT 1 FROM run_platforms p JOIN runs r ON r.key = p.run
            WHERE (p.seal IS NULL) <> (r.seal IS NULL)
            """)
        guard !damage, !isUnsealed else { throw DamagedValue() }
    }
}

extension RowDigest {
    fileprivate init(_ values: some Sequence<DatabaseValue>) {
        for value in values {
            switch value.storage {
            case .null: addNull()
            case .int64(let number): add(number)
            case .double(let number): add(Int64(bitPattern: number.bitPattern))
            case .string(let text): add(Array(text.utf8), isText: true)
            case .blob(let bytes): add(Array(bytes), isText: false)
            }
        }
    }
}
