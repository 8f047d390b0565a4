package import CampaignCore
import GRDB

extension AudienceScratch {
    package func settle(only: [Username]?) async throws -> AudienceCounts {
        try await queue.uninterruptedWrite(place) { db in
            var counts = AudienceCounts()
            counts.named = try Int.fetchOne(db, sql: "SELECT count(*) FROM named") ?? 0
            try db.execute(sql: Self.sortingPeople)
            let people = db.changesCount
            try db.execute(sql: "DROP TABLE named")
            counts.duplicate = counts.named - people

            try db.execute(sql: Self.creatingExclusions)
            try db.execute(sql: Self.sortingExclusions)
            counts.excluded = try Self.keep(
                "NOT EXISTS (SELECT 1 FROM exclusions e WHERE e.name = p.name)",
                where: db.changesCount > 0, of: people, db)
            counts.final = people - counts.excluded

            if let only {
                try Self.list(only, db)
                counts.final -= try Self.keep(
                    "EXISTS (SELECT 1 FROM wanted w WHERE w.name = p.name)",
                    where: true, of: counts.final, db)
            }
            try db.execute(sql: "ALTER TABLE people RENAME TO recipients")
            try Self.gatherSpellings(db)
            try db.execute(sql: Self.gatheringExclusionSpellings)
            return counts
        }
    }

    /// One sort; of several rows with a name, `min` picks the one that was read first, with its values.
    private static let sortingPeople = """
        CREATE TABLE people (number INTEGER PRIMARY KEY, name TEXT NOT NULL, vals BLOB, origin INTEGER NOT NULL);
        INSERT INTO people (name, vals, origin)
            SELECT name, vals, origin FROM
                (SELECT name, vals, origin, min(rowid) FROM named GROUP BY name ORDER BY name);
        """

    private static let creatingExclusions =
        "CREATE TABLE exclusions (name TEXT PRIMARY KEY, origin INTEGER NOT NULL) WITHOUT ROWID"

    private static let sortingExclusions = """
        INSERT INTO exclusions SELECT name, min(origin) FROM excluded GROUP BY name ORDER BY name;
        """

    /// Keeps some of the people and numbers them anew.
    ///
    /// - Returns: how many were taken out.
    /// - Throws: `DatabaseError`.
    private static func keep(
        _ condition: String, where isNeeded: Bool, of count: Int, _ db: Database
    ) throws -> Int {
        guard isNeeded else { return 0 }
        try db.execute(
            sql: """
                CREATE TABLE kept (number INTEGER PRIMARY KEY, name TEXT NOT NULL, vals BLOB, origin INTEGER NOT NULL);
                INSERT INTO kept (name, vals, origin)
                    SELECT name, vals, origin FROM people p WHERE \(condition) ORDER BY number;
                """)
        let kept = db.changesCount
        try db.execute(sql: "DROP TABLE people; ALTER TABLE kept RENAME TO people;")
        return count - kept
    }

    private static func list(_ names: [Username], _ db: Database) throws {
        try db.execute(sql: "CREATE TABLE wanted (name TEXT PRIMARY KEY) WITHOUT ROWID")
        for name in names {
            try db.execute(
                sql: "INSERT OR IGNORE INTO wanted (name) VALUES (?)", arguments: [name.text])
        }
    }
}
