package import CampaignCore
import GRDB

extension AudienceScratch {
    package func caseConflicts(limit: Int) async throws -> [CaseConflict] {
        try await queue.uninterruptedRead(place) { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT a.name, a.vals, a.origin, b.name, b.vals, b.origin
                    FROM (SELECT number,
                            lead(number) OVER (PARTITION BY folded ORDER BY number) AS next
                        FROM spellings) pair
                    CROSS JOIN recipients a ON a.number = pair.number
                    CROSS JOIN recipients b ON b.number = pair.next
                    ORDER BY pair.number LIMIT ?
                    """, arguments: [limit])
            let among = rows.map {
                CaseConflict(
                    first: AudienceMember(scratch: $0, from: 0),
                    second: AudienceMember(scratch: $0, from: 3))
            }
            return try among + Self.withExclusions(limit: limit - among.count, db)
        }
    }

    /// Recipients whose name an exclusion spells otherwise: it meant to take them out, and did not.
    private static func withExclusions(limit: Int, _ db: Database) throws -> [CaseConflict] {
        // The exclusion has capitals, or it has none and the recipient has.
        let capitals = "exclusion_spellings e ON e.folded = lower(r.name)"
        let plain = "spellings s ON s.number = r.number JOIN exclusions e ON e.name = s.folded"
        var conflicts: [CaseConflict] = []
        let joins = try hasRows("exclusion_spellings", db) ? [capitals, plain] : [plain]
        for join in joins {
            conflicts += try Row.fetchAll(
                db,
                sql: """
                    SELECT r.name, r.vals, r.origin, e.name, NULL, e.origin
                    FROM recipients r JOIN \(join)
                    WHERE e.name <> r.name ORDER BY r.number LIMIT ?
                    """, arguments: [max(0, limit - conflicts.count)]
            ).map {
                CaseConflict(
                    first: AudienceMember(scratch: $0, from: 0),
                    second: AudienceMember(scratch: $0, from: 3))
            }
        }
        return conflicts
    }

    private static func hasRows(_ table: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
    }

    /// Lists the exclusions that have an upper-case letter by their lower-case spelling.
    static let gatheringExclusionSpellings = """
        CREATE TABLE exclusion_spellings (folded TEXT NOT NULL, name TEXT NOT NULL, origin INTEGER NOT NULL,
            PRIMARY KEY (folded, name)) WITHOUT ROWID;
        INSERT INTO exclusion_spellings
            SELECT lower(name) AS folded, name, origin FROM exclusions
            WHERE name <> lower(name) ORDER BY folded, name;
        """

    /// Lists, by their lower-case spelling, the names with an upper-case letter and those that one of them folds to.
    ///
    /// Most names have none, and cost one look each. `lower` of SQLite folds ASCII alone, and names are ASCII.
    static func gatherSpellings(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE spellings (folded TEXT NOT NULL, number INTEGER NOT NULL,
                    PRIMARY KEY (folded, number)) WITHOUT ROWID;
                INSERT INTO spellings
                    SELECT lower(name) AS folded, number FROM recipients
                    WHERE name <> lower(name) ORDER BY folded, number;
                """)
        guard db.changesCount > 0 else { return }
        try db.execute(
            sql: """
                INSERT INTO spellings
                    SELECT name, number FROM recipients r
                    WHERE EXISTS (SELECT 1 FROM spellings s WHERE s.folded = r.name)
                        AND name = lower(name)
                    ORDER BY number;
                """)
    }
}
