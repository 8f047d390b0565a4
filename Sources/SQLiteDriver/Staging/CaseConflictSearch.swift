import CampaignCore
import GRDB

/// Finds names that differ only in case, in the tables of a ``SQLiteSorter``.
///
/// Everybody is sorted by the lower-case spelling, recipients first. SQLite's `lower` only folds A
/// to Z, and names are ASCII.
enum CaseConflictSearch {
    /// The order of conflicts.
    private enum Rank: Int {
        /// Two consecutive recipients with the same lower-case spelling.
        case recipients
        /// A recipient that an exclusion failed to exclude because of a difference in case.
        case excludedWithCapitals
        case excluded
    }

    private struct Person {
        let name: [UInt8]
        let origin: Int64

        var member: AudienceMember {
            AudienceMember(
                username: Username(checked: String(decoding: name, as: UTF8.self)),
                origin: PackedOrigin.unpack(origin))
        }
    }

    private typealias Found = (rank: Rank, conflict: CaseConflict)

    /// Must be called once the audience is settled; returns conflicts by ``Rank``, then by name.
    static func conflicts(limit: Int, _ db: Database) throws -> [CaseConflict] {
        var found: [Found] = []
        try search(db) { first, second, rank in
            found.append((rank, CaseConflict(first: first, second: second)))
            // There may be as many conflicts as people.
            if found.count > 2 * limit + 100 { found = self.first(limit, of: found) }
        }
        return first(limit, of: found).map(\.conflict)
    }

    private static func first(_ limit: Int, of found: [Found]) -> [Found] {
        func key(_ found: Found) -> (Int, Username, Username) {
            let conflict = found.conflict
            return (found.rank.rawValue, conflict.first.username, conflict.second.username)
        }
        return Array(found.sorted { key($0) < key($1) }.prefix(limit))
    }

    private static func search(
        _ db: Database, note: (AudienceMember, AudienceMember, Rank) -> Void
    ) throws {
        var spelling: [UInt8] = []
        var next: [UInt8] = []
        var recipients: [Person] = []
        try NativeStatement(bySpelling, db).forEachRow { row in
            row.read(0, into: &next)
            if next != spelling {
                swap(&next, &spelling)
                recipients.removeAll(keepingCapacity: true)
            }
            let person = Person(name: try row.bytes(2), origin: Int64(row.integer(3)))
            guard row.integer(1) != 0 else {
                if let previous = recipients.last {
                    note(previous.member, person.member, .recipients)
                }
                recipients.append(person)
                return
            }
            let rank = person.name == spelling ? Rank.excluded : .excludedWithCapitals
            for recipient in recipients where recipient.name != person.name {
                note(recipient.member, person.member, rank)
            }
        }
    }

    private static let bySpelling = """
        SELECT lower(name), 0, name, origin FROM people
        UNION ALL SELECT lower(name), 1, name, origin FROM exclusions
        ORDER BY 1, 2, 3
        """
}
