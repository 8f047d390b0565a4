package import CampaignCore
import GRDB
import Glibc

/// Sorts an audience in a private SQLite database that is gone with it.
///
/// It lives in memory until its cache is full and spills into unnamed files then, so that a small preview leaves the disk alone and a large
/// audience does not grow the memory. What is read is appended; sorting comes afterwards, all at once.
package struct AudienceScratch: AudienceSorter {
    let queue: DatabaseQueue
    let place: StorePlace

    /// Makes an empty scratch area.
    ///
    /// - Parameters:
    ///   - path: the store's file. Spilled pages go into its folder or, while that does not exist, the nearest one above it.
    ///   - cache: how many bytes stay in memory, for each of rows and sorting.
    ///     Where that one cannot be written, all stays in memory.
    /// - Throws: ``StoreError`` when the system does not say what the folder is.
    package init(besideStoreAt path: String, cache: Int = 8 << 20) throws(StoreError) {
        let wanted = FilePath.folder(of: path)
        let folder = try StoreFolder.nearest(wanted, at: .scratch(folder: wanted))
        let place = StorePlace.scratch(folder: folder)
        var configuration = Configuration()
        configuration.label = "hubsend.scratch"
        do {
            // Where nothing can be written, as in a read-only checkout, memory has to do.
            let mayWrite = unsafe access(folder, W_OK) == 0
            // An empty name is SQLite's for a private temporary database.
            queue = try DatabaseQueue(
                path: mayWrite ? "" : ":memory:", configuration: configuration)
            try queue.writeWithoutTransaction { db in
                if mayWrite {
                    try TemporaryFiles.keep(in: folder, db, at: place)
                } else {
                    try db.execute(sql: "PRAGMA temp_store = MEMORY")
                }
                // Nothing here outlives an error, so nothing has to be rolled back or wiped.
                try db.execute(
                    sql: """
                        PRAGMA journal_mode = OFF;
                        PRAGMA secure_delete = OFF;
                        PRAGMA cache_size = -\(max(1, cache >> 10));
                        CREATE TABLE named (name TEXT NOT NULL, vals BLOB, origin INTEGER NOT NULL);
                        CREATE TABLE excluded (name TEXT NOT NULL, origin INTEGER NOT NULL);
                        """)
            }
        } catch {
            throw StoreError.opening(error, at: place)
        }
        self.place = place
    }

    /// Gives memory and disk back now; without it they go once the last call has returned.
    ///
    /// - Throws: ``StoreError``.
    package func close() throws(StoreError) {
        do {
            try queue.close()
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    package func add(_ members: [AudienceMember]) async throws {
        try await queue.uninterruptedWrite(place) { db in
            let insert = try NativeStatement(
                "INSERT INTO named (name, vals, origin) VALUES (?, ?, ?)", db)
            for member in members {
                insert.bind(PackedValues.pack(member.values), at: 2)
                insert.bind(PackedOrigin.pack(member.origin), at: 3)
                try insert.run(with: member.username.text, at: 1)
            }
        }
    }

    package func exclude(_ members: [AudienceMember]) async throws {
        try await queue.uninterruptedWrite(place) { db in
            let insert = try NativeStatement(
                "INSERT INTO excluded (name, origin) VALUES (?, ?)", db)
            for member in members {
                insert.bind(PackedOrigin.pack(member.origin), at: 2)
                try insert.run(with: member.username.text, at: 1)
            }
        }
    }

    package func page(after number: Int, limit: Int) async throws -> [AudienceMember] {
        try await queue.uninterruptedRead(place) { db in
            let page = try NativeStatement(
                """
                SELECT name, vals, origin FROM recipients
                WHERE number > ? ORDER BY number LIMIT ?
                """, db)
            page.bind(number, at: 1)
            page.bind(limit, at: 2)
            var members: [AudienceMember] = []
            try page.forEachRow { row in
                members.append(
                    AudienceMember(
                        username: Username(checked: try row.requiredText(0)),
                        values: row.isNull(1) ? [] : PackedValues.unpack(row.bytes(1)),
                        origin: PackedOrigin.unpack(Int64(row.integer(2)))))
            }
            return members
        }
    }
}
