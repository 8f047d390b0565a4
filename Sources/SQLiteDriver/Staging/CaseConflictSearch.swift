import CampaignCore
import GRDB

/// Finds names that differ only in case, in the tables of a ``SQLiteSorter``.
///
/// Everybody is sorted by the lower-case spelling, recipients first. SQLite's `lower` only folds A
/// to Z, and names are ASCII.
enum CaseConflictSearch {
    /// The order of conflicts.
    private enum Rank: Int {
        /// Two consecutive recipients of one spelling.
        case recipients
        /// A recipient whom an exclusion with capitals failed to exclude.
        case excludedWithCapitals
        case excluded
    }

    private struct Person {
        var name: [UInt8]
        var origin: Int64
    }

    /// Searches once it is settled who is left; returns conflicts by ``Rank``, then by name.
    static func conflicts(limit: Int, _ db: Database) throws -> [CaseConflict] {
        // On disk: there may be as many as people.
        try db.execute(sql: "DELETE FROM case_conflicts")
        try search(db)
        let query = try NativeStatement(
            """
            SELECT first, first_origin, second, second_origin FROM case_conflicts
            ORDER BY rank, first, second LIMIT ?
            """, db)
        query.bind(limit, at: 1)
        var conflicts: [CaseConflict] = []
        try query.forEachRow { row in
            conflicts.append(
                CaseConflict(first: try member(row, at: 0), second: try member(row, at: 2)))
        }
        return conflicts
    }

    private static func search(_ db: Database) throws {
        var conflicts = try RowBatch(
            into: "case_conflicts", [],
            others: ["rank", "first", "first_origin", "second", "second_origin"], db)
        var spelling: [UInt8] = []
        var next: [UInt8] = []
        var recipients: [Person] = []
        func note(_ first: Person, _ second: Person, _ rank: Rank) throws {
            conflicts.append(rank.rawValue)
            conflicts.append(utf8: first.name)
            conflicts.append(first.origin)
            conflicts.append(utf8: second.name)
            conflicts.append(second.origin)
            try conflicts.endRow()
        }
        try NativeStatement(bySpelling, db).forEachRow { row in
            row.read(0, into: &next)
            if next != spelling {
                swap(&next, &spelling)
                recipients.removeAll(keepingCapacity: true)
            }
            let person = Person(name: row.bytes(2), origin: Int64(row.integer(3)))
            guard row.integer(1) != 0 else {
                if let previous = recipients.last { try note(previous, person, .recipients) }
                recipients.append(person)
                return
            }
            let rank = person.name == spelling ? Rank.excluded : .excludedWithCapitals
            for recipient in recipients where recipient.name != person.name {
                try note(recipient, person, rank)
            }
        }
        try conflicts.finish()
    }

    private static let bySpelling = """
        SELECT lower(name), 0, name, origin FROM people
        UNION ALL SELECT lower(name), 1, name, origin FROM exclusions
        ORDER BY 1, 2, 3
        """

    private static func member(_ row: NativeRow, at column: Int32) throws -> AudienceMember {
        AudienceMember(
            username: Username(checked: try row.requiredText(column)),
            origin: PackedOrigin.unpack(Int64(row.integer(column + 1))))
    }
}
