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
            return rows.map {
                CaseConflict(
                    first: AudienceMember(scratch: $0, from: 0),
                    second: AudienceMember(scratch: $0, from: 3))
            }
        }
    }

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
